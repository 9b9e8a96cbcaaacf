import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredRecord, LiveZone } from "../../dns/zone/desired-live.ts";
import { type OwnerSets, type Owners, ownersOf } from "../../dns/zone/owners.ts";
import { isType, targets, type ZoneRecord } from "../../dns/zone/zone.ts";
import { addToList } from "../../group-by.ts";
import { type Gap, type RecordChange, type Step, subject, type ZonePlan } from "../changes/change.ts";
import { isStronger, type Strength, type WithNeeds } from "../changes/in-order.ts";

/** A zone before its steps are ordered. */
export interface ZoneDraft extends Omit<ZonePlan, "steps"> {
  readonly live: LiveZone | undefined;
  /** The desired records and the ignored live ones. */
  readonly records: readonly DesiredRecord[];
  /** The whole zone, live and desired. */
  readonly before: Owners;
  readonly after: Owners;
  readonly changes: readonly OwnerChanges[];
}

/** Changes at one name. */
export interface OwnerChanges {
  readonly owner: NameKey;
  readonly changes: readonly RecordChange[];
}

/** A step before it has its number; without writes, the activation or deactivation of a zone. */
export interface PlannedStep extends WithNeeds<PlannedStep> {
  readonly zone: ZoneDraft;
  /** For a change set, its steps. */
  readonly parts?: readonly PlannedStep[];
  /** Whether it is larger than the service accepts, and cannot be split. */
  readonly isTooLarge?: boolean;
  readonly kind: Step["kind"];
  /** `orderSwaps` may reorder those of a swap. */
  writes: readonly RecordChange[];
}

/** The changes at a name, as steps. */
export interface NameChange {
  readonly owner: NameKey;
  readonly before: OwnerSets | undefined;
  readonly after: OwnerSets | undefined;
  readonly drafts: readonly PlannedStep[];
  /** By new type of the name, the step after which its set is complete: the last one, if others depend on it. */
  readonly createByType: ReadonlyMap<string, PlannedStep>;
  /** By deleted type of the name, the step at which its deletion begins: the first one, if it depends on others. */
  readonly deleteByType: ReadonlyMap<string, PlannedStep>;
}

/** Builds the steps at a name and their dependencies there. */
export function buildNameChange(zone: ZoneDraft, { owner, changes }: OwnerChanges): NameChange {
  const [before, after] = [zone.before.get(owner), zone.after.get(owner)];
  const exchanges = isSwap(before, after) ? [changes] : exchangesOf(changes, before, after);
  const drafts = changes
    .filter((change) => !exchanges.some((exchange) => exchange.includes(change)))
    .map((change) => draft(zone, "write", [change]));
  for (const exchange of exchanges) drafts.push(draft(zone, "swap", deletesFirst(exchange)));
  const createByType = new Map<string, PlannedStep>();
  const deleteByType = new Map<string, PlannedStep>();
  for (const one of drafts) {
    for (const change of one.writes) {
      const { type } = subject(change);
      if (change.kind === "create" && !before?.has(type)) createByType.set(type, one);
      if (change.kind === "delete" && !after?.has(type) && !deleteByType.has(type)) deleteByType.set(type, one);
    }
  }
  const nameChange = { owner, before, after, drafts, createByType, deleteByType };
  needAtName(nameChange);
  return nameChange;
}

function draft(zone: ZoneDraft, kind: PlannedStep["kind"], writes: readonly RecordChange[]): PlannedStep {
  return { zone, kind, writes, needs: new Map() };
}

/**
 * The negative caching time: the lesser of the SOA's minimum and its TTL (RFC 2308 §5). In a hosted zone, whose SOA
 * record is not read, both are the zone's TTL. A zone that becomes a master gets its settings before its records.
 */
export function gapOf({ zone, before, defaultTtl, settings }: ZoneDraft): number {
  const [soa] = before.get(nameKey(zone.name))?.get("SOA")?.records ?? [];
  if (soa && isType(soa, "SOA")) return Math.min(soa.data.minimum, soa.ttl ?? defaultTtl.before);
  return settings.some(({ name }) => name === "type")
    ? Math.max(defaultTtl.before, defaultTtl.after)
    : defaultTtl.before;
}

/** Whether a CNAME and other records replace each other: they cannot coexist (RFC 1034 §3.6.2). */
function isSwap(before: OwnerSets | undefined, after: OwnerSets | undefined): boolean {
  return before !== undefined && after !== undefined && before.has("CNAME") !== after.has("CNAME");
}

/** The changes that each replace some records of a name by others with which they cannot coexist. */
function exchangesOf(
  changes: readonly RecordChange[],
  before: OwnerSets | undefined,
  after: OwnerSets | undefined,
): (readonly RecordChange[])[] {
  const ofMx = before?.has("MX") && after?.has("MX") ? nullMxExchange(changes) : [];
  return [ofMx, addressExchange(changes, before, after)].filter((exchange) => exchange.length > 0);
}

/** The changes between addresses and an ALIAS record, which services answer with addresses; empty without both. */
function addressExchange(
  changes: readonly RecordChange[],
  before: OwnerSets | undefined,
  after: OwnerSets | undefined,
): readonly RecordChange[] {
  const [had, has] = [before, after].map((sets) => sets?.has("ALIAS") === true);
  const [one, other] = had ? [before, after] : [after, before];
  const isExchange = had !== has && one !== undefined && (other?.has("A") || other?.has("AAAA"));
  return isExchange ? changes.filter((change) => isAnsweredByAddress(subject(change).type)) : [];
}

/**
 * The gap of a swap between an ALIAS record and others. Where it takes several writes, the service looks the target up
 * after them, and has no addresses until then.
 */
