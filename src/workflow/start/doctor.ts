import { lookup } from "node:dns/promises";
import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import pMap from "p-map";
import { findProxies, readProxy } from "../../client/proxy.ts";
import { recordsHeader } from "../../contract/records-setting.ts";
import type { RecordsSetting } from "../../contract/resources/open-record.ts";
import { advise, type Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { hasErrors, ProblemError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { shellWord } from "../../diagnostics/shell-word.ts";
import { isSameName, type Name, nameKey, withoutDot } from "../../dns/name/name.ts";
import { asId } from "../../dns/zone/desired-live.ts";
import { isType } from "../../dns/zone/zone.ts";
import { askSoa } from "../../dns-client/ask.ts";
import { dnsPort, readServer, type ServerAddress } from "../../dns-client/server-address.ts";
import { statIfPresent } from "../../file-system.ts";
import { readBind } from "../../formats/bind/read.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import type { PlanningTarget, Target, ZoneHead } from "../../targets/target.ts";
import { continueCommand, readRuns, zonesToLeave } from "../apply/runs.ts";
import { connect } from "../connect/connect.ts";
import { mayWrite, reachApi } from "../connect/connect-api.ts";
import type { ApiOptions } from "../connect/connection.ts";
import { checkPrimaries } from "../drift/known-primaries.ts";
import { findGit } from "../git/git.ts";
import { readText } from "../project/files.ts";
import { openProject, type Project, type ProjectOptions } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { isSchemaCopy, schemaFile } from "../project/schema-line.ts";
import { stateFolder } from "../project/state-folder.ts";
import { recordsSettingOf } from "../project/target-kind.ts";
import { shownTarget, targetViews } from "../project/targets.ts";
import { version } from "../project/version.ts";
import { validateZones } from "../snapshot/validate.ts";
import { labelsOf, resolveNodes } from "../zones/resolve-nodes.ts";
import { existingZones } from "../zones/zones.ts";

/** One line of `doctor`. */
export interface Examination {
  readonly subject: string;
  readonly state: "ok" | "warn" | "fail";
  readonly text: Fix;
  /** The next step, unless it is ok. */
  readonly next?: Fix;
}

export interface DoctorOptions extends ProjectOptions, ApiOptions {
  /** The version of Node, such as `v20.19.0`. */
  readonly node: string;
  /** Name servers to query instead of those of the config, as `readServer` reads them. */
  readonly nameserver?: readonly string[];
  /** Time limit of a reply of the API, in milliseconds; default 10,000. */
  readonly timeoutMs?: number;
  /** The addresses of a name server; by default those that this machine resolves. */
  readonly resolve?: (name: string) => Promise<ServerAddress[]>;
}

/** Examines all that commands need: versions, config, zone files, git, the folder of runs, the API and name servers. */
export async function examine(context: RunContext, options: DoctorOptions): Promise<Examination[]> {
  const found: Examination[] = [examineVersions(options.node)];
  const servers = (options.nameserver ?? []).map((text) => readServer(text, advise`${{ set: "nameserver" }}`));
  const project = await attempt(found, "config", () => {
    const project = openProject(context, options);
    const hasConfig = existsSync(join(context.cwd, options.config));
    if (hasConfig) found.push({ subject: "config", state: "ok", text: options.config });
    else
      found.push({
        subject: "config",
        state: "warn",
        text: `${options.config} does not exist, so the defaults apply`,
        next: advise`Run ${{ run: "init" }}.`,
      });
    return project;
  });
  found.push(examineGit(context.cwd));
  await attempt(found, "proxy", () => found.push(...examineProxies(context.env)));
  if (!project) return found;
  await attempt(found, "zone files", async () => found.push(...(await examineZones(project))));
  for (const view of targetViews(project)) {
    const ofView: Examination[] = [];
    await attempt(ofView, "runs", () => ofView.push(examineRuns(view)));
    const examineService = view.target.capabilities.apex === "ours" ? examineNameServer : examineApi;
    await attempt(ofView, view.target.name, async () =>
      ofView.push(...(await examineService(context, view, options, servers))),
    );
    const target = shownTarget(view);
    found.push(...ofView.map((one) => (target === undefined ? one : { ...one, subject: `${target}: ${one.subject}` })));
  }
  return found;
}

/** Runs an examination; its failure is a line, too. */
export async function attempt<T>(
  found: Examination[],
  subject: string,
  action: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    found.push(failure(subject, error));
    return undefined;
  }
}

function failure(subject: string, error: unknown): Examination {
  if (!(error instanceof ProblemError)) throw error;
  const { summary, detail, fix = "", place } = error.problem;
  const at = place ? `${place.file}:${place.line}: ` : "";
  const others = error.problems.length - 1;
  const more = others > 0 ? `, and ${count(others, "more error")}` : "";
  const next = detail === undefined ? fix : fix === "" ? detail : advise`${detail} ${fix}`;
  return { subject, state: "fail", text: at + summary + more, ...(next !== "" && { next }) };
}

const oldestNode = [20, 19] as const;

export function examineVersions(node: string): Examination {
  const [major = 0, minor = 0] = node.replace(/^v/, "").split(".").map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  const text = `zonewright ${version()}, Node ${node}`;
  if (isOld)
    return { subject: "versions", state: "fail", text, next: `Install Node ${oldestNode.join(".")} or newer.` };
  return { subject: "versions", state: "ok", text };
}

export function examineGit(cwd: string): Examination {
  const subject = "git";
  const state = findGit(cwd);
  if (state === "commit") return { subject, state: "ok", text: "this folder is in a repository" };
  const [text, next] = {
    missing: [
      "git is not installed",
      advise`Install it: \`plan ${{ set: "since" }}\` needs it, and runs record the commit.`,
    ],
    outside: ["this folder is not in a repository", "Run `git init`, so that changes of zones can be reviewed."],
    empty: ["the repository has no commit yet", "Commit the zone files, so that changes can be reviewed."],
  }[state] as [string, Fix];
  return { subject, state: "warn", text, next };
}

/** The proxies and further certificate authorities that requests over HTTP use. */
export function examineProxies(env: RunContext["env"]): Examination[] {
  const { http, https, except } = findProxies(env);
  const used = [https, http].flatMap((variable) => (variable ? readProxy(variable) : []));
  const list = used.map(({ origin, from }) => `${origin} (${from})`).join(", ");
  const not = except === "" ? "" : `; not for ${escapeControl(except)} (NO_PROXY)`;
  const found: Examination[] = used.length === 0 ? [] : [{ subject: "proxy", state: "ok", text: `${list}${not}` }];
  const authorities = env.NODE_EXTRA_CA_CERTS;
  if (!authorities) return found;
  const [subject, text] = ["certificates", `also those of ${escapeControl(authorities)} (NODE_EXTRA_CA_CERTS)`];
  if (isReadable(authorities)) return [...found, { subject, state: "ok", text }];
  const next = "Correct NODE_EXTRA_CA_CERTS: Node ignores a file that it cannot read.";
  return [...found, { subject, state: "warn", text: `${escapeControl(authorities)} cannot be read`, next }];
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const importAll = advise`To manage all of them, set \`api_records\`, or \`records\` of the target, to \`open\`, and run ${{ run: "import api" }} before the next apply.`;

async function examineZones(project: Project): Promise<Examination[]> {
  const { zones, records, problems } = await validateZones(project, []);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const text = `${count(zones, "zone")}, ${count(records, "record")}`;
  const subject = "zone files";
  const next = advise`Run ${{ run: "validate" }} to list them.`;
  const found: Examination[] = [
    hasErrors(problems)
      ? { subject, state: "fail", text: `${text}, ${count(errors, "error")}`, next }
      : { subject, state: "ok", text },
  ];
  const copy = schemaFile("zone");
  if (existsSync(join(project.cwd, copy)) && !isSchemaCopy(readText(project.cwd, copy), "zone")) {
    const next = advise`Remove it and run ${{ run: "init" }}, which copies the new one.`;
    found.push({ subject: "schemas", state: "warn", text: `${copy} belongs to another version of zonewright`, next });
  }
  return found;
}

function examineRuns(project: Project): Examination {
  const subject = "runs";
  const folder = stateFolder(project);
  let existing = folder;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK);
  } catch {
    const text = `${existing} cannot be written, so \`apply\` could not keep its journal`;
    return { subject, state: "fail", text, next: "Make it writable for this user." };
  }
  const runs = readRuns(project);
  const last = runs.at(-1);
  if (last?.state === "unfinished")
    return {
      subject,
      state: "warn",
      text: `run ${last.id} was interrupted`,
      next: advise`Run ${continueCommand({ ...last, leaving: zonesToLeave(last) })}.`,
    };
  return {
    subject,
    state: "ok",
    text: `${folder} can be written; ${runs.length === 0 ? "no runs yet" : count(runs.length, "run")}`,
  };
}

