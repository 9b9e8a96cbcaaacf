import type * as z from "zod";
import type { Endpoint, Reply } from "../../contract/endpoint.ts";
import type { EndpointName, EndpointTable } from "../../contract/endpoints/index.ts";
import type { FilterQuery } from "../../contract/filter.ts";
import type { TtlProfile } from "../../contract/ttl.ts";
import type { Caller } from "../http/auth.ts";
import type { Store } from "../store/store.ts";
import type { Remote } from "./remote.ts";

/** What the specification says, or what the live service does where it differs (service: head). */
export type Profile = TtlProfile;

/** What holds for all requests. */
export interface Settings {
  readonly store: Store;
  readonly profile: Profile;
  /** The service's own name servers, absolute without a final dot, the primary first. */
  readonly nameservers: readonly string[];
  /** Seconds from the first unrendered change of a zone to its rendering. */
  readonly renderDelay: number;
  /** How many octets the long targets of a domain have together. */
  readonly textRoom: number;
  /** May domains be public suffixes, such as `co.uk` or `in-addr.arpa`? */
  readonly allowsPublicSuffixes: boolean;
  /** Where zones are transferred from; undefined for a server that asks nobody. */
  readonly remote: Remote | undefined;
}

/** What holds for one request: `now` is the same moment throughout. */
export interface PublicContext extends Settings {
  readonly now: Date;
  /** The caller's IP address, where the transport knows it. */
  readonly remoteAddress?: string | undefined;
}

/** The same where the endpoint asks for a token. */
export interface Context extends PublicContext {
  readonly caller: Caller;
}

type ContextOf<E extends Endpoint> = E["scope"] extends null ? PublicContext : Context;

type Nothing = Record<never, never>;
type Params<E> = E extends { params: infer P extends z.ZodType } ? z.output<P> : Nothing;
type Query<E> = E extends { query: infer Q extends z.ZodType } ? { query: z.output<Q> } : Nothing;
type Body<E> = E extends { body: infer B extends z.ZodType } ? { body: z.output<B> } : Nothing;
type Filtering<E> = E extends { filterable: readonly string[] } ? { filter: FilterQuery } : Nothing;

/** A request of the endpoint, read and checked by its schemas. */
type Parsed<E extends Endpoint> = Params<E> & Query<E> & Body<E> & Filtering<E>;

/**
 * Does what an endpoint is for and gives its reply.
 * @throws {ApiError} for a request that breaks a rule of its resource.
 */
export type Handler<K extends EndpointName> = (
  input: Parsed<EndpointTable[K]>,
  context: ContextOf<EndpointTable[K]>,
) => Promise<Reply<EndpointTable[K]>>;

/** One for each entry of the table; one that is missing does not compile. */
export type Handlers = { readonly [K in EndpointName]: Handler<K> };
