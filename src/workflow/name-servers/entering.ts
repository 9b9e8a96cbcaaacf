import { isIPv6 } from "node:net";
import pMap from "p-map";
import { serversIn } from "../../config/target-kinds.ts";
import { adviceText, advise, type Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { count, listFirst } from "../../diagnostics/quantities.ts";
import { isSameName, type Name, type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { DesiredRecord, DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { copyRecord, isType, setKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { dnsPort, readServer, serverText } from "../../dns-client/server-address.ts";
import { checkAnswers, publicServer } from "../../executor/verify/verify-servers.ts";
import { questionsOf, setsOf } from "../../executor/verify/verify-sets.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { groupBy } from "../../group-by.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import type { ConfiguredTarget } from "../project/targets.ts";
import {
  apexServersOf,
  declaredServers,
  serversOfTarget,
  sharingTargets,
  type TargetServer,
} from "../zones/target-servers.ts";
import { addressesOf, isReplying, placesOf } from "./ask.ts";

/** A name server that NS records of a zone are to name, and that does not answer with the zone yet. */
export interface SilentServer {
  readonly zone: NameKey;
  readonly server: Name;
  /** Why, without a full stop. */
  readonly reason: Fix;
  /** Whether a target of the zone declares it. Others, such as secondaries, follow a target. */
  readonly isDeclared: boolean;
  /** Asks again. Returns the reason why it still does not answer. */
  readonly ask: () => Promise<Fix | undefined>;
}

/** The servers that do not answer with their zones yet, and new zones that wait for all of theirs. */
export interface SilentServers {
  readonly silent: readonly SilentServer[];
  readonly waiting: ReadonlySet<NameKey>;
  /** Servers of the target that have a new zone once it is written. */
  readonly own: readonly Name[];
  readonly notes: readonly Problem[];
}

/** The zones of a target: as their files want them, as they are, and their files. */
interface ZonesToEnter {
  readonly desired: readonly DesiredZone[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
  readonly files: readonly Pick<ZoneOfFile, "file" | "zone">[];
}

type AskingContext = Pick<RunContext, "now" | "sleep" | "signal">;

/** RRsets of a zone that a name server is asked for. */
const mostQuestions = 100;
/** Name servers that are asked at the same time. */
export const askedAtOnce = 8;

/**
 * Finds the name servers that zones of several targets are to get, and that do not answer with the zone: a resolver
 * that follows such an NS record loses the zone. The target's own servers answer for a new zone once it is written.
 */
export async function findSilentServers(
  context: AskingContext,
  project: Project,
  { desired, live, files }: ZonesToEnter,
): Promise<SilentServers> {
  if (project.target.capabilities.apex === "service") return none;
  const shared = new Map(
    files.flatMap((file) => {
      const targets = sharingTargets(project, file);
      return targets.length > 1 ? [[nameKey(file.zone.name), targets]] : [];
    }),
  );
  const zones = desired.filter(({ name, isCatalog }) => shared.has(nameKey(name)) && !isCatalog);
  const storedServers = ({ name }: DesiredZone) => apexServersOf(live.get(nameKey(name)) ?? { name, records: [] });
  const { view } = project;
  const isStart = view !== undefined && zones.some((zone) => storedServers(zone).size === 0);
  const own = isStart ? await findOwnServers(context, project, view) : { all: [], answering: [] };
  const answering = new Set(own.answering.map(nameKey));
  const asked = zones.flatMap((zone) => {
    const stored = storedServers(zone);
    const known = stored.size > 0 ? stored : answering;
    const declared = declaredServers(project, shared.get(nameKey(zone.name)) ?? []);
    return [...apexServersOf(zone)].flatMap(([server, name]) =>
      known.has(server) ? [] : [{ zone, name, declared: declared.get(server) }],
    );
  });
  const found = await pMap(
    asked,
    async ({ zone, name, declared }): Promise<SilentServer | undefined> => {
      const ask = () => askServer(context, { zone, name, declared });
      const reason = await ask();
      const isDeclared = declared !== undefined;
      return reason === undefined ? undefined : { zone: nameKey(zone.name), server: name, reason, ask, isDeclared };
    },
    { concurrency: askedAtOnce },
  );
  const silent = found.filter((one) => one !== undefined);
  const isStarting = (zone: DesiredZone) => {
    const ofZone = silent.filter((one) => one.zone === nameKey(zone.name));
    return !live.has(nameKey(zone.name)) && ofZone.length > 0 && apexServersOf(zone).size === ofZone.length;
  };
  const starts = startsOf(zones.filter(isStarting), { silent, own: own.all });
  const assumed = new Set(starts.flatMap((start) => start.assumed));
  const left = silent.filter((one) => !assumed.has(one));
  const waiting = new Set(starts.flatMap(({ zone, isWaiting }) => (isWaiting ? [zone] : [])));
  const ofTarget = answering.size > 0 ? own.answering : own.all;
  const notes = [...silentNotes(left, waiting), ...(view ? startNotes(view, starts, own.all) : [])];
  return { silent: left, waiting, own: ofTarget, notes };
}

const none: SilentServers = { silent: [], waiting: new Set(), own: [], notes: [] };

/** The NS records that a new zone starts with; none if it waits for those of its file. */
interface Start {
  readonly zone: NameKey;
  readonly assumed: readonly SilentServer[];
  readonly isWaiting: boolean;
}

/**
 * The NS records that zones start with if no server answers, not even one of the target: those of the target's own
 * servers, or all of the file if none is declared. A zone without NS records cannot be stored. If its file names
 * servers of other targets and none of this one, it waits for these.
 */
function startsOf(
  zones: readonly DesiredZone[],
  { silent, own }: { readonly silent: readonly SilentServer[]; readonly own: readonly Name[] },
): readonly Start[] {
  const isOwn = (server: Name) => own.some((name) => isSameName(name, server));
  return zones.map((zone) => {
    const ofZone = silent.filter((one) => one.zone === nameKey(zone.name));
    const assumed = own.length === 0 ? ofZone : ofZone.filter(({ server }) => isOwn(server));
    const isWaiting = assumed.length === 0 && ofZone.some(({ isDeclared }) => isDeclared);
    return { zone: nameKey(zone.name), assumed, isWaiting };
  });
}

/** The findings of a plan about such zones: one for all that start with the same NS records. */
function startNotes({ name: target }: ConfiguredTarget, starts: readonly Start[], own: readonly Name[]): Problem[] {
  const why =
    own.length === 0 ? `of its file, because \`nameservers\` of ${target} are not set` : `of the servers of ${target}`;
  const fix = own.length === 0 ? { fix: "Set `nameservers` of each target, with the names in its NS records." } : {};
  const recordsOf = ({ assumed }: Start) => listNames(assumed.length > 0 ? assumed.map(({ server }) => server) : own);
  const groups = groupBy(
    starts.filter(({ isWaiting }) => !isWaiting),
    recordsOf,
  );
  return [...groups].map(([records, ofRecords]) => {
    const [zones, isMany] = [ofRecords.map(({ zone }) => zone), ofRecords.length > 1];
    const start = isMany
      ? `no name server answers with ${count(zones.length, "zone")} yet (${listNames(zones)}); each starts`
      : `${listNames(zones)}: no name server answers with the zone yet; it starts`;
    return problem("name-server-assumed", `${start} with the NS records ${why}: ${records}`, fix);
  });
}

/** Names that a finding shows. */
const mostNames = 5;

function listNames(names: readonly (Name | NameKey)[]): string {
  return listFirst(
    names.map((name) => escapeControl(withoutDot(name))),
    mostNames,
  );
}

/**
 * The name servers of a target, and of them those that have a new zone as soon as it is written: the one that its
 * settings name, or else those that reply at all. A further one may learn of the zone later.
 */
async function findOwnServers(
  { signal }: AskingContext,
  project: Project,
  target: ConfiguredTarget,
): Promise<{ readonly all: readonly Name[]; readonly answering: readonly Name[] }> {
  const servers = serversOfTarget(project, target);
  const named = new Set(serversIn(target).map((text) => serverText(readServer(text, project.file))));
  const first = servers.filter(({ address }) => address !== undefined && named.has(serverText(address)));
  const own = await pMap(first.length > 0 ? first : servers, async (server) => {
    if (first.length > 0) return server;
    const addresses = server.address ? [server.address] : await addressesOf(server.name);
    const replies = await Promise.all(addresses.map((address) => isReplying(address, signal)));
    return replies.includes(true) ? server : undefined;
  });
  return {
    all: servers.map(({ name }) => name),
    answering: own.flatMap((server) => (server ? [server.name] : [])),
  };
}

interface ServerToAsk {
  readonly zone: DesiredZone;
  readonly name: Name;
  /** The server as its targets declare it. */
  readonly declared: readonly TargetServer[] | undefined;
}

/** Why a name server does not answer with a zone at each of its addresses; undefined if it does. */
async function askServer(context: AskingContext, { zone, name, declared }: ServerToAsk): Promise<Fix | undefined> {
  const addresses = await addressesIn(zone, { name, declared });
  if (addresses.length === 0) return "it has no address";
  const records = recordsAt(zone, declared);
  const sets = setsOf(
    records.map((record) => copyRecord(record, { ttl: 0 })),
    0,
  );
  // Whether an ALIAS has addresses depends on its target and on resolvers: "verify" tells it.
  const questions = someOf(questionsOf(records.filter(({ type }) => type !== "ALIAS")));
  const expected = { zone: { name: zone.name, sets }, questions, ignoresTtls: true, until: 0 };
  const clock = { now: () => context.now().getTime(), sleep: context.sleep };
  const answers = await pMap(addresses, async (address) => ({
    address,
    ...(await checkAnswers(publicServer(address), expected, { clock, signal: context.signal })),
  }));
  context.signal.throwIfAborted();
  // A machine without IPv6 cannot ask there.
  const counts = answers.filter(({ address, verdict }) => verdict !== "inconclusive" || !isIPv6(address.host));
  const [failed = answers[0]] = counts.filter(({ verdict }) => verdict !== "pass");
  if (counts.length > 0 && counts.every(({ verdict }) => verdict === "pass")) return undefined;
  return failed && advise`${failed.where}: ${failed.text}`;
}

/** The declared addresses of a name server, its addresses in the zone, or those that this machine resolves. */
async function addressesIn({ records }: DesiredZone, { name, declared }: Pick<ServerToAsk, "name" | "declared">) {
  const inZone = records.flatMap((record) =>
    isSameName(record.owner, name) && (isType(record, "A") || isType(record, "AAAA")) ? [record.data.address] : [],
  );
  const isDeclared = declared?.some(({ address }) => address !== undefined) === true;
  return isDeclared || inZone.length === 0 ? placesOf(declared, name) : inZone.map((host) => ({ host, port: dnsPort }));
}

/**
 * The records that a name server has once its targets are applied: those that each of them can store. SOA and NS of the
 * apex differ until then.
 */
function recordsAt(zone: DesiredZone, declared: readonly TargetServer[] = []): readonly ZoneRecord[] {
  const { name, settings, places = {}, dotlessTargets = [] } = zone;
  const isApex = ({ owner }: ZoneRecord) => isSameName(owner, name);
  const records = zone.records.filter((record) => !(isApex(record) && (record.type === "NS" || record.type === "SOA")));
  const left = new Set(
    declared.flatMap(({ target: { target } }) => {
      const { desired } = target.accept({ name, settings, records, places, dotlessTargets });
      return (desired.unsupported ?? []).map(setKeyOf);
    }),
  );
  return records.filter((record) => !left.has(setKeyOf(record)));
}

function someOf<T>(list: readonly T[]): readonly T[] {
  const every = Math.ceil(list.length / mostQuestions);
  return every <= 1 ? list : list.filter((_, index) => index % every === 0);
}

/**
 * The zone without the NS records of servers that do not answer yet. Those that it has stay until then, so that it
 * never loses all; a new one has those of its target, if no other answers. Undefined for one that waits.
 */
export function withoutSilent(
  zone: DesiredZone,
  stored: LiveZone | undefined,
  {
    silent,
    waiting,
    own,
  }: Omit<SilentServers, "notes" | "silent"> & { readonly silent: readonly Pick<SilentServer, "zone" | "server">[] },
): DesiredZone | undefined {
  if (waiting.has(nameKey(zone.name))) return undefined;
  const silentKeys = new Set(
    silent.filter(({ zone: name }) => name === nameKey(zone.name)).map(({ server }) => nameKey(server)),
  );
  if (silentKeys.size === 0) return zone;
  const isApexNs = (record: ZoneRecord) => isType(record, "NS") && isSameName(record.owner, zone.name);
  const serverOf = (record: ZoneRecord) => (isType(record, "NS") ? nameKey(record.data.nsdname) : undefined);
  const wanted = zone.records.filter((record) => !isApexNs(record) || !silentKeys.has(serverOf(record) as NameKey));
  const named = new Set(wanted.filter(isApexNs).map(serverOf));
  const ttl = zone.records.find(isApexNs)?.ttl;
  const asRecord = (nsdname: Name): DesiredRecord => ({ owner: zone.name, type: "NS", ttl, data: { nsdname } });
  const kept = [...(stored ? apexServersOf(stored) : [])].filter(([server]) => !named.has(server));
  const servers = kept.map(([, name]) => name);
  // A zone without NS records cannot be stored.
  if (named.size + servers.length === 0) servers.push(...own);
  return named.size + servers.length === 0 ? zone : { ...zone, records: [...wanted, ...servers.map(asRecord)] };
}

/** The findings of a plan about such servers: one for all zones of a server that have the same reason. */
function silentNotes(silent: readonly SilentServer[], waiting: ReadonlySet<NameKey>): Problem[] {
  const keyOf = ({ zone, server, reason }: SilentServer) =>
    `${nameKey(server)} ${waiting.has(zone)} ${adviceText(reason, "cli")}`;
  return [...groupBy(silent, keyOf).values()].map((alike) => {
    const [{ zone, server, reason }] = alike as [SilentServer];
    const [host, names] = [listNames([server]), listNames(alike.map((one) => one.zone))];
    const isWaiting = waiting.has(zone);
    if (alike.length === 1) {
      const then = isWaiting ? "the zone is created once it does" : "its NS record is left out until it does";
      return problem(
        "name-server-silent",
        advise`${names}: ${host} does not answer with the zone yet (${reason}); ${then}`,
      );
    }
    const then = isWaiting ? "they are created once it does" : "its NS records are left out until it does";
    const many = count(alike.length, "zone");
    const summary = advise`${host} does not answer with ${many} yet (${reason}): ${names}; ${then}`;
    return problem("name-server-silent", summary);
  });
}
