import { randomBytes } from "node:crypto";
import { mostOpenRecords, mostRecords } from "../contract/bounds.ts";
import { isList } from "../contract/endpoint.ts";
import { type ApiErrorEntry, reasons } from "../contract/errors.ts";
import { openApi } from "../contract/openapi.ts";
import { openApi30 } from "../contract/openapi-3.0.ts";
import type { RecordsSetting } from "../contract/resources/open-record.ts";
import { liveSentence } from "../contract/words.ts";
import { problemError } from "../diagnostics/problem.ts";
import type { Name } from "../dns/name/name.ts";
import { unsetNameservers } from "../dns/zone/zone.ts";
import { monthTurns } from "./areas/billing/invoices.ts";
import { defaultTextRoom } from "./areas/domains/domain-rules.ts";
import { automaticBackups } from "./areas/nodes/jobs/automatic-backups.ts";
import { endsOfNodeJobs } from "./areas/nodes/jobs/settle.ts";
import { endsOfVolumeJobs } from "./areas/nodes/jobs/volumes.ts";
import { OAuth } from "./areas/oauth/answer.ts";
import { dueTransfers } from "./areas/transfers/due-transfers.ts";
import { embeddedCatalog } from "./catalog/embedded.ts";
import type { Catalog } from "./catalog/schema.ts";
import { answerConsole, failConsole } from "./console/console.ts";
import { settleFor } from "./entities/callers.ts";
import type { Caller, Context, Profile, PublicContext, Settings } from "./entities/context.ts";
import { type Access, describeAccess } from "./http/access-log.ts";
import { authorize, senderOf, TokenOwners, tokenHashIn } from "./http/auth.ts";
import { handlers } from "./http/handlers.ts";
import { readInput } from "./http/input.ts";
import { Lanes, RequestTurns, type Sender } from "./http/lanes.ts";
import {
  describeFailure,
  type HttpReply,
  headersOf,
  type RequestFacts,
  readResponse,
  replyWithText,
  respond,
} from "./http/reply.ts";
import {
  type Connection,
  createRouter,
  type Destination,
  type EndpointCall,
  type OpenApiVersion,
  type Server,
} from "./http/router.ts";
import { errorEntry, notFound, ObjectRefusal, Refusal } from "./kit/api-error.ts";
import { FairLimiter } from "./kit/fair-limiter.ts";
import { Health } from "./kit/health.ts";
import { defaultJobTime, type JobDriver, simulatedDriver } from "./kit/job-driver.ts";
import type { JobKinds } from "./kit/job-kinds.ts";
import { isHost } from "./kit/name.ts";
import { networkOf } from "./kit/network.ts";
import { ownRateFor, type RateLimit, rateLimiter, requireWithinLimit } from "./kit/rate-limit.ts";
import type { Remote } from "./kit/remote.ts";
import { RenderWaits } from "./kit/render-waits.ts";
import { type ApiRequest, pathOf } from "./kit/request.ts";
import { isKeyFailure, Secrets, secretKeyOctets } from "./kit/secrets.ts";
import type { ServiceMetrics } from "./serve-metrics.ts";
import type { Store } from "./store/store.ts";
import type { WebFailure } from "./web/failure.ts";
import { makeOnce, type PublicText, publicText } from "./web/public-text.ts";

