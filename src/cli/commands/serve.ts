import { plain } from "../../diagnostics/plain.ts";
import type { Access } from "../../server/access-log.ts";
import { listen } from "../../server/node.ts";
import { usualListRate, usualRate } from "../../server/rate-limit.ts";
import { type Network, reachOf, readNetwork } from "../../server/reach.ts";
import { createRemote, type Remote } from "../../server/remote.ts";
import { createServer, type ServerOptions } from "../../server/server.ts";
import { isUrl, type Store, StoreFailure } from "../../server/store/store.ts";
import { createToken, hasTokens } from "../../server/tokens.ts";
import type { Context } from "../context.ts";
import { type DatabaseOptions, usualData, withStore } from "../database.ts";
import { type ExitCode, exitCode, UsageError } from "../exit-code.ts";
import { unknownText } from "../tell.ts";
import { type KeyOptions, type Keys, readKeyOptions } from "./serve-keys.ts";
import { type NameOptions, readAddress, readSecondary, serveNames } from "./serve-names.ts";
import { firstUser } from "./token.ts";

export interface ServeOptions extends DatabaseOptions, KeyOptions {
  readonly port: string;
  readonly host: string;
  readonly token?: string;
  readonly rateLimit: string;
  readonly renderDelay: string;
  readonly accessLog?: boolean;
  readonly profile: "documented" | "live";
  readonly dns?: string;
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
  if (!(port <= 65535)) throw new UsageError(`--port is a number from 0 to 65535, not ${plain(options.port)}.`);
  if (options.token !== undefined && !/^[!-~]+$/.test(options.token))
    throw new UsageError("--token is one word of ASCII letters, digits and signs.");
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
      ...(options.nameserver && { nameservers: options.nameserver }),
      ...(requests > 0 && { rateLimit: { ...usualRate, requests } }),
      ...(requests > 0 && options.profile === "live" && { listLimit: usualListRate }),
      ...(options.accessLog && { onAccess: (access: Access) => context.talk(`${JSON.stringify(access)}\n`) }),
      onError: (error) =>
        context.talk(`${error instanceof StoreFailure ? plain(error.message) : unknownText(context, error)}\n`),
    };
    const api = await listen(createServer(settings), { host: options.host, port, proxies });
    const open: { close(): Promise<unknown> }[] = [api];
    try {
      const names = dns && (await serveNames(context, settings, dns));
      if (names) open.push(names);
      const first = await firstToken(context, store, options.token); // not before the port is ours: it is shown only once
      context.out(`${api.url}\n`);
      if (names) context.talk(`names are answered on ${names.address}\n`);
      context.talk(`zonewright serves ${shownPlace(store, options)}; Ctrl-C stops it\n`);
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

function keyOptions(context: Context, options: ServeOptions): Keys {
  const { dns, secondary = [], tsigKey, keyFor = [] } = options;
  // What is imported needs no name service, and may need a key.
  if (dns === undefined && (secondary.length > 0 || (tsigKey !== undefined && keyFor.length === 0)))
    throw new UsageError("--secondary and --tsig-key are for --dns.");
  return readKeyOptions(context, options);
}

function readNumber(what: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${what}, not ${plain(text)}.`);
}

function nameOptions({ dns, secondary = [] }: ServeOptions, keys: Keys): NameOptions | undefined {
  return dns === undefined ? undefined : { ...readAddress(dns), secondaries: secondary.map(readSecondary), ...keys };
}

function network(flag: string): (text: string) => Network {
  return (text) => {
    const read = readNetwork(text);
    if (read) return read;
    throw new UsageError(`${flag} is a network or an address such as 10.0.0.0/8 or fd00::/8, not ${plain(text)}.`);
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
