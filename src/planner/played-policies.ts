import type { ZoneRecord } from "../zone/zone.ts";
import { type Count, count, type Moment, type PlayedName } from "./played-names.ts";

const policies = ["v=spf1", "v=dmarc1", "v=stsv1", "v=tlsrptv1", "v=bimi1"];

/** Texts that say which policy they are, and of which a name must have one: counted at the names where texts change. */
export class PlayedPolicies {
  readonly #names = new Map<PlayedName, Map<string, Count>>();

  /** To be told of each name before the first change there is played. */
  expect(name: PlayedName): void {
    if (this.#names.has(name)) return;
    const counts = new Map<string, Count>();
    const { before, after } = name.zone;
    for (const record of before.get(name.owner)?.get("TXT")?.records ?? []) {
      countIn(counts, record, "before", 1);
      countIn(counts, record, "now", 1);
    }
    for (const record of after.get(name.owner)?.get("TXT")?.records ?? []) countIn(counts, record, "after", 1);
    this.#names.set(name, counts);
  }

  play(name: PlayedName, record: ZoneRecord, by: 1 | -1): void {
    const counts = record.type === "TXT" ? this.#names.get(name) : undefined;
    if (counts) countIn(counts, record, "now", by);
  }

  *faults(name: PlayedName): Generator<string> {
    for (const [policy, { before, now, after }] of this.#names.get(name) ?? []) {
      if (now > Math.max(1, before, after)) yield `${name.owner} has ${now} texts ${policy}`;
      if (now === 0 && before > 0 && after > 0) yield `${name.owner} has no text ${policy}`;
    }
  }
}

function countIn(counts: Map<string, Count>, { data }: ZoneRecord, moment: Moment, by: 1 | -1): void {
  const text = (data.target as readonly string[]).join("").toLowerCase();
  const policy = policies.find((start) => text.startsWith(start) && /^[\s;]|^$/.test(text.slice(start.length)));
  if (policy === undefined) return;
  const known = counts.get(policy) ?? count();
  known[moment] += by;
  counts.set(policy, known);
}
