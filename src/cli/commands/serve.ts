import { isIP } from "node:net";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { catalogName } from "../../config/target-kinds.ts";
import { recordsSettings } from "../../contract/records-setting.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { ProblemError, usageError } from "../../diagnostics/problem.ts";
import { plainAddress } from "../../dns/name/address.ts";
import { asName, isSameName, type Name } from "../../dns/name/name.ts";
import { readKeys } from "../../dns/transfer/key-file.ts";
import type { Key } from "../../dns/transfer/tsig.ts";
import { readServerAddress, type ServerAddress } from "../../dns-client/server-address.ts";
import { briefText } from "../../report/text/problem-text.ts";
import { createFirstToken, createToken } from "../../server/areas/account/tokens-operator.ts";
import { hasPasswords } from "../../server/areas/account/users-operator.ts";
import { isMailAddress } from "../../server/areas/mail/mail-address.ts";
import { openMaildir } from "../../server/areas/mail/maildir.ts";
import { readCatalog } from "../../server/catalog/read.ts";
import type { Catalog } from "../../server/catalog/schema.ts";
import type { Access } from "../../server/http/access-log.ts";
import { requireFreePort } from "../../server/http/node.ts";
import { isLoopback, isPublic, type Network, readNetwork } from "../../server/kit/allowed-networks.ts";
import { isHostname } from "../../server/kit/name.ts";
import { defaultRate, listRateFor } from "../../server/kit/rate-limit.ts";
import { keyFor } from "../../server/kit/remote.ts";
import { isKeyFailure } from "../../server/kit/secrets.ts";
import type { NameServiceOptions } from "../../server/serve-names.ts";
import { type Service, type ServiceOptions, startService } from "../../server/service.ts";
import { isUrl, type Store } from "../../server/store/store.ts";
import { defaultUrl } from "../../workflow/connect/connect-api.ts";
import { readFileOctets, readOctetsIfPresent, readText } from "../../workflow/project/files.ts";
import { internalErrorText } from "../../workflow/project/internal-error.ts";
import { toName } from "../../workflow/project/project.ts";
import { choice, defineCommand, flag, list, type Options, text } from "../command.ts";
import {
  type DatabaseOptions,
  databasePlace,
  dataFlagOf,
  dataFlags,
  defaultData,
  firstUser,
  secretKeyReader,
  secretKeyVariable,
  withStore,
} from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { jobTimeFlag, readJobTime } from "../job-time.ts";
import { readNumber } from "../read-number.ts";
import type { Terminal } from "../terminal.ts";

