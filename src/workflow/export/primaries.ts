import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { type Name, nameKey } from "../../dns/name/name.ts";
import { membersOf } from "../../dns/zone/catalog-zone.ts";
import { readServer } from "../../dns-client/server-address.ts";
import { canName, primariesText } from "../../formats/server-config/primaries.ts";
import type { SecondaryForm } from "../../formats/server-config/secondaries.ts";
import { invalidFileError } from "../../targets/files/failure.ts";
import { ZoneFolder } from "../../targets/files/zone-folder.ts";
import { readZoneText } from "../../targets/files/zone-text.ts";
import type { Project } from "../project/project.ts";
import { requireView } from "../project/targets.ts";
import { catalogSettings } from "../zones/catalog.ts";
import { checkKeyName, resolveServers, zonesOfFiles } from "./server-list.ts";

export interface PrimariesRequest {
  readonly to: SecondaryForm;
  /** As on the command line; none if the operator's own lines name them. */
  readonly secondaries: readonly string[];
  readonly key?: string | undefined;
}

export interface ExportedPrimaries {
  readonly text: string;
  readonly zones: readonly Name[];
  /** Zones of the folder that are not listed, unless zones were named: the server may have served them so far. */
  readonly unlisted: readonly Name[];
  /** Files that the configuration cannot name, so that their zones are left out. */
  readonly unnamed: readonly string[];
}

/**
 * Returns the configuration of the name server that loads the zone files of a target: its zones, and its catalog.
 * @throws {ProblemError} `usage`, `zone-unknown`; for files with errors, also that of the catalog
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
  const addresses = secondaries.map((server) => readServer(server, advise`${{ set: "secondary" }}`));
  const servers = await resolveServers(addresses, "secondary");
  const catalog = catalogSettings(project)?.zone;
  const ofFiles = (await zonesOfFiles(project, names, undefined)).map(({ name }) => name);
  const folder = new ZoneFolder(resolve(root, view.folder));
  // The list may be needed before the first apply.
  const stored = names.length === 0 && existsSync(folder.path) ? folder.names() : [];
  const members = catalog && stored.length > 0 ? membersInFolder(folder, catalog) : [];
  // Such as one whose deletion was undone after the server had read a list without it.
  const notLoaded = stored.filter((zone) => folder.hasLoaded(zone));
  const listed = new Map(
    [...ofFiles, ...members, ...notLoaded, ...(catalog ? [catalog] : [])].map((zone) => [nameKey(zone), zone]),
  );
  const zones = [...listed.values()];
  const files = zones.map((zone) => ({ zone, file: folder.pathOf(zone) }));
  const named = files.filter(({ file }) => canName(to, file));
  const unnamed = files.filter((file) => !named.includes(file)).map(({ file }) => file);
  const [first] = unnamed;
  if (first !== undefined && named.length === 0)
    throw usageError(`${to} cannot name the file ${escapeControl(first)}: rename the folder.`);
  return {
    text: primariesText(to, { zones: named, secondaries: servers, key }),
    zones: named.map(({ zone }) => zone),
    unlisted: stored.filter((zone) => !listed.has(nameKey(zone))),
    unnamed,
  };
}

/**
 * The members of a catalog whose files are in its folder: one that left the project and was not deleted is still
 * transferred by the secondaries. Those of the catalog that the server has loaded last count as well.
 */
function membersInFolder(folder: ZoneFolder, catalog: Name): Name[] {
  const bytes = folder.read(catalog);
  if (bytes === undefined) return [];
  const loaded = folder.readLoaded(catalog, bytes);
  return [bytes, ...(loaded ? [loaded] : [])]
    .flatMap((text) => membersOf(catalog, readCatalog(folder, catalog, text)))
    .map((member) => member.zone)
    .filter((member) => folder.read(member) !== undefined);
}

/** @throws {FilesError} */
function readCatalog(folder: ZoneFolder, catalog: Name, bytes: Buffer) {
  const file = folder.pathOf(catalog);
  const { records, errors } = readZoneText(catalog, { file, bytes });
  if (errors.length > 0) throw invalidFileError(catalog, file, errors);
  return records;
}
