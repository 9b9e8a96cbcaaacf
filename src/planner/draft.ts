import type { DesiredRecord, LiveZone } from "../zone/desired-live.ts";
import type { Name } from "../zone/name.ts";
import { targets, type ZoneRecord } from "../zone/zone.ts";
import type { Owners, Sets } from "./answerer.ts";
import { type RecordChange, subject, type ZonePlan } from "./change.ts";
import type { Needing, Strength } from "./in-order.ts";

/** A zone before its steps are in order. */
export interface ZoneDraft extends Omit<ZonePlan, "steps"> {
  readonly live: LiveZone | undefined;
  /** The desired records, and those that are left alone. */
  readonly records: readonly DesiredRecord[];
  /** The whole zone, as it is stored and as it is desired. */
  readonly before: Owners;
  readonly after: Owners;
  readonly changes: readonly OwnerChanges[];
}

/** What changes at one name, in lower case. */
export interface OwnerChanges {
  readonly owner: Name;
  readonly changes: readonly RecordChange[];
}

/** A step before it has its number; or, without writes, the moment at which a zone begins to be served. */
export interface Draft extends Needing<Draft> {
  readonly zone: ZoneDraft;
  readonly kind: "write" | "swap";
  readonly writes: readonly RecordChange[];
  readonly gapSeconds?: number;
}

/** A name at which something changes, with its steps. */
export interface Site {
  readonly owner: Name;
  readonly before: Sets | undefined;
  readonly after: Sets | undefined;
  readonly drafts: readonly Draft[];
  /** The step with which a type comes to the name that it had not. */
  readonly comes: ReadonlyMap<string, Draft>;
  /** The last step with which a type goes from the name. */
  readonly goes: ReadonlyMap<string, Draft>;
}

/** The steps at a name, with what they need of each other there. */
export function siteOf(zone: ZoneDraft, { owner, changes }: OwnerChanges): Site {
  const [before, after] = [zone.before.get(owner), zone.after.get(owner)];
  const drafts = isSwap(before, after)
    ? [draft(zone, "swap", makingRoom(changes))]
    : changes.map((change) => draft(zone, "write", [change]));
  const comes = new Map<string, Draft>();
  const goes = new Map<string, Draft>();
  for (const one of drafts) {
    for (const change of one.writes) {
      const { type } = subject(change);
      if (change.kind === "create" && !before?.has(type) && !comes.has(type)) comes.set(type, one);
      if (change.kind === "delete" && !after?.has(type)) goes.set(type, one);
    }
  }
  const site = { owner, before, after, drafts, comes, goes };
  needAtSite(site);
  return site;
}

function draft(zone: ZoneDraft, kind: Draft["kind"], writes: readonly RecordChange[]): Draft {
  const gap = kind === "swap" ? { gapSeconds: gapOf(zone) } : {};
  return { zone, kind, writes, needs: new Map(), ...gap };
}

/**
 * For how long "there is nothing" may be remembered: the lesser of the SOA's minimum and its TTL (RFC 2308 §5), which
 * for a hosted zone are both the zone's TTL. One that becomes a master has its settings before its records.
 */
function gapOf({ defaultTtl, settings }: ZoneDraft): number {
  return settings.some(({ name }) => name === "type")
    ? Math.max(defaultTtl.before, defaultTtl.after)
    : defaultTtl.before;
}

/** A CNAME and other records take each other's place (RFC 1034 §3.6.2: they cannot stand together). */
function isSwap(before: Sets | undefined, after: Sets | undefined): boolean {
  return before !== undefined && after !== undefined && before.has("CNAME") !== after.has("CNAME");
}

/** What goes makes room for what comes. */
function makingRoom(changes: readonly RecordChange[]): RecordChange[] {
  return (["delete", "update", "create"] as const).flatMap((kind) => changes.filter((change) => change.kind === kind));
}

/**
 * At one name: a set's surplus goes after what changes in place; the last set of a name, or of its addresses, goes after
 * what takes its place has come. What must stand alone (CNAME; null MX, RFC 7505 §3) comes after the others are gone.
 */
function needAtSite({ before, after, drafts, comes, goes }: Site): void {
  if (drafts.some(({ kind }) => kind === "swap")) return;
  const byType = new Map<string, Draft[]>();
  for (const one of drafts)
    for (const change of one.writes) {
      const list = byType.get(subject(change).type);
      if (list) list.push(one);
      else byType.set(subject(change).type, [one]);
    }
  const stays = before && after && [...before.keys()].some((type) => after.has(type));
  for (const [type, list] of byType) {
    const updates = list.filter(({ writes }) => writes[0]?.kind === "update");
    const deletes = list.filter(({ writes }) => writes[0]?.kind === "delete");
    if (type === "MX" && list.some(touchesNull)) standAlone(list);
    else if (type !== "CNAME") {
      const [first, ...others] = deletes;
      for (const update of first ? updates : []) need(first, update, "firm");
      for (const other of updates.length > 0 ? others : []) need(other, first, "firm");
    }
    if (!goes.has(type)) continue;
    for (const [coming, one] of comes)
      if (!stays || (isAddress(type) && isAddress(coming))) for (const gone of deletes) need(gone, one, "firm");
  }
  if (!before?.has("CNAME") || !after?.has("CNAME")) return;
  const deletes = drafts.filter(({ writes }) => writes[0]?.kind === "delete");
  for (const update of drafts.filter(({ writes }) => writes[0]?.kind === "update"))
    for (const gone of deletes) need(update, gone, "firm");
}

function standAlone(list: readonly Draft[]): void {
  const has = (record: ZoneRecord | undefined, isNull: boolean) => record !== undefined && isNullMx(record) === isNull;
  for (const isNull of [true, false]) {
    const coming = list.filter(({ writes: [change] }) => has(change && afterOf(change), isNull));
    const going = list.filter(({ writes: [change] }) => has(change && beforeOf(change), !isNull));
    for (const one of coming) for (const other of going) need(one, other, "firm");
  }
}

function touchesNull({ writes: [change] }: Draft): boolean {
  return change !== undefined && [beforeOf(change), afterOf(change)].some((record) => record && isNullMx(record));
}

function isNullMx(record: ZoneRecord): boolean {
  return targets(record)[0] === ".";
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
  if (known === undefined || known === "weak" || strength === "firm") one.needs.set(other, strength);
}
