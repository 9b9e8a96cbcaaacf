import * as z from "zod";
import type { EndpointTag } from "./endpoint-tags.ts";
import type { FilterOn, Scalar } from "./filter.ts";
import type { Scope } from "./scopes.ts";
import type { TtlProfile } from "./ttl.ts";

/**
 * One endpoint of the API as data, from which the router, the client, the command line and the OpenAPI document are
 * derived. `scope: null` means that no token is needed. `who` restricts the users who may call it: unrestricted ones,
 * or also restricted ones whose account_access covers the scope. `filterable` lists the attributes that `X-Filter`
 * supports in profile documented, on lists only; see `attributesOf` for profile live. `columns` are the fields
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

/**
 * The attributes that a list filters by and orders on. In profile live these are, besides those of the documents, all
 * fields of its items that are scalars or lists of them, and those of objects of which the documents name a part.
 */
export function attributesOf(endpoint: Pick<Endpoint, "reply" | "filterable">, profile: TtlProfile): readonly string[] {
  const { filterable = [] } = endpoint;
  return profile === "live" ? [...new Set([...filterable, ...scalarFields(itemOf(endpoint), filterable)])] : filterable;
}

function itemOf({ reply }: Pick<Endpoint, "reply">): z.core.$ZodType | undefined {
  const data = reply instanceof z.ZodObject ? reply.shape.data : undefined;
  return data instanceof z.ZodArray ? data._zod.def.element : undefined;
}

function scalarFields(item: z.core.$ZodType | undefined, filterable: readonly string[]): string[] {
  if (!(item instanceof z.ZodObject)) return [];
  return Object.entries(item.shape).flatMap(([name, type]) => {
    const field = unwrap(type);
    if (isScalar(field instanceof z.ZodArray ? unwrap(field._zod.def.element) : field)) return [name];
    const hasPart = filterable.some((attribute) => attribute.startsWith(`${name}.`));
    return hasPart ? scalarFields(field, []).map((part) => `${name}.${part}`) : [];
  });
}

function unwrap(type: z.core.$ZodType): z.core.$ZodType {
  return type instanceof z.ZodOptional || type instanceof z.ZodNullable ? unwrap(type._zod.def.innerType) : type;
}

function isScalar(type: z.core.$ZodType): boolean {
  if (type instanceof z.ZodUnion) return type._zod.def.options.every(isScalar);
  return [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum].some((scalar) => type instanceof scalar);
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
  ? { filter?: FilterOn<Attribute | ScalarField<Item<E>> | PartOf<Item<E>, Attribute>> }
  : E extends { reply: z.ZodType<{ pages: number }> }
    ? { filter?: FilterOn<ScalarField<Item<E>>> }
    : Nothing;
type Item<E> = E extends { reply: z.ZodType<{ data: (infer T)[]; pages: number }> } ? T : never;
type ScalarField<T> = keyof T extends infer Key
  ? Key extends keyof T & string
    ? NonNullable<T[Key]> extends Scalar | readonly Scalar[]
      ? Key
      : never
    : never
  : never;
type PartOf<T, Attribute> = Attribute extends `${infer Key extends keyof T & string}.${string}`
  ? `${Key}.${ScalarField<NonNullable<T[Key]>>}`
  : never;

/** Parameters of a call: path parameters at the top, `query`, `body` and `filter` by name. */
export type Input<E extends Endpoint> = Params<E> & Query<E> & Body<E> & Filtering<E> extends infer All
  ? { [Key in keyof All]: All[Key] }
  : never;

/** Schema of the reply; undefined for a 204. */
export type Reply<E extends Endpoint> = E extends { noContent: string }
  ? z.output<E["reply"]> | undefined
  : z.output<E["reply"]>;
