import { advise } from "../../diagnostics/advice.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { type Name, nameKey } from "../../dns/name/name.ts";
import { dnsPort, readServer } from "../../dns-client/server-address.ts";
import { type SecondaryForm, secondariesText } from "../../formats/server-config/secondaries.ts";
import type { ReadOptions, Target } from "../../targets/target.ts";
import { nameserversOf, type Project } from "../project/project.ts";
import { checkFound, matchNames } from "./export.ts";
import { checkKeyName, resolveServers, type ZoneToList, zonesOfFiles } from "./server-list.ts";

export { type SecondaryForm, secondaryForms } from "../../formats/server-config/secondaries.ts";

export interface SecondariesRequest {
  readonly to: SecondaryForm;
  /** As on the command line; the name servers of the config if there are none. */
  readonly primaries: readonly string[];
  readonly key?: string | undefined;
  /** The zone of a file that is not named after it. */
  readonly origin?: string | undefined;
}

export interface ExportedSecondaries {
  readonly text: string;
  readonly zones: readonly Name[];
  /** Zones that the service does not answer for, so that they cannot be transferred. */
  readonly disabled: readonly Name[];
}

/**
 * Returns the configuration of secondaries for zones: of the files, or of the service if `target` is given.
 * @throws {ProblemError} `usage`, `zone-unknown`, and for files with errors.
 */
export async function exportSecondaries(
  project: Project,
  names: readonly string[],
  { to, primaries, key, origin }: SecondariesRequest,
  target?: Pick<Target, "read" | "name" | "capabilities">,
): Promise<ExportedSecondaries> {
  if (key !== undefined) checkKeyName(key);
  const servers = primaries.map((server) => readServer(server, advise`${{ set: "primary" }}`));
  const own = (nameserversOf(project) ?? []).map((name) => ({ host: name.slice(0, -1), port: dnsPort }));
  if (servers.length + own.length === 0)
    throw usageError(
      advise`the secondaries need a server to transfer from. Name it with ${{ set: "primary" }}, or set \`nameservers\` in the config.`,
    );
  const listed = target ? await liveZones(target, names, project) : await zonesOfFiles(project, names, origin);
  const isDisabled = ({ status }: ZoneToList) => status === "disabled";
  const zones = listed.filter((zone) => !isDisabled(zone)).map(({ name }) => name);
  const addresses = await resolveServers(servers.length > 0 ? servers : own, "primary");
  return {
    text: secondariesText(to, { zones, primaries: addresses, key }),
    zones,
    disabled: listed.filter(isDisabled).map(({ name }) => name),
  };
}

async function liveZones(
  target: Pick<Target, "read" | "name" | "capabilities">,
  names: readonly string[],
  options: ReadOptions,
) {
  const isWanted = matchNames(names);
  const heads = (await target.read.listZones(options)).filter(({ name }) => isWanted(nameKey(name)));
  checkFound(
    names,
    heads.map(({ name }) => nameKey(name)),
    target,
  );
  return heads.map(({ name, settings }): ZoneToList => ({ name, status: settings.status }));
}