const flags = {
  port: text("<number>", "port to listen on; 0 picks a free one", "4119"),
  host: text("<address>", "address to listen on", "127.0.0.1"),
  ...dataFlags,
  token: text("<token>", "also accept this token, and create none at the first start; the process list shows it"),
  tokenFile: text("<file>", "like --token, read from a file; or set ZONEWRIGHT_SERVE_TOKEN"),
  noFirstToken: flag("create no token at the first start, which a log would keep"),
  ephemeral: flag("keep the database in memory"),
  noConsole: flag("serve no web pages at /, only the API and the sign-in of OAuth"),
  rateLimit: text(
    "<number>",
    "requests per user in two minutes (for lists in profile live, an eighth per minute); 0 disables the limit (default: 1600, on loopback 0)",
  ),
  renderDelay: text("<seconds>", "delay between the first change of a zone and serving it", "0"),
  jobTime: jobTimeFlag,
  accessLog: flag("log each request as a line of JSON on standard error"),
  metrics: flag(
    "serve /metrics for Prometheus to all who reach the port (default: on loopback, to programs on this machine)",
  ),
  trustProxy: list("<network>", "accept X-Forwarded-For from proxies in this network; repeatable"),
  transferFrom: list(
    "<network>",
    "allow transfers from, and NOTIFY to, this private network (such as 10.0.0.0/8) at any port; repeatable",
  ),
  probeTo: list(
    "<network>",
    "let managed monitoring probe this network (such as 10.0.0.0/8) beside public addresses; repeatable",
  ),
  resolver: list(
    "<address>",
    "resolver (ADDRESS or ADDRESS:PORT) that is asked for the targets of ALIAS records, the first one first (default: those of the system); repeatable",
  ),
  aliasTo: list(
    "<network>",
    "let ALIAS records have addresses of this private network (such as 10.0.0.0/8) beside public ones; repeatable",
  ),
  mail: text("<folder>", "write mail, such as of managed monitoring, into this folder as a Maildir, for a mail server"),
  mailFrom: text("<address>", "sender of the mail (default: zonewright@ and the name of this host)"),
  allowPublicSuffixes: flag("accept domains that are public suffixes, such as co.uk or in-addr.arpa"),
  authUrl: text(
    "<url>",
    "address at which browsers reach the sign-in, if a proxy changes it, such as https://dns.example.com",
  ),
  surveyLink: text("<url>", "exit survey that the reply to the cancellation of an account names"),
  dns: text("<address:port>", "also serve DNS at this address, over UDP and TCP"),
  dnsRateLimit: text(
    "<number>",
    "UDP responses per second to one network (/24, /56); 0 disables the limit (default: 200, on loopback 0)",
  ),
  dnsZonesInMemory: text("<number>", "zones that the name server keeps in memory (default: 10000)"),
  dnsMemory: text("<MiB>", "estimated memory for these zones (default: 128)"),
  slaveRecords: text("<number>", "records that a slave zone may have (default: 60000)"),
  nsid: text("<text>", "answer to the NSID option (default: the first name server)"),
  nameserver: list("<name>", "name server of all zones, the primary first; repeatable"),
  secondary: list(
    "<address>",
    "secondary (ADDRESS or ADDRESS:PORT) that may transfer every zone and receives NOTIFY; repeatable",
  ),
  dnsCatalog: text(
    "<name>",
    "catalog zone that lists all zones, from which the secondaries learn new ones (RFC 9432), such as catalog.example",
  ),
  tsigKey: text("<file>", "file of TSIG keys that may transfer every zone, as written by tsig-keygen"),
  keyFor: list("<address=key>", "sign requests to this address with this key of --tsig-key; repeatable"),
  profile: choice(
    "<name>",
    ["documented", "live"],
    "behave as the specification, or as the hosted service where it differs",
    "documented",
  ),
  records: choice(
    "<name>",
    recordsSettings,
    "hold the record types and TTLs of the specification, or every type with any TTL",
    "documented",
  ),
  maxRecords: text("<number>", "records that a domain may have (default: 12000; with --records open a million)"),
  strictKeys: flag("with --profile live, refuse keys that the hosted service knows and this server does not"),
  catalog: text(
    "<file>",
    "catalogue of regions, types, images, kernels and prices (default: catalog.yaml in the data folder, if it exists)",
  ),
};
type ServeOptions = Options<typeof flags>;

/** `zonewright serve`: runs the API server until it is interrupted. */
export const serveCommand = defineCommand({
  example: `  zonewright serve                           on http://127.0.0.1:4119
  zonewright serve --ephemeral --port 0 --token secret-for-tests
`,
  flags,
  async run(terminal, _, options) {
    const token = readOwnToken(terminal, options);
    if (options.ephemeral && options.noFirstToken && token === undefined)
      throw usageError(
        `--ephemeral with --no-first-token leaves no way to create a token. Add --token-file, or set ${tokenVariable}.`,
      );
    const own = readOwnCatalog(terminal, options);
    const serviceOptions = readServiceOptions(terminal, options);
    const { host, port, dns } = serviceOptions;
    const sender = readSender(options);
    await requireFreePort({ host, port }); // before a database is created
    const mail =
      options.mail === undefined ? undefined : { maildir: openMaildir(resolve(terminal.cwd, options.mail)), sender };
    return withStore(terminal, options, async (store, clock) => {
      let first: string | undefined;
      const service = await startService({
        ...serviceOptions,
        store,
        clock,
        ...(own && { catalog: own.catalog }),
        ...(mail && { mail }),
        // Only now, because it is shown only once.
        onStarted: async () => {
          if (token !== undefined || !options.noFirstToken) first = await firstToken(store, clock(), token);
        },
      });
      try {
        await announce(terminal, options, { store, service, own, dns, first, hasToken: token !== undefined });
        await waitForAbort(terminal.signal);
        terminal.log("finishing the requests under way\n");
      } finally {
        await service.close();
      }
      return exitCode.done;
    });
  },
});

