import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { type Name, type NameKey, nameKey, readName, withoutDot } from "../../dns/name/name.ts";
import { isType, type Zone } from "../../dns/zone/zone.ts";
import { readServer, type ServerAddress } from "../../dns-client/server-address.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import type { Project } from "../project/project.ts";
import { type ConfiguredTarget, targetsOfZone } from "../project/targets.ts";

/** A name server that answers for the zones of a target. */
export interface TargetServer {
  readonly name: Name;
  readonly target: ConfiguredTarget;
  /** The address at which it is asked; absent if its name tells. */
  readonly address?: ServerAddress;
}

/** The name servers of a target, as its config declares them. */
export function serversOfTarget(project: Pick<Project, "file">, target: ConfiguredTarget): readonly TargetServer[] {
  const { name, nameservers = [] } = target;
  if (Array.isArray(nameservers)) return nameservers.map((server) => ({ name: asServer(server), target }));
  return Object.entries(nameservers).map(([server, address]) => ({
    name: asServer(server),
    target,
    address: readServer(address, `targets.${name}.nameservers.${server} in ${project.file}`),
  }));
}

function asServer(text: string): Name {
  return readName(text.replace(/\.?$/, "."));
}

/** The declared name servers of all targets, by name. */
export function declaredServers(project: Pick<Project, "file" | "targets">): ReadonlyMap<NameKey, TargetServer> {
  const servers = project.targets.flatMap((target) => serversOfTarget(project, target));
  return new Map(servers.map((server) => [nameKey(server.name), server]));
}

/** The targets that a zone is applied to, if there are several; of another file of the same zone, another view. */
export function sharingTargets(
  project: Pick<Project, "cwd" | "targets" | "allFolders">,
  read: { readonly file: string; readonly zone: Pick<Zone, "targets"> },
): readonly ConfiguredTarget[] {
  if (project.targets.length < 2) return [];
  const names = targetsOfZone(project, read);
  return names.length < 2 ? [] : project.targets.filter(({ name }) => names.includes(name));
}

/** The name servers in the NS records of a zone's apex, each once. */
export function apexServersOf({ name, records }: Pick<Zone, "name" | "records">): ReadonlyMap<NameKey, Name> {
  const apex = nameKey(name);
  const found = new Map<NameKey, Name>();
  for (const record of records)
    if (isType(record, "NS") && nameKey(record.owner) === apex)
      found.set(nameKey(record.data.nsdname), record.data.nsdname);
  return found;
}

/**
 * The name servers that a service adds to its NS records of a zone, and that the file does not have: the other targets
 * answer with those of the file, so that resolvers would see two sets.
 */
export function checkServersOfService(
  project: Pick<Project, "cwd" | "file" | "targets" | "allFolders">,
  { zone, file }: Pick<ZoneOfFile, "zone" | "file">,
): Problem[] {
  const targets = sharingTargets(project, { zone, file });
  const isOurs = ({ target }: ConfiguredTarget) => target.capabilities.apex === "ours";
  const services = targets.filter((target) => !isOurs(target));
  if (services.length === 0 || !targets.some(isOurs)) return [];
  const inFile = apexServersOf({ name: zone.name, records: [...zone.records] });
  const place = zone.places.zone ?? { file, line: 1, column: 1, length: 1 };
  return services.flatMap((target) => {
    const missing = serversOfTarget(project, target).filter(({ name }) => !inFile.has(nameKey(name)));
    if (missing.length === 0) return [];
    const names = missing.map(({ name }) => escapeControl(withoutDot(name))).join(", ");
    const summary = `${target.name} adds NS ${names} to the zone, and the file, which the other targets answer with, does not have ${missing.length === 1 ? "it" : "them"}`;
    const fix = `Add ${missing.length === 1 ? "it" : "them"} to the NS records of the zone.`;
    return [problem("name-server-missing", summary, { fix, owner: zone.name, place })];
  });
}
