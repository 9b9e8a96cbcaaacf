import * as z from "zod";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { type ConfiguredTarget, targetView } from "../project/targets.ts";
import { keepZoneFacts, readZoneFacts } from "../project/zone-facts.ts";
import { serversOfTarget, targetsOfFolder } from "../zones/target-servers.ts";

type KeepingContext = Pick<RunContext, "cwd" | "now" | "signal">;

/** A zone that is about to leave the name servers of a target. */
const departureSchema = z.object({
  /** The longest TTL of the NS sets that were seen when the zone was about to leave, in seconds. */
  ttl: z.number(),
  /** When no NS set named these servers any more, if that was seen. */
  since: z.string().optional(),
  /** Until when caches may have an NS set that names them and that an apply replaced. */
  until: z.string().optional(),
});

export type Departure = z.infer<typeof departureSchema>;

/** The departures of zones; undefined for a zone without one. */
export type Departures = ReadonlyMap<NameKey, Departure | undefined>;

const facts = { file: "departures.json", schema: departureSchema };

/** The departures that this machine knows of, from the target of a view. */
export function readDepartures(project: Project): Readonly<Record<string, Departure>> {
  return readZoneFacts(project, facts);
}

/** Keeps departures from the target of a view; those of other zones stay. */
export async function keepDepartures(
  context: KeepingContext,
  project: Project,
  departures: Departures = new Map(),
): Promise<void> {
  if (departures.size > 0) await keepZoneFacts(context, project, facts, departures);
}

/** A departure of a zone that came back: only the NS sets that caches may have of it still count. */
export function endedDeparture({ until }: Partial<Departure> = {}): Departure | undefined {
  return until === undefined ? undefined : { ttl: 0, until };
}

interface WrittenZones {
  readonly desired: readonly Pick<DesiredZone, "name" | "records" | "file" | "isCatalog">[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
}

/**
 * Keeps what an apply changes in NS sets that name the servers of a target. Caches have the set that it replaces for
 * the TTL of that set. A target that has the zone, or whose servers are in its new set, has not left.
 */
export async function keepServedSets(
  context: KeepingContext,
  project: Project,
  { desired, live }: WrittenZones,
): Promise<void> {
  for (const target of project.targets) {
    const view = targetView(project, target);
    const known = readDepartures(view);
    const shared = desired.filter(({ file, isCatalog }) => {
      const targets = isCatalog ? [] : targetsOfFolder(project, file);
      return targets.length > 1 && targets.includes(target);
    });
    const changed = shared.flatMap((zone) => {
      const key = nameKey(zone.name);
      const after = departureAfter(context, project, { target, zone, stored: live.get(key), before: known[key] });
      return after === known[key] ? [] : [[key, after] as const];
    });
    await keepDepartures(context, view, new Map(changed));
  }
}

interface WrittenZone {
  readonly target: ConfiguredTarget;
  readonly zone: WrittenZones["desired"][number];
  readonly stored: LiveZone | undefined;
  readonly before: Departure | undefined;
}

/** The departure of a zone from a target, after an apply to the same or another one wrote it. */
function departureAfter(
  { now }: KeepingContext,
  project: Project,
  { target, zone, stored, before }: WrittenZone,
): Departure | undefined {
  const servers = new Set(serversOfTarget(project, target).map(({ name }) => nameKey(name)));
  const [old, wanted] = [serversIn(stored, servers), serversIn(zone, servers)];
  const isServing = target.name === project.view?.name || wanted.names.size > 0;
  const hasLeft = before?.since !== undefined || (before?.ttl ?? 0) > 0;
  const left = isServing && hasLeft ? endedDeparture(before) : before;
  const until = replacedUntil(old, wanted, now());
  const isLater = until !== undefined && (left?.until === undefined || left.until < until);
  return isLater ? { ttl: 0, ...left, until } : left;
}

/** The name servers of a target in the NS records of a zone, and the TTL of these in seconds. */
interface NamedServers {
  readonly names: ReadonlySet<NameKey>;
  readonly ttl: number;
}

function serversIn(
  zone: { readonly name: Name; readonly records: readonly ZoneRecord[] } | undefined,
  servers: ReadonlySet<NameKey>,
): NamedServers {
  const own = (zone?.records ?? []).flatMap((record) =>
    zone && isType(record, "NS") && nameKey(record.owner) === nameKey(zone.name) ? [record] : [],
  );
  const names = own.map(({ data }) => nameKey(data.nsdname)).filter((name) => servers.has(name));
  return { names: new Set(names), ttl: Math.max(0, ...own.map(({ ttl = 0 }) => ttl)) };
}

/** Until when caches may have a set; undefined if the new one is no shorter, and has the same servers. */
function replacedUntil(before: NamedServers, after: NamedServers, now: Date): string | undefined {
  const isReplaced = [...before.names].some((name) => !after.names.has(name)) || after.ttl < before.ttl;
  if (before.names.size === 0 || !isReplaced) return undefined;
  return new Date(now.getTime() + before.ttl * 1000).toISOString();
}