/** Options of the service that flags set. @throws {ProblemError} `usage`, `file-read` */
function readServiceOptions(terminal: Terminal, options: ServeOptions) {
  const { host, profile, strictKeys = false, maxRecords } = options;
  const requests = requestLimit(options);
  const renderDelay = readNumber("--render-delay", options.renderDelay, 0);
  const port = readPort(options);
  if (strictKeys && profile !== "live") throw usageError("--strict-keys needs --profile live.");
  const jobDriver = readJobTime(options.jobTime);
  const surveyLink = readSurveyLink(options);
  const authUrl = readAuthUrl(options);
  const { keys, keyFor } = keyOptions(terminal, options);
  const dns = dnsOptions(options, keys);
  const secretKey = secretKeyReader(terminal, options);
  return {
    host,
    port,
    proxies: readNetworks("--trust-proxy", options.trustProxy),
    profile,
    records: options.records,
    ...(maxRecords !== undefined && { mostRecords: readNumber("--max-records", maxRecords, 1) }),
    renderDelay,
    jobDriver,
    hasConsole: !(options.noConsole ?? false),
    allowsPublicSuffixes: options.allowPublicSuffixes ?? false,
    refusesUnservedKeys: strictKeys,
    surveyLink,
    ...(authUrl !== undefined && { authUrl }),
    ...(secretKey && { secretKey }),
    ...(options.nameserver && { nameservers: options.nameserver }),
    catalogZone: readCatalogZone(options),
    ...(requests > 0 && { rateLimit: { ...defaultRate, requests } }),
    ...(requests > 0 && profile === "live" && { listLimit: listRateFor(requests) }),
    ...(options.accessLog && {
      onAccess: (access: Access) => terminal.log(`${JSON.stringify(access)}\n`, "exact"),
    }),
    ...(options.metrics && { metrics: true }),
    transferNetworks: readNetworks("--transfer-from", options.transferFrom),
    probeNetworks: readNetworks("--probe-to", options.probeTo),
    aliases: {
      networks: readNetworks("--alias-to", options.aliasTo),
      ...(options.resolver && { resolvers: options.resolver.map((text) => readServerFlag("--resolver", text)) }),
    },
    keyFor,
    ...(dns && { dns }),
    log: (line: string) => terminal.log(`${escapeControl(line)}\n`),
    onError: (error: unknown) => terminal.log(`${failureText(terminal, error)}\n`),
  };
}

/** @throws {ProblemError} `usage` */
function readCatalogZone({ dnsCatalog, dns, secondary, tsigKey }: ServeOptions): Name | undefined {
  if (dnsCatalog === undefined) return undefined;
  if (!catalogName.test(dnsCatalog))
    throw usageError(
      `--dns-catalog must be the name of a zone, such as catalog.example, not "${escapeControl(dnsCatalog)}".`,
    );
  if (dns === undefined || (secondary === undefined && tsigKey === undefined))
    throw usageError("--dns-catalog requires --dns, and --secondary or --tsig-key: others may not transfer it.");
  return toName(dnsCatalog);
}

function readPort({ port }: ServeOptions): number {
  const read = /^\d{1,5}$/.test(port) ? Number(port) : Number.NaN;
  if (read <= 65535) return read;
  throw usageError(`--port must be a number from 0 to 65535, not "${escapeControl(port)}".`);
}

/** An unexpected error, in one line. */
function failureText(terminal: Terminal, error: unknown): string {
  if (error instanceof ProblemError)
    return escapeControl(error.problems.map((one) => briefText(one, "cli")).join("; "));
  return isKeyFailure(error) ? escapeControl(error.message) : internalErrorText(terminal, error);
}

interface Started {
  readonly store: Store;
  readonly service: Service;
  readonly own: { readonly file: string } | undefined;
  readonly dns: ServerAddress | undefined;
  /** The first token of the database, if it had none. */
  readonly first: string | undefined;
  /** Whether the operator chose a token. */
  readonly hasToken: boolean;
}

