import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createTwoFilesPatch } from "diff";
import { hasErrors, Refusal } from "../../diagnostics/diagnostic.ts";
import { plain } from "../../diagnostics/plain.ts";
import { zoneFromLive } from "../../importer/from-api.ts";
import { isInSync, planZone } from "../../planner/plan.ts";
import { accept } from "../../provider/accept.ts";
import { readLive } from "../../provider/live.ts";
import { count, diagnosticsText } from "../../report/findings.ts";
import type { ReadZone } from "../../sources/files.ts";
import { formats } from "../../sources/formats.ts";
import type { LiveZone } from "../../zone/desired-live.ts";
import { type ApiOptions, withClient } from "../connect.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { fileName, writeFiles } from "../files.ts";
import { intoFile } from "../into-file.ts";
import { openProject, type Project, toName } from "../project.ts";
import { lineOfFile } from "../source-lines.ts";
import { existingZones } from "../zones.ts";
import { notInAccount } from "./export.ts";

export interface ImportApiOptions extends ApiOptions {
  readonly to: "bind" | "yaml";
  readonly yes?: boolean;
}

type Outcome = "written" | "same" | "kept";

/** `zonewright import api`: the live zones of the account as zone files. A file that means the same is not touched. */
export async function importApi(
  context: Context,
  args: readonly string[],
  options: ImportApiOptions,
): Promise<ExitCode> {
  const project = openProject(context, options);
  const existing = existingZones(project);
  const names = new Set(args.map((arg) => toName(arg).toLowerCase()));
  const { zones } = await withClient(context, options, (client) =>
    readLive(client, (name) => names.size === 0 || names.has(name), context),
  );
  for (const name of names) if (!zones.has(name)) throw notInAccount(name);
  const outcome = { written: 0, same: 0, kept: 0 };
  for (const live of zones.values()) {
    const before = existing.find(({ zone }) => zone.name.toLowerCase() === live.name.toLowerCase());
    outcome[await orKept(context, () => update(context, project, options, live, before))]++;
  }
  context.talk(
    `${count(outcome.written, "zone")} written, ${outcome.same} the same, ${outcome.kept} kept as they were\n`,
  );
  return outcome.kept > 0 ? exitCode.partly : exitCode.done;
}

/** A file that a person must edit is kept, and the others go on. */
async function orKept(context: Context, update: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await update();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.diagnostics.some(({ rule }) => rule.startsWith("rewrite-"))) throw error;
    context.talk(diagnosticsText(error.diagnostics, lineOfFile(context.cwd), context.talkStyle));
    return "kept";
  }
}

async function update(
  context: Context,
  { config, folders, defaults }: Project,
  options: ImportApiOptions,
  live: LiveZone,
  existing: ReadZone | undefined,
): Promise<Outcome> {
  if (existing && saysTheSame(existing, live)) return "same";
  const newFile = join(folders[0]?.file ?? "", `${fileName(live.name)}${formats[options.to].endings[0]}`);
  const file = existing?.file ?? newFile;
  const path = resolve(context.cwd, file);
  const nameservers = config.nameservers.length > 0 ? config.nameservers.map(toName) : undefined;
  const text = existing
    ? Buffer.from(intoFile(existing, live, defaults)).toString()
    : formats[options.to].write(zoneFromLive(live, defaults), { nameservers });
  if (existsSync(path)) {
    const patch = createTwoFilesPatch(file, file, readFileSync(path, "utf8"), text, "git", "live");
    context.talk(patch.split("\n").map(plain).join("\n"));
    if (!options.yes && !(await isWanted(context, file))) return "kept";
  }
  writeFiles([{ path, file, text }], "Make the folder writable, or name another with --zones.");
  context.talk(`wrote ${plain(file)}\n`);
  return "written";
}

/** Would a plan find nothing to do? Then comments and order of the file stay as they are. */
function saysTheSame({ zone, diagnostics }: ReadZone, live: LiveZone): boolean {
  const accepted = accept(zone);
  if (hasErrors([...diagnostics, ...accepted.diagnostics])) return false;
  return isInSync(planZone(accepted.desired, live));
}

async function isWanted(context: Context, file: string): Promise<boolean> {
  if (context.ask) return /^y(?:es)?$/i.test((await context.ask(`Overwrite ${plain(file)}? [y/N] `)).trim());
  context.talk(`${plain(file)} is kept: it differs from the live zone; --yes overwrites it\n`);
  return false;
}
