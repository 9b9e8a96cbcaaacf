import { labels, type Name } from "../../src/zone/name.ts";
import { canonical, targets, type ZoneRecord } from "../../src/zone/zone.ts";

/** The records of a zone at one moment, asked about by name. Its own model of DNS, so as not to repeat the planner's faults. */
export class Names {
  readonly #records = new Map<Name, ZoneRecord[]>();
  readonly #values = new Set<string>();

  constructor(records: Iterable<ZoneRecord>) {
    for (const record of records) {
      const owner = record.owner.toLowerCase();
      this.#records.set(owner, [...(this.#records.get(owner) ?? []), record]);
      this.#values.add(lineOf(record));
    }
  }

  has(name: Name): boolean {
    return this.#records.has(name.toLowerCase());
  }

  at(name: Name): readonly ZoneRecord[] {
    return this.#records.get(name.toLowerCase()) ?? [];
  }

  types(name: Name): ReadonlySet<string> {
    return new Set(this.at(name).map(({ type }) => type));
  }

  /** Is there a record of this owner, type and value? */
  holds(record: ZoneRecord): boolean {
    return this.#values.has(lineOf(record));
  }

  hasAddress(name: Name): boolean {
    return this.types(name).has("A") || this.types(name).has("AAAA");
  }

  /** How many texts there are of each kind of policy, like `v=spf1`. */
  policies(name: Name): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { type, data } of this.at(name)) {
      const kind = type === "TXT" ? /^v=[^ ;]+/.exec(String((data.target as string[]).join("")))?.[0] : undefined;
      if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return counts;
  }

  /** The name in lower case whose records answer for `target`: itself, the delegation above it, or its wildcard. */
  answerer(target: Name): Name | undefined {
    const parts = labels(target.toLowerCase());
    const above = parts.map((_, index) => `${parts.slice(index).join(".")}.`);
    const [itself, ...parents] = above;
    if (itself === undefined || this.has(itself)) return itself;
    return parents.map((name) => (this.types(name).has("NS") ? name : `*.${name}`)).find((name) => this.has(name));
  }

  /** Has the name nothing but pointers, all of them of this plan? */
  onlyPoints(name: Name, ofPlan: ReadonlySet<ZoneRecord>): boolean {
    return this.at(name).every((record) => ofPlan.has(record) && targets(record).length > 0);
  }

  /** Do pointers of this plan lead from one name to the other? */
  leads(from: Name, to: Name, ofPlan: ReadonlySet<ZoneRecord>): boolean {
    const seen = new Set<Name>();
    const waiting = [from.toLowerCase()];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (name === to.toLowerCase()) return true;
      if (seen.has(name)) continue;
      seen.add(name);
      for (const record of this.at(name).filter((record) => ofPlan.has(record)))
        waiting.push(...targets(record).flatMap((target) => this.answerer(target) ?? []));
    }
    return false;
  }
}

function lineOf(record: ZoneRecord): string {
  return `${record.owner.toLowerCase()} ${record.type} ${canonical(record)}`;
}