/** Prints what runs, and the first token. */
async function announce(terminal: Terminal, options: ServeOptions, started: Started): Promise<void> {
  const { store, service, own, dns, first, hasToken } = started;
  // passwords are set from another process, which cannot reach a database in memory
  const advice = options.noConsole || options.ephemeral ? undefined : await passwordAdvice(terminal, store, options);
  terminal.print(`${service.url}\n`);
  terminal.log(`data: ${shownPlace(store, options)} (Ctrl-C stops the server)\n`);
  if (advice !== undefined) terminal.log(`console: ${service.url}/${advice}\n`);
  if (dns) {
    const server = `${dns.host.includes(":") ? `[${dns.host}]` : dns.host}:${service.dnsPort}`;
    terminal.log(`names are answered on ${server}; check them with \`zonewright verify --nameserver ${server}\`\n`);
  }
  if (options.records === "open") terminal.log("records: open, of every type and with any TTL\n");
  if (own) terminal.log(`catalogue: ${escapeControl(own.file)}\n`);
  for (const warning of warningsOf(terminal, options)) terminal.log(`warning: ${warning}\n`);
  if (first !== undefined) {
    const url = service.url === defaultUrl ? "" : `export ZONEWRIGHT_API_URL=${service.url}\n`;
    terminal.log(
      `first token, of user "${firstUser}", shown only once. Paste this into another terminal:\n\n${url}export ZONEWRIGHT_TOKEN=${first}\n\n`,
    );
  } else if (!hasToken) {
    const create = `\`zonewright server token create${dataFlagOf(options)}\``;
    terminal.log(
      options.noFirstToken ? `${create} creates a token\n` : `tokens exist already; ${create} creates another one\n`,
    );
  }
}

/** The environment variable with a token for `serve`; the client's may contain a token of another service. */
const tokenVariable = "ZONEWRIGHT_SERVE_TOKEN";

/**
 * Reads the token chosen by the operator: from `--token`, from the file of `--token-file`, or from the environment.
 * @throws {ProblemError} `usage`, `file-read`
 */
function readOwnToken({ cwd, env }: Terminal, { token, tokenFile }: ServeOptions): string | undefined {
  if (token !== undefined && tokenFile !== undefined) throw usageError("use either --token or --token-file, not both.");
  const fromFile =
    tokenFile === undefined ? undefined : readText(cwd, tokenFile, "Name a file that contains the token.").trim();
  const source = tokenFile !== undefined ? "--token-file" : token !== undefined ? "--token" : tokenVariable;
  const chosen = fromFile ?? token ?? (env[tokenVariable]?.trim() || undefined);
  if (chosen !== undefined && !/^[!-~]+$/.test(chosen))
    throw usageError(`the token of ${source} must be one word of printable ASCII characters.`);
  return chosen;
}

function readSurveyLink({ surveyLink = "" }: ServeOptions): string {
  if (surveyLink === "" || (/^https?:[!-~]+$/i.test(surveyLink) && URL.canParse(surveyLink))) return surveyLink;
  throw usageError(
    `--survey-link must be a URL, such as https://example.com/survey, not "${escapeControl(surveyLink)}".`,
  );
}

/** The origin of `--auth-url`: forms lead to paths below it. @throws {ProblemError} `usage` */
function readAuthUrl({ authUrl }: ServeOptions): string | undefined {
  if (authUrl === undefined) return undefined;
  if (/^https?:\/\/[!-~]+$/i.test(authUrl) && URL.canParse(authUrl)) {
    const { origin, href } = new URL(authUrl);
    if (href === `${origin}/`) return origin;
  }
  throw usageError(
    `--auth-url must be a scheme and a host, such as https://dns.example.com, not "${escapeControl(authUrl)}".`,
  );
}

/**
 * The address that mail comes from.
 * @throws {ProblemError} `usage`
 */
function readSender({ mail, mailFrom }: ServeOptions): string {
  if (mailFrom === undefined) return `zonewright@${isHostname(hostname()) ? hostname() : "localhost"}`;
  if (mail === undefined) throw usageError("--mail-from requires --mail.");
  if (isMailAddress(mailFrom)) return mailFrom;
  throw usageError(`--mail-from must be an e-mail address, such as dns@example.com, not "${escapeControl(mailFrom)}".`);
}

/** The name of a catalogue in the data folder. */
const catalogFile = "catalog.yaml";