/** Problems that are the token's; all others of a connection are the address's. */
const ofToken: readonly ProblemId[] = ["api/grant", "api/scope", "api/token", "client/token", "token-missing"];

async function examineApi(
  context: RunContext,
  project: Project,
  options: DoctorOptions,
  given: readonly ServerAddress[],
): Promise<Examination[]> {
  const { signal } = context;
  const { timeoutMs = 10_000, resolve = addressesOf } = options;
  let headers = new Headers();
  const onReply = (reply: Headers) => {
    headers = reply;
  };
  const limited: ApiOptions = { ...options, onReply, limits: { timeoutMs, retries: 0 } };
  const clock = () => examineClock(headers.get("Date"), context.now());
  const servers = { given, resolve, signal };
  try {
    const { onNote: _, ...quiet } = context; // the note on records is a line
    return await connect(quiet, project, limited, async ({ target, api, tokenFrom, tokenFile }) => {
      const heads = await target.read.listZones({ signal });
      const zones = heads.filter(({ settings }) => settings.status !== "disabled").slice(0, mostZones);
      const [first] = zones;
      const names = zones.map(({ name }) => name);
      return [
        { subject: target.name, state: "ok", text: `${api}: ${count(heads.length, "zone")} in the account` },
        ...examineRecords(recordsSettingOf(project), headers.get(recordsHeader)),
        ...examineToken(headers.get("X-OAuth-Scopes"), project.view && tokenFrom),
        ...(project.view ? examineSecretFile(context, "token", tokenFile) : []),
        ...clock(),
        ...(await examineNodes(project, target)),
        ...(first ? await examineServers(project, names, servers, () => serversOf(target.read, first)) : []),
      ];
    });
  } catch (error) {
    if ((project.view?.kind ?? "api") !== "api") return [failure(project.target.name, error)];
    const token = error instanceof ProblemError && ofToken.includes(error.problem.id) && failure("token", error);
    return [
      ...(token ? [await examineAddress(context, project, limited), token] : [failure("API", error)]),
      ...clock(),
      ...(await examineServers(project, await zoneNames(project), servers)),
    ];
  }
}

