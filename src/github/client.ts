import { setTimeout as delay } from "node:timers/promises";
import type * as z from "zod";
import { classify } from "../client/failure.ts";
import type { Proxies } from "../client/proxy.ts";
import { createRedactor, type Redactor, tokenSecrets } from "../client/secret.ts";
import { createSend, type Send } from "../client/send.ts";
import { SendError } from "../client/transport.ts";
import type { Clock } from "../clock.ts";
import { ProblemError, problemError } from "../diagnostics/problem.ts";
import { GitHubError } from "./github-error.ts";
import { readFailure } from "./read-failure.ts";

export interface GitHubOptions {
  /** A token of a workflow, a GitHub App or a person. */
  readonly token: string;
  /** The base URL of the API, as in GITHUB_API_URL; default `https://api.github.com`. */
  readonly apiUrl?: string | undefined;
  /** Sends the requests; the default is `createSend` with a bound on the size of replies. */
  readonly send?: Send | undefined;
  /** Proxies for requests of that default. */
  readonly proxies?: Proxies | undefined;
  readonly clock?: Clock | undefined;
}

/** A call of the REST API. */
export interface GitHubCall<T> {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** The segments of the path, which are encoded. */
  readonly path: readonly (string | number)[];
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** The part of the reply that is read; unknown keys are ignored. */
  readonly reply: z.ZodType<T>;
  /** The permission that the call needs, as a workflow writes it: `pull-requests: write`. */
  readonly needs: string;
}

/** A client of GitHub's REST API. Its calls reject with `GitHubError`. */
export interface GitHub {
  call<T>(call: GitHubCall<T>): Promise<T>;
  /** The pages of a list, at most `most` of them, each with up to 100 items. */
  pages<T>(call: Omit<GitHubCall<T[]>, "method" | "body">, most: number): AsyncGenerator<T[]>;
  /** The octets that a call redirects to, such as a zip of an artifact. The token is not sent to the other host. */
  download(call: Omit<GitHubCall<unknown>, "method" | "body" | "reply">): Promise<Uint8Array>;
}

const apiVersion = "2022-11-28";

/** Waits that GitHub asks for are followed up to this long, in milliseconds. */
const longestWaitMs = 90_000;
const mostRetries = 3;

/**
 * Creates a client of GitHub's REST API. It is our own, because Octokit needs a newer Node than this package; undici
 * sends the requests. Calls are repeated only where that is safe: after a rate limit, if nothing was
 * sent, and any but a POST after a failure of GitHub. @throws {ProblemError} if the token or the URL is invalid.
 */
