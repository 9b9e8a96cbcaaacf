import { isIPv6 } from "node:net";
import pMap from "p-map";
import { serversIn } from "../../config/target-kinds.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { isSameName, type Name, type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import { readServer, type ServerAddress, serverText } from "../../dns-client/server-address.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { groupBy } from "../../group-by.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import type { ConfiguredTarget } from "../project/targets.ts";
import { type SkippedZone, skipZones } from "../zones/skip-invalid.ts";
import { serversOfTarget, sharingTargets } from "../zones/target-servers.ts";
import { addressesOf, askSigned } from "./ask.ts";

/** A server of a target that is asked for the keys of a zone. */
interface AskedServer {
  readonly target: string;
  readonly where: string;
  readonly address: ServerAddress;
}

/** The keys of a zone at one server, and those with which it signs; of both none if the zone is not signed there. */
interface KeysAtServer extends Pick<AskedServer, "target" | "where"> {
  /** Absent for a service that signs no zones. */
  readonly address?: ServerAddress;
  readonly keys: ReadonlySet<string>;
  readonly signers: ReadonlySet<string>;
}

/** A target whose keys of a zone are not compared with those of the others. */
export interface UnknownKeys {
  readonly zone: NameKey;
  readonly target: string;
  /** Why, without a full stop. */
  readonly reason: string;
}

/** The zones that are refused, the targets that wait for keys, and those whose keys are not known. */
export interface CheckedKeys {
  readonly skipped: readonly SkippedZone[];
  readonly awaited: readonly AwaitedKeys[];
  readonly unknown: readonly UnknownKeys[];
}

/** A target whose servers stay out of the NS records of a zone, because their keys do not fit those of the others. */
export interface AwaitedKeys {
  readonly zone: NameKey;
  readonly target: string;
  readonly servers: readonly Name[];
  readonly note: Problem;
}

