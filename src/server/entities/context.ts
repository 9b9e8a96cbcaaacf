import type * as z from "zod";
import type { Endpoint, Reply } from "../../contract/endpoint.ts";
import type { EndpointName, EndpointTable } from "../../contract/endpoints/index.ts";
import type { FilterQuery } from "../../contract/filter.ts";
import type { RecordsSetting } from "../../contract/resources/open-record.ts";
import type { TtlProfile } from "../../contract/ttl.ts";
import type { Name } from "../../dns/name/name.ts";
import type { Catalog } from "../catalog/schema.ts";
import type { FairLimiter } from "../kit/fair-limiter.ts";
import type { JobDriver } from "../kit/job-driver.ts";
import type { JobKinds } from "../kit/job-kinds.ts";
import type { Remote } from "../kit/remote.ts";
import type { RenderWaits } from "../kit/render-waits.ts";
import type { Secrets } from "../kit/secrets.ts";
import type { Store } from "../store/store.ts";
import type { Permissions } from "../store/tables.ts";
import type { DueWork } from "./due-work.ts";

/** The documents, or the hosted service where it differs (decisions/service#profiles). */
export type Profile = TtlProfile;

/** Settings of a server. */
export interface Settings {
  readonly store: Store;
  readonly profile: Profile;
  readonly records: RecordsSetting;
  readonly catalog: Catalog;
  /** The service's own name servers, absolute without a final dot, the primary first. */
  readonly nameservers: readonly string[];
  /** The catalog zone that lists all zones, whose name no domain has; undefined without one. */
  readonly catalogZone: Name | undefined;
  /** Seconds from the first unrendered change of a zone to its rendering. */
  readonly renderDelay: number;
  /** The changes that wait for it. */
  readonly waits: RenderWaits;
  /** The maximum number of records of a domain. */
  readonly mostRecords: number;
  /** Limit on the octets of all long targets of a domain together. */
  readonly textRoom: number;
  /** Whether domains may be public suffixes, such as `co.uk` or `in-addr.arpa`. */
  readonly allowsPublicSuffixes: boolean;
  /** Whether the web pages at / are served. */
  readonly hasConsole: boolean;
  /** Whether keys that only the hosted service knows are refused. */
  readonly refusesUnservedKeys: boolean;
  /** Client of other name servers; without it, imports are refused. */
  readonly remote: Remote | undefined;
  /** Limits on the zones that are transferred for imports at once, by account. */
  readonly imports: FairLimiter;
  readonly secrets: Secrets;
  /** The ends of jobs, by kind. */
  readonly jobKinds: JobKinds;
  /** Work besides jobs that becomes due in accounts. */
  readonly dueWork: readonly DueWork[];
  readonly jobDriver: JobDriver;
  /** URL of the exit survey of cancelled accounts; empty for none. */
  readonly surveyLink: string;
  /** Origin at which browsers reach the pages of OAuth; undefined for that of each request. */
  readonly authUrl: string | undefined;
}

/** The cause of an event: a user, or with the id 0 and an empty name the service itself. */
export interface Actor {
  readonly userId: number;
  readonly accountId: number;
  readonly username: string;
}

/** The owner of a request's token. */
export interface Caller extends Actor {
  /** Whether the user may do only what grants allow. */
  readonly isRestricted: boolean;
  /** Whether the user may create domains; always true for unrestricted users. */
  readonly addsDomains: boolean;
  /** Whether the user may create nodes; always true for unrestricted users. */
  readonly addsNodes: boolean;
  /** The access of a restricted user to the account's own data; null for none. */
  readonly accountAccess: Permissions | null;
  readonly scopes: readonly string[];
  /** Whether work in the account is due that is left for other requests. */
  readonly leavesWork: boolean;
}

/** Settings and facts of one request; `now` is the same moment throughout. */
export interface PublicContext extends Settings {
  readonly now: Date;
  /** The caller's IP address, where the transport knows it. */
  readonly remoteAddress?: string | undefined;
  /** Whether the caller's connection is encrypted, where the transport knows it. */
  readonly isEncrypted?: boolean | undefined;
  /** Aborted when the client disconnects; undefined for work of the service itself. */
  readonly signal?: AbortSignal | undefined;
}

/** Context of an endpoint that requires a token. */
export interface Context extends PublicContext {
  readonly caller: Caller;
}

type ContextOf<E extends Endpoint> = E["scope"] extends null ? PublicContext : Context;

type Nothing = Record<never, never>;
type Params<E> = E extends { params: infer P extends z.ZodType } ? z.output<P> : Nothing;
type Query<E> = E extends { query: infer Q extends z.ZodType } ? { query: z.output<Q> } : Nothing;
type Body<E> = E extends { body: infer B extends z.ZodType } ? { body: z.output<B> } : Nothing;
type Filtering<E> = E extends { reply: z.ZodType<{ pages: number }> } ? { filter: FilterQuery } : Nothing;

/** A request of the endpoint, read and checked by its schemas. */
type Parsed<E extends Endpoint> = Params<E> & Query<E> & Body<E> & Filtering<E>;

/**
 * Carries out a request of an endpoint and returns the body of its reply.
 * @throws {Refusal} for a request that breaks a rule of its resource.
 */
export type Handler<K extends EndpointName> = (
  input: Parsed<EndpointTable[K]>,
  context: ContextOf<EndpointTable[K]>,
) => Promise<Reply<EndpointTable[K]>>;

/** One handler for each entry of the table of endpoints; a missing one does not compile. */
export type Handlers = { readonly [K in EndpointName]: Handler<K> };
