import { unsetNameservers } from "../contract/defaults.ts";
import { reasons } from "../contract/errors.ts";
import { openApi } from "../contract/openapi.ts";
import { openApi30 } from "../contract/openapi-3.0.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import { type Access, accessOf } from "./http/access-log.ts";
import { authorize, type Caller, identify } from "./http/auth.ts";
import { rehearse } from "./http/dry-run.ts";
import { handlers } from "./http/handlers.ts";
import { boundImports } from "./http/imports-under-way.ts";
import { readInput } from "./http/input.ts";
import { LongRequests } from "./http/long-requests.ts";
import { keepLimit, type RateLimit, rateLimiter } from "./http/rate-limit.ts";
import { failed, type Outcome, respond } from "./http/respond.ts";
import { createRouter, type Destination, type Server } from "./http/router.ts";
import { ApiError, notFound } from "./kit/api-error.ts";
import type { Context, Profile, PublicContext, Settings } from "./kit/context.ts";
import type { Remote } from "./kit/remote.ts";
import { usualTextRoom } from "./rules/domain.ts";
import { isHostname } from "./rules/name.ts";
import type { Store } from "./store/store.ts";

export interface ServerOptions {
  readonly store: Store;
  readonly clock: () => Date;
  /** `documented` unless given. */
  readonly profile?: Profile;
  /** Names of the service's name servers, the primary first; two names that do not resolve unless given. */
  readonly nameservers?: readonly string[];
  /** Seconds from a change of a zone to its rendering; 0 unless given. */
  readonly renderDelay?: number;
  /** How many octets the long targets of a domain have together; `usualTextRoom` unless given. */
  readonly textRoom?: number;
  /** Whether domains may be public suffixes, such as `co.uk` or `in-addr.arpa`; refused unless given. */
  readonly allowsPublicSuffixes?: boolean;
  /** Where zones are transferred from, `createRemote` in earnest; without it imports are refused. */
  readonly remote?: Remote;
  /** Requests are not limited unless given. */
  readonly rateLimit?: RateLimit;
  /** Lists count in a window of their own where this is given. */
  readonly listLimit?: RateLimit;
  /** Hears of every request once its reply is known. */
  readonly onAccess?: (access: Access) => void;
  /** Hears of every failure that nobody foresaw; standard error unless given. */
  readonly onError?: (error: unknown) => void;
}

/**
 * The API as a function, routed by the table of endpoints (service: Plumbing).
 * @throws {ProblemError} `nameservers` when they cannot stand in a zone.
 */
export function createServer(options: ServerOptions): Server {
  const { store, clock, rateLimit, listLimit, onAccess, onError = console.error } = options;
  const { remote, ...others } = readSettings(options);
  const settings: Settings = { ...others, remote: remote && boundImports(remote) };
  const long = new LongRequests();
  const takeAny = rateLimiter(rateLimit);
  const takeList = listLimit ? rateLimiter(listLimit) : takeAny;

  return createRouter(settings.profile, async (request, { remoteAddress }, destination) => {
    const now = clock();
    const isList = destination.kind === "endpoint" && destination.endpoint.filterable !== undefined;
    const take = isList ? takeList : takeAny;
    const outcome: Outcome = {
      accepted: destination.kind === "endpoint" ? destination.endpoint.scope : null,
      caller: undefined,
      standing: take(undefined, now),
      methods: destination.kind === "other method" ? destination.methods : undefined,
    };
    const reply = async (status: number, body: unknown) => {
      if (destination.kind !== "unread")
        onAccess?.(accessOf(request, status, outcome, { came: now, went: clock(), remoteAddress }));
      return respond(status, body, outcome);
    };
    try {
      const caller = await identify(store, request.headers.get("Authorization"), now);
      outcome.caller = caller;
      if (destination.kind !== "health" && destination.kind !== "unread")
        outcome.standing = take(caller?.username ?? remoteAddress ?? "", now);
      keepLimit(outcome.standing);
      const body = await answer(request, destination, { ...settings, now, remoteAddress, caller, long });
      return reply(body === undefined ? 204 : 200, body);
    } catch (error) {
      const { status, body } = failed(error, onError);
      return reply(status, body);
    }
  });
}

/**
 * What the API and the name service have in common.
 * @throws {ProblemError} `nameservers`
 */
export function readSettings(options: ServerOptions): Settings {
  const { store, profile, nameservers, renderDelay, textRoom, allowsPublicSuffixes = false, remote } = options;
  return {
    store,
    profile: profile ?? "documented",
    nameservers: readNameservers(nameservers ?? unsetNameservers),
    renderDelay: renderDelay ?? 0,
    textRoom: textRoom ?? usualTextRoom,
    allowsPublicSuffixes,
    remote,
  };
}

function readNameservers(names: readonly string[]): string[] {
  const absolute = names.map((name) => name.replace(/\.$/, ""));
  const wrong = absolute.find((name) => !isHostname(name));
  if (absolute.length > 0 && wrong === undefined) return absolute;
  const summary = wrong === undefined ? "no name server is named" : `the name server ${wrong} is no host name`;
  const fix = "Name the servers that answer for the zones, for example ns1.example.net and ns2.example.net.";
  throw new ProblemError(problem("nameservers", summary, { fix }));
}

async function answer(
  request: Request,
  destination: Destination,
  context: PublicContext & { caller: Caller | undefined; long: LongRequests },
): Promise<unknown> {
  switch (destination.kind) {
    case "endpoint": {
      const { name, endpoint, parameters } = destination;
      const { caller, long } = context;
      if (endpoint.scope !== null) authorize(caller, endpoint.scope);
      const { input, faults } = await readInput(endpoint, request, parameters, context.profile);
      // The schemas of the same entry have read the input, and the scope of the same entry has let the caller in.
      const carryOut = (store: Store): Promise<unknown> =>
        handlers[name](input as never, { ...(context as Context), store: long.storeFor(name, store, caller) });
      if (faults.length === 0) return long.run(input, caller, () => carryOut(context.store));
      throw new ApiError(400, [...faults, ...(input ? await rehearse(context.store, faults, carryOut) : [])]);
    }
    case "health":
      await context.store.read((db) => db.selectFrom("accounts").select("id").limit(1).execute());
      return { status: "ok" };
    case "openapi":
      return destination.version === "3.0" ? openApi30(context.profile) : openApi(context.profile);
    case "other method":
      if (request.method === "OPTIONS") return {};
      throw new ApiError(405, [{ reason: reasons.methodNotAllowed }]);
    case "unknown path":
      throw notFound();
    case "unread":
      throw new ApiError(destination.status, [{ reason: destination.reason }]);
  }
}
