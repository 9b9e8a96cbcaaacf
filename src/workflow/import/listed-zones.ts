import { readdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import {
  type Place,
  type Problem,
  ProblemError,
  problem,
  problemError,
  usageError,
} from "../../diagnostics/problem.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Name, nameKey, root } from "../../dns/name/name.ts";
import type { AxfrZone } from "../../dns/transfer/axfr-receiver.ts";
import { readCatalogZone } from "../../dns/zone/catalog-zone.ts";
import { statIfPresent } from "../../file-system.ts";
import type { ListFile } from "../../formats/server-config/config-files.ts";
import type { ListedZone } from "../../formats/server-config/listed-zone.ts";
import { readZoneList } from "../../formats/server-config/zone-list.ts";
import { isConfined, type MayRead, readableFrom, refuseUnreadable } from "../project/confine.ts";
import { readText } from "../project/files.ts";
import { toName } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { type TransferRequest, transferZones } from "./transfer-zones.ts";

/** The zones to import. */
export interface ZoneSelection {
  readonly names: readonly string[];
  /** Files that list zones, relative to the working folder. */
  readonly files: readonly string[];
  /** Catalog zones on the servers, whose members are meant. */
  readonly catalogs: readonly string[];
}

export interface SelectedZones {
  /** Each zone once, in the order in which they are given. */
  readonly zones: readonly Name[];
  /** Zones that are listed but not transferred, and why. */
  readonly skipped: readonly ListedZone[];
}

/**
 * Finds the zones that arguments, files and catalog zones name.
 * @throws {ProblemError} for a file or a catalog that cannot be read, and for each name that is invalid.
 */
export async function selectZones(
  { cwd, env, signal }: Pick<RunContext, "cwd" | "env" | "signal">,
  { names, files, catalogs }: ZoneSelection,
  servers: Pick<TransferRequest, "servers" | "key" | "maxRecords">,
): Promise<SelectedZones> {
  const confined = { cwd, isConfined: isConfined({ env }) };
  const listed = files.flatMap((file) => readListedZones(cwd, file, readableFrom(confined, file)));
  const skipped = listed.filter((zone) => zone.skipped !== undefined);
  const wanted = listed.filter((zone) => zone.skipped === undefined);
  const zones = [...names.map(toName), ...readNames(wanted)];
  const request = { ...servers, zones: catalogs.map(toName), jobs: 1, perServer: 1, signal };
  for await (const transfer of transferZones(request)) {
    if ("problems" in transfer) throw new ProblemError(transfer.problems);
    zones.push(...membersOf(transfer.name, transfer.zone));
  }
  const unique = [...new Map(zones.map((name) => [nameKey(name), name])).values()];
  if (unique.includes(root)) throw problemError("zone-name", "the root zone cannot be imported");
  if (unique.length > 0) return { zones: unique, skipped };
  const lists = [...files, ...catalogs].map((source) => escapeControl(source)).join(", ");
  const help = "A list has one name per line, or is the configuration of BIND, Knot or NSD.";
  throw usageError(`no zones to transfer are listed in ${lists}. ${help}`);
}

function membersOf(catalog: Name, { records }: AxfrZone): Name[] {
  try {
    return readCatalogZone(catalog, records);
  } catch (error) {
    throw error instanceof Fault
      ? new ProblemError({ ...error.problem, summary: `${catalog.slice(0, -1)}: ${error.message}` })
      : error;
  }
}

/** @throws {ProblemError} with a problem for each invalid name. */
function readNames(listed: readonly ListedZone[]): Name[] {
  const problems: Problem[] = [];
  const notLists = new Set<string>();
  const names = listed.flatMap(({ name, place }) => {
    // A zone file has such a line for every record: one of them says it.
    if (/\s/.test(name)) {
      if (!notLists.has(place.file)) problems.push(notList(place));
      notLists.add(place.file);
      return [];
    }
    try {
      return [toName(name)];
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      problems.push(...error.problems.map((found) => ({ ...found, place })));
      return [];
    }
  });
  if (problems.length > 0) throw new ProblemError(problems);
  return names;
}

function notList(place: Place): Problem {
  const fix = advise`A list has one name per line, or is the configuration of BIND, Knot or NSD. ${{ run: "import file" }} reads zone files.`;
  return problem("zone-name", "this line is not the name of a zone", { place, fix });
}

/** The zones that a file lists. @throws {ProblemError} for a file that cannot or may not be read */
export function readListedZones(cwd: string, file: string, mayRead: MayRead): ListedZone[] {
  const open = (path: string, folders: readonly string[]): ListFile[] => {
    const named = isAbsolute(path) ? [path] : folders.map((folder) => join(folder, path));
    const paths = named.filter((path) => mayRead(resolve(cwd, path)));
    if (paths.length === 0) refuse(named);
    const all = paths.map((path) => expandGlob(cwd, path));
    const isThere = (file: string) => statIfPresent(resolve(cwd, file)) !== undefined;
    const files = all.find((files) => files?.some(isThere)) ?? all.find((files) => files !== undefined);
    if (files) {
      refuse(files);
      return files.map((file) => ({ file, text: readText(cwd, file) }));
    }
    const fix = "Run the command where the configuration and the files that it includes can be read.";
    const folder = dirname(paths[0] ?? path);
    throw problemError("file-read", `the folder ${escapeControl(folder)} cannot be read`, { fix });
  };
  const refuse = (files: readonly string[]) =>
    refuseUnreadable(
      mayRead,
      files.map((file) => ({ path: resolve(cwd, file), file })),
    );
  refuse([file]);
  try {
    return readZoneList({ file, text: readText(cwd, file) }, open);
  } catch (error) {
    throw error instanceof Fault ? new ProblemError({ ...error.problem, summary: `${file}: ${error.message}` }) : error;
  }
}

/**
 * The files that a path means, which may have `*` and `?` in its last part; a folder means its `.conf` files. Undefined
 * if the folder cannot be read.
 */
function expandGlob(cwd: string, path: string): string[] | undefined {
  const isFolder = statIfPresent(resolve(cwd, path))?.isDirectory();
  const pattern = isFolder ? "*.conf" : basename(path);
  if (!/[*?]/.test(pattern)) return [path];
  const folder = isFolder ? path : dirname(path);
  const parts = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  const matches = new RegExp(`^${parts}$`);
  try {
    return readdirSync(resolve(cwd, folder))
      .filter((name) => matches.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return undefined;
  }
}
