import * as z from "zod";
import { escapeControl } from "../../diagnostics/escape.ts";
import { durationInWords } from "../../diagnostics/quantities.ts";
import { type Name, type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { keepZoneFacts, readZoneFacts } from "../project/zone-facts.ts";
import { apexServersOf, declaredServers, serversOfTarget } from "../zones/shared-zones.ts";
import { existingZones } from "../zones/zones.ts";
import { type Asked, addressesOf, askApex, askParentNs } from "./ask.ts";

type AskingContext = Pick<RunContext, "cwd" | "now" | "signal" | "resolvers">;

/** A zone that is to leave a target, as far as NS sets name the servers of this target. */
const departureSchema = z.object({
  /** The longest TTL of an NS set of the zone, in seconds. */
  ttl: z.number(),
  /** When no NS set named them any more, if that was seen. */
  since: z.string().optional(),
});

type Departure = z.infer<typeof departureSchema>;

const departures = { file: "departures.json", schema: departureSchema };

/**
 * Finds out why resolvers may still ask a target for zones that it lets go and that others go on to serve. Its name
 * servers leave the NS records everywhere first, and the largest TTL of these has to pass: the time counts from the
 * first run that saw it. `keeps`: whether this is such a run.
 */
export async function findServersInUse(
  context: AskingContext,
  project: Project,
  deletions: readonly LiveZone[],
  keeps: boolean,
): Promise<ReadonlyMap<NameKey, readonly string[]>> {
  const inUse = new Map<NameKey, readonly string[]>();
  const seen = new Map<NameKey, Departure>();
  const known = readZoneFacts(project, departures);
  const servers = await serversOfOthers(project, deletions);
  for (const { name } of deletions) {
    const others = servers.get(nameKey(name));
    if (others === undefined) continue;
    const { reasons, departure } = await findUses(context, project, {
      zone: name,
      others,
      before: known[nameKey(name)],
    });
    if (reasons.length > 0) inUse.set(nameKey(name), reasons);
    if (departure) seen.set(nameKey(name), departure);
  }
  if (keeps && seen.size > 0) await keepZoneFacts(context, project, departures, seen);
  return inUse;
}

/** The name servers in the files of zones that other targets go on to serve, by zone. */
async function serversOfOthers(
  project: Project,
  deletions: readonly LiveZone[],
): Promise<ReadonlyMap<NameKey, readonly Name[]>> {
  const leaving = new Set(deletions.map(({ name }) => nameKey(name)));
  if (leaving.size === 0) return new Map();
  const { view: _, ...rest } = project;
  const whole = { ...rest, folders: project.allFolders, selected: project.targets };
  const files = await existingZones(whole, { keepsUnreadable: true });
  return new Map(
    files.flatMap(({ zone }) => {
      const key = nameKey(zone.name);
      return leaving.has(key) ? [[key, [...apexServersOf({ ...zone, records: [...zone.records] }).values()]]] : [];
    }),
  );
}

interface ZoneToLeave {
  readonly zone: Name;
  readonly others: readonly Name[];
  readonly before: Departure | undefined;
}

/** An NS set that was asked for, and who has it. */
interface AskedSet {
  readonly who: string;
  readonly reply: Asked<readonly ZoneRecord[]>;
}

async function findUses(
  context: AskingContext,
  project: Project,
  { zone, others, before }: ZoneToLeave,
): Promise<{ readonly reasons: readonly string[]; readonly departure?: Departure }> {
  const { view } = project;
  const leaving = view ? serversOfTarget(project, view) : [];
  const names = new Set(leaving.map(({ name }) => nameKey(name)));
  if (view && names.size === 0)
    return { reasons: [`whether resolvers still ask ${view.name} is unknown: its \`nameservers\` are not set`] };
  const inFile = others.filter((name) => names.has(nameKey(name)));
  if (inFile.length > 0) return { reasons: [`its file still names ${listText(inFile)}`] };
  const sets = await askSets(context, project, zone, [...others, ...leaving.map(({ name }) => name)]);
  const uses = sets.flatMap((set) => useOf(set, names));
  const ttls = sets.flatMap(({ reply }) => ("failure" in reply ? [] : reply.map(({ ttl = 0 }) => ttl)));
  const ttl = Math.max(before?.ttl ?? 0, ...ttls);
  if (uses.length > 0) return { reasons: uses, departure: { ttl } };
  const since = before?.since ?? context.now().toISOString();
  const until = new Date(Date.parse(since) + ttl * 1000);
  if (until <= context.now()) return { reasons: [], departure: { ttl, since } };
  const day = `${until.toISOString().slice(0, 19)}Z`;
  const reason = `resolvers may use NS records with its servers until ${day} (${durationInWords(ttl)} after all sets were without them)`;
  return { reasons: [reason], departure: { ttl, since } };
}

/** Asks the parent, the servers that stay and those that leave for the NS records of a zone. */
async function askSets(
  context: AskingContext,
  project: Project,
  zone: Name,
  servers: readonly Name[],
): Promise<AskedSet[]> {
  const declared = declaredServers(project);
  const parent = { who: "the parent zone", reply: await askParentNs(context, zone) };
  const ofServers = await Promise.all(
    servers.map(async (name) => {
      const address = declared.get(nameKey(name))?.address;
      const reply = await askApex(address ? [address] : await addressesOf(name), zone, "NS", context);
      return { who: textOf(name), reply };
    }),
  );
  return [parent, ...ofServers];
}

function useOf({ who, reply }: AskedSet, leaving: ReadonlySet<NameKey>): string[] {
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
