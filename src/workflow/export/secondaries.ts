import { lookup } from "node:dns/promises";
import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { ProblemError, usageError } from "../../diagnostics/problem.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Name, nameKey, readName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { membersOf } from "../../dns/zone/catalog-zone.ts";
import { dnsPort, readServer, type ServerAddress } from "../../dns-client/server-address.ts";
import { canName, primariesText } from "../../formats/primaries.ts";
import { readers } from "../../formats/readers.ts";
import { type SecondaryForm, type ServerOfList, secondariesText } from "../../formats/secondaries.ts";
import { ZoneFolder } from "../../targets/files/zone-folder.ts";
import type { ReadOptions, Target } from "../../targets/target.ts";
import { nameserversOf, type Project } from "../project/project.ts";
import { requireView } from "../project/targets.ts";
import { catalogSettings } from "../zones/catalog.ts";
import { readZones } from "../zones/zones.ts";
import { checkFound, matchNames } from "./export.ts";

export { type SecondaryForm, secondaryForms } from "../../formats/secondaries.ts";

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
  const isDisabled = ({ status }: ListedZone) => status === "disabled";
  const zones = listed.filter((zone) => !isDisabled(zone)).map(({ name }) => name);
  const addresses = await resolveAll(servers.length > 0 ? servers : own);
  return {
    text: secondariesText(to, { zones, primaries: addresses, key }),
    zones,
    disabled: listed.filter(isDisabled).map(({ name }) => name),
  };
}

export interface PrimariesRequest {
  readonly to: SecondaryForm;
  /** As on the command line; none if the operator's own lines name them. */
  readonly secondaries: readonly string[];
  readonly key?: string | undefined;
}

export interface ExportedPrimaries extends Pick<ExportedSecondaries, "text" | "zones"> {
  /** Files that the configuration cannot name, so that their zones are left out. */
  readonly unnamed: readonly string[];
}

/**
 * Returns the configuration of the name server that loads the zone files of a target: its zones, and its catalog.
 * @throws {ProblemError} `usage`, `zone-unknown`, and for files with errors.
 */
export async function exportPrimaries(
  project: Project,
  names: readonly string[],
  { to, secondaries, key }: PrimariesRequest,
): Promise<ExportedPrimaries> {
  requireView(project);
  const { view, root } = project;
  if (view === undefined || !("folder" in view))
    throw usageError(
      advise`${{ set: "role", to: "primary" }} lists the zone files of a target: name one of the kind files.`,
    );
  if (key !== undefined) checkKeyName(key);
  if (key !== undefined && secondaries.length === 0)
    throw usageError(advise`${{ set: "tsigName" }} is for the secondaries that ${{ set: "secondary" }} names.`);
  const servers = await resolveAll(secondaries.map((server) => readServer(server, advise`${{ set: "secondary" }}`)));
  const catalog = catalogSettings(project);
  const ofFiles = (await zonesOfFiles(project, names, undefined)).map(({ name }) => name);
  const folder = new ZoneFolder(resolve(root, view.folder));
  const listed = catalog && names.length === 0 ? membersInFolder(folder, catalog.zone) : [];
  const zones = [
    ...new Map(
      [...ofFiles, ...listed, ...(catalog ? [catalog.zone] : [])].map((zone) => [nameKey(zone), zone]),
    ).values(),
  ];
  const files = zones.map((zone) => ({ zone, file: folder.pathOf(zone) }));
  const named = files.filter(({ file }) => canName(to, file));
  const unnamed = files.filter((file) => !named.includes(file)).map(({ file }) => file);
  const [first] = unnamed;
  if (first !== undefined && named.length === 0)
    throw usageError(`${to} cannot name the file ${escapeControl(first)}: rename the folder.`);
  const text = primariesText(to, { zones: named, secondaries: servers, key });
  return { text, zones: named.map(({ zone }) => zone), unnamed };
}

/**
 * The members of a catalog whose files are in its folder: one that left the project and was not deleted is still
 * transferred by the secondaries.
 */
function membersInFolder(folder: ZoneFolder, catalog: Name): Name[] {
  // The list may be needed before the first apply.
  if (!existsSync(folder.path)) return [];
  const [bytes, file] = [folder.read(catalog), folder.pathOf(catalog)];
  if (bytes === undefined) return [];
  const { zone } = readers.bind.read({ file, bytes, origin: catalog, settings: [] });
  return membersOf(catalog, zone.records)
    .map((member) => member.zone)
    .filter((member) => folder.read(member) !== undefined);
}

interface ListedZone {
  readonly name: Name;
  readonly status: unknown;
}

async function zonesOfFiles(
  project: Project,
  names: readonly string[],
  origin: string | undefined,
): Promise<readonly ListedZone[]> {
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
  return heads.map(({ name, settings }): ListedZone => ({ name, status: settings.status }));
}

/** The name is written into configurations, where it is not escaped. */
function checkKeyName(key: string): void {
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

/** The addresses of the servers: configurations have no host names. */
async function resolveAll(servers: readonly ServerAddress[]): Promise<readonly ServerOfList[]> {
  const found = await Promise.all(
    servers.map(async ({ host, port }) => {
      if (isIP(host)) return [{ address: host, port }];
      const addresses = await lookup(host, { all: true }).catch(() => []);
      if (addresses.length > 0) return addresses.map(({ address }) => ({ address, port }));
      throw usageError(
        advise`${host} has no address here, and a configuration needs one. Name it with ${{ set: "primary", to: "ADDRESS" }}.`,
      );
    }),
  );
  return [...new Map(found.flat().map((server) => [JSON.stringify(server), server])).values()];
}
