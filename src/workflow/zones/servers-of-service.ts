import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { nameKey, withoutDot } from "../../dns/name/name.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import type { Project } from "../project/project.ts";
import type { ConfiguredTarget } from "../project/targets.ts";
import { apexServersOf, serversOfTarget, sharingTargets } from "./target-servers.ts";

/**
 * The name servers that a service adds to its NS records of a zone, and that the file does not have: the other targets
 * answer with those of the file, so that resolvers would see two sets.
 */
export function checkServersOfService(
  project: Pick<Project, "cwd" | "file" | "targets" | "allFolders">,
  { zone, file }: Pick<ZoneOfFile, "zone" | "file">,
): Problem[] {
  const targets = sharingTargets(project, { zone, file });
  const isOurs = ({ target }: ConfiguredTarget) => target.capabilities.apex !== "service";
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