/**
 * A name server, or its files: which of the zones it has, whether it accepts writes, and whether the first one is the
 * zone of the last run and not that of another view.
 */
async function examineNameServer(
  context: RunContext,
  project: Project,
  options: DoctorOptions,
): Promise<Examination[]> {
  const { signal } = context;
  const names = (await zonesOf(project)).map(({ zone }) => zone.name);
  return connect(context, project, options, async ({ target, api, tokenFrom, tokenFile }) => {
    const heads = await target.read.listZones({ signal });
    const served = new Set(heads.map(({ name }) => nameKey(name)));
    const missing = names.filter((name) => !served.has(nameKey(name))).map((name) => escapeControl(withoutDot(name)));
    const service = { address: api, subject: target.name, names, missing };
    const { zones } = target.capabilities;
    const found: Examination[] = [zones === "neither" ? examineServed(service) : examineStored(service)];
    if (tokenFrom !== undefined) found.push({ subject: "key", state: "ok", text: advise`from ${tokenFrom}` });
    found.push(...examineSecretFile(context, "key", tokenFile));
    const [first] = heads;
    const read = async () => {
      if (first === undefined) return;
      const zone = await target.read.readZone(first.id, { signal });
      await checkPrimaries(project, { api, live: new Map([[nameKey(first.name), zone]]) });
    };
    await attempt(found, "zone", read);
    if (zones === "neither" && found.some(({ subject }) => subject === "zone")) return found;
    // A new zone may have its place on the server already.
    const fresh = zones === "neither" ? [] : names.filter((name) => !served.has(nameKey(name)));
    const examined = [...heads, ...fresh.map((name) => ({ name, id: asId(nameKey(name)) }))];
    await attempt(found, "updates", async () =>
      found.push(...((await target.read.examine?.(examined, { signal })) ?? [])),
    );
    return found;
  });
}

