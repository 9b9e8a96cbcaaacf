import { createHmac } from "node:crypto";
import type { ApiError } from "../../client/api-error.ts";
import {
  type Client,
  type OpenedClient,
  type OpenRecordClient,
  openClient,
  readBaseUrl,
  readingClient,
} from "../../client/client.ts";
import { findProxies, proxyFor } from "../../client/proxy.ts";
import { createSend } from "../../client/send.ts";
import { configKinds } from "../../config/target-kinds.ts";
import { recordsHeader } from "../../contract/records-setting.ts";
import type { RecordsSetting } from "../../contract/resources/open-record.ts";
import { allows, parseScopes } from "../../contract/scopes.ts";
import { type Spelling, spellings } from "../../contract/words.ts";
import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem, problemError, usageError } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { type ApiTarget, apiReadingTarget, apiTarget, openApiTarget } from "../../targets/api/target.ts";
import { signingVariable } from "../project/plan-keys.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { recordsSettingOf } from "../project/target-kind.ts";
import { type ConfiguredTarget, requireView } from "../project/targets.ts";
import type { ApiOptions, Connection, Connector } from "./connection.ts";
import { findTargetSecret, missingSecret, type ResolvedSetting, readSecret } from "./target-secret.ts";

/** The address at which `zonewright serve` listens by default. */
export const defaultUrl = "http://127.0.0.1:4119";

/** The API that flags, environment and config name, in this order. */
export const apiConnector: Connector = {
  connect: (context, project, { isWriting = false, ...options }, action) => {
    const settings = { ...settingsOf(context, project, options), records: recordsOf(project), isWriting };
    return callApi(context, settings, options, ({ client }, about) =>
      action({ target: targetWith(client, settings.records.setting), ...about }),
    );
  },
  connectToRead: (context, project, options, action) => {
    const records = recordsOf(project);
    const settings = { ...settingsOf(context, project, options), records };
    return callApi(context, settings, options, ({ client }, { api, name, notes }) =>
      action({
        target: apiReadingTarget(readingClient(client), records.setting),
        api,
        ...(name !== undefined && { name }),
        ...(notes && { notes }),
      }),
    );
  },
};

function targetWith(client: Client, records: RecordsSetting): ApiTarget {
  return records === "open" ? openApiTarget(client as OpenRecordClient) : apiTarget(client); // as `openClient` made it
}

/** The records setting of a target, and where it stands. */
interface RecordsOfTarget {
  readonly setting: RecordsSetting;
  readonly from: string;
}

function recordsOf(project: Project): RecordsOfTarget {
  const { view, file } = project;
  const from = view === undefined ? `api_records in ${file}` : `targets.${view.name}.records in ${file}`;
  return { setting: recordsSettingOf(project), from };
}

/**
 * Connects to call single endpoints. Without a token only those that need none can be called, if `isOpen`; else every
 * call fails.
 */
export async function connectToCall<T>(
  context: RunContext,
  project: Project,
  { isOpen, ...options }: ApiOptions & { readonly isOpen: boolean },
  action: (opened: OpenedClient) => Promise<T>,
): Promise<T> {
  const { refusal, ...settings } = settingsOf(context, project, options);
  return callApi(context, { ...settings, ...(!isOpen && { refusal }) }, options, action);
}

/** @throws {ProblemError} `usage` for a project with several targets */
function settingsOf(context: RunContext, project: Project, options: ApiOptions): ApiSettings {
  requireView(project);
  return {
    url: chooseUrl(context, project, options),
    ...(project.view && { name: project.view.name }),
    words: chooseWords(context, project),
    ...tryToken(context, project, options),
  };
}

function tryToken(context: RunContext, project: Project, options: ApiOptions): Pick<ApiSettings, "token" | "refusal"> {
  try {
    return { token: chooseToken(context, project, options) };
  } catch (error) {
    if (error instanceof ProblemError) return { refusal: error };
    throw error;
  }
}

/**
 * Sends one request without a token, which the API rejects, and returns the address of the API.
 * @throws {ProblemError} if what answers is not the API, or nothing answers.
 */
export async function reachApi(context: RunContext, project: Project, options: ApiOptions): Promise<string> {
  const url = chooseUrl(context, project, options);
  const words = chooseWords(context, project);
  const { signal } = context;
  try {
    await callApi(context, { url, words }, options, ({ client }) => apiTarget(client).read.listZones({ signal }));
  } catch (error) {
    if (!(error instanceof ProblemError && error.problem.id === "api/token")) throw error;
  }
  return readBaseUrl(url.value).href;
}

