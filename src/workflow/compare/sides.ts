import { resolve } from "node:path";
import pMap from "p-map";
import { escapeControl } from "../../diagnostics/escape.ts";
import { hasErrors, ProblemError, problemError, usageError } from "../../diagnostics/problem.ts";
import { type Name, type NameKey, nameKey, withLabel } from "../../dns/name/name.ts";
import type { UnreadRecord } from "../../dns/transfer/message.ts";
import { byOwner, type Owners } from "../../dns/zone/owners.ts";
import { copyRecord, isType, unsetNameservers, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { defaultTimes } from "../../dns/zone/zone-settings.ts";
import { readServer, type ServerAddress, serverText } from "../../dns-client/server-address.ts";
import { statIfPresent } from "../../file-system.ts";
import { formats } from "../../formats/formats.ts";
import { readLive } from "../../targets/read-live.ts";
import type { PlanningReads, Target } from "../../targets/target.ts";
import { connect } from "../connect/connect.ts";
import type { ApiOptions } from "../connect/connection.ts";
import { matchNames } from "../export/export.ts";
import { readText } from "../project/files.ts";
import { reportLive } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { chooseTargets, targetView } from "../project/targets.ts";
import { readSnapshot } from "../snapshot/snapshot.ts";
import { askForAddresses } from "../zones/node-addresses.ts";
import { refersToNodes } from "../zones/resolve-nodes.ts";
import { readZoneSources } from "../zones/zone-sources.ts";
import { completeZones, type ReadZones, readZones } from "../zones/zones.ts";

/** A version of a zone with all its records, each with its TTL. */
export interface KnownZone {
  readonly name: Name;
  readonly owners: Owners;
  /** The SOA record that the service makes, if the zone has none, such as one of a YAML file. */
  readonly soa: ZoneRecord<"SOA">;
  /** Records of a transfer with an invalid value. */
  readonly unread?: readonly UnreadRecord[];
}

/** One side of a comparison: a name server, which answers, or a list of zones with their records. */
export type Side = ServerSide | ListedSide;

export interface ServerSide {
  readonly text: string;
  readonly server: ServerAddress;
}

export interface ListedSide {
  readonly text: string;
  readonly server?: undefined;
  readonly zones: ReadonlyMap<NameKey, KnownZone>;
  /** Slave zones: their records are on other servers. */
  readonly slaves: readonly Name[];
}

/** A side as the user names it. */
type Source =
  | { readonly kind: "server"; readonly text: string; readonly server: ServerAddress }
  | { readonly kind: "live" | "rendered"; readonly text: string; readonly project: Project }
  | { readonly kind: "snapshot" | "file" | "folder"; readonly text: string };

/**
 * Reads both sides. A single zone file limits the other side to its zone.
 * @throws {ProblemError} for unknown sides, and for files with errors.
 */
export async function readSides(
  context: RunContext,
  project: Project,
  texts: readonly [string, string],
  { zones, ...api }: ApiOptions & { readonly zones: readonly string[] },
): Promise<readonly [Side, Side]> {
  const [a, b] = [readSource(context, project, texts[0]), readSource(context, project, texts[1])];
  if (a.kind === "server" && b.kind === "server" && zones.length === 0)
    throw usageError("two name servers cannot list their zones. Name the zones to compare.");
  const read = (source: Source, names: readonly string[]) => readSide(context, project, source, { names, api });
  const namesIn = (side: Side, source: Source) =>
    source.kind === "file" && side.server === undefined && zones.length === 0 ? [...side.zones.keys()] : zones;
  // Files come first: their errors need no connection, and only their zones are read from the account.
  if (isOnDisk(a)) {
    const first = await read(a, zones);
    return [first, await read(b, namesIn(first, a))];
  }
  const second = await read(b, zones);
  return [await read(a, namesIn(second, b)), second];
}

function isOnDisk({ kind }: Source): boolean {
  return kind === "file" || kind === "folder" || kind === "snapshot";
}

function readSource({ cwd }: RunContext, project: Project, text: string): Source {
  if (text.startsWith("@")) {
    const server = readServer(text.slice(1), "@");
    return { kind: "server", text: `@${serverText(server)}`, server };
  }
  const [, service, target] = /^(live|rendered)(?::(.+))?$/.exec(text) ?? [];
  if (service === "live" || service === "rendered") {
    const [view] =
      target === undefined ? [] : chooseTargets(project.targets, { config: project.file, target: [target] });
    return { kind: service, text, project: view ? targetView(project, view) : project };
  }
  const kind = statIfPresent(resolve(cwd, text));
  if (!kind) {
    const fix =
      "Name a zone file or a folder of zone files, `live`, `rendered`, `live:TARGET`, a name server such as `@192.0.2.53`, or a snapshot.";
    throw problemError("file-read", `${escapeControl(text)} does not exist`, { fix });
  }
  if (kind.isDirectory()) return { kind: "folder", text };
  const isSnapshot = /^\s*\{[^{}]*"zonewright\.snapshot\//.test(readText(cwd, text).slice(0, 500));
  return { kind: isSnapshot ? "snapshot" : "file", text };
}

interface Selection {
  readonly names: readonly string[];
  readonly api: ApiOptions;
}

async function readSide(
  context: RunContext,
  project: Project,
  source: Source,
  { names, api }: Selection,
): Promise<Side> {
  const { text } = source;
  switch (source.kind) {
    case "server":
      return { text, server: source.server };
    case "snapshot":
      return readStored(context, readSnapshot(context, text).target.read, text, names);
    case "live":
      return connect(context, source.project, api, ({ target }) => readStored(context, target.read, text, names));
    case "rendered":
      return connect(context, source.project, api, ({ target }) => readRendered(context, target.read, text, names));
    default:
      return listZones(
        text,
        await filesZones(await readFiles(project, source, text), { context, project, api }),
        names,
      );
  }
}

async function readFiles(project: Project, { kind }: Source, text: string): Promise<ReadZones> {
  const path = resolve(project.cwd, text);
  const own = project.folders.filter((folder) => folder.path === path);
  if (kind === "file") return readZones(project, [text]);
  if (own.length > 0) return readZones({ ...project, folders: own }, []);
  const { zones, problems } = await readZoneSources(project, [text]);
  if (zones.length === 0 && !hasErrors(problems))
    throw problemError("file-read", `${escapeControl(text)} contains no zone files`);
  return completeZones(project, zones, problems);
}

interface ReadVersions {
  readonly zones: readonly KnownZone[];
  readonly slaves: readonly Name[];
}

/** @throws {ProblemError} for files with errors. */
async function filesZones(
  { zones, problems }: ReadZones,
  { context, project, api }: Pick<Selection, "api"> & { readonly context: RunContext; readonly project: Project },
): Promise<ReadVersions> {
  const errors = [...problems, ...zones.flatMap((zone) => zone.problems)].filter(
    ({ severity }) => severity === "error",
  );
  if (errors.length > 0) throw new ProblemError([...new Set(errors)]);
  const isSlave = ({ settings }: Zone) => settings.type === "slave";
  const times = defaultTimes(project.target.capabilities.settings);
  const resolved = refersToNodes(zones) ? await askForAddresses(context, project, api, zones) : zones;
  const read = resolved.map(({ zone }) => zone);
  return {
    zones: read
      .filter((zone) => !isSlave(zone))
      .map(({ name, records, settings }) => toKnownZone(name, [...records], settings.ttl_sec || times.ttl_sec)),
    slaves: read.filter(isSlave).map(({ name }) => name),
  };
}

/** The zones that an account or a snapshot stores. */
async function readStored(
  { signal, onProgress }: RunContext,
  read: PlanningReads,
  text: string,
  names: readonly string[],
): Promise<ListedSide> {
  const isSlave = (type: string | undefined) => type === "slave";
  const { zones } = await readLive(read, matchNames(names), { signal, onRead: reportLive(onProgress) });
  const all = [...zones.values()];
  return listZones(
    text,
    {
      zones: all
        .filter(({ settings }) => !isSlave(settings.type))
        .map((zone) => toKnownZone(zone.name, zone.records, zone.settings.ttl_sec || zone.defaultTimes.ttl_sec)),
      slaves: all.filter(({ settings }) => isSlave(settings.type)).map(({ name }) => name),
    },
    names,
  );
}

const filesAtOnce = 4;

/** The zone files that the service renders; a zone without one, such as a disabled zone, is missing. */
async function readRendered(
  { signal, onProgress }: RunContext,
  read: Target["read"],
  text: string,
  names: readonly string[],
): Promise<ListedSide> {
  const isWanted = matchNames(names);
  const report = reportLive(onProgress);
  const heads = (await read.listZones({ signal })).filter(({ name }) => isWanted(nameKey(name)));
  const masters = heads.filter(({ settings }) => settings.type !== "slave");
  let done = 0;
  const zones = await pMap(
    masters,
    async (head): Promise<KnownZone[]> => {
      const bytes = Buffer.from(await read.readZoneFile(head, { signal }));
      report(++done, masters.length);
      if (bytes.length === 0) return [];
      const { zone } = formats.bind.read({ file: "zone file", bytes, origin: head.name, settings: [] });
      return [toKnownZone(head.name, [...zone.records], zone.settings.ttl_sec ?? 0)];
    },
    { concurrency: filesAtOnce },
  );
  const slaves = heads.filter((head) => !masters.includes(head)).map(({ name }) => name);
  return listZones(text, { zones: zones.flat(), slaves }, names);
}

function listZones(text: string, { zones, slaves }: ReadVersions, names: readonly string[]): ListedSide {
  const isWanted = matchNames(names);
  const wanted = zones.filter(({ name }) => isWanted(nameKey(name)));
  return {
    text,
    zones: new Map(wanted.map((zone) => [nameKey(zone.name), zone])),
    slaves: slaves.filter((name) => isWanted(nameKey(name))),
  };
}

/** A zone from its records; `defaultTtl`, in seconds, applies to records without a TTL. */
export function toKnownZone(name: Name, records: readonly ZoneRecord[], defaultTtl: number): KnownZone {
  const complete = records.map((record) =>
    record.ttl === undefined ? copyRecord(record, { ttl: defaultTtl }) : record,
  );
  const soa = complete.find((record) => isType(record, "SOA")) ?? serviceSoa(name, defaultTtl);
  return { name, owners: byOwner(complete), soa };
}

/** The SOA record that the service makes, whose minimum is the TTL of the zone (decisions/service#zone-file). */
function serviceSoa(name: Name, ttl: number): ZoneRecord<"SOA"> {
  const times = { serial: 0, refresh: 0, retry: 0, expire: 0, minimum: ttl };
  const [mname = name] = unsetNameservers;
  return { owner: name, type: "SOA", ttl, data: { mname, rname: withLabel("hostmaster", name), ...times } };
}
