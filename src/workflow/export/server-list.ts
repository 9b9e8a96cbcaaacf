import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { advise } from "../../diagnostics/advice.ts";
import { ProblemError, usageError } from "../../diagnostics/problem.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Name, nameKey, readName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import type { ServerAddress } from "../../dns-client/server-address.ts";
import type { ServerOfList } from "../../formats/server-config/secondaries.ts";
import type { Project } from "../project/project.ts";
import { readZones } from "../zones/zones.ts";

/** A zone to list, and its status if it has one. */
export interface ZoneToList {
  readonly name: Name;
  readonly status: unknown;
}

/** The zones of the files of a project. @throws {ProblemError} for files with errors */
export async function zonesOfFiles(
  project: Project,
  names: readonly string[],
  origin: string | undefined,
): Promise<readonly ZoneToList[]> {
  const { zones, problems } = await readZones(project, names, { origin });
  const errors = [...problems, ...zones.flatMap((zone) => zone.problems)].filter(
    ({ severity }) => severity === "error",
  );
  if (errors.length > 0) throw new ProblemError(errors);
  const byName = new Map(
    zones.map(({ zone: { name, settings } }) => [nameKey(name), { name, status: settings.status }]),
  );
  return [...byName.values()];
}

/** The name is written into configurations, where it is not escaped. */
export function checkKeyName(key: string): void {
  try {
    readName(toOctets(key));
    if (/^[\w.-]+$/.test(key)) return;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
  throw usageError(
    advise`${{ set: "tsigName" }} needs the name of a key: letters, digits, dots, hyphens and underscores.`,
  );
}

/** The addresses of the servers that an option names: configurations have no host names. */
export async function resolveServers(
  servers: readonly ServerAddress[],
  option: "primary" | "secondary",
): Promise<readonly ServerOfList[]> {
  const found = await Promise.all(
    servers.map(async ({ host, port }) => {
      if (isIP(host)) return [{ address: host, port }];
      const addresses = await lookup(host, { all: true }).catch(() => []);
      if (addresses.length > 0) return addresses.map(({ address }) => ({ address, port }));
      throw usageError(
        advise`${host} has no address here, and a configuration needs one. Name it with ${{ set: option, to: "ADDRESS" }}.`,
      );
    }),
  );
  return [...new Map(found.flat().map((server) => [JSON.stringify(server), server])).values()];
}
