import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Client } from "../../client/client.ts";
import { type Diagnostic, hasErrors, Refusal } from "../../diagnostics/diagnostic.ts";
import { zoneFromLive } from "../../importer/from-api.ts";
import { readLive } from "../../provider/live.ts";
import { diagnosticsText } from "../../report/findings.ts";
import { recordsText } from "../../report/records-text.ts";
import { formats } from "../../sources/formats.ts";
import type { Source } from "../../sources/source.ts";
import type { Zone } from "../../zone/zone.ts";
import { type ApiOptions, withClient } from "../connect.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode, UsageError } from "../exit-code.ts";
import { openProject, readZones, refusal, toName } from "../project.ts";
import { lineOfFile } from "../source-lines.ts";

export interface ExportOptions extends ApiOptions {
  readonly to: "bind" | "yaml" | "records";
  readonly origin?: string;
  readonly live?: boolean;
  readonly rendered?: boolean;
  readonly out?: string;
}

interface Exported {
  readonly name: string;
  readonly text: string;
}

/** `zonewright export`: zones in another form, from files, from the API, or as the service renders them. */
export async function exportZones(
  context: Context,
  args: readonly string[],
  options: ExportOptions,
): Promise<ExitCode> {
  if (options.rendered && options.to !== "bind")
    throw new UsageError("The service renders master files: use --rendered with --to bind.");
  const exported = options.rendered
    ? await withClient(context, options, (client) => rendered(client, args))
    : written(context, options, await chosenZones(context, args, options));
  if (options.out !== undefined) saveAll(context, options, options.out, exported);
  else if (options.to === "records") context.out(exported.map(({ text }) => text).join(""));
  else if (exported.length > 1)
    throw new UsageError(
      `${exported.length} zones do not fit into one ${options.to} file: add --out FOLDER, or name one zone.`,
    );
  else for (const { text } of exported) context.out(text);
  return exitCode.done;
}

async function chosenZones(context: Context, args: readonly string[], options: ExportOptions): Promise<Zone[]> {
  if (options.live) {
    return withClient(context, options, async (client) => {
      const { zones } = await readLive(client, wanted(args));
      checkFound(args, [...zones.keys()]);
      return [...zones.values()].map(zoneFromLive);
    });
  }
  const zones = readZones(context, options, args, options.origin);
  const diagnostics = zones.flatMap((zone) => zone.diagnostics);
  if (hasErrors(diagnostics)) throw new Refusal(errorsOf(diagnostics));
  context.talk(diagnosticsText(diagnostics, lineOfFile(context.cwd), context.talkStyle));
  return zones.map(({ zone }) => zone);
}

function written(context: Context, options: ExportOptions, zones: readonly Zone[]): Exported[] {
  if (options.to === "records" && options.out === undefined) return [{ name: "", text: recordsText(zones) }];
  const { nameservers } = openProject(context, options).config;
  const source: Source | undefined = options.to === "records" ? undefined : formats[options.to];
  const writeOptions = { nameservers: nameservers.length > 0 ? nameservers.map(toName) : undefined };
  return zones.map((zone) => ({
    name: zone.name,
    text: source ? source.write(zone, writeOptions) : recordsText([zone]),
  }));
}

async function rendered(client: Client, args: readonly string[]): Promise<Exported[]> {
  const { zones } = await readLive(
    { ...client, listRecords: async () => ({ data: [], page: 1, pages: 1, results: 0 }) },
    wanted(args),
  );
  checkFound(args, [...zones.keys()]);
  const exported: Exported[] = [];
  for (const { id, name } of zones.values()) {
    const { zone_file } = await client.getZoneFile({ domainId: id });
    if (zone_file.length === 0)
      throw refusal(
        "not-rendered",
        `the service has not rendered ${name} yet`,
        "Try again in a moment; a disabled zone is not rendered.",
      );
    exported.push({ name, text: `${zone_file.join("\n")}\n` });
  }
  return exported;
}

function wanted(args: readonly string[]): (name: string) => boolean {
  const names = new Set(args.map((arg) => toName(arg).toLowerCase()));
  return (name) => names.size === 0 || names.has(name);
}

function checkFound(args: readonly string[], found: readonly string[]): void {
  const missing = args.find((arg) => !found.includes(toName(arg).toLowerCase()));
  if (missing !== undefined)
    throw refusal(
      "zone-unknown",
      `the account has no zone ${missing}`,
      "It may not exist, or this token may not see it.",
    );
}

function saveAll(context: Context, options: ExportOptions, folder: string, exported: readonly Exported[]): void {
  const ending = { bind: ".zone", yaml: ".yaml", records: ".records" }[options.to];
  const path = resolve(context.cwd, folder);
  try {
    mkdirSync(path, { recursive: true });
    for (const { name, text } of exported) writeFileSync(join(path, `${fileName(name)}${ending}`), text);
  } catch (error) {
    throw refusal(
      "file-write",
      `${folder} cannot be written: ${(error as Error).message}`,
      "Name a folder that can be written with --out.",
    );
  }
  context.talk(`${exported.length} files in ${folder}\n`);
}

/** A zone's name as a file name: no final dot, nothing that leads out of the folder. */
export function fileName(zone: string): string {
  return zone
    .slice(0, -1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, "_")
    .replace(/^\.+/, "_");
}

function errorsOf(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === "error");
}