/** The records setting of the server, which each of its replies tells. @throws {ProblemError} the errors of a read */
export async function readRecordsSetting(
  context: RunContext,
  project: Project,
  options: ApiOptions,
): Promise<RecordsSetting> {
  let setting: RecordsSetting = "documented";
  const onReply = (headers: Headers) => {
    setting = headers.get(recordsHeader) === "open" ? "open" : "documented";
  };
  const query = { page: 1, page_size: 25 };
  await connectToCall(context, project, { ...options, onReply, isOpen: false }, ({ client }) =>
    client.listDomains({ query }, { signal: context.signal }),
  );
  return setting;
}

/** The base URL, the words, and the token unless the call needs none. */
interface ApiSettings {
  /** The name of the target in the config. */
  readonly name?: string;
  readonly url: ResolvedSetting;
  readonly words: Spelling;
  /** Absent if only single endpoints are called, whatever records the server holds. */
  readonly records?: RecordsOfTarget;
  readonly token?: ResolvedSetting | undefined;
  /** Why there is no token: the error of every request. */
  readonly refusal?: ProblemError | undefined;
  /** Whether the token has to have a scope to write with. */
  readonly isWriting?: boolean;
}

async function callApi<T>(
  context: RunContext,
  { url, name, words, records, token, refusal, isWriting }: ApiSettings,
  options: ApiOptions,
  action: (opened: OpenedClient, about: Omit<Connection, "target">) => Promise<T>,
): Promise<T> {
  const { limits } = options;
  const connections = createSend({ ...limits, proxies: findProxies(context.env) });
  const { send = connections } = options;
  const notes: Problem[] = [];
  const onNote = (note: Problem) => {
    notes.push(note);
    context.onNote?.(note);
  };
  const compareRecords = records && createRecordsTest(onNote, records);
  let silence: SilenceWatch | undefined;
  try {
    const onWait = ({ problems: [refusal] }: ApiError, ms: number) =>
      context.onWait?.(refusal?.summary, Math.ceil(ms / 1000));
    const { sleep } = context;
    const now = () => context.now().getTime();
    const sendAndReport = async (request: Request) => {
      if (refusal) throw refusal;
      silence ??= new SilenceWatch(context, new URL(request.url).origin);
      const reply = await silence.watch(send(request));
      options.onReply?.(reply.headers);
      // Only for reads, which come first: a reply to a write says what became of it.
      if (reply.ok && request.method === "GET") await compareRecords?.(reply, new URL(request.url).origin);
      if (isWriting && reply.ok) await refuseReadOnly(reply);
      return reply;
    };
    const settings = { baseUrl: url.value, words, token: token?.value, send: sendAndReport, now, sleep, onWait };
    const opened = openClient({ ...settings, records: records?.setting, ...(limits && { retries: limits.retries }) });
    const sign = token && ((text: string) => createHmac("sha256", token.value).update(text).digest("hex"));
    const about = {
      api: readBaseUrl(url.value).href,
      ...(name !== undefined && { name }),
      ...(token && { tokenFrom: token.from }),
      ...(token?.file !== undefined && { tokenFile: token.file }),
      notes: () => notes,
    };
    return await action(opened, { ...about, ...(sign && { sign }) });
  } catch (error) {
    throw error instanceof ProblemError ? traceError(error, context, { url, token }) : error;
  } finally {
    silence?.end();
    await connections.close();
  }
}

/** Compares the records of a target with those of its server; notes once that the server has more. */
function createRecordsTest(
  onNote: (note: Problem) => void,
  { setting, from }: RecordsOfTarget,
): (reply: Response, origin: string) => Promise<void> {
  let isNoted = false;
  return async (reply, origin) => {
    const isOpen = reply.headers.get(recordsHeader) === "open";
    if (isOpen === (setting === "open")) return;
    if (!isOpen) {
      await reply.body?.cancel();
      throw closedRecordsError(from, origin);
    }
    if (isNoted) return;
    isNoted = true;
    const summary = `the server at ${origin} holds records of every type and any TTL, and the target only documented ones: others are left alone`;
    const fix = advise`To manage all of them, write "open" for ${from}, and run ${{ run: "import api" }} before the next apply: it deletes records that no file has.`;
    onNote(problem("client/records-open", summary, { fix }));
  };
}

function closedRecordsError(from: string, origin: string): ProblemError {
  const summary = `${from} is "open", and the server at ${origin} does not hold open records`;
  const serve = { run: "serve", with: { records: "open" } } as const;
  const fix = advise`Start the server with ${serve}, or write "documented" in the config. Nothing was changed.`;
  return problemError("client/records", summary, { fix });
}