export interface ServerOptions {
  readonly store: Store;
  readonly clock: () => Date;
  /** A monotonic clock in milliseconds, for waits; `performance.now` by default. */
  readonly monotonic?: () => number;
  /** `documented` by default. */
  readonly profile?: Profile;
  /** The records that domains may have; `documented` by default. */
  readonly records?: RecordsSetting;
  /** Regions, types, images, kernels and prices (`readCatalog`); the embedded catalogue by default. */
  readonly catalog?: Catalog;
  /** Names of the service's name servers, the primary first; by default two names that do not resolve. */
  readonly nameservers?: readonly string[];
  /** The catalog zone that the name service serves, for secondaries of all zones (RFC 9432); none by default. */
  readonly catalogZone?: Name | undefined;
  /** Seconds from a change of a zone to its rendering; 0 by default. */
  readonly renderDelay?: number;
  /** The maximum number of records of a domain; by default 12,000, and a million if records are open. */
  readonly mostRecords?: number;
  /** Limit on the octets of all long targets of a domain together; `defaultTextRoom` by default. */
  readonly textRoom?: number;
  /** Whether domains may be public suffixes, such as `co.uk` or `in-addr.arpa`; false by default. */
  readonly allowsPublicSuffixes?: boolean;
  /** AXFR client (`createRemote` in production); without it, imports are refused. */
  readonly remote?: Remote;
  /**
   * Reads the 32 octets of the key that signs forms, at first need. All servers of a database must
   * have the same; the default is a random one.
   */
  readonly secretKey?: () => Uint8Array;
  /** Whether the web pages at / are served; false by default. */
  readonly hasConsole?: boolean;
  /**
   * Whether requests with keys that the hosted service knows and this server does not are refused, in profile live;
   * false by default: such keys are named in the header `X-Ignored-Keys`.
   */
  readonly refusesUnservedKeys?: boolean;
  /** @internal The ends of jobs, by kind, beside those of nodes. */
  readonly jobKinds?: JobKinds;
  /** Driver of the jobs of nodes; `simulatedDriver(0.1)` by default. */
  readonly jobDriver?: JobDriver;
  /**
   * Origin at which browsers reach the pages of OAuth, such as `https://dns.example.com`, if it is not that of their
   * requests.
   */
  readonly authUrl?: string;
  /** URL of the exit survey that the reply to a cancellation of an account names; none by default. */
  readonly surveyLink?: string;
  /** No limit by default. */
  readonly rateLimit?: RateLimit;
  /** Limit on lists in a window of their own; by default they count as all requests. */
  readonly listLimit?: RateLimit;
  /** @internal What the probes of /healthz and /readyz see, beside the database. */
  readonly health?: Health;
  /** @internal Counts requests and replies to `GET /metrics`; without it, there is no such path. */
  readonly metrics?: ServiceMetrics;
  /** Called for every request once its reply is known. */
  readonly onAccess?: (access: Access) => void;
  /** Called for every unexpected error; by default it is written to standard error. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Limits on the zones that are transferred for imports at once, in total and per account: each may take memory, and
 * half a minute if the primary is slow.
 */
const mostImports = { all: 8, ofAccount: 4 };

/**
 * The API as a function, routed by the table of endpoints (decisions/service#replies).
 * @throws {ProblemError} `nameservers` if they are not valid in a zone.
 */
export function createServer(options: ServerOptions): Server {
  const { monotonic = defaultMonotonic, onAccess, metrics } = options;
  const settings = readServerSettings(options);
  const lanes = new Lanes(settings.store);
  const tokens = new TokenOwners(settings, (owner) => lanes.gather(owner));
  const counterOf = createCounters(options);
  const answers = new Answers(settings, { lanes, tokens, counterOf }, options);
  const routing = { ...settings, metricsReaders: metrics?.readers ?? "none" };
  const router = createRouter(routing, async (request, connection, destination) => {
    const { remoteAddress, isEncrypted, began = monotonic() } = connection;
    const now = options.clock();
    const facts: RequestFacts = {
      profile: settings.profile,
      records: settings.records,
      accepted: destination.kind === "endpoint" ? destination.endpoint.scope : null,
      caller: undefined,
      rateLimitState: counterOf(destination)(undefined, now),
      methods: destination.kind === "other method" ? destination.methods : undefined,
      ignored: [],
    };
    const reply = await (destination.kind === "oauth" || destination.kind === "console"
      ? answers.replyOfPage(destination, request, {
          ...settings,
          now,
          remoteAddress,
          isEncrypted,
          signal: request.signal,
        })
      : answers.replyOfApi(request, destination, connection, { now, facts }));
    const took = monotonic() - began;
    metrics?.requests.count(destination, request, reply.status, took);
    if (destination.kind !== "unread")
      onAccess?.(describeAccess(request, reply.status, facts, { started: now, took, remoteAddress }));
    return reply;
  });
  const turns = new RequestTurns(monotonic);
  const takeTurn: Server["takeTurn"] = (tokenHash, remoteAddress, begin) => {
    const came = monotonic();
    turns.add(tokens.senderOf(tokenHash) ?? senderOf(undefined, remoteAddress()), () => begin(came));
  };
  return Object.assign(router, { takeTurn });
}

type Counter = ReturnType<typeof rateLimiter>;

/** The counters of requests, by their destinations. */
function createCounters({ rateLimit, listLimit }: ServerOptions): (destination: Destination) => Counter {
  const countRequest = rateLimiter(rateLimit);
  const countListRequest = listLimit ? rateLimiter(listLimit) : countRequest;
  const countersByLimit = {
    tickets: rateLimiter(rateLimit && ownRateFor("tickets", rateLimit)),
    transfers: rateLimiter(rateLimit && ownRateFor("transfers", rateLimit)),
  };
  return (destination) => {
    if (destination.kind !== "endpoint") return countRequest;
    const { endpoint } = destination;
    const { limit } = endpoint;
    if (limit !== undefined) return countersByLimit[limit];
    return isList(endpoint) ? countListRequest : countRequest;
  };
}

type PageDestination = Extract<Destination, { kind: "oauth" | "console" }>;

/** Makes the replies of the API and of its pages. */
class Answers {
  readonly #settings: Settings;
  readonly #lanes: Lanes;
  readonly #tokens: TokenOwners;
  readonly #counterOf: (destination: Destination) => Counter;
  readonly #health: Health;
  readonly #metrics: ServiceMetrics | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #oauth = new OAuth();
  readonly #openApiTexts: Readonly<Record<OpenApiVersion, () => PublicText>>;

