import { cutOf } from "../../dns/lookup/lookup.ts";
import { ancestors, isInside, type NameKey, nameKey, parent, wildcardBelow } from "../../dns/name/name.ts";
import { byOwner, type Owners } from "../../dns/zone/owners.ts";
import { canonical, type ZoneRecord } from "../../dns/zone/zone.ts";
import { isServed } from "../changes/change.ts";
import { deletionEffect } from "../changes/effects.ts";
import { addressTypes } from "../risk/addresses.ts";
import { type Guard, type GuardContext, listNames, noLimit } from "../risk/guard.ts";

/**
 * The most specific zone answers for a name (RFC 1034 §4.3.2). A zone that starts being served hides the records of its
 * parent zone there; one that stops being served uncovers them.
 */
export const hiddenNames: Guard = {
  guard: "G11",
  title: "hidden names",
  about: "starts or stops serving a zone, so that names in it lose their answers or get different ones",
  ofNew: true,
  of: { kinds: ["domain", "setting"] },
  counts: `Compares the answers for the names in a zone that starts or stops being served with those of the zone above. ${noLimit}`,
  examples: {
    valid: ["  www.sub A 192.0.2.1", "+ zone sub.example.com", "+ www A 192.0.2.2"],
    invalid: {
      lines: ["  * A 192.0.2.1", "+ zone sub.example.com", "+ www A 192.0.2.2"],
      finding:
        "sub.example.com: hides sub.example.com, *.sub.example.com of example.com: the new zone has no such records",
      zone: "sub.example.com",
    },
  },
  *check(zone, context) {
    const { before, after } = isServed(zone.plan);
    if (before === after) return;
    const effects = zone.effects.filter(
      ({ kind, type }) => kind === "domain" || (kind === "setting" && type === "status"),
    );
    const above = context.answersAfter.zoneOf(parent(zone.zone));
    if (above === undefined) return;
    const names = after ? findHidden(zone.zone, above, context) : findUncovered(zone.before, above, context);
    if (names.length === 0) return;
    yield { text: after ? hidesText(names, above) : uncoversText(names, above), effects };
  },
  *checkDeletion(zone, context) {
    const above = context.answersAfter.zoneOf(parent(nameKey(zone.name)));
    if (above === undefined || zone.settings.status === "disabled") return;
    const names = findUncovered(byOwner(zone.records), above, context);
    if (names.length > 0) yield { text: uncoversText(names, above), effects: [deletionEffect(zone)] };
  },
};

/**
 * Names of the parent zone that were answered before, would still be answered by it, and are not answered for some type
 * by the new zone: names with records and, where a wildcard answers, the apex of the new zone and `*` for all names
 * below it.
 */
function findHidden(zone: NameKey, above: NameKey, context: GuardContext): NameKey[] {
  const { answersBefore, answersAfter } = context;
  const aboveBefore = answersBefore.zoneOf(parent(zone)) ?? above;
  const [before, after] = [answersBefore.ownersOf(aboveBefore), answersAfter.ownersOf(above)];
  const ofWildcards = new Set<string>();
  for (const at of ancestors(parent(zone)))
    for (const owners of [before, after])
      for (const type of owners.get(wildcardBelow(at))?.keys() ?? []) ofWildcards.add(type);
  const candidates = new Map<NameKey, Iterable<string>>();
  if (ofWildcards.size > 0)
    for (const name of [zone, wildcardBelow(zone)]) if (!before.has(name)) candidates.set(name, ofWildcards);
  for (const [name, sets] of after) if (isInside(name, zone) && before.has(name)) candidates.set(name, sets.keys());
  const isHidden = (name: NameKey) =>
    // Names in a zone further below were answered by that zone before.
    [zone, aboveBefore].includes(answersBefore.zoneOf(name) ?? zone) &&
    !isDelegated(before, name, aboveBefore) &&
    !isDelegated(answersAfter.ownersOf(zone), name, zone) &&
    losesAnswers(name, candidates.get(name) ?? [], { aboveBefore, above, answersBefore, answersAfter });
  return [...candidates.keys()].filter(isHidden);
}

interface PlanContext extends Pick<GuardContext, "answersBefore" | "answersAfter"> {
  /** The parent zone of the new one, before and after the run. */
  readonly aboveBefore: NameKey;
  readonly above: NameKey;
}

/**
 * Whether a type of the name loses its answer, which the parent zone would still give. Aliases are followed; for one
 * that leads outside the run it is enough if one of the usual types keeps its answer.
 */
function losesAnswers(name: NameKey, own: Iterable<string>, around: PlanContext): boolean {
  const { aboveBefore, above, answersBefore, answersAfter } = around;
  const usual = ["A", "AAAA", "MX", "TXT"];
  const isEmpty = (type: string) => {
    const { records, isKnown } = answersAfter.find(name, type);
    return isKnown && records.length === 0;
  };
  const isAnsweredAbove = (type: string) => {
    const { records, isKnown } = answersAfter.findFrom(above, name, type);
    return records.length > 0 || !isKnown;
  };
  const types = [...new Set([...own, ...usual])].filter((type) => !["NS", "DS", "CNAME", "ALIAS"].includes(type));
  if (
    types.some(
      (type) =>
        answersBefore.findFrom(aboveBefore, name, type).records.length > 0 && isAnsweredAbove(type) && isEmpty(type),
    )
  )
    return true;
  const [answering] = ["ALIAS", "CNAME"].flatMap((type) => answersBefore.findIn(aboveBefore, name, type));
  if (answering === undefined || answersBefore.findFrom(aboveBefore, name, "A").isKnown || !isAnsweredAbove("A"))
    return false;
  return (answering.type === "ALIAS" ? addressTypes : usual).every(isEmpty);
}

/** Names for which the parent zone has other records than the zone itself. */
function findUncovered(owners: Owners, above: NameKey, { answersAfter }: GuardContext): NameKey[] {
  const names: NameKey[] = [];
  for (const [name, sets] of owners) {
    const types = new Set([...sets.keys(), "A", "AAAA", "ALIAS", "MX", "TXT"]);
    const isOther = (type: string) => {
      const records = answersAfter.findIn(above, name, type);
      return records.length > 0 && text(records) !== text(sets.get(type)?.records ?? []);
    };
    if ([...types].some(isOther)) names.push(name);
  }
  return names;
}

function text(records: readonly ZoneRecord[]): string {
  return records
    .map((record) => `${record.type} ${canonical(record)}`)
    .sort()
    .join("\n");
}

function isDelegated(owners: Owners, name: NameKey, apex: NameKey): boolean {
  return cutOf(apex, name, (at) => owners.get(at)?.has("NS") === true) !== undefined;
}

function hidesText(names: readonly NameKey[], above: NameKey): string {
  return `hides ${listNames(names)} of ${above.slice(0, -1)}: the new zone has no such records`;
}

function uncoversText(names: readonly NameKey[], above: NameKey): string {
  return `${listNames(names)} ${names.length === 1 ? "gets" : "get"} the answers of ${above.slice(0, -1)}`;
}
