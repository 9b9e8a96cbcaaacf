import { type NameKey, nameKey } from "../dns/name/name.ts";
import type { Id, LiveRecord, LiveZone } from "../dns/zone/desired-live.ts";
import type { ZoneSettings } from "../dns/zone/zone-settings.ts";
import type { Capabilities } from "../targets/target.ts";
import type { JournalLine, JournalRecord } from "./journal/journal-line.ts";
import { type RunWrite, writesOfRun } from "./journal/runs.ts";
import { toDesired } from "./undo.ts";
import { isSame } from "./write/compare-live.ts";

/**
 * The live zones as they were before a run. Records that others edited since stay as they are. A zone that the run
 * created is absent, unless others wrote records to it. Deleted zones stay deleted.
 */
export function revertRun(
  lines: readonly JournalLine[],
  live: ReadonlyMap<NameKey, LiveZone>,
  { ids }: Pick<Capabilities, "ids">,
): Map<NameKey, LiveZone> {
  const zones = new Map<NameKey, RevertedZone>();
  for (const write of writesOfRun(lines).reverse()) {
    const name = nameKey(write.zone);
    const stored = live.get(name);
    if (!stored || write.step === "delete-zone" || !hasTakenEffect(write)) continue;
    const zone = zones.get(name) ?? new RevertedZone(stored, ids);
    zones.set(name, zone);
    zone.revert(write);
  }
  const before = new Map(live);
  for (const [name, zone] of zones) {
    const found = zone.result();
    if (found) before.set(name, found);
    else before.delete(name);
  }
  return before;
}

/** A write whose outcome is unknown may have taken effect: the live record shows it. */
function hasTakenEffect({ state }: RunWrite): boolean {
  return state === "done" || state === "already" || state === "open";
}

class RevertedZone {
  readonly #live: LiveZone;
  readonly #ids: Capabilities["ids"];
  readonly #records: Map<Id, LiveRecord>;
  readonly #settings: Record<string, unknown>;
  #isNew = false;

  constructor(live: LiveZone, ids: Capabilities["ids"]) {
    this.#live = live;
    this.#ids = ids;
    this.#records = new Map(live.records.map((record) => [record.id, record]));
    this.#settings = { ...live.settings };
  }

  revert({ step, write, id, intent }: RunWrite): void {
    if (step === "zone") this.#isNew = true;
    const record = intent?.records?.[write];
    if (record) this.#revertRecord(record.before, record.after, id);
    for (const { name, before, after } of intent?.settings ?? [])
      if (JSON.stringify(this.#settings[name]) === JSON.stringify(after)) this.#settings[name] = before;
  }

  result(): LiveZone | undefined {
    if (this.#isNew && this.#records.size === 0) return undefined;
    return { ...this.#live, settings: this.#settings as ZoneSettings, records: [...this.#records.values()] };
  }

  #revertRecord(before: JournalRecord | undefined, after: JournalRecord | undefined, id: Id | undefined): void {
    const stored = after && this.#find(after, this.#ids === "content" ? undefined : (before?.id ?? id));
    if (after && !stored) return; // someone else changed or deleted it, or it was never written
    if (stored && stored.id !== before?.id) this.#records.delete(stored.id);
    if (before?.id !== undefined && (stored || !this.#records.has(before.id)))
      this.#records.set(before.id, { ...toDesired(before), id: before.id });
  }

  /** The record as the run wrote it. The id of a created one is unknown if the reply was lost. */
  #find(after: JournalRecord, id: Id | undefined): LiveRecord | undefined {
    const wrote = toDesired(after);
    const { settings, defaultTimes } = this.#live;
    const isWritten = (stored: LiveRecord) => isSame(wrote, stored, settings.ttl_sec || defaultTimes.ttl_sec);
    if (id === undefined) return [...this.#records.values()].find(isWritten);
    const stored = this.#records.get(id);
    return stored && isWritten(stored) ? stored : undefined;
  }
}
