import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { configFile } from "../../config/config.ts";
import { configKinds, type TargetSettings } from "../../config/target-kinds.ts";
import { targetsSchema } from "../../config/targets.ts";
import { advise, type Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { readServer } from "../../dns-client/server-address.ts";
import { openProject, type Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { tryGit } from "../project/run-git.ts";
import { kindOf } from "../project/target-kind.ts";
import { configuredTargets, targetView } from "../project/targets.ts";

/** The kinds of targets that become the target of a new config. */
export const newKinds = ["rfc2136", "powerdns"] as const;
export type NewKind = (typeof newKinds)[number];

/** A name server that becomes a target of a new config. */
export interface NewTarget {
  readonly name: string;
  readonly settings: Extract<TargetSettings, { readonly kind: NewKind }>;
}

/** The address of a name server or of an API, and the file with its key. */
interface NewServer {
  readonly kind: NewKind;
  readonly server: string;
  readonly name: string | undefined;
  readonly keyFile: string | undefined;
}

/**
 * A target for a name server; by default it has the first label of the server's name.
 * @throws {ProblemError} `usage`
 */
export function newTarget({ kind, server, name, keyFile }: NewServer): NewTarget {
  const { host, settings } = kind === "powerdns" ? newPowerDns(server, keyFile) : newPrimary(server, keyFile);
  const usual = isIP(host) > 0 || host === "localhost" ? names[kind] : host.split(".")[0];
  const target = { name: name ?? usual ?? names[kind], settings };
  const { error } = targetsSchema.safeParse({ [target.name]: settings });
  const [issue] = error?.issues ?? [];
  if (issue) throw usageError(advise`${{ set: "target" }}: the name "${escapeControl(target.name)}" ${issue.message}.`);
  return target;
}

/** The names of targets whose address has no name. */
const names: Readonly<Record<NewKind, string>> = { rfc2136: "primary", powerdns: "powerdns" };

function newPrimary(server: string, keyFile: string | undefined) {
  const settings = { kind: "rfc2136" as const, server, ...(keyFile !== undefined && { tsig_key_file: keyFile }) };
  return { host: readServer(server, "the server").host, settings };
}

/** @throws {ProblemError} `usage` */
function newPowerDns(url: string, keyFile: string | undefined) {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw usageError("the URL of PowerDNS must begin with http:// or https://, such as http://127.0.0.1:8081.");
  const settings = { kind: "powerdns" as const, url, ...(keyFile !== undefined && { api_key_file: keyFile }) };
  return { host: new URL(url).hostname, settings };
}

/** The address of a target, and the file with its key. */
function partsOf(settings: NewTarget["settings"]): { readonly address: string; readonly keyFile: string | undefined } {
  if (settings.kind === "powerdns") return { address: settings.url, keyFile: settings.api_key_file };
  return { address: settings.server, keyFile: settings.tsig_key_file };
}

/** The file with the key of a new target. */
export function keyFileOf({ settings }: NewTarget): string | undefined {
  return partsOf(settings).keyFile;
}

/**
 * The project of a new target: that of the folder, as its config will be.
 * @throws {ProblemError} `usage` for a config that exists, and has no such target
 */
export function openWithTarget(context: RunContext, { name, settings }: NewTarget): Project {
  const kind = kindOf(settings);
  if (!existsSync(join(context.cwd, configFile))) {
    const project = openProject(context, { config: configFile, kind });
    const targets = configuredTargets({ [name]: settings }, () => kind);
    const [view] = targets;
    return view ? targetView({ ...project, targets, selected: targets }, view) : project;
  }
  const project = openProject(context, { config: configFile });
  const known = project.targets.find((one) => one.name === name);
  const isSame = (known?.kind === "rfc2136" || known?.kind === "powerdns") && known.kind === settings.kind;
  if (known && isSame && partsOf(known).address === partsOf(settings).address) return targetView(project, known);
  const ofTarget = { with: { target: [name] } };
  const importStep =
    settings.kind === "powerdns"
      ? advise`${{ run: "import api", ...ofTarget }}`
      : advise`${{ run: "import axfr", ...ofTarget }}`;
  throw usageError(
    advise`${configFile} exists, and has no target "${name}" with this server. Add \`${name}: ${targetText(settings)}\` to its \`targets:\` and \`{ path: ${name}, targets: ${name} }\` to its \`zones:\`, where every other folder needs \`targets\` as well. Then run ${importStep} with the zones.`,
  );
}

/** The settings of a target in one line of YAML. */
export function targetText(settings: NewTarget["settings"]): string {
  const { address, secret } = configKinds[settings.kind];
  const { address: value, keyFile } = partsOf(settings);
  const key = keyFile === undefined ? "" : `, ${secret.setting}: ${quoteInMap(keyFile)}`;
  return `{ kind: ${settings.kind}, ${address}: ${quoteInMap(value)}${key} }`;
}

function quoteInMap(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : JSON.stringify(text);
}

/**
 * The line of `.gitignore` in the folder for a key file there; undefined for one that is elsewhere, or that git ignores
 * already.
 */
export function ignoreLine(cwd: string, file: string): string | undefined {
  const path = relative(cwd, resolve(cwd, file)).split(sep).join("/");
  if (path.startsWith("../") || isAbsolute(path) || stateInGit(cwd, file) === "ignored") return undefined;
  return `/${path.replaceAll(/[\\*?[\]\s]/g, "\\$&")}`;
}

/** Whether a file can be committed by mistake; undefined outside of a repository. */
function stateInGit(cwd: string, file: string): "ignored" | "open" | undefined {
  const path = resolve(cwd, file);
  const { status } = tryGit(dirname(path), ["check-ignore", "-q", "--", basename(path)]);
  return status === 0 ? "ignored" : status === 1 ? "open" : undefined;
}

/** Advice about a key: where it is, or that there is none. */
export function keyNotes({ cwd, env }: Pick<RunContext, "cwd" | "env">, { view }: Pick<Project, "view">): Fix[] {
  if (view?.kind !== "rfc2136" && view?.kind !== "powerdns") return [];
  const { variable } = view;
  const { keyFile: file } = partsOf(view);
  if (file === undefined) {
    if (view.kind === "powerdns") return [];
    if ((variable !== undefined && env[variable]) || env.ZONEWRIGHT_TSIG_KEY) return [];
    return ["updates are not signed: the server has to allow the address of this machine, or give a TSIG key"];
  }
  // A new .gitignore has the line.
  const isAdded = ignoreLine(cwd, file) !== undefined && !existsSync(join(cwd, ".gitignore"));
  if (isAdded || stateInGit(cwd, file) !== "open") return [];
  return [`${file} is in a git repository: move the key outside, or add the file to .gitignore before you commit`];
}
