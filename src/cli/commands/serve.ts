import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { fileTrouble } from "../../formats/files.ts";
import type { Access } from "../../server/http/access-log.ts";
import { listen } from "../../server/http/node.ts";
import { listRateFor, usualRate } from "../../server/http/rate-limit.ts";
import { isLoopback, isPublic, type Network, reachOf, readNetwork } from "../../server/kit/allowed-networks.ts";
import { createRemote, type Remote } from "../../server/kit/remote.ts";
import { createToken, hasTokens } from "../../server/operator/tokens.ts";
import { createServer, type ServerOptions } from "../../server/server.ts";
import { isStoreFailure, isUrl, type Store } from "../../server/store/store.ts";

import type { Context } from "../context.ts";
import { usualData } from "../data-folder.ts";
import { type DatabaseOptions, withStore } from "../database.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { unknownText } from "../tell.ts";
import { type KeyOptions, type Keys, readKeyOptions } from "./serve-keys.ts";
import { type NameOptions, readAddress, readSecondary, serveNames } from "./serve-names.ts";
import { firstUser } from "./token.ts";

export interface ServeOptions extends DatabaseOptions, KeyOptions {
  readonly port: string;
  readonly host: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly rateLimit: string;
  readonly renderDelay: string;
  readonly accessLog?: boolean;
  readonly allowPublicSuffixes?: boolean;
  readonly profile: "documented" | "live";
  readonly dns?: string;
  readonly dnsRateLimit?: string;
  readonly nsid?: string;
  readonly transferFrom?: readonly string[];
  readonly trustProxy?: readonly string[];
  readonly nameserver?: readonly string[];
  readonly secondary?: readonly string[];
}

/** `zonewright serve`: the API on this machine until it is interrupted. */
export async function serve(context: Context, options: ServeOptions): Promise<ExitCode> {
  const requests = readNumber("--rate-limit is a number", options.rateLimit);
  const renderDelay = readNumber("--render-delay is a number of seconds", options.renderDelay);
  const port = /^\d{1,5}$/.test(options.port) ? Number(options.port) : Number.NaN;
  if (!(port <= 65535))
    throw new ProblemError(problem("usage", `--port is a number from 0 to 65535, not ${plain(options.port)}.`));
  const token = readOwnToken(context, options);
  const keys = keyOptions(context, options);
  const dns = nameOptions(options, keys);
  const reach = reachOf(options.transferFrom?.map(network("--transfer-from")));
  const remote = createRemote({ reach, keyFor: keys.keyFor });
  const proxies = options.trustProxy?.map(network("--trust-proxy")) ?? [];
  return withStore(context, options, async (store) => {
    const settings: ServerOptions & { readonly remote: Remote } = {
      store,
      clock: context.now,
      profile: options.profile,
      remote,
      renderDelay,
      allowsPublicSuffixes: options.allowPublicSuffixes ?? false,
      ...(options.nameserver && { nameservers: options.nameserver }),
      ...(requests > 0 && { rateLimit: { ...usualRate, requests } }),
      ...(requests > 0 && options.profile === "live" && { listLimit: listRateFor(requests) }),
      ...(options.accessLog && { onAccess: (access: Access) => context.talk(`${JSON.stringify(access)}\n`) }),
      onError: (error) =>
        context.talk(`${isStoreFailure(error) ? plain(error.message) : unknownText(context, error)}\n`),
    };
    const api = await listen(createServer(settings), { host: options.host, port, proxies });
    const open: { close(): Promise<unknown> }[] = [api];
    try {
      const names = dns && (await serveNames(context, settings, { ...dns, reach }));
      if (names) open.push(names);
      const first = await firstToken(context, store, token); // not before the port is ours: it is shown only once
      context.out(`${api.url}\n`);
      if (names) context.talk(`names are answered on ${names.address}\n`);
      context.talk(`zonewright serves ${shownPlace(store, options)}; Ctrl-C stops it\n`);
      for (const warning of warningsOf(options)) context.talk(`warning: ${warning}\n`);
      if (first !== undefined)
        context.talk(`there is no token yet; this one is shown once:\n\nexport ZONEWRIGHT_TOKEN=${first}\n\n`);
      await aborted(context.signal);
      context.talk("finishing the requests under way\n");
    } finally {
      await Promise.all(open.map((service) => service.close())); // one that stays open keeps the process
    }
    return exitCode.done;
  });
}

/** The environment variable that holds a token for `serve`; that of the client may hold a token of another service. */
const tokenVariable = "ZONEWRIGHT_SERVE_TOKEN";

