import { isInside, type NameKey, nameKey, parent, wildcardBelow } from "../dns/name.ts";
import { byOwner, canonical, type ZoneRecord } from "../dns/zone.ts";
import { isServed } from "./change.ts";
import { deletionEffect } from "./effects.ts";
import type { Guard, Owners, World } from "./guard.ts";

/**
 * The deeper of two zones answers for a name (RFC 1034 §4.3.2). One that begins to be served hides what the zone above has
 * there; one that is no longer served uncovers it.
 */
export const hidesNames: Guard = {
  guard: "G11",
  title: "hidden names",
  about: "a zone starts or stops being served, so that names in it get other answers from the zone above, or none",
  ofNew: true,
  *check(zone, world) {
    const { before, after } = isServed(zone.plan);
    if (before === after) return;
    const effects = zone.effects.filter(
      ({ kind, type }) => kind === "domain" || (kind === "setting" && type === "status"),
    );
    const above = world.answersAfter.zoneOf(parent(zone.zone));
    if (above === undefined) return;
    const names = after ? hidden(zone.zone, above, world) : uncovered(zone.before, above, world);
    if (names.length === 0) return;
    yield { text: after ? hidesText(names, above) : uncoversText(names, above), effects };
  },
  *checkDeletion(zone, world) {
    const above = world.answersAfter.zoneOf(parent(nameKey(zone.name)));
    if (above === undefined || zone.settings.status === "disabled") return;
    const names = uncovered(byOwner(zone.records), above, world);
    if (names.length > 0) yield { text: uncoversText(names, above), effects: [deletionEffect(zone)] };
  },
};

/** Names of the zone above that have records before and after, for some of which the new zone has no answer. */
function hidden(zone: NameKey, above: NameKey, { answersBefore, answersAfter }: World): NameKey[] {
  const before = answersBefore.ownersOf(above);
  const names: NameKey[] = [];
  for (const [name, sets] of answersAfter.ownersOf(above)) {
    if (!isInside(name, zone) || !before.has(name) || isDelegated(before, name, above)) continue;
    const types = sets.keys().filter((type) => type !== "NS" && type !== "DS");
    const isLost = (type: string) => {
      const { records, isKnown } = answersAfter.find(name, type);
      return isKnown && records.length === 0;
    };
    if (types.some(isLost) && !isDelegated(answersAfter.ownersOf(zone), name, zone)) names.push(name);
  }
  return [...names, ...hiddenFromWildcard(zone, above, { answersBefore, answersAfter })];
}

/**
 * The apex of the new zone, and `*` for the names below it, where a wildcard of the zone above answered for a type that the
 * new zone does not have there. What the new zone lists nowhere else, a migration may have forgotten.
 */
function hiddenFromWildcard(
  zone: NameKey,
  above: NameKey,
  { answersBefore, answersAfter }: Pick<World, "answersBefore" | "answersAfter">,
): NameKey[] {
  const types = new Set<string>();
  for (let at = parent(zone); isInside(at, above); at = parent(at))
    for (const type of answersAfter.ownersOf(above).get(wildcardBelow(at))?.keys() ?? []) types.add(type);
  const owners = answersBefore.ownersOf(above);
  return [zone, wildcardBelow(zone)].filter(
    (name) =>
      !owners.has(name) &&
      [...types].some((type) => {
        const { records, isKnown } = answersAfter.find(name, type);
        return isKnown && records.length === 0 && answersBefore.findIn(above, name, type).length > 0;
      }),
  );
}

/** Names of a zone for which the zone above has other records than the zone itself. */
function uncovered(owners: Owners, above: NameKey, { answersAfter }: World): NameKey[] {
  const names: NameKey[] = [];
  for (const [name, sets] of owners) {
    const types = new Set([...sets.keys(), "A", "AAAA", "MX", "TXT"]);
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
  for (let at = name; at !== apex && at !== "."; at = parent(at)) if (owners.get(at)?.has("NS")) return true;
  return false;
}

function hidesText(names: readonly NameKey[], above: NameKey): string {
  return `hides ${listed(names)} of ${above.slice(0, -1)}: the new zone has no such records`;
}

function uncoversText(names: readonly NameKey[], above: NameKey): string {
  return `${listed(names)} ${names.length === 1 ? "gets" : "get"} the answers of ${above.slice(0, -1)}`;
}

function listed(names: readonly NameKey[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more names` : "";
  return `${names
    .slice(0, 3)
    .map((name) => name.slice(0, -1))
    .join(", ")}${more}`;
}