  constructor(
    settings: Settings,
    { lanes, tokens, counterOf }: { lanes: Lanes; tokens: TokenOwners; counterOf: (to: Destination) => Counter },
    { health = new Health(), metrics, onError = console.error }: ServerOptions,
  ) {
    const { profile, records, authUrl } = settings;
    this.#settings = settings;
    this.#lanes = lanes;
    this.#tokens = tokens;
    this.#counterOf = counterOf;
    this.#health = health;
    this.#metrics = metrics;
    this.#onError = onError;
    this.#openApiTexts = {
      "3.0": makeOnce(() => publicText(JSON.stringify(openApi30(profile, authUrl, records)))),
      "3.1": makeOnce(() => publicText(JSON.stringify(openApi(profile, authUrl, records)))),
    };
  }

  /** Replies to a request, and adds the facts about it for the access log to `facts`. */
  async replyOfApi(
    request: ApiRequest,
    destination: Exclude<Destination, PageDestination>,
    { remoteAddress, tokenHash }: Connection,
    { now, facts }: { readonly now: Date; readonly facts: RequestFacts },
  ): Promise<HttpReply> {
    const { signal } = request;
    try {
      if (destination.kind === "health") {
        const { status, body } = await this.#health.reply(destination.probe, this.#settings.store, this.#onError);
        return respond(status, body, facts);
      }
      if (destination.kind === "metrics") {
        if (this.#metrics === undefined) throw notFound();
        return await this.#metrics.reply();
      }
      const authorization = request.headers.get("Authorization");
      const hash = authorization === null ? undefined : (tokenHash ?? tokenHashIn(authorization));
      const caller = await this.#tokens.identify(hash, now);
      facts.caller = caller;
      if (destination.kind !== "unread")
        facts.rateLimitState = this.#counterOf(destination)(caller?.username ?? networkOf(remoteAddress ?? ""), now);
      requireWithinLimit(facts.rateLimitState);
      if (destination.kind === "openapi")
        return replyWithText(this.#openApiTexts[destination.version](), headersOf(200, facts), request);
      const onIgnored = (keys: readonly string[]) => {
        facts.ignored = keys;
      };
      // The settings last: V8 makes a new hidden class for each key that follows a spread, every time.
      const context = { now, remoteAddress, signal, caller, lanes: this.#lanes, onIgnored, ...this.#settings };
      const body = await answer(request, destination, context);
      return respond(body === undefined ? 204 : 200, body, facts);
    } catch (error) {
      const worded = inWordsOf(destination, error, this.#settings.profile);
      const { status, body } = describeFailure(worded, this.#onError, signal);
      return respond(status, body, facts);
    }
  }

  /** Replies to a request outside of the API: pages, and tokens of OAuth, have forms and errors of their own. */
  async replyOfPage(destination: PageDestination, request: ApiRequest, context: PublicContext): Promise<HttpReply> {
    if (destination.kind === "oauth") return readResponse(await this.#answerOAuth(destination, request, context));
    const fail = (failure: WebFailure) => failConsole(failure, pathOf(request));
    try {
      const shown = await answerConsole(destination, request, context, async (caller, work) => {
        const excess = this.#excessOf(destination, caller?.username, context);
        if (excess) return fail(excess);
        return work(this.#lanes.storeFor(context.store, clientOf({ ...context, caller })));
      });
      return shown instanceof Response ? await readResponse(shown) : replyWithText(shown.text, shown.headers, request);
    } catch (error) {
      return readResponse(await fail(this.#failureOf(error, context)));
    }
  }

  async #answerOAuth(
    destination: Extract<Destination, { kind: "oauth" }>,
    request: ApiRequest,
    context: PublicContext,
  ): Promise<Response> {
    const { path } = destination;
    const excess = this.#excessOf(destination, undefined, context);
    if (excess) return this.#oauth.fail(path, excess, context);
    try {
      return await this.#oauth.answer(path, request, context);
    } catch (error) {
      return this.#oauth.fail(path, this.#failureOf(error, context), context);
    }
  }

  /** Counts a request of a page: the failure if it is over the limit of the user, or else of the network. */
  #excessOf(
    destination: Destination,
    username: string | undefined,
    { remoteAddress, now }: PublicContext,
  ): WebFailure | undefined {
    const state = this.#counterOf(destination)(username ?? networkOf(remoteAddress ?? ""), now);
    if (!state?.isExceeded) return undefined;
    return { status: 429, reason: reasons.tooManyRequests, retryAfter: state.retryAfter };
  }

  #failureOf(error: unknown, { signal }: PublicContext): WebFailure {
    const { status, body } = describeFailure(error, this.#onError, signal);
    const reason = body.errors.map(({ reason }) => reason).join(" ");
    return { status, reason, lacksKey: isKeyFailure(error) };
  }
}

/**
 * Reads the settings that the API and the name server share.
 * @throws {ProblemError} `nameservers`
 */
export function readServerSettings(options: ServerOptions): Settings {
  const {
    store,
    profile = "documented",
    records = "documented",
    nameservers,
    renderDelay = 0,
    monotonic = defaultMonotonic,
    textRoom,
    allowsPublicSuffixes = false,
    hasConsole = false,
    refusesUnservedKeys = false,
    remote,
    jobKinds,
    jobDriver = simulatedDriver(defaultJobTime),
  } = options;
  const { secretKey = () => temporaryKey, surveyLink = "", authUrl } = options;
  const catalog = inWords(profile, options.catalog ?? embeddedCatalog);
  const allJobKinds = { ...endsOfNodeJobs({ jobDriver, profile, catalog }), ...endsOfVolumeJobs, ...jobKinds };
  const otherWork = { jobKinds: allJobKinds, dueWork: [automaticBackups, monthTurns(catalog)], catalog };
  return {
    store,
    profile,
    records,
    catalog,
    nameservers: readNameservers(nameservers ?? unsetNameservers),
    catalogZone: options.catalogZone,
    renderDelay,
    waits: new RenderWaits(renderDelay * 1000, monotonic),
    mostRecords: options.mostRecords ?? (records === "open" ? mostOpenRecords : mostRecords),
    textRoom: textRoom ?? defaultTextRoom,
    hasConsole,
    refusesUnservedKeys,
    allowsPublicSuffixes,
    remote,
    imports: new FairLimiter(mostImports.all, mostImports.ofAccount),
    secrets: new Secrets(secretKey),
    jobKinds: allJobKinds,
    dueWork: [...otherWork.dueWork, dueTransfers(otherWork)],
    jobDriver,
    surveyLink,
    authUrl,
  };
}

/** The catalogue with the labels of types that replies and bills show. */
function inWords(profile: Profile, catalog: Catalog): Catalog {
  if (profile === "documented") return catalog;
  return { ...catalog, types: catalog.types.map((type) => ({ ...type, label: liveSentence(type.label) })) };
}

const defaultMonotonic = () => performance.now();

/** The key of servers without one of the operator. */
const temporaryKey = randomBytes(secretKeyOctets);

function readNameservers(names: readonly string[]): string[] {
  const absolute = names.map((name) => name.replace(/\.$/, ""));
  const invalid = absolute.find((name) => !isHost(name));
  if (absolute.length > 0 && invalid === undefined) return absolute;
  const summary = invalid === undefined ? "no name server is given" : `invalid name server "${invalid}"`;
  const fix = "Give the host names of the zones' name servers, for example ns1.example.net and ns2.example.net.";
  throw problemError("nameservers", summary, { fix });
}

/** `store` is replaced by that of the endpoint; a copy of all settings would take longer. */
type ServerContext = Omit<PublicContext, "store"> & {
  store: Store;
  readonly caller: Caller | undefined;
  readonly lanes: Lanes;
  readonly onIgnored: (keys: readonly string[]) => void;
};

async function answer(
  request: ApiRequest,
  destination: Exclude<Destination, { kind: "oauth" | "health" | "metrics" | "console" | "openapi" }>,
  context: ServerContext,
): Promise<unknown> {
  switch (destination.kind) {
    case "endpoint": {
      const { endpoint } = destination;
      const { caller, lanes, signal } = context;
      if (endpoint.scope !== null) authorize(caller, endpoint.scope, endpoint.who);
      const serve = () => serveEndpoint(request, destination, context);
      return endpoint.media ? lanes.runUpload(caller, serve, signal) : serve();
    }
    case "other method":
      if (request.method === "OPTIONS") return {};
      throw new Refusal(405, [{ reason: reasons.methodNotAllowed }]);
    case "not served":
      throw new Refusal(501, [{ reason: reasons.notServed }]);
    case "unknown path":
      throw notFound();
    case "unread":
      throw new Refusal(destination.status, [{ reason: destination.reason }]);
  }
}

function unservedError(key: string): ApiErrorEntry {
  return errorEntry(key, `${key} is not served here`);
}

function clientOf({
  caller,
  remoteAddress,
  signal,
}: Pick<ServerContext, "caller" | "remoteAddress" | "signal">): Sender {
  return { owner: senderOf(caller, remoteAddress ?? ""), signal };
}

/** Reads the request of an authorised caller and carries it out. */
async function serveEndpoint(request: ApiRequest, call: EndpointCall, context: ServerContext): Promise<unknown> {
  const { name, endpoint, translation } = call;
  const { caller, lanes } = context;
  const { input, bodyErrors: found, ignored } = await readInput(call, request, context.profile);
  context.onIgnored(ignored);
  const bodyErrors = context.refusesUnservedKeys ? [...found, ...ignored.map(unservedError)] : found;
  if (caller?.leavesWork && input) await settleFor(context, caller, endpoint, input, context.now);
  // The input was read by this endpoint's schemas, and the caller authorised by its scope.
  const handle = (own: ServerContext): Promise<unknown> => handlers[name](input as never, own as Context);
  const client = clientOf(context);
  context.store = lanes.storeFor(context.store, client, name);
  if (bodyErrors.length > 0)
    throw new Refusal(400, [...bodyErrors, ...(input ? await dryRun(context, bodyErrors, handle) : [])]);
  return translation.reply(await handle(context), "live");
}

/** An error about the request of an endpoint, with the fields as its callers know them. */
function inWordsOf(destination: Destination, error: unknown, profile: Profile): unknown {
  if (destination.kind !== "endpoint" || !(error instanceof Refusal)) return error;
  const entries = error.errors
    .map((entry) => destination.translation.error(entry, "live"))
    .map((entry) => (profile === "live" ? { ...entry, reason: liveSentence(entry.reason) } : entry));
  return new Refusal(error.status, entries);
}

class DryRunRollback extends Error {}

/**
 * Further errors of a request whose body has errors, so that one reply lists all: carries the request out with the rest
 * of its body and always rolls it back. A field is reported once.
 * @throws {Refusal} if the request is refused for another reason than its body: 403, 404, `ObjectRefusal`.
 */
async function dryRun(
  context: ServerContext,
  bodyErrors: readonly ApiErrorEntry[],
  handle: (own: ServerContext) => Promise<unknown>,
): Promise<ApiErrorEntry[]> {
  const { store } = context;
  const rollingBack: Store = {
    ...store,
    write: (work) =>
      store.write(async (db) => {
        await work(db);
        throw new DryRunRollback();
      }),
  };
  try {
    await handle({ ...context, store: rollingBack });
    return [];
  } catch (error) {
    if (error instanceof DryRunRollback) return [];
    if (!(error instanceof Refusal) || error.status !== 400 || error instanceof ObjectRefusal) throw error;
    const reported = new Set(bodyErrors.map(({ field }) => field));
    return error.errors.filter(({ field }) => !reported.has(field));
  }
}
