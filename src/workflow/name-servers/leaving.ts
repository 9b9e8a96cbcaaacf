import { escapeControl } from "../../diagnostics/escape.ts";
import { durationInWords } from "../../diagnostics/quantities.ts";
import { type Name, type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import { groupBy } from "../../group-by.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { type ConfiguredTarget, withAllTargets } from "../project/targets.ts";
import {
  apexServersOf,
  type DeclaredServers,
  declaredServers,
  serversOfTarget,
  targetsOfFolder,
} from "../zones/target-servers.ts";
import { existingZones } from "../zones/zones.ts";
import { type Asked, askApex, askParentNs, placesOf } from "./ask.ts";
import { type Departure, type Departures, endedDeparture, readDepartures } from "./departures.ts";

type AskingContext = Pick<RunContext, "cwd" | "now" | "signal" | "resolvers">;

/** Reasons why resolvers may still ask a target for zones to delete, and the departures of these zones. */
export interface ServersInUse {
  readonly inUse: ReadonlyMap<NameKey, readonly string[]>;
  readonly departures: Departures;
}

/**
 * Finds reasons why resolvers may still ask a target for zones that are deleted there, and that other targets keep.
 * Its name servers have to leave all NS sets first, and then the largest TTL of these sets has to pass. The time counts
 * from the first run that saw all sets without them, and for a set that an apply replaced from that apply.
 */
export async function findServersInUse(
  context: AskingContext,
  project: Project,
  deletions: readonly LiveZone[],
): Promise<ServersInUse> {
  const inUse = new Map<NameKey, readonly string[]>();
  const departures = new Map<NameKey, Departure | undefined>();
  const known = readDepartures(project);
  const remaining = await findRemaining(project, deletions);
  for (const { name } of deletions) {
    const staying = remaining.get(nameKey(name));
    if (staying === undefined) continue;
    const before = known[nameKey(name)];
    const { reasons, departure } = await findReasons(context, project, { zone: name, staying, before });
    if (reasons.length > 0) inUse.set(nameKey(name), reasons);
    if (departure !== before) departures.set(nameKey(name), departure);
  }
  return { inUse, departures };
}

/** A zone on the targets that go on to serve it: its name servers in the file, and those that may have its address. */
interface StayingZone {
  readonly servers: readonly Name[];
  readonly targets: readonly ConfiguredTarget[];
}

/** The zones that other targets go on to serve. Files of another view of a zone have nothing to do with it. */
async function findRemaining(
  project: Project,
  deletions: readonly LiveZone[],
): Promise<ReadonlyMap<NameKey, StayingZone>> {
  const leaving = new Set(deletions.map(({ name }) => nameKey(name)));
  const { view } = project;
  const files = (await existingZones(withAllTargets(project), { keepsUnreadable: true })).filter(({ zone }) =>
    leaving.has(nameKey(zone.name)),
  );
  const zones = new Map<NameKey, StayingZone>();
  for (const [name, all] of groupBy(files, ({ zone }) => nameKey(zone.name))) {
    const ofView = all.filter(({ file }) => targetsOfFolder(project, file).some((one) => one.name === view?.name));
    // A folder that no longer names the target may have been its own.
    const own = ofView.length > 0 ? ofView : all;
    const servers = own.flatMap(({ zone }) => [...apexServersOf({ ...zone, records: [...zone.records] }).values()]);
    zones.set(name, { servers, targets: own.flatMap(({ file }) => targetsOfFolder(project, file)) });
  }
  return zones;
}

interface ZoneToLeave {
  readonly zone: Name;
  readonly staying: StayingZone;
  readonly before: Departure | undefined;
}

/** An NS set that was asked for, and who has it. */
interface AskedSet {
  readonly who: string;
  readonly reply: Asked<readonly ZoneRecord[]>;
}

async function findReasons(
  context: AskingContext,
  project: Project,
  { zone, staying, before }: ZoneToLeave,
): Promise<{ readonly reasons: readonly string[]; readonly departure: Departure | undefined }> {
  const { view } = project;
  const leaving = view ? serversOfTarget(project, view) : [];
  const names = new Set(leaving.map(({ name }) => nameKey(name)));
  if (view && names.size === 0) {
    const reason = `whether resolvers still ask ${view.name} is unknown: its \`nameservers\` are not set`;
    return { reasons: [reason], departure: before };
  }
  const inFile = staying.servers.filter((name) => names.has(nameKey(name)));
  if (inFile.length > 0)
    return { reasons: [`its file still names ${listText(inFile)}`], departure: endedDeparture(before) };
  const declared = declaredServers(project, [...staying.targets, ...(view ? [view] : [])]);
  const sets = await askSets(context, declared, zone, [...staying.servers, ...leaving.map(({ name }) => name)]);
  const reasons = sets.flatMap((set) => reasonOf(set, names));
  const ttls = sets.flatMap(({ reply }) => ("failure" in reply ? [] : reply.map(({ ttl = 0 }) => ttl)));
  const ttl = Math.max(before?.ttl ?? 0, ...ttls);
  if (reasons.length > 0) return { reasons, departure: { ...endedDeparture(before), ttl } };
  const now = context.now();
  const departure = { ...before, ttl, since: before?.since ?? now.toISOString() };
  const seen = new Date(Date.parse(departure.since) + ttl * 1000);
  const replaced = new Date(before?.until ?? 0);
  const until = seen < replaced ? replaced : seen;
  if (until <= now) return { reasons: [], departure };
  const day = `${until.toISOString().slice(0, 19)}Z`;
  const why =
    until === seen
      ? `${durationInWords(ttl)} after all sets were without them`
      : "the TTL of a set that apply replaced";
  return { reasons: [`resolvers may use NS records with its servers until ${day} (${why})`], departure };
}

/** Asks the parent, the servers that stay and those that leave for the NS records of a zone. */
async function askSets(
  context: AskingContext,
  declared: DeclaredServers,
  zone: Name,
  servers: readonly Name[],
): Promise<AskedSet[]> {
  const parent = { who: "the parent zone", reply: await askParentNs(context, zone) };
  const ofServers = await Promise.all(
    servers.map(async (name) => {
      const reply = await askApex(await placesOf(declared.get(nameKey(name)), name), zone, "NS", context);
      return { who: textOf(name), reply };
    }),
  );
  return [parent, ...ofServers];
}

function reasonOf({ who, reply }: AskedSet, leaving: ReadonlySet<NameKey>): string[] {
  if ("failure" in reply) return [`${who} could not be asked for its NS records (${reply.failure})`];
  const named = reply.flatMap((record) =>
    isType(record, "NS") && leaving.has(nameKey(record.data.nsdname)) ? [record.data.nsdname] : [],
  );
  return named.length === 0 ? [] : [`${who} still answers with NS ${listText(named)}`];
}

function listText(names: readonly Name[]): string {
  return names.map(textOf).join(", ");
}

function textOf(name: Name): string {
  return escapeControl(withoutDot(name));
}