/** The permission bits of other users than the owner and the group: BIND often reads its keys by its group. */
const bitsOfOthers = 0o006;

/** Whether other users of the machine can read or change the file with a token or key. Windows has no such bits. */
function examineSecretFile({ cwd }: RunContext, subject: string, path: string | undefined): Examination[] {
  const stats = path === undefined || sep === "\\" ? undefined : statIfPresent(path);
  if (path === undefined || !stats || (stats.mode & bitsOfOthers) === 0) return [];
  const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
  const file = relative(cwd, path);
  const text = `${file} can be used by all users of this machine: its mode is ${mode}`;
  return [{ subject, state: "warn", text: escapeControl(text), next: `Run \`chmod 600 ${shellWord(file)}\`.` }];
}

/** The zones of a service. */
interface ServedZones {
  readonly subject: string;
  readonly address: string;
  /** All zones of the project, and those that the service does not have. */
  readonly names: readonly Name[];
  readonly missing: readonly string[];
}

/** A service that creates the zones which it does not have yet. */
function examineStored({ subject, address, names, missing }: ServedZones): Examination {
  const text = `${address}: has ${names.length - missing.length} of ${count(names.length, "zone")}`;
  return { subject, state: "ok", text };
}

function examineServed(service: ServedZones): Examination {
  const { subject, address, names, missing } = service;
  if (missing.length === 0) return { subject, state: "ok", text: `${address}: serves ${count(names.length, "zone")}` };
  const [first = "", ...others] = missing;
  const more = others.length > 0 ? ` and ${count(others.length, "other zone")}` : "";
  const text = `${address}: serves ${names.length - missing.length} of ${count(names.length, "zone")}; not ${first}${more}`;
  return {
    subject,
    state: "warn",
    text,
    next: "Add them to the configuration of the server, or use a key of the view that has them.",
  };
}

/** Whether the API answers, which needs no valid token. */
async function examineAddress(context: RunContext, project: Project, options: ApiOptions): Promise<Examination> {
  const subject = "API";
  try {
    return { subject, state: "ok", text: `${await reachApi(context, project, options)} answers` };
  } catch (error) {
    return failure(subject, error);
  }
}

/** The first zones of the project. */
async function zoneNames(project: Project): Promise<Name[]> {
  return (await zonesOf(project)).slice(0, mostZones).map(({ zone }) => zone.name);
}

/** The zones of the project; none if its files cannot be read, which is a line of its own. */
async function zonesOf(project: Project): Promise<readonly ZoneOfFile[]> {
  try {
    return await existingZones(project);
  } catch (error) {
    if (error instanceof ProblemError) return [];
    throw error;
  }
}

/** The records of a target and of its server; nothing if both are documented. Others than those of the target fail. */
function examineRecords(setting: RecordsSetting, ofServer: string | null): Examination[] {
  const subject = "records";
  if (setting === "open") return [{ subject, state: "ok", text: "open: the server holds every type and any TTL" }];
  if (ofServer !== "open") return [];
  const text = "documented, and the server holds records of every type and any TTL: others are left alone";
  return [{ subject, state: "warn", text, next: importAll }];
}

/** `from` is shown where several settings can have a token. */
function examineToken(scopes: string | null, from: Fix | undefined): Examination[] {
  const subject = "token";
  const found = from === undefined ? "" : advise`, from ${from}`;
  if (scopes === null) return [{ subject, state: "ok", text: advise`valid${found}; the API does not say its scopes` }];
  const text = advise`valid${found}, with ${scopes === "*" ? "all scopes" : `the scopes ${scopes}`}`;
  if (mayWrite(scopes)) return [{ subject, state: "ok", text }];
  const next = "`plan` works; `apply` needs a token with domains:read_write.";
  return [{ subject, state: "warn", text, next }];
}