export function gapsOfAlias({ zone, kind, writes, parts }: PlannedStep): Gap[] {
  const types = writes.map((change) => subject(change).type);
  const [first] = writes;
  if (first === undefined || parts || kind !== "swap" || !types.includes("ALIAS")) return [];
  const addresses = types.includes("CNAME") ? ["A", "AAAA"] : [...new Set(types.filter(isAddressType))].sort();
  return [{ owner: nameKey(subject(first).owner), types: addresses, seconds: gapOf(zone) }];
}

/** Whether a type is answered with addresses only: an ALIAS record, too. */
export function isAnsweredByAddress(type: string): boolean {
  return type === "ALIAS" || isAddressType(type);
}

/**
 * The changes of an MX set between a null MX and mail servers, which cannot coexist either (RFC 7505 §3); empty if one
 * write is enough. One of them changes in place, so an MX record exists all the time.
 */
function nullMxExchange(changes: readonly RecordChange[]): RecordChange[] {
  const mx = changes.filter((change) => subject(change).type === "MX");
  const isExchange = mx.some((change) =>
    [beforeOf(change), afterOf(change)].some((record) => record && isNullMx(record)),
  );
  return isExchange && mx.length > 1 ? mx : [];
}

/** Orders deletes before creates. */
function deletesFirst(changes: readonly RecordChange[]): RecordChange[] {
  const of = (kind: RecordChange["kind"]) => changes.filter((change) => change.kind === kind);
  return [...of("delete"), ...of("update"), ...of("create")];
}

/**
 * Adds the dependencies at one name: surplus records of a set are deleted after changes in place; the last set of a
 * name, or of its addresses, is deleted after its replacement is created. A CNAME that is stored beside other records,
 * which is invalid, changes once it is alone.
 */
function needAtName({ before, after, drafts, createByType, deleteByType }: NameChange): void {
  if (isSwap(before, after)) return;
  const stays = before && after && [...before.keys()].some((type) => after.has(type));
  for (const [type, list] of draftsByType(drafts)) {
    const [firstDelete] = draftsOf(list, "delete");
    for (const update of type === "CNAME" ? [] : draftsOf(list, "update")) addNeed(firstDelete, update, "required");
    for (const [coming, one] of createByType)
      if (!stays || (isAddressType(type) && isAddressType(coming))) addNeed(deleteByType.get(type), one, "required");
  }
  if (before?.has("CNAME") && after?.has("CNAME")) needAlone(drafts);
}

/** A CNAME changes after the records beside it are deleted. */
function needAlone(drafts: readonly PlannedStep[]): void {
  const deletes = draftsOf(drafts, "delete");
  for (const update of draftsOf(drafts, "update")) for (const gone of deletes) addNeed(update, gone, "required");
}

function draftsByType(drafts: readonly PlannedStep[]): Map<string, PlannedStep[]> {
  const byType = new Map<string, PlannedStep[]>();
  for (const one of drafts)
    if (one.kind === "write") for (const change of one.writes) addToList(byType, subject(change).type, one);
  return byType;
}

function draftsOf(drafts: readonly PlannedStep[], kind: RecordChange["kind"]): PlannedStep[] {
  return drafts.filter(({ writes }) => writes[0]?.kind === kind);
}

function isNullMx(record: ZoneRecord): boolean {
  return targets(record)[0] === ".";
}

/**
 * Adds the dependencies inside sets: of several deletions the others wait for the first one, and of several creations
 * the last one waits for the others. Must be called after all other dependencies are added.
 */
export function needInSets({ drafts }: NameChange, needed: ReadonlySet<PlannedStep>): void {
  if (drafts.length < 2) return;
  const gates = new Map<string, PlannedStep>();
  for (const one of drafts) {
    const [change] = one.writes;
    if (one.kind !== "write" || change?.kind !== "delete") continue;
    const gate = gates.get(change.before.type);
    if (gate === undefined) gates.set(change.before.type, one);
    else if (gate.needs.size > 0 && !one.needs.has(gate) && !gate.needs.has(one)) addNeed(one, gate, "required");
  }
  gates.clear();
  for (const one of [...drafts].reverse()) {
    const [change] = one.writes;
    if (one.kind !== "write" || change?.kind !== "create") continue;
    const gate = gates.get(change.after.type);
    if (gate === undefined) gates.set(change.after.type, one);
    else if (needed.has(gate)) addNeed(gate, one, "required");
  }
}

export function beforeOf(change: RecordChange): ZoneRecord | undefined {
  return change.kind === "create" ? undefined : change.before;
}

export function afterOf(change: RecordChange): ZoneRecord | undefined {
  return change.kind === "delete" ? undefined : change.after;
}

export function isAddressType(type: string): boolean {
  return type === "A" || type === "AAAA";
}

/** Makes the first depend on the second, with at least this strength. */
export function addNeed<T extends WithNeeds<T>>(one: T | undefined, other: T | undefined, strength: Strength): void {
  if (one === undefined || other === undefined || one === other) return;
  const known = one.needs.get(other);
  if (known === undefined || isStronger(strength, known)) one.needs.set(other, strength);
}

/** A live zone without changes. */
export function unchangedDraft(live: LiveZone): ZoneDraft {
  const ttl = live.settings.ttl_sec || live.defaultTimes.ttl_sec;
  const owners = ownersOf(live.records);
  return {
    zone: { name: live.name, settings: live.settings, otherTimes: {}, defaultTimes: live.defaultTimes, records: [] },
    domainId: live.id,
    settings: [],
    defaultTtl: { before: ttl, after: ttl },
    unchanged: 0,
    ignored: 0,
    live,
    records: [],
    before: owners,
    after: owners,
    changes: [],
  };
}