/** Whether a token may write, by its scopes as the API lists them; undefined if it does not. */
export function mayWrite(scopes: string | null): boolean | undefined {
  return scopes === null ? undefined : allows(parseScopes(scopes), "domains:read_write");
}

/** @throws {ProblemError} `api/scope` */
async function refuseReadOnly(reply: Response): Promise<void> {
  const scopes = reply.headers.get("X-OAuth-Scopes");
  if (mayWrite(scopes) !== false) return;
  await reply.body?.cancel();
  const summary = `the token may not write: it has the scopes ${escapeControl(scopes ?? "")}`;
  throw problemError("api/scope", summary, { fix: "Replace it with one that has domains:read_write." });
}

/** The base URL of the API that environment or config name; undefined for the default. @throws {ProblemError} */
export function findNamedApi(context: Pick<RunContext, "env">, project: Project): string | undefined {
  const { value, from } = chooseUrl(context, project, {});
  return from === "the default" ? undefined : readBaseUrl(value).href;
}

/** The target of the view. @throws {ProblemError} `usage` if it is not an API */
function apiView({ view }: Project): (ConfiguredTarget & { readonly kind: "api" }) | undefined {
  if (view === undefined || view.kind === "api") return view;
  const { name, kind } = view as ConfiguredTarget;
  throw usageError(`this calls the API, and the target ${name} is of the kind ${kind}.`);
}

/** @throws {ProblemError} `usage` for a variable that would be ignored, and for a target that is not an API */
function chooseUrl(context: Pick<RunContext, "env">, project: Project, options: ApiOptions): ResolvedSetting {
  const { config, file } = project;
  const view = apiView(project);
  const inEnvironment = context.env.ZONEWRIGHT_API_URL?.trim();
  if (options.apiUrl !== undefined) return { value: options.apiUrl, from: advise`${{ set: "apiUrl" }}` };
  if (view && inEnvironment && inEnvironment !== view.url)
    throw usageError(`ZONEWRIGHT_API_URL is set, but ${file} has targets, each with its own url: unset it.`);
  if (view) return { value: view.url, from: `targets.${view.name}.url in ${file}` };
  if (inEnvironment) return { value: inEnvironment, from: "ZONEWRIGHT_API_URL" };
  if (config.api_url !== undefined) return { value: config.api_url, from: `api_url in ${file}` };
  return { value: defaultUrl, from: "the default" };
}

/** @throws {ProblemError} `client/words`; `usage` for a variable that would be ignored */
function chooseWords({ env }: RunContext, project: Project): Spelling {
  const { config, file } = project;
  const view = apiView(project);
  const inEnvironment = env.ZONEWRIGHT_API_WORDS?.trim();
  if (view) {
    const { words = "documented" } = view;
    if (!inEnvironment || inEnvironment === words) return words;
    throw usageError(`ZONEWRIGHT_API_WORDS is set, but ${file} has targets, each with its own words: unset it.`);
  }
  if (!inEnvironment) return config.api_words ?? "documented";
  const known = spellings.find((words) => words === inEnvironment);
  if (known) return known;
  const summary = `ZONEWRIGHT_API_WORDS is "${escapeControl(inEnvironment)}", which is not a set of words`;
  throw problemError("client/words", summary, { fix: `Set it to ${spellings.join(" or ")}.` });
}