/**
 * Reads the catalogue of `--catalog`, or else of the data folder; undefined if there is none, so that the embedded one
 * is served.
 * @throws {ProblemError} `file-read`, or all errors of the file
 */
function readOwnCatalog(terminal: Terminal, options: ServeOptions): { file: string; catalog: Catalog } | undefined {
  if (options.catalog !== undefined) {
    const octets = readFileOctets(terminal.cwd, options.catalog, "Name a catalogue file.");
    return { file: options.catalog, catalog: readCatalog(options.catalog, octets) };
  }
  const place = databasePlace(terminal, options);
  if (place === ":memory:" || isUrl(place)) return undefined;
  const file = join(options.data ?? defaultData, catalogFile);
  const octets = readOctetsIfPresent(terminal.cwd, file);
  return octets && { file, catalog: readCatalog(file, octets) };
}

/** Whether there is no key to sign forms with: servers of a PostgreSQL database have it in the environment only. */
function lacksSecretKey(terminal: Terminal, options: DatabaseOptions): boolean {
  return !terminal.env[secretKeyVariable]?.trim() && isUrl(databasePlace(terminal, options));
}

/** Warnings about options that are safe only with further measures. */
function warningsOf(terminal: Terminal, options: ServeOptions): string[] {
  const { token, host, trustProxy, dns } = options;
  return [
    ...(lacksSecretKey(terminal, options)
      ? [
          `users cannot sign in, because ${secretKeyVariable} is not set. Set it to the same 64 hexadecimal digits on all servers of the database; \`openssl rand -hex 32\` prints new ones.`,
        ]
      : []),
    ...(token === undefined
      ? []
      : [`every user of this machine can read --token in the process list; use --token-file or ${tokenVariable}.`]),
    ...(isLoopback(host) || trustProxy
      ? []
      : [
          `the API is served as plain HTTP on ${escapeControl(host)}, so tokens can be read on the network. Put a proxy with TLS and limits in front of it (\`zonewright help operate.md\` has examples), and name it with --trust-proxy.`,
        ]),
    ...(dns === undefined || !isPublic(readAddress(dns).host)
      ? []
      : [
          "DNS is served on a public address. Run this server as a hidden primary, with BIND, Knot or NSD as public secondaries.",
        ]),
  ];
}

type Keys = Required<Pick<NameServiceOptions, "keys" | "keyFor">>;

function keyOptions(terminal: Terminal, options: ServeOptions): Keys {
  const { dns, secondary = [], tsigKey, keyFor = [] } = options;
  // Imports need no name service, but may need a key.
  if (dns === undefined && (secondary.length > 0 || (tsigKey !== undefined && keyFor.length === 0)))
    throw usageError("--secondary and --tsig-key require --dns.");
  return readKeyOptions(terminal, options);
}

/**
 * The keys of `--tsig-key`, and those that `--key-for` chooses among them.
 * @throws {ProblemError} `usage`, `tsig-key`, `file-read`
 */
function readKeyOptions({ cwd }: Terminal, { tsigKey, keyFor: chosen = [] }: ServeOptions): Keys {
  if (tsigKey === undefined && chosen.length > 0)
    throw usageError("--key-for requires --tsig-key, the file with the key.");
  const keys = tsigKey === undefined ? [] : readKeys(readText(cwd, tsigKey, "Name a file with TSIG keys."), tsigKey);
  const byAddress = new Map<string, Key>();
  for (const text of chosen) {
    const [, address = "", name = ""] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (isIP(address) === 0 || address.includes("%"))
      throw usageError(
        `--key-for must be ADDRESS=KEY, such as 192.0.2.1=transfer.example.net, not "${escapeControl(text)}".`,
      );
    const key = keys.find((key) => isSameName(key.name, asName(name.replace(/\.?$/, "."))));
    if (key === undefined)
      throw usageError(`--key-for ${escapeControl(text)}: ${escapeControl(tsigKey ?? "")} does not contain this key.`);
    if (byAddress.has(plainAddress(address))) throw usageError(`--key-for names ${escapeControl(address)} twice.`);
    byAddress.set(plainAddress(address), key);
  }
  return { keys, keyFor: keyFor(byAddress) };
}

