import * as z from "zod";
import type { EndpointTag } from "./endpoint-tags.ts";
import type { FilterOn } from "./filter.ts";
import type { Scope } from "./scopes.ts";

/**
 * One endpoint of the API as data, from which the router, the client, the command line and the OpenAPI document are
 * derived. `scope: null` means that no token is needed. `who` restricts the users who may call it: unrestricted ones,
 * or also restricted ones whose account_access covers the scope. `filterable` lists the attributes that `X-Filter`
 * supports, on lists only, and `orderable` the further ones that profile live can order by. `columns` are the fields
 * that a table of the list begins with, the most telling first. `media` is the media type of a body that is not JSON.
 * `limit` names a rate limit of its own. `profile` is the only profile that serves the endpoint. `beyond` marks
 * endpoints that are in neither document but that clients of the hosted service request. `noContent` describes a
 * success that is a 204 without a body. `done` says what a request did if its reply does not, or what comes next, and
 * may name parameters of the path. `job` marks an endpoint whose work goes on after the reply, as the events of its
 * nodes show. `destructive` marks an endpoint that, like a DELETE, ends something that its caller cannot restore, and
 * names what follows, so that programs ask before they call it. `conflict` is the condition under which it answers 409
 * and changes nothing.
 */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to `{base_url}/v4`; each `{name}` is a key of `params`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly tag: EndpointTag;
  readonly scope: Scope | null;
  readonly who?: "unrestricted" | "account";
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly reply: z.ZodType;
  readonly filterable?: readonly string[];
  readonly orderable?: readonly string[];
  readonly columns?: readonly string[];
  readonly media?: "multipart/form-data";
  readonly limit?: "tickets" | "transfers";
  readonly deprecated?: true;
  readonly profile?: "live";
  readonly beyond?: true;
  readonly noContent?: string;
  readonly done?: string;
  readonly job?: true;
  readonly destructive?: string;
  readonly conflict?: string;
}

/** Whether a request without this body is incomplete: one without required fields may be left out. */
export function isRequired(body: z.ZodObject): boolean {
  return !body.safeParse({}).success;
}

/** Whether the reply is a page of a list. */
export function isList({ reply }: Pick<Endpoint, "reply">): boolean {
  return reply instanceof z.ZodObject && "pages" in reply.shape;
}

export type Endpoints = Readonly<Record<string, Endpoint>>;

/** A file as clients send it: one with a name, or a name and the content, which is read once. */
export type FileToSend = File | { readonly name: string; readonly content: Blob | AsyncIterable<Uint8Array> };

type Nothing = Record<never, never>;
type Params<E> = E extends { params: infer P extends z.ZodType } ? z.output<P> : Nothing;
type Query<E> = E extends { query: infer Q extends z.ZodType } ? { query?: z.input<Q> } : Nothing;
type Body<E> = E extends { body: infer B extends z.ZodType }
  ? { body: E extends { media: string } ? { [Key in keyof z.input<B>]: FileToSend } : z.input<B> }
  : Nothing;
type Filtering<E> = E extends { filterable: readonly (infer Attribute extends string)[] }
  ? { filter?: FilterOn<Attribute, Orderable<E>> }
  : Nothing;
type Orderable<E> = E extends { orderable: readonly (infer Attribute extends string)[] } ? Attribute : never;

/** Parameters of a call: path parameters at the top, `query`, `body` and `filter` by name. */
export type Input<E extends Endpoint> = Params<E> & Query<E> & Body<E> & Filtering<E> extends infer All
  ? { [Key in keyof All]: All[Key] }
  : never;

/** Schema of the reply; undefined for a 204. */
export type Reply<E extends Endpoint> = E extends { noContent: string }
  ? z.output<E["reply"]> | undefined
  : z.output<E["reply"]>;