/** @throws {ProblemError} `token-missing`, `client/token` */
function chooseToken(context: RunContext, project: Project, options: ApiOptions): ResolvedSetting {
  const token =
    (project.view && findTargetToken(context, project, project.view, options)) ?? findToken(context, options);
  if (!/^(["']).*\1$/.test(token.value)) return token;
  const fix = "Remove the quotes.";
  throw problemError("client/token", advise`the token from ${token.from} is in quotes`, { fix });
}

function findToken(context: RunContext, options: ApiOptions): ResolvedSetting {
  const { word } = configKinds.api.secret;
  const { ZONEWRIGHT_TOKEN, ZONEWRIGHT_TOKEN_FILE } = context.env;
  const inEnvironment = ZONEWRIGHT_TOKEN?.trim();
  if (options.tokenFile !== undefined)
    return readSecret(context, { word, setting: advise`${{ set: "tokenFile" }}`, path: options.tokenFile });
  if (inEnvironment) return { value: inEnvironment, from: options.tokenName ?? "ZONEWRIGHT_TOKEN" };
  if (ZONEWRIGHT_TOKEN_FILE)
    return readSecret(context, { word, setting: "ZONEWRIGHT_TOKEN_FILE", path: ZONEWRIGHT_TOKEN_FILE });
  const other = Object.keys(context.env).find(
    (name) =>
      /^(?:ZONEWRIGHT_.*|LINODE_(?:CLI_)?)(?:TOKEN|KEY)$/.test(name) && name !== signingVariable && context.env[name],
  );
  const { tokenName } = options;
  const fix = tokenName
    ? `Pass it as ${tokenName}, from a secret.`
    : other === undefined
      ? advise`Set ZONEWRIGHT_TOKEN, or ZONEWRIGHT_TOKEN_FILE to a file that contains it. ${{ run: "serve" }} prints one at its first start.`
      : `The token is read from ZONEWRIGHT_TOKEN, and not from ${other}, which is set.`;
  throw problemError("token-missing", "no API token is set", { fix });
}

/**
 * The token of a target. Undefined for an option, and for the only API without its own, which has the token of projects
 * without targets.
 * @throws {ProblemError} `token-missing`
 */
function findTargetToken(
  context: RunContext,
  project: Project,
  target: ConfiguredTarget,
  { tokenFile, tokenName }: ApiOptions,
): ResolvedSetting | undefined {
  if (tokenFile !== undefined) return undefined;
  const own = findTargetSecret(context, project, target);
  if (own || project.targets.filter(({ kind }) => kind === "api").length === 1) return own;
  throw missingSecret(target, { isInAction: tokenName !== undefined });
}

/** Adds to errors that another setting may fix where the setting was found. */
function traceError(
  error: ProblemError,
  { env }: RunContext,
  { url, token }: Pick<ApiSettings, "url" | "token">,
): ProblemError {
  const proxy = URL.canParse(url.value) ? proxyFor(findProxies(env), new URL(url.value)) : undefined;
  const through = proxy === undefined ? "" : ` The requests pass through the proxy of ${proxy.from}.`;
  const traced = error.problems.map((found) => {
    if (ofUrl.includes(found.id)) {
      const way = found.id === "transport/proxy" ? "" : through; // which its summary names
      return { fix: checkPath, ...found, detail: advise`The base URL is from ${url.from}.${way}` };
    }
    if (found.id === "api/server") return { fix: tryLater, ...found };
    if (token && ofToken.includes(found.id)) return { ...found, detail: advise`The token is from ${token.from}.` };
    return found;
  });
  return traced.every((found, index) => found === error.problems[index]) ? error : new ProblemError(traced);
}

const checkPath = "Check the base URL, and any proxy or firewall in between.";
const tryLater = "Try again later. If it fails again, contact the operator of the service.";

/** Problems that another base URL may fix. */
const ofUrl: readonly ProblemId[] = [
  "client/base-url",
  "transport/connect",
  "transport/dns",
  "transport/failed",
  "transport/proxy",
  "transport/refused",
  "transport/reply",
  "transport/reset",
  "transport/timeout",
  "transport/tls",
];

/** Problems that another token may fix. */
const ofToken: readonly ProblemId[] = ["api/scope", "api/token", "client/token", "node-access"];

/** Time without a reply before it is reported, and between two reports, in milliseconds. */
const firstMs = 4_000;
const nextMs = 30_000;
/** Interval of looks at the clock: the first report comes within five seconds. */
const tickMs = 1_000;

/** Reports that a service does not reply, from the first request after its last reply on. */
class SilenceWatch {
  readonly #context: Pick<RunContext, "now" | "repeat" | "onSilence">;
  readonly #origin: string;
  #pending = 0;
  /** When the silence began; undefined after a reply to all requests. */
  #begun: number | undefined;
  #next = firstMs;
  #stopTicks: (() => void) | undefined;

  constructor(context: Pick<RunContext, "now" | "repeat" | "onSilence">, origin: string) {
    this.#context = context;
    this.#origin = origin;
  }

  /** Watches a request until its end. */
  async watch<T>(reply: Promise<T>): Promise<T> {
    const { now, repeat } = this.#context;
    this.#begun ??= now().getTime();
    this.#pending++;
    this.#stopTicks ??= repeat(tickMs, () => this.#look());
    try {
      const value = await reply;
      this.#begun = this.#pending > 1 ? now().getTime() : undefined;
      this.#next = firstMs;
      return value;
    } finally {
      this.#pending--;
    }
  }

  #look(): void {
    const { now, onSilence } = this.#context;
    if (this.#pending === 0 || this.#begun === undefined) return;
    const silent = now().getTime() - this.#begun;
    if (silent < this.#next) return;
    this.#next = silent + nextMs;
    onSilence?.(this.#origin, Math.floor(silent / 1000));
  }

  end(): void {
    this.#stopTicks?.();
  }
}