/**
 * The limit of requests in two minutes; 0 is none. A server for this machine alone has no others to protect, unless a
 * proxy passes on requests from elsewhere.
 */
function requestLimit({ rateLimit, host, trustProxy }: ServeOptions): number {
  if (rateLimit !== undefined) return readNumber("--rate-limit", rateLimit, 0);
  return isLoopback(host) && !trustProxy ? 0 : defaultRate.requests;
}

/** Default limit of UDP responses per second to one network, for public addresses. */
const defaultResponses = 200;

function dnsOptions(
  { dns, secondary = [], dnsRateLimit, nsid, slaveRecords, dnsZonesInMemory, dnsMemory }: ServeOptions,
  keys: readonly Key[],
): (NonNullable<ServiceOptions["dns"]> & ServerAddress) | undefined {
  if (dns === undefined) {
    if ([dnsRateLimit, nsid, slaveRecords, dnsZonesInMemory, dnsMemory].some((value) => value !== undefined))
      throw usageError(
        "--dns-rate-limit, --nsid, --slave-records, --dns-zones-in-memory and --dns-memory require --dns.",
      );
    return undefined;
  }
  const address = readAddress(dns);
  const usual = isLoopback(address.host) ? 0 : defaultResponses;
  const perSecond = dnsRateLimit === undefined ? usual : readNumber("--dns-rate-limit", dnsRateLimit, 0);
  if (nsid !== undefined && (nsid === "" || Buffer.byteLength(nsid) > 128))
    throw usageError("--nsid must be a text of 1 to 128 octets.");
  return {
    ...address,
    secondaries: secondary.map((text) => readServerFlag("--secondary", text)),
    keys,
    perSecond: perSecond === 0 ? undefined : perSecond,
    nsid,
    zonesInMemory: {
      ...(dnsZonesInMemory !== undefined && { zones: readNumber("--dns-zones-in-memory", dnsZonesInMemory, 1) }),
      ...(dnsMemory !== undefined && { octets: readNumber("--dns-memory", dnsMemory, 1) * 2 ** 20 }),
    },
    ...(slaveRecords !== undefined && { slaveRecords: readNumber("--slave-records", slaveRecords, 1) }),
  };
}

/** `127.0.0.1:5300`, `[::1]:5300` */
function readAddress(text: string): ServerAddress {
  const address = readServerAddress(text);
  if (address && isIP(address.host) > 0 && isIP(text) === 0 && /:\d+$/.test(text)) return address;
  throw usageError(
    `--dns must be an address and a port, such as 127.0.0.1:5300 or [::1]:5300, not "${escapeControl(text)}".`,
  );
}

/** An address, with or without a port. */
function readServerFlag(flag: string, text: string): ServerAddress {
  const address = readServerAddress(text);
  if (address && isIP(address.host) > 0 && address.port > 0) return address;
  throw usageError(
    `${flag} must be an address, such as 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53, not "${escapeControl(text)}".`,
  );
}

function readNetworks(flag: string, texts: readonly string[] = []): Network[] {
  return texts.map((text) => {
    const read = readNetwork(text);
    if (read) return read;
    throw usageError(
      `${flag} must be a network or an address, such as 10.0.0.0/8 or fd00::/8, not "${escapeControl(text)}".`,
    );
  });
}

function shownPlace({ place }: Store, { data = defaultData, ephemeral }: DatabaseOptions): string {
  return ephemeral ? "in memory only" : escapeControl(isUrl(place) ? place : data);
}

/** Advice for the first sign-in; empty once a user has a password, and while no user can sign in. */
async function passwordAdvice(terminal: Terminal, store: Store, options: DatabaseOptions): Promise<string> {
  if (lacksSecretKey(terminal, options) || (await hasPasswords(store))) return "";
  return ` (first set a password: \`zonewright server user password ${firstUser}${dataFlagOf(options)}\`)`;
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Creates the first token of a store and returns it to be shown, unless the operator chose one. */
async function firstToken(store: Store, now: Date, chosen: string | undefined): Promise<string | undefined> {
  const wanted = { username: firstUser, now };
  if (chosen === undefined) return createFirstToken(store, wanted);
  await createToken(store, { ...wanted, token: chosen });
  return undefined;
}
