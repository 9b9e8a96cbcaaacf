import { findNode, type LookupZone, toLookupZone } from "../../dns/lookup/lookup.ts";
import { ancestors, isWildcard, type NameKey, parent, withoutDot } from "../../dns/name/name.ts";
import type { OwnerSets } from "../../dns/zone/owners.ts";
import type { RRset } from "../../dns/zone/zone.ts";
import { addToList } from "../../group-by.ts";
import { defaultTypes } from "../order/answers.ts";
import { isAddressType, isAnsweredByAddress } from "../order/draft.ts";
import { isService } from "../risk/addresses.ts";
import { effectsAt, type Finding, type Guard, type GuardContext, listNames, type ZoneChange } from "../risk/guard.ts";
import type { ZoneAnswers } from "../risk/lookup.ts";

/**
 * A wildcard answers only for names that do not exist, and a name exists if it has records, or if a name below it has
 * some (RFC 4592 §2.2.2, §3.3.1). So a new name takes the answers of a wildcard from itself and from the names above
 * it. Names below it lose them as well; of these only the targets of records are known.
 */
export const wildcardNoLongerAnswers: Guard = {
  guard: "G27",
  title: "wildcard no longer answers",
  about:
    "creates a name that keeps a wildcard from answering for it, for a name above it, or for the target of a record below it",
  counts: `Looks up each new name, the names above it, and targets of records below it, with and without the plan. One address family is enough, and names of services such as _dmarc need no address. For everything else, each lost type of the wildcard is blocked.`,
  examples: {
    valid: ["  * A 192.0.2.1", "+ shop A 192.0.2.2"],
    invalid: {
      lines: ["  * A 192.0.2.1", "+ x.shop A 192.0.2.2"],
      finding:
        "x.shop.example.com A: leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist",
    },
  },
  *check(zone, context) {
    const created = zone.changedNames.filter((name) => !zone.before.has(name) && zone.after.has(name));
    if (created.length === 0) return;
    const kept = new Map([...zone.after].filter(([name]) => zone.before.has(name)));
    if (![...kept.keys()].some(isWildcard)) return;
    const view: View = { zone, context, withoutNew: toLookupZone(zone.zone, kept) };
    const causes = causesOf(created, view);
    const found = new Map<string, Lost & { readonly names: NameKey[]; readonly causing: readonly NameKey[] }>();
    for (const [name, causing] of causes) {
      const lost = findLost(name, view);
      if (!lost) continue;
      const key = [causing.join(), lost.wildcard, lost.types.join()].join(" ");
      const same = found.get(key);
      if (same) same.names.push(name);
      else found.set(key, { ...lost, names: [name], causing });
    }
    for (const { names, causing, ...lost } of found.values())
      yield findingOf(lost, listNames(names), names, causing, zone);
    for (const [target, causing] of pointedBelow(causes, view)) {
      const lost = findLost(target, view);
      const owners = context.pointersTo(target).map(({ owner }) => owner);
      if (!lost || owners.length === 0) continue;
      const verb = owners.length === 1 ? "points" : "point";
      const named = `${withoutDot(target)}, to which ${listNames(owners)} ${verb},`;
      yield findingOf(lost, named, [target, ...owners], causing, zone);
    }
  },
};

interface View {
  readonly zone: ZoneChange;
  readonly context: GuardContext;
  /** The zone after the plan, but without the new names. */
  readonly withoutNew: LookupZone<RRset, OwnerSets>;
}

/** The names that exist only because of new ones, each with those. */
function causesOf(created: readonly NameKey[], { zone, withoutNew }: View): Map<NameKey, NameKey[]> {
  const causes = new Map<NameKey, NameKey[]>();
  for (const owner of created) {
    for (const name of ancestors(owner, zone.zone)) {
      if (withoutNew.rrsets(name) !== undefined) break;
      addToList(causes, name, owner);
    }
  }
  return causes;
}

/** The targets of records that do not exist, and the new names above each. */
function* pointedBelow(
  causes: ReadonlyMap<NameKey, readonly NameKey[]>,
  { zone, context }: View,
): Generator<[NameKey, readonly NameKey[]]> {
  for (const target of context.pointedNames()) {
    if (causes.has(target)) continue;
    const above = ancestors(target, zone.zone).find((name) => causes.has(name));
    if (above !== undefined) yield [target, causes.get(above) ?? []];
  }
}

interface Lost {
  readonly wildcard: NameKey;
  readonly types: readonly string[];
}

/** The types that a wildcard would still answer for a name, and that it had before and does not have after. */
function findLost(name: NameKey, { zone, context, withoutNew }: View): Lost | undefined {
  const { answersBefore, answersAfter } = context;
  if ([answersBefore, answersAfter].some((answers) => answers.zoneOf(name) !== zone.zone)) return undefined;
  const node = findNode(withoutNew, name, "A");
  if (node.kind !== "node" || !isWildcard(node.owner)) return undefined;
  const isOfHosts = !isService(parent(node.owner));
  // No host has such a name, so it does not need the addresses of one.
  if (isOfHosts && isService(name)) return undefined;
  const isAnswered = (answers: ZoneAnswers, at: NameKey, type: string) => {
    const { records, isKnown } = answers.findFrom(zone.zone, at, type);
    return records.length > 0 || !isKnown;
  };
  const has = (type: string) => isAnswered(answersAfter, name, type);
  const had = (type: string) => isAnswered(answersBefore, name, type);
  if (node.sets.has("CNAME")) {
    const were = defaultTypes.filter((type) => had(type) && isAnswered(answersAfter, node.owner, type));
    const addresses = isOfHosts ? were.filter(isAddressType) : [];
    const wanted = addresses.length > 0 ? addresses : were;
    const isLost = wanted.length > 0 && !wanted.some(has);
    return isLost ? { wildcard: node.owner, types: ["CNAME"] } : undefined;
  }
  const hasAddress = has("A") || has("AAAA");
  const types = node.sets.keys().filter((type) => had(type) && !(isAnsweredByAddress(type) ? hasAddress : has(type)));
  return types.length > 0 ? { wildcard: node.owner, types } : undefined;
}

function findingOf(
  { wildcard, types }: Lost,
  named: string,
  facts: readonly NameKey[],
  causing: readonly NameKey[],
  zone: ZoneChange,
): Finding {
  const all = [types.slice(0, -1).join(", "), types.at(-1)].filter(Boolean).join(" and ");
  return {
    text: `leaves ${named} without the ${all} of ${withoutDot(wildcard)}, which answers only for names that do not exist`,
    effects: causing.flatMap((name) => effectsAt(zone, name)),
    facts: [`${facts.join(" ")} ${types.join()} ${wildcard}`],
  };
}