/**
 * The token that the operator chose: of `--token`, of the file that `--token-file` names, or of the environment.
 * @throws {ProblemError} `usage`, `file-read`
 */
function readOwnToken({ cwd, env }: Context, { token, tokenFile }: ServeOptions): string | undefined {
  if (token !== undefined && tokenFile !== undefined)
    throw new ProblemError(problem("usage", "Give --token or --token-file, not both."));
  const fromFile = tokenFile === undefined ? undefined : readTokenFile(resolve(cwd, tokenFile), tokenFile);
  const source = tokenFile !== undefined ? "--token-file" : token !== undefined ? "--token" : tokenVariable;
  const chosen = fromFile ?? token ?? (env[tokenVariable]?.trim() || undefined);
  if (chosen !== undefined && !/^[!-~]+$/.test(chosen))
    throw new ProblemError(
      problem("usage", `The token of ${source} must be one word of ASCII letters, digits and signs.`),
    );
  return chosen;
}

function readTokenFile(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new ProblemError(
      problem("file-read", `${file} cannot be read: ${fileTrouble(error)}`, {
        fix: "Name a file that holds the token.",
      }),
    );
  }
}

/** Ways to serve that are safe only with something beside the server. */
function warningsOf({ token, host, trustProxy, dns }: ServeOptions): string[] {
  return [
    ...(token === undefined
      ? []
      : [`every user of this machine can read --token in the process list; use --token-file or ${tokenVariable}.`]),
    ...(isLoopback(host) || trustProxy
      ? []
      : [
          `the API is served as plain HTTP on ${plain(host)}, so tokens can be read on the network. Put a proxy with TLS in front of it and name the proxy with --trust-proxy.`,
        ]),
    ...(dns === undefined || !isPublic(readAddress(dns).host)
      ? []
      : [
          "names are answered on a public address. Keep this server a hidden primary, with BIND, Knot or NSD as secondaries that the world asks.",
        ]),
  ];
}

function keyOptions(context: Context, options: ServeOptions): Keys {
  const { dns, secondary = [], tsigKey, keyFor = [] } = options;
  // What is imported needs no name service, and may need a key.
  if (dns === undefined && (secondary.length > 0 || (tsigKey !== undefined && keyFor.length === 0)))
    throw new ProblemError(problem("usage", "--secondary and --tsig-key are for --dns."));
  return readKeyOptions(context, options);
}

function readNumber(what: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ProblemError(problem("usage", `${what}, not ${plain(text)}.`));
}

/** Responses by UDP that a network gets in a second, where the world may ask. */
const usualResponses = 200;

function nameOptions({ dns, secondary = [], dnsRateLimit, nsid }: ServeOptions, keys: Keys): NameOptions | undefined {
  if (dns === undefined) {
    if (dnsRateLimit !== undefined || nsid !== undefined)
      throw new ProblemError(problem("usage", "--dns-rate-limit and --nsid are for --dns."));
    return undefined;
  }
  const address = readAddress(dns);
  const usual = isLoopback(address.host) ? 0 : usualResponses;
  const perSecond =
    dnsRateLimit === undefined
      ? usual
      : readNumber("--dns-rate-limit is a number of responses in a second", dnsRateLimit);
  if (nsid !== undefined && (nsid === "" || Buffer.byteLength(nsid) > 128))
    throw new ProblemError(problem("usage", "--nsid is a text of 1 to 128 octets."));
  return {
    ...address,
    secondaries: secondary.map(readSecondary),
    ...keys,
    perSecond: perSecond === 0 ? undefined : perSecond,
    nsid,
  };
}

function network(flag: string): (text: string) => Network {
  return (text) => {
    const read = readNetwork(text);
    if (read) return read;
    throw new ProblemError(
      problem("usage", `${flag} is a network or an address such as 10.0.0.0/8 or fd00::/8, not ${plain(text)}.`),
    );
  };
}

function shownPlace({ place }: Store, { data = usualData, ephemeral }: DatabaseOptions): string {
  if (ephemeral) return "from memory";
  return isUrl(place) ? place : data;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** The token to show: of a store that has none yet, and when nobody chose one. */
async function firstToken(context: Context, store: Store, chosen: string | undefined): Promise<string | undefined> {
  const wanted = { username: firstUser, now: context.now() };
  if (chosen === undefined) return (await hasTokens(store)) ? undefined : createToken(store, wanted);
  await createToken(store, { ...wanted, token: chosen });
  return undefined;
}
