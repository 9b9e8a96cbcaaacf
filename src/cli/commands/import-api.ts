import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { createTwoFilesPatch } from "diff";
import { plain } from "../../diagnostics/plain.ts";
import { zoneFromLive } from "../../importer/from-api.ts";
import { readLive } from "../../provider/live.ts";
import { count } from "../../report/findings.ts";
import { formats } from "../../sources/formats.ts";
import { type ApiOptions, withClient } from "../connect.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { openProject, readZones, refusal, toName } from "../project.ts";
import { fileName } from "./export.ts";

export interface ImportApiOptions extends ApiOptions {
  readonly to: "bind" | "yaml";
  readonly yes?: boolean;
}

/** `zonewright import api`: the live zones of the account as zone files. A file that says the same is not touched. */
export async function importApi(
  context: Context,
  args: readonly string[],
  options: ImportApiOptions,
): Promise<ExitCode> {
  const { config, folder } = openProject(context, options);
  const target = resolve(
    ...(options.zones?.[0] ? [context.cwd, options.zones[0]] : [folder, [config.zones].flat()[0] ?? "zones"]),
  );
  const names = new Set(args.map((arg) => toName(arg).toLowerCase()));
  const { zones } = await withClient(context, options, (client) =>
    readLive(client, (name) => names.size === 0 || names.has(name)),
  );
  for (const name of names) {
    if (!zones.has(name))
      throw refusal(
        "zone-unknown",
        `the account has no zone ${name.slice(0, -1)}`,
        "It may not exist, or this token may not see it.",
      );
  }
  const existing = existsSync(target) ? readZones(context, { ...options, zones: [target] }, []) : [];
  const nameservers = config.nameservers.length > 0 ? config.nameservers.map(toName) : undefined;
  const outcome = { written: 0, same: 0, kept: 0 };
  for (const live of zones.values()) {
    const file = existing.find(({ zone }) => zone.name.toLowerCase() === live.name.toLowerCase())?.file;
    const path =
      file === undefined
        ? join(target, `${fileName(live.name)}${formats[options.to].endings[0]}`)
        : resolve(context.cwd, file);
    const format = formats[/\.ya?ml$/.test(path) ? "yaml" : "bind"];
    const text = format.write(zoneFromLive(live), { nameservers });
    outcome[await save(context, path, text, options.yes ?? false)]++;
  }
  context.talk(
    `${count(outcome.written, "zone")} written, ${outcome.same} the same, ${outcome.kept} kept as they were\n`,
  );
  return outcome.kept > 0 ? exitCode.partly : exitCode.done;
}

async function save(context: Context, path: string, text: string, yes: boolean): Promise<"written" | "same" | "kept"> {
  const shown = relative(context.cwd, path);
  try {
    if (existsSync(path)) {
      const before = readFileSync(path, "utf8");
      if (before === text) return "same";
      const patch = createTwoFilesPatch(shown, shown, before, text, "git", "live");
      context.talk(`${patch.split("\n").map(plain).join("\n")}`);
      if (!yes && !(await isWanted(context, shown))) return "kept";
    }
    mkdirSync(resolve(path, ".."), { recursive: true });
    writeFileSync(path, text);
    context.talk(`wrote ${shown}\n`);
    return "written";
  } catch (error) {
    throw refusal(
      "file-write",
      `${shown} cannot be written: ${(error as Error).message}`,
      "Make the folder writable, or name another with --zones.",
    );
  }
}

async function isWanted(context: Context, file: string): Promise<boolean> {
  if (!context.ask) {
    context.talk(`${file} is kept: it differs from the live zone; --yes overwrites it\n`);
    return false;
  }
  return /^y(?:es)?$/i.test((await context.ask(`Overwrite ${file}? [y/N] `)).trim());
}
