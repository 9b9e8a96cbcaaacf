import pMap from "p-map";
import { serversIn } from "../../config/target-kinds.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { type Name, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { DesiredZone } from "../../dns/zone/desired-live.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import { readServer, type ServerAddress } from "../../dns-client/server-address.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import type { ConfiguredTarget } from "../project/targets.ts";
import { serversOfTarget, sharingTargets } from "../zones/shared-zones.ts";
import type { SkippedZone } from "../zones/skip-invalid.ts";
import { addressesOf, askApex } from "./ask.ts";

type Key = ZoneRecord<"DNSKEY">;

/** The keys of a zone that the servers of a target answer with; none if it is not signed there. */
interface KeysOfTarget {
  readonly target: string;
  readonly keys: readonly Key[];
}

interface ZonesToCheck {
  readonly desired: readonly DesiredZone[];
  readonly files: readonly Pick<ZoneOfFile, "file" | "zone">[];
}

/** Zones that are asked about at the same time. */
const atOnce = 8;

/**
 * Refuses zones that resolvers could not validate, because their targets sign them with keys that the others do not
 * have, or only some sign them: a resolver may take the keys from one and the signatures from another (RFC 8901 §2).
 * A target whose servers do not answer for the zone is not compared.
 * @throws {ProblemError} `keys-differ`, unless `skipInvalid` leaves the zones out
 */
export async function checkKeys(
  context: Pick<RunContext, "signal">,
  project: Project,
  { desired, files }: ZonesToCheck,
  skipInvalid = false,
): Promise<readonly SkippedZone[]> {
  const sharing = new Map(files.map((file) => [nameKey(file.zone.name), sharingTargets(project, file)]));
  const found = await pMap(
    desired.filter(({ name, isCatalog }) => !isCatalog && (sharing.get(nameKey(name)) ?? []).length > 1),
    async (zone) => {
      const targets = sharing.get(nameKey(zone.name)) ?? [];
      const keys = await Promise.all(targets.map((target) => askKeys(context, project, target, zone.name)));
      const error = compareKeys(zone.name, keys.flat());
      return error && { zone, error };
    },
    { concurrency: atOnce },
  );
  const refused = found.filter((one) => one !== undefined);
  if (refused.length > 0 && !skipInvalid) throw new ProblemError(refused.map(({ error }) => error));
  return refused.map(({ zone: { name, file = "" }, error }) => ({
    name: nameKey(name),
    file,
    reason: "its targets do not sign it with each other's keys",
    errors: [error],
  }));
}

async function askKeys(
  context: Pick<RunContext, "signal">,
  project: Project,
  target: ConfiguredTarget,
  zone: Name,
): Promise<KeysOfTarget[]> {
  const reply = await askApex(await placesOf(project, target), zone, "DNSKEY", context);
  if ("failure" in reply) return [];
  return [{ target: target.name, keys: reply.filter((record) => isType(record, "DNSKEY")) }];
}

/** The addresses of the servers of a target: those that it declares, or else the one that its settings name. */
async function placesOf({ file }: Project, target: ConfiguredTarget): Promise<readonly ServerAddress[]> {
  const servers = serversOfTarget({ file }, target);
  if (servers.length === 0) return serversIn(target).map((text) => readServer(text, file));
  return (await Promise.all(servers.map(({ name, address }) => address ?? addressesOf(name)))).flat();
}

function compareKeys(zone: Name, all: readonly KeysOfTarget[]): Problem | undefined {
  const name = escapeControl(withoutDot(zone));
  const signed = all.filter(({ keys }) => keys.length > 0);
  if (signed.length === 0) return undefined;
  const unsigned = all.filter(({ keys }) => keys.length === 0);
  if (unsigned.length > 0) {
    const [where, elsewhere] = [signed, unsigned].map((list) => list.map(({ target }) => target).join(", "));
    const summary = `${name} is signed on ${where} and not on ${elsewhere}: resolvers that validate refuse the answers from ${elsewhere}`;
    return problem("keys-differ", summary, { fix: signFix, owner: zone });
  }
  const missing = signed.flatMap(({ target, keys }) => {
    const known = new Set(keys.map(keyOf));
    const others = signed.filter((other) => other.target !== target);
    return others.flatMap((other) => {
      const tags = signingKeys(other.keys).filter((key) => !known.has(keyOf(key)));
      return tags.length === 0 ? [] : [`${target} lacks ${tags.map(keyText).join(", ")} of ${other.target}`];
    });
  });
  if (missing.length === 0) return undefined;
  const summary = `${name} is signed with keys that not all targets have: ${missing.join("; ")}`;
  return problem("keys-differ", summary, { fix: shareFix, owner: zone });
}

const shareFix =
  "Add the zone signing keys of each target to the DNSKEY records of the others (RFC 8901), or let one target serve the zone.";
const signFix =
  "Sign it on all targets, with the zone signing keys of each in the DNSKEY records of the others (RFC 8901), or on none.";

/** The keys that sign the records: those without the flag SEP, or all if each has it (RFC 4034 §2.1.1). */
function signingKeys(keys: readonly Key[]): readonly Key[] {
  const zoneKeys = keys.filter(({ data }) => (data.flags & sep) === 0);
  return zoneKeys.length > 0 ? zoneKeys : keys;
}

const sep = 1;

/** A key that signs and one that is only published differ in no more than flags. */
function keyOf({ data }: Key): string {
  return `${data.algorithm} ${data.public_key}`;
}

function keyText({ data: { flags, protocol, algorithm, public_key } }: Key): string {
  const octets = [flags >> 8, flags & 255, protocol, algorithm, ...Buffer.from(public_key, "base64")];
  // RFC 4034 appendix B
  const sum = octets.reduce((sum, octet, index) => sum + (index % 2 === 0 ? octet << 8 : octet), 0);
  return `the key ${(sum + (sum >>> 16)) & 0xffff}`;
}
