import type { DesiredRecord, LiveZone } from "../dns/desired-live.ts";
import type { NameKey } from "../dns/name.ts";
import { byOwner, type OwnerSets, type Owners, targets, type ZoneRecord } from "../dns/zone.ts";
import { type RecordChange, type Step, subject, type ZonePlan } from "./change.ts";
import { isStronger, type Needing, type Strength } from "./in-order.ts";

/** A zone before its steps are in order. */
export interface ZoneDraft extends Omit<ZonePlan, "steps"> {
  readonly live: LiveZone | undefined;
  /** The desired records, and those that are left alone. */
  readonly records: readonly DesiredRecord[];
  /** The whole zone, as it is stored and as it is desired. */
  readonly before: Owners;
  readonly after: Owners;
  readonly changes: readonly OwnerChanges[];
  /** Can the service exchange records at one moment? */
  readonly atomicChanges: boolean;
}

/** Changes at one name. */
export interface OwnerChanges {
  readonly owner: NameKey;
  readonly changes: readonly RecordChange[];
}

/** A step before it has its number; or, without writes, the moment at which a zone begins to be served. */
export interface Draft extends Needing<Draft> {
  readonly zone: ZoneDraft;
  readonly kind: Step["kind"];
  /** `orderSwaps` puts those of a swap in another order. */
  writes: readonly RecordChange[];
}

/** A name at which something changes, with its steps. */
export interface NameChange {
  readonly owner: NameKey;
  readonly before: OwnerSets | undefined;
  readonly after: OwnerSets | undefined;
  readonly drafts: readonly Draft[];
  /** The step with which a type that the name had not is all there: the last one, where something waits for it. */
  readonly comes: ReadonlyMap<string, Draft>;
  /** The step with which a type begins to go from the name: the first one, where it waits for something. */
  readonly goes: ReadonlyMap<string, Draft>;
}

/** The steps at a name, with what they need of each other there. */
export function buildNameChange(zone: ZoneDraft, { owner, changes }: OwnerChanges): NameChange {
  const [before, after] = [zone.before.get(owner), zone.after.get(owner)];
  const exchange = before?.has("MX") && after?.has("MX") && !isSwap(before, after) ? nullMxExchange(changes) : [];
  const drafts = isSwap(before, after)
    ? [draft(zone, swapKind(zone), makingRoom(changes))]
    : changes.filter((change) => !exchange.includes(change)).map((change) => draft(zone, "write", [change]));
  if (exchange.length > 0) drafts.push(draft(zone, swapKind(zone), makingRoom(exchange)));
  const comes = new Map<string, Draft>();
  const goes = new Map<string, Draft>();
  for (const one of drafts) {
    for (const change of one.writes) {
      const { type } = subject(change);
      if (change.kind === "create" && !before?.has(type)) comes.set(type, one);
      if (change.kind === "delete" && !after?.has(type) && !goes.has(type)) goes.set(type, one);
    }
  }
  const nameChange = { owner, before, after, drafts, comes, goes };
  needAtName(nameChange);
  return nameChange;
}

function draft(zone: ZoneDraft, kind: Draft["kind"], writes: readonly RecordChange[]): Draft {
  return { zone, kind, writes, needs: new Map() };
}

function swapKind({ atomicChanges }: ZoneDraft): Step["kind"] {
  return atomicChanges ? "change-set" : "swap";
}

/**
 * For how long "there is nothing" may be remembered: the lesser of the SOA's minimum and its TTL (RFC 2308 §5), which
 * for a hosted zone are both the zone's TTL. One that becomes a master has its settings before its records.
 */
export function gapOf({ defaultTtl, settings }: ZoneDraft): number {
  return settings.some(({ name }) => name === "type")
    ? Math.max(defaultTtl.before, defaultTtl.after)
    : defaultTtl.before;
}

/** A CNAME and other records take each other's place (RFC 1034 §3.6.2: they cannot stand together). */
function isSwap(before: OwnerSets | undefined, after: OwnerSets | undefined): boolean {
  return before !== undefined && after !== undefined && before.has("CNAME") !== after.has("CNAME");
}

/**
 * The changes of an MX set that goes between "no mail" and mail servers, which cannot stand together either (RFC 7505
 * §3); none when one write does it. As one of them changes in place, there is an MX record all the time.
 */
