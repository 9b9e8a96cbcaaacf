import { type Name, type NameKey, nameKey, readName } from "../../dns/name/name.ts";
import { isType, type Zone } from "../../dns/zone/zone.ts";
import { readServer, type ServerAddress } from "../../dns-client/server-address.ts";
import { groupBy } from "../../group-by.ts";
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

/** The name servers of targets by name. Several targets can declare one server. */
export type DeclaredServers = ReadonlyMap<NameKey, readonly TargetServer[]>;

/**
 * The name servers that targets declare: those of the targets of a zone, since another view may have the same names.
 */
export function declaredServers(project: Pick<Project, "file">, targets: readonly ConfiguredTarget[]): DeclaredServers {
  const servers = [...new Set(targets)].flatMap((target) => serversOfTarget(project, target));
  return groupBy(servers, ({ name }) => nameKey(name));
}

/** The targets of the folder that has a zone file, also those that the file leaves out; all without a file. */
export function targetsOfFolder(
  project: Pick<Project, "cwd" | "targets" | "allFolders">,
  file: string | undefined,
): readonly ConfiguredTarget[] {
  if (file === undefined) return project.targets;
  const names = targetsOfZone(project, { file });
  return project.targets.filter(({ name }) => names.includes(name));
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
