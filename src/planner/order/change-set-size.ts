import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { emptyOctets, recordOctets } from "../../dns/zone/record-octets.ts";
import { setKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { type RecordChange, subject } from "../changes/change.ts";
import { afterOf, beforeOf, type PlannedStep, type ZoneDraft } from "./draft.ts";

/** The maximum size of a change set, in octets, and what its lock compares. */
export interface ChangeLimit {
  readonly most?: number | undefined;
  readonly lock?: "none" | "record" | "rrset" | "compared" | undefined;
  /** The number of RRsets that must not exist where a name with records gets a CNAME. */
  readonly conditionsPerAlias?: number | undefined;
}

/** A change set while steps are added. */
interface OpenSet {
  octets: number;
  /** The RRsets and names whose conditions count already. */
  readonly counted: Set<string>;
}

const emptySet = (): OpenSet => ({ octets: 0, counted: new Set() });

/**
 * Sums up the octets of change sets of one zone, which take effect one after the other: of the records that the writes
 * name and of those that the lock compares. An RRset whose TTL changes is deleted and added as a whole, because servers
 * may keep the TTL of a record that is added again.
 */
export class ChangeSetMeter {
  readonly #limit: ChangeLimit;
  /** The octets of RRsets after the changes so far. */
  readonly #stored = new Map<string, number>();
  #open = emptySet();

  constructor(limit: ChangeLimit) {
    this.#limit = limit;
  }

  /** Begins a change set. */
  begin(): void {
    this.#open = emptySet();
  }

  /** Adds steps to the set, if they fit into it or `isForced`; returns whether it is within the limit with them. */
  add(steps: readonly PlannedStep[], { isForced = false } = {}): boolean {
    const { most = Number.POSITIVE_INFINITY } = this.#limit;
    const counted = new Set<string>();
    const isNew = (key: string) => !this.#open.counted.has(key) && !counted.has(key) && counted.add(key) !== undefined;
    let octets = this.#open.octets;
    for (const { zone, writes } of steps) for (const change of writes) octets += this.#octetsOf(zone, change, isNew);
    const fits = octets <= most;
    if (!fits && !isForced) return false;
    this.#open.octets = octets;
    for (const key of counted) this.#open.counted.add(key);
    for (const { zone, writes } of steps) for (const change of writes) this.#note(zone, change);
    return fits;
  }

  /** The octets of a change; `isNew` tells of each condition whether it counts for the first time. */
  #octetsOf(zone: ZoneDraft, change: RecordChange, isNew: (key: string) => boolean): number {
    const { lock, conditionsPerAlias = 0 } = this.#limit;
    const [before, after] = [beforeOf(change), afterOf(change)];
    const [gone, added] = [octetsIn(zone, before), octetsIn(zone, after)];
    if (lock === "record") return gone + added + gone;
    if (lock !== "rrset") return gone + added;
    const { owner } = subject(change);
    const set = setKeyOf(subject(change));
    const stored = this.#storedIn(zone, subject(change));
    const empty = emptyOctets(zone.zone.name, owner);
    const isWhole = changesTtl(zone, change);
    let octets = isWhole ? Math.max(0, added - gone) : gone + added;
    if (isNew(set)) octets += stored || empty;
    if (isWhole && isNew(`TTL ${set}`)) octets += empty + stored;
    if (after?.type === "CNAME" && isNew(`CNAME ${nameKey(owner)}`))
      octets += empty * (hasOthers(zone, nameKey(owner)) ? conditionsPerAlias : 1);
    return octets;
  }

  #storedIn(zone: ZoneDraft, record: ZoneRecord): number {
    const key = setKeyOf(record);
    const known = this.#stored.get(key);
    if (known !== undefined) return known;
    const octets = storedSet(zone, record).reduce((sum, one) => sum + octetsIn(zone, one), 0);
    this.#stored.set(key, octets);
    return octets;
  }

  #note(zone: ZoneDraft, change: RecordChange): void {
    const left = this.#storedIn(zone, subject(change)) - octetsIn(zone, beforeOf(change));
    this.#stored.set(setKeyOf(subject(change)), left + octetsIn(zone, afterOf(change)));
  }
}

function octetsIn({ zone }: ZoneDraft, record: ZoneRecord | undefined): number {
  return record ? recordOctets(zone.name, record) : 0;
}

function storedSet({ before }: ZoneDraft, record: ZoneRecord): readonly ZoneRecord[] {
  return before.get(nameKey(record.owner))?.of(record)?.records ?? [];
}

function changesTtl(zone: ZoneDraft, change: RecordChange): boolean {
  const after = afterOf(change);
  return after !== undefined && storedSet(zone, after).some(({ ttl }) => ttl !== after.ttl);
}

function hasOthers({ before }: ZoneDraft, owner: NameKey): boolean {
  return (
    before
      .get(owner)
      ?.keys()
      .some((type) => type !== "CNAME") ?? false
  );
}
