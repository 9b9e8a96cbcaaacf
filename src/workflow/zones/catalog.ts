import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem, problemError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import {
  ancestors,
  isInside,
  isSameName,
  type Name,
  type NameKey,
  nameKey,
  parent,
  relativeTo,
  withLabel,
  withoutDot,
} from "../../dns/name/name.ts";
import {
  type CatalogMember,
  catalogHead,
  catalogMember,
  memberRecords,
  membersOf,
} from "../../dns/zone/catalog-zone.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { addToList, groupBy } from "../../group-by.ts";
import type { TargetKind } from "../../targets/target.ts";
import { type Project, toName } from "../project/project.ts";
import { isSelected, targetViews } from "../project/targets.ts";

/** The catalog zone of a target, and the group of its members. */
export interface CatalogSettings {
  readonly zone: Name;
  readonly group?: string | undefined;
}

/** The catalog zone that the target of a project has; undefined without one. */
export function catalogSettings({ view }: Pick<Project, "view">): CatalogSettings | undefined {
  if (view === undefined || !("catalog" in view) || view.catalog === undefined) return undefined;
  const { zone, group } =
    typeof view.catalog === "string" ? { zone: view.catalog } : { group: undefined, ...view.catalog };
  return { zone: toName(zone), group };
}

/** Refuses a zone file with the name of a catalog of one of its targets. */
export function checkCatalogs(project: Project, { zone, file }: Pick<ZoneOfFile, "zone" | "file">): Problem[] {
  const place = zone.places.zone ?? { file, line: 1, column: 1, length: 1 };
  return targetViews(project).flatMap((view) => {
    const catalog = catalogSettings(view);
    if (catalog === undefined || !isSameName(catalog.zone, zone.name) || !isSelected(view, { zone, file })) return [];
    const summary = `"${escapeControl(withoutDot(zone.name))}" is the catalog of the target ${view.view?.name}, which zonewright writes`;
    const fix = "Remove the zone file, or give `catalog` of the target another name.";
    return [problem("catalog-zone", summary, { fix, owner: zone.name, place })];
  });
}

/** The zones that a catalog lists after a plan. */
export interface ListedZones {
  /** The zones of the project. */
  readonly zones: Iterable<Name>;
  /** Zones to delete: only they leave it. */
  readonly leaving: ReadonlySet<NameKey>;
  readonly live: LiveZone | undefined;
}

/**
 * The catalog zone after a plan. A member keeps the label that it has, also one of another program, because a new label
 * would have secondaries delete and add the zone. A member without a zone file stays as it is: it may be a zone whose
 * file cannot be read, or that of another program.
 * @throws {ProblemError} `catalog-zone` for a live zone that is no catalog
 */
export function desiredCatalog(
  { accept }: Pick<TargetKind, "accept">,
  { zone: name, group }: CatalogSettings,
  { zones, leaving, live }: ListedZones,
): DesiredZone {
  const members = storedMembers(name, live?.records ?? []);
  const own = new Map([...zones].map((zone) => [nameKey(zone), zone]));
  const isMember = (zone: NameKey) => zone !== nameKey(name) && !leaving.has(zone);
  const memberOf = (zone: Name) => members.get(nameKey(zone))?.member ?? catalogMember(name, zone);
  const records = [
    ...catalogHead(name),
    ...[...own].flatMap(([key, zone]) => (isMember(key) ? memberRecords({ ...memberOf(zone), zone }, group) : [])),
    ...[...members].flatMap(([key, stored]) => (!own.has(key) && isMember(key) ? stored.records : [])),
  ];
  const { desired } = accept({ name, settings: {}, records, places: {}, dotlessTargets: [] });
  return { ...desired, isCatalog: true };
}

/**
 * The zones of an undo with their catalog. A zone that stays is still a member, also one that the run created, and one
 * that is restored becomes one again.
 * @throws {ProblemError} `catalog-zone` for a live zone that is no catalog
 */
export function withCatalog(
  { zone: name, group }: CatalogSettings,
  desired: readonly DesiredZone[],
  zones: ReadonlyMap<NameKey, LiveZone>,
): readonly DesiredZone[] {
  const live = zones.get(nameKey(name));
  if (live === undefined) return desired;
  const isCatalog = (zone: DesiredZone) => nameKey(zone.name) === nameKey(name);
  const others = desired.filter((zone) => !isCatalog(zone));
  const stored = live.records.filter(({ type }) => type !== "SOA");
  const unchanged = { name, settings: {}, otherTimes: {}, defaultTimes: live.defaultTimes, records: stored };
  const base = desired.find(isCatalog) ?? unchanged;
  const members = storedMembers(name, live.records);
  const ofBase = new Set(membersOf(name, base.records).map(({ zone }) => nameKey(zone)));
  const isMissing = (zone: NameKey) => !ofBase.has(zone) && !members.has(zone);
  const records = [
    ...base.records,
    ...[...members].flatMap(([key, { records }]) => (ofBase.has(key) ? [] : records)),
    ...others.flatMap((zone) =>
      isMissing(nameKey(zone.name)) ? memberRecords(catalogMember(name, zone.name), group) : [],
    ),
  ];
  return [...others, { ...base, records, isCatalog: true }];
}