/** Whether the nodes that zone files refer to can be read, and have the addresses; nothing if no file refers to one. */
async function examineNodes(project: Project, target: PlanningTarget): Promise<Examination[]> {
  const subject = "nodes";
  const zones = await zonesOf(project);
  const labels = labelsOf(zones);
  if (labels.length === 0) return [];
  try {
    await resolveNodes(project, zones, target);
    return [{ subject, state: "ok", text: `zone files refer to ${count(labels.length, "node")} of the account` }];
  } catch (error) {
    if (!(error instanceof ProblemError) || !ofNodes.includes(error.problem.id)) throw error;
    return [failure(subject, error)];
  }
}

/** Problems of references to nodes; others are those of the API. */
const ofNodes: readonly ProblemId[] = ["node-access", "node-address", "node-label-unknown"];

const mostSkewMs = 60_000;

function examineClock(date: string | null, now: Date): Examination[] {
  if (date === null) return [];
  const skew = Math.round((now.getTime() - Date.parse(date)) / 1000);
  if (Number.isNaN(skew)) return [];
  const subject = "clock";
  if (Math.abs(skew) * 1000 <= mostSkewMs) return [{ subject, state: "ok", text: "agrees with the clock of the API" }];
  const text = `${count(Math.abs(skew), "second")} ${skew > 0 ? "ahead of" : "behind"} the clock of the API`;
  return [
    {
      subject,
      state: "warn",
      text,
      next: "Set the clock, or run a time service: plan files and approvals expire by it.",
    },
  ];
}

const mostZones = 20;

interface Servers {
  readonly given: readonly ServerAddress[];
  readonly resolve: (name: string) => Promise<ServerAddress[]>;
  readonly signal: AbortSignal;
}

/** Asks each name server for zones: those given, those of the config, or, if they can be known, those of the zones. */
async function examineServers(
  { config }: Project,
  zones: readonly Name[],
  { given, resolve, signal }: Servers,
  ofZones?: () => Promise<string[]>,
): Promise<Examination[]> {
  const subject = "name servers";
  const isNamed = given.length > 0 || config.nameservers.length > 0;
  if (zones.length === 0 || !(isNamed || ofZones)) return [];
  const names = given.length > 0 ? [] : isNamed ? config.nameservers : ((await ofZones?.()) ?? []);
  const servers = [...given, ...(await pMap(names, resolve)).flat()];
  if (servers.length === 0) {
    const text =
      names.length > 0
        ? `no address found for ${names.join(", ")}`
        : `the API names none for ${zones[0]?.slice(0, -1)}`;
    const next = advise`Name one with ${{ set: "nameserver" }}, or set nameservers: in the config.`;
    return [{ subject, state: "warn", text, next }];
  }
  return pMap(
    servers,
    async (server): Promise<Examination> => {
      const shown = `${server.host}:${server.port}`;
      const bounds = { timeoutMs: 2_000, attempts: 2, connectMs: 2_000, totalMs: 5_000 };
      try {
        for (const name of zones) await askSoa(server, name, { signal, bounds });
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        const next = advise`Run ${{ run: "verify" }} to ask for every record.`;
        return { subject, state: "warn", text: `${shown}: ${error.problem.summary}`, next };
      }
      return { subject, state: "ok", text: `${shown} answers for ${count(zones.length, "zone")}` };
    },
    { concurrency: 4 },
  );
}

/** The NS records at the apex of a zone, as the service renders them. */
async function serversOf(read: Target["read"], head: ZoneHead): Promise<string[]> {
  try {
    const bytes = Buffer.from(await read.readZoneFile(head));
    const { zone } = readBind({ file: "zone file", bytes, origin: head.name, settings: [] });
    const all = zone.records.filter((record) => isType(record, "NS"));
    return all.filter(({ owner }) => isSameName(owner, head.name)).map(({ data }) => data.nsdname.slice(0, -1));
  } catch {
    return []; // not rendered yet
  }
}

async function addressesOf(name: string): Promise<ServerAddress[]> {
  try {
    return (await lookup(name.replace(/\.$/, ""), { all: true })).map(({ address }) => ({
      host: address,
      port: dnsPort,
    }));
  } catch {
    return [];
  }
}