function nullMxExchange(changes: readonly RecordChange[]): RecordChange[] {
  const mx = changes.filter((change) => subject(change).type === "MX");
  const isExchange = mx.some((change) =>
    [beforeOf(change), afterOf(change)].some((record) => record && isNullMx(record)),
  );
  return isExchange && mx.length > 1 ? mx : [];
}

/** Deletes make room for creates. */
function makingRoom(changes: readonly RecordChange[]): RecordChange[] {
  const of = (kind: RecordChange["kind"]) => changes.filter((change) => change.kind === kind);
  return [...of("delete"), ...of("update"), ...of("create")];
}

/**
 * At one name: a set's surplus goes after what changes in place; the last set of a name, or of its addresses, goes
 * after what takes its place has come. A CNAME that is stored beside others, as no service should, changes when it is
 * alone.
 */
function needAtName({ before, after, drafts, comes, goes }: NameChange): void {
  if (isSwap(before, after)) return;
  const byType = new Map<string, Draft[]>();
  for (const one of drafts)
    for (const change of one.kind === "write" ? one.writes : []) {
      const list = byType.get(subject(change).type);
      if (list) list.push(one);
      else byType.set(subject(change).type, [one]);
    }
  const stays = before && after && [...before.keys()].some((type) => after.has(type));
  for (const [type, list] of byType) {
    const updates = list.filter(({ writes }) => writes[0]?.kind === "update");
    const deletes = list.filter(({ writes }) => writes[0]?.kind === "delete");
    for (const update of type === "CNAME" || deletes.length === 0 ? [] : updates) need(deletes[0], update, "required");
    for (const [coming, one] of comes)
      if (!stays || (isAddress(type) && isAddress(coming))) need(goes.get(type), one, "required");
  }
  if (!before?.has("CNAME") || !after?.has("CNAME")) return;
  const deletes = drafts.filter(({ writes }) => writes[0]?.kind === "delete");
  for (const update of drafts.filter(({ writes }) => writes[0]?.kind === "update"))
    for (const gone of deletes) need(update, gone, "required");
}

function isNullMx(record: ZoneRecord): boolean {
  return targets(record)[0] === ".";
}

/**
 * Of a set that goes in several steps the first one waits, and the others for it; of one that comes in several the last
 * one is waited for, and waits for the others. To be called when all other needs are known.
 */
export function needInSets({ drafts }: NameChange, needed: ReadonlySet<Draft>): void {
  const gates = new Map<string, Draft>();
  for (const one of drafts) {
    const [change] = one.writes;
    if (one.kind !== "write" || change?.kind !== "delete") continue;
    const gate = gates.get(change.before.type);
    if (gate === undefined) gates.set(change.before.type, one);
    else if (gate.needs.size > 0 && !one.needs.has(gate) && !gate.needs.has(one)) need(one, gate, "required");
  }
  gates.clear();
  for (const one of [...drafts].reverse()) {
    const [change] = one.writes;
    if (one.kind !== "write" || change?.kind !== "create") continue;
    const gate = gates.get(change.after.type);
    if (gate === undefined) gates.set(change.after.type, one);
    else if (needed.has(gate)) need(gate, one, "required");
  }
}

export function beforeOf(change: RecordChange): ZoneRecord | undefined {
  return change.kind === "create" ? undefined : change.before;
}

export function afterOf(change: RecordChange): ZoneRecord | undefined {
  return change.kind === "delete" ? undefined : change.after;
}

export function isAddress(type: string): boolean {
  return type === "A" || type === "AAAA";
}

/** Has the first wait for the second, at least that much. */
export function need(one: Draft | undefined, other: Draft | undefined, strength: Strength): void {
  if (one === undefined || other === undefined || one === other) return;
  const known = one.needs.get(other);
  if (known === undefined || isStronger(strength, known)) one.needs.set(other, strength);
}

/** A zone in which nothing changes, as it is stored. */
export function unchangedDraft(live: LiveZone): ZoneDraft {
  const ttl = live.settings.ttl_sec || live.defaultTimes.ttl_sec;
  const owners = byOwner(live.records);
  return {
    zone: { name: live.name, settings: live.settings, otherTimes: {}, defaultTimes: live.defaultTimes, records: [] },
    domainId: live.id,
    settings: [],
    defaultTtl: { before: ttl, after: ttl },
    unchanged: 0,
    ignored: 0,
    atomicChanges: false,
    live,
    records: [],
    before: owners,
    after: owners,
    changes: [],
  };
}