interface ZonesToCheck {
  readonly desired: readonly DesiredZone[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
  readonly files: readonly Pick<ZoneOfFile, "file" | "zone">[];
}

/** Zones that are asked about at the same time. */
const atOnce = 8;

/**
 * Refuses zones that resolvers could not validate, because their targets sign them with keys that the others do not
 * have, or only some sign them: a resolver may take the keys from one server and the signatures from another (RFC 8901
 * §2). All servers of each target are asked. A target to which no NS record of the others leads waits instead: it gets
 * the zone first, and the keys then.
 * @throws {ProblemError} `keys-differ`, unless `skipInvalid` leaves the zones out
 */
export async function checkKeys(
  context: Pick<RunContext, "signal">,
  project: Project,
  { desired, live, files }: ZonesToCheck,
  skipInvalid = false,
): Promise<CheckedKeys> {
  const sharing = new Map(files.map((file) => [nameKey(file.zone.name), sharingTargets(project, file)]));
  const servers = new Map<string, Promise<readonly AskedServer[]>>();
  const lost = new Map<string, string>();
  const found = await pMap(
    desired.filter(({ name, isCatalog }) => !isCatalog && (sharing.get(nameKey(name)) ?? []).length > 1),
    async (zone) => {
      const key = nameKey(zone.name);
      const results = await Promise.all(
        (sharing.get(key) ?? []).map(async (target) => {
          const { name } = target;
          const isUnsigned = target.target.capabilities.apex !== "ours";
          const known = servers.get(name) ?? serversToAsk(project, target);
          servers.set(name, known);
          // A zone that this target does not have yet has no keys there.
          const isNew = name === project.view?.name && !live.has(key);
          return askTarget(context, { name, isNew, isUnsigned, servers: await known }, zone.name, lost);
        }),
      );
      const unknown = results.flatMap((one) => one.unknown.map((reason) => ({ ...reason, zone: key })));
      const all = results.flatMap(({ keys }) => keys);
      return { zone, unknown, ...(await judgeKeys(context, project, { zone, targets: sharing.get(key) ?? [], all })) };
    },
    { concurrency: atOnce },
  );
  const unknown = found.flatMap((one) => one.unknown);
  const refused = found.flatMap(({ zone, error }) => (error ? [{ zone, errors: [error] }] : []));
  return {
    skipped: skipZones(refused, skipInvalid, () => "its targets do not sign it with each other's keys"),
    awaited: found.flatMap(({ awaited }) => awaited),
    unknown,
  };
}

interface FoundKeys {
  readonly zone: DesiredZone;
  readonly targets: readonly ConfiguredTarget[];
  readonly all: readonly KeysAtServer[];
}

/** The error of a zone, and the targets that wait. NS records are asked for only if keys differ or are missing. */
async function judgeKeys(
  context: Pick<RunContext, "signal">,
  project: Project,
  { zone, targets, all }: FoundKeys,
): Promise<{ readonly error: Problem | undefined; readonly awaited: readonly AwaitedKeys[] }> {
  const error = compareKeys(zone.name, all);
  const isSigned = all.some(({ signers }) => signers.size > 0);
  const hasKeys = (name: string) => all.some(({ target }) => target === name);
  if (!isSigned || (error === undefined && targets.every(({ name }) => hasKeys(name)))) return { error, awaited: [] };
  const entering = await findEntering(context, project, { zone, targets, all });
  const isOfView = (name: string) => name === project.view?.name;
  const awaited = [...entering].flatMap(([target, servers]): AwaitedKeys[] => {
    const isWith = (name: string) => name === target || isOfView(name) || isOfView(target) || !entering.has(name);
    const together = all.filter((one) => isWith(one.target));
    const fault = hasKeys(target) ? compareKeys(zone.name, together) : noKeysYet(zone.name, together);
    if (fault === undefined) return [];
    const summary = `${fault.summary}; the servers of ${target} enter its NS records once their keys match`;
    const note = problem("keys-awaited", summary, { fix: fault.fix ?? signFix, owner: zone.name });
    return [{ zone: nameKey(zone.name), target, servers, note }];
  });
  const inUse = all.filter(({ target }) => !entering.has(target));
  return { error: compareKeys(zone.name, inUse), awaited };
}

/** The targets that sign a zone, as the reason why one without it waits; undefined if there are none. */
function noKeysYet(zone: Name, all: readonly KeysAtServer[]): Pick<Problem, "summary" | "fix"> | undefined {
  const signed = new Set(all.flatMap(({ target, signers }) => (signers.size > 0 ? [target] : [])));
  if (signed.size === 0) return undefined;
  return { summary: `${escapeControl(withoutDot(zone))} is signed on ${[...signed].join(", ")}`, fix: signFix };
}

/** The targets to whose servers no other target has an NS record, with these servers. */
async function findEntering(
  context: Pick<RunContext, "signal">,
  project: Project,
  { zone, targets, all }: FoundKeys,
): Promise<ReadonlyMap<string, readonly Name[]>> {
  const sets = await Promise.all(
    all.flatMap(({ target, address }) =>
      address === undefined
        ? []
        : [askSigned(address, zone.name, "NS", context).then((reply) => ({ of: target, reply }))],
    ),
  );
  const found = targets.flatMap((target): [string, Name[]][] => {
    const own = serversOfTarget(project, target).map(({ name }) => name);
    const isNamed = sets.some(({ of, reply }) => {
      if (of === target.name) return false;
      return "failure" in reply || reply.some((record) => own.some((name) => isNsOf(record, name)));
    });
    return own.length === 0 || isNamed ? [] : [[target.name, own]];
  });
  return new Map(found);
}

function isNsOf(record: ZoneRecord, server: Name): boolean {
  return isType(record, "NS") && isSameName(record.data.nsdname, server);
}

/** The findings of a plan about keys that are not known: one for all zones and targets with the same reason. */
export function unknownKeysNotes(unknown: readonly UnknownKeys[]): Problem[] {
  const listText = (all: readonly string[]) => {
    const names = [...new Set(all)];
    const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
    return `${names.slice(0, mostNamed).join(", ")}${more}`;
  };
  const ofTargets = [...groupBy(unknown, ({ target, reason }) => `${target}: ${reason}`).values()].map((group) => {
    const { target = "", reason = "" } = group[0] ?? {};
    return { target, reason, zones: listText(group.map(({ zone }) => escapeControl(withoutDot(zone)))) };
  });
  return [...groupBy(ofTargets, ({ zones, reason }) => `${zones}: ${reason}`).values()].map((group) => {
    const { zones = "", reason = "" } = group[0] ?? {};
    const targets = group.map(({ target }) => target).join(", ");
    return problem("keys-unknown", `the keys of ${zones} on ${targets} are unknown: ${reason}`);
  });
}

/** Zones that one sentence names. */
const mostNamed = 3;

interface TargetToAsk {
  readonly name: string;
  readonly isNew: boolean;
  /** Whether the service signs no zones. */
  readonly isUnsigned: boolean;
  readonly servers: readonly AskedServer[];
}

/** Asks all servers of a target. `lost`: why servers gave no reply; they are not asked again. */
async function askTarget(
  context: Pick<RunContext, "signal">,
  { name, isNew, isUnsigned, servers }: TargetToAsk,
  zone: Name,
  lost: Map<string, string>,
): Promise<{ readonly keys: readonly KeysAtServer[]; readonly unknown: readonly Omit<UnknownKeys, "zone">[] }> {
  if (servers.length === 0 && isUnsigned)
    return { keys: isNew ? [] : [{ target: name, where: name, keys: new Set(), signers: new Set() }], unknown: [] };
  if (servers.length === 0)
    return { keys: [], unknown: [{ target: name, reason: "`nameservers` are not set there, or have no addresses" }] };
  if (isNew) return { keys: [], unknown: [] };
  const replies = await Promise.all(
    servers.map(async (server) => {
      const at = serverText(server.address);
      const failure = lost.get(at);
      const reply = failure === undefined ? await askKeys(context, server, zone) : { failure };
      if ("failure" in reply && "isLost" in reply && reply.isLost) lost.set(at, reply.failure);
      return { server, at, reply };
    }),
  );
  const keys = replies.flatMap(({ reply }) => ("failure" in reply ? [] : [reply]));
  const unknown = replies.flatMap(({ server, at, reply }) => {
    // A machine without IPv6 cannot ask there.
    const isCounted = !isIPv6(server.address.host) || !lost.has(at) || keys.length === 0;
    return "failure" in reply && isCounted ? [{ target: name, reason: `${at}: ${reply.failure}` }] : [];
  });
  return { keys, unknown };
}

/** The servers of a target: those that it declares, or else those that its settings name. */
async function serversToAsk({ file }: Project, target: ConfiguredTarget): Promise<readonly AskedServer[]> {
  const declared = serversOfTarget({ file }, target);
  const asked = (address: ServerAddress, where = serverText(address)) => ({ target: target.name, where, address });
  if (declared.length === 0) return serversIn(target).map((text) => asked(readServer(text, file)));
  const found = declared.map(async ({ name, address }) => {
    const addresses = address ? [address] : await addressesOf(name);
    return addresses.map((one) => asked(one, escapeControl(withoutDot(name))));
  });
  return (await Promise.all(found)).flat();
}

async function askKeys(context: Pick<RunContext, "signal">, server: AskedServer, zone: Name) {
  const soa = await askSigned(server.address, zone, "SOA", context);
  if ("failure" in soa) return soa;
  const signers = new Set(
    soa.flatMap((one) =>
      isType(one, "RRSIG") && one.data.type_covered === "SOA" ? [keyId(one.data.algorithm, one.data.key_tag)] : [],
    ),
  );
  if (signers.size === 0) return { ...server, keys: signers, signers };
  const found = await askSigned(server.address, zone, "DNSKEY", context);
  if ("failure" in found) return found;
  const keys = found.flatMap((one) => (isType(one, "DNSKEY") ? [keyId(one.data.algorithm, tagOf(one))] : []));
  return { ...server, keys: new Set(keys), signers };
}

function compareKeys(zone: Name, all: readonly KeysAtServer[]): Problem | undefined {
  const name = escapeControl(withoutDot(zone));
  const signed = all.filter(({ signers }) => signers.size > 0);
  if (signed.length === 0) return undefined;
  const ofTarget = groupBy(all, ({ target }) => target);
  const textOf = ({ target, where }: KeysAtServer) =>
    (ofTarget.get(target) ?? []).length > 1 ? `${target} (${where})` : target;
  const unsigned = all.filter(({ signers }) => signers.size === 0);
  if (unsigned.length > 0) {
    const [where, elsewhere] = [signed, unsigned].map((list) => list.map(textOf).join(", "));
    const summary = `${name} is signed on ${where} and not on ${elsewhere}: resolvers that validate refuse the answers from ${elsewhere}`;
    return problem("keys-differ", summary, { fix: signFix, owner: zone });
  }
  const missing = signed.flatMap((server) =>
    signed.flatMap((other) => {
      const tags = [...other.signers].filter((id) => !server.keys.has(id)).map(keyText);
      if (tags.length === 0) return [];
      const whose = server === other ? "that it signs with" : `of ${textOf(other)}`;
      return [`${textOf(server)} lacks ${tags.join(", ")} ${whose}`];
    }),
  );
  if (missing.length === 0) return undefined;
  const summary = `${name} is signed with keys that not all targets have: ${missing.join("; ")}`;
  return problem("keys-differ", summary, { fix: shareFix, owner: zone });
}

const shareFix =
  "Add the keys that sign the records of each target to the DNSKEY records of the others, with the same flags (RFC 8901), or let one target serve the zone.";
const signFix =
  "Sign it on all targets, with the keys that sign the records of each in the DNSKEY records of the others (RFC 8901), or on none.";

/** A key as signatures name it (RFC 4034 §3.1). */
function keyId(algorithm: number, tag: number): string {
  return `${algorithm} ${tag}`;
}

function keyText(key: string): string {
  return `the key ${key.split(" ")[1]}`;
}

/** The tag of a key (RFC 4034 appendix B). It depends on the flags. */
function tagOf({ data: { flags, protocol, algorithm, public_key } }: ZoneRecord<"DNSKEY">): number {
  const octets = [flags >> 8, flags & 255, protocol, algorithm, ...Buffer.from(public_key, "base64")];
  const sum = octets.reduce((sum, octet, index) => sum + (index % 2 === 0 ? octet << 8 : octet), 0);
  return (sum + (sum >>> 16)) & 0xffff;
}