export function createGitHub({ token, apiUrl = "https://api.github.com", ...options }: GitHubOptions): GitHub {
  const { proxies, send = createSend({ proxies }), clock = systemClock } = options;
  const base = readApiUrl(apiUrl);
  const authorization = githubBearer(token);
  const redactor = createRedactor(tokenSecrets(token));
  const line = ({ method, path }: Pick<GitHubCall<unknown>, "method" | "path">) => `${method} ${pathOf(path)}`;

  const attempt = async (call: Omit<GitHubCall<unknown>, "reply">): Promise<Response> => {
    const { method, path, query = {}, body, needs } = call;
    const url = new URL(`${base}${pathOf(path)}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const isWrite = method !== "GET";
    const request = new Request(url, {
      method,
      headers: {
        accept: "application/vnd.github+json",
        authorization,
        "user-agent": "zonewright",
        "x-github-api-version": apiVersion,
        ...(body !== undefined && { "content-type": "application/json; charset=utf-8" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const response = await exchange(send, request, { line: line(call), isWrite, redactor });
    if (response.status < 300 || response.status === 302) return response;
    const { status, headers } = response;
    const facts = { needs, isWrite, now: clock.now() };
    throw new GitHubError(line(call), readFailure({ status, headers, text: await response.text() }, facts, redactor));
  };

  const perform = async (call: Omit<GitHubCall<unknown>, "reply">): Promise<Response> => {
    for (let retry = 0; ; retry++) {
      try {
        return await attempt(call);
      } catch (error) {
        const wait = waitBefore(error, call.method, retry);
        if (wait === undefined) throw error;
        await clock.sleep(wait);
      }
    }
  };

  const readValue = async <T>(call: GitHubCall<T>, response: Response): Promise<T> => {
    const text = await response.text();
    const parsed = call.reply.safeParse(text === "" ? undefined : readJson(text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const what = `the reply is not GitHub's: ${redactor.quote(`${issue?.path.join(".")}: ${issue?.message}`, 200)}`;
    const fix = "Check GITHUB_API_URL, and any proxy between.";
    throw new GitHubError(line(call), { id: "github/reply", what, fix, status: response.status });
  };

  return {
    call: async (call) => readValue(call, await perform(call)),
    pages: async function* (list, most) {
      for (let page = 1; page <= most; page++) {
        const call = { ...list, method: "GET" as const, query: { ...list.query, per_page: 100, page } };
        const response = await perform(call);
        // The URL of the next page is not followed: the token stays with this API.
        const isLast = !/;\s*rel="?next"?/.test(response.headers.get("link") ?? "");
        yield await readValue(call, response);
        if (isLast) return;
      }
    },
    download: async (source) => {
      const call = { ...source, method: "GET" as const };
      let response = await perform(call);
      for (let hop = 0; response.status === 302 && hop < 3; hop++) {
        const target = response.headers.get("location") ?? "";
        const isWeb = URL.canParse(target) && /^https?:$/.test(new URL(target).protocol);
        if (!isWeb) break;
        const request = new Request(target, { headers: { "user-agent": "zonewright" } });
        response = await exchange(send, request, { line: line(call), isWrite: false, redactor });
      }
      if (response.status === 200) return new Uint8Array(await response.arrayBuffer());
      const what = `the download failed (${response.status})`;
      throw new GitHubError(line(call), { id: "github/reply", what, fix: "Run it again.", status: response.status });
    },
  };
}

const systemClock: Clock = { now: Date.now, sleep: (ms) => delay(ms) };

interface ExchangeFacts {
  readonly line: string;
  readonly isWrite: boolean;
  readonly redactor: Redactor;
}

async function exchange(send: Send, request: Request, { line, isWrite, redactor }: ExchangeFacts): Promise<Response> {
  try {
    return await send(request);
  } catch (error) {
    if (error instanceof ProblemError && !(error instanceof SendError)) throw error;
    const { what, outcome } = classify(error, new URL(request.url).origin, redactor);
    throw new GitHubError(line, {
      id: "github/connect",
      what,
      fix: "Check GITHUB_API_URL, the network and any firewall in between.",
      isAmbiguous: isWrite && outcome === "ambiguous",
      cause: redactor.error(error),
    });
  }
}

/** The time to wait before the call is repeated, in milliseconds; undefined if it must not be. */
function waitBefore(error: unknown, method: string, retry: number): number | undefined {
  if (!(error instanceof GitHubError) || retry >= mostRetries) return undefined;
  const { problem, isAmbiguous, waitMs = 1000 * 2 ** retry } = error;
  if (waitMs > longestWaitMs) return undefined;
  if (problem.id === "github/rate") return waitMs;
  const isTemporary = problem.id === "github/server" || problem.id === "github/connect";
  return isTemporary && (method !== "POST" || !isAmbiguous) ? waitMs : undefined;
}

/** @throws {ProblemError} The text is not quoted, because it may contain a password. */
function readApiUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isValid =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isValid) {
    const fix = "Set GITHUB_API_URL to a URL such as https://api.github.com or https://github.example/api/v3.";
    throw problemError("github/url", "the address of GitHub's API is not an http or https URL", { fix });
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** @throws {ProblemError} if the token is not valid in a header; it is not quoted. */
function githubBearer(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const summary = "the GitHub token is empty, or contains a space, a line break or a character outside ASCII";
    throw problemError("github/token", summary, { fix: "Set it to the token only." });
  }
  return `Bearer ${token}`;
}

/** Empty, `.` and `..` would change the path. */
function pathOf(segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => {
      if (["", ".", ".."].includes(String(segment))) throw new TypeError(`"${segment}" cannot be part of a path`);
      return `/${encodeURIComponent(segment)}`;
    })
    .join("");
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