/** A member that a catalog lists, with its records. */
interface StoredMember {
  readonly member: CatalogMember;
  readonly records: readonly ZoneRecord[];
}

/** The members of a stored catalog, each once. @throws {ProblemError} `catalog-zone` */
function storedMembers(name: Name, stored: readonly ZoneRecord[]): ReadonlyMap<NameKey, StoredMember> {
  refuseOtherZone(name, stored);
  const listed = membersOf(name, stored);
  const byOwner = groupBy(listed, ({ owner }) => nameKey(owner));
  const properties = recordsBelow(name, stored);
  const found = [...groupBy(listed, ({ zone }) => nameKey(zone))].map(([key, entries]): [NameKey, StoredMember] => {
    const ofZone = catalogMember(name, entries[0]?.zone ?? key);
    // An owner that lists several zones makes the catalog invalid.
    const known = entries.filter(({ owner }) => byOwner.get(nameKey(owner))?.length === 1);
    const member = known.find(({ owner }) => nameKey(owner) === ofZone.owner) ?? known[0] ?? ofZone;
    return [key, { member, records: [...memberRecords(member), ...(properties.get(nameKey(member.owner)) ?? [])] }];
  });
  return new Map(found);
}

/** The names of a catalog zone besides its apex, and of all below them (RFC 9432 §4). */
const ownNames = ["version", "zones", "ext"];

/**
 * Refuses a zone that is no catalog: its records would be deleted.
 * @throws {ProblemError} `catalog-zone`
 */
function refuseOtherZone(name: Name, stored: readonly ZoneRecord[]): void {
  if (stored.length === 0) return;
  const version = withLabel("version", name);
  const hasVersion = stored.some(({ owner, type }) => type === "TXT" && isSameName(owner, version));
  const isOwn = (owner: Name) =>
    isSameName(owner, name) || ownNames.some((label) => isInside(owner, withLabel(label, name)));
  const other = stored.find(({ owner }) => !isOwn(owner));
  if (hasVersion && other === undefined) return;
  const zone = escapeControl(withoutDot(name));
  const reason = other
    ? `it has the record ${escapeControl(withoutDot(other.owner))} ${other.type}`
    : `it has no TXT record of version.${zone}`;
  const summary = `"${zone}" cannot be the catalog of the target: the zone of this name is no catalog zone, since ${reason}`;
  const fix = "Give `catalog` of the target the name of no other zone. If it is a catalog, restore its file.";
  throw problemError("catalog-zone", summary, { fix, owner: name });
}

/** The records below the PTR record of each member, such as its group. */
function recordsBelow(catalog: Name, records: readonly ZoneRecord[]): ReadonlyMap<NameKey, readonly ZoneRecord[]> {
  const owners = new Set(membersOf(catalog, records).map(({ owner }) => nameKey(owner)));
  const below = (record: ZoneRecord) => ancestors(parent(nameKey(record.owner))).find((one) => owners.has(one));
  const found = new Map<NameKey, ZoneRecord[]>();
  for (const record of records) {
    const owner = below(record);
    if (owner !== undefined) addToList(found, owner, record);
  }
  return found;
}

/** A note on properties of a live catalog that a plan deletes: another program may have written them. */
export function noteProperties(catalog: DesiredZone | undefined, live: LiveZone | undefined): Problem[] {
  if (catalog === undefined || live === undefined) return [];
  const extensions = withLabel("ext", catalog.name);
  const own = new Set(catalog.records.map(({ owner, type }) => `${nameKey(owner)} ${type}`));
  const members = new Set(membersOf(catalog.name, catalog.records).map(({ owner }) => nameKey(owner)));
  const isProperty = (owner: Name) =>
    isInside(owner, extensions) || ancestors(parent(nameKey(owner))).some((one) => members.has(one));
  const lost = live.records.filter(({ owner, type }) => isProperty(owner) && !own.has(`${nameKey(owner)} ${type}`));
  if (lost.length === 0) return [];
  const names = lost.map(({ owner, type }) => `${escapeControl(relativeTo(owner, catalog.name))} ${type}`);
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  const summary = `${escapeControl(withoutDot(catalog.name))} loses ${count(names.length, "record")} of its members: ${names.slice(0, 3).join(", ")}${more}`;
  const fix = "Members that are zones of the project have the group of `catalog` and nothing else.";
  return [problem("catalog-member", summary, { fix })];
}

/** A note on the members of a catalog that no zone file describes; `files` are the zones that one describes. */
export function noteMembers(catalog: DesiredZone | undefined, files: ReadonlySet<NameKey>): Problem[] {
  const others = catalog
    ? membersOf(catalog.name, catalog.records).filter(({ zone }) => !files.has(nameKey(zone)))
    : [];
  if (catalog === undefined || others.length === 0) return [];
  const names = others.map(({ zone }) => escapeControl(withoutDot(zone)));
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  const [members, stay] = [count(names.length, "member"), names.length === 1 ? "stays" : "stay"];
  const summary = `${escapeControl(withoutDot(catalog.name))} has ${members} without a zone file, which ${stay}: ${names.slice(0, 3).join(", ")}${more}`;
  const fix = advise`A zone leaves the catalog when it is deleted, with ${{ set: "deleteZone" }}. To remove another one, remove its PTR record from the file of the catalog.`;
  return [problem("catalog-member", summary, { fix })];
}
