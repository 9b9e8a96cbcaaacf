import * as z from "zod";
import { attributesOf, type Endpoint } from "./endpoint.ts";
import type { ApiErrorEntry } from "./errors.ts";
import type { Condition, Filter, FilterNode, FilterQuery, Scalar } from "./filter.ts";
import { documentation } from "./meta.ts";
import { liveKey, type Spelling, spell, type WordKind } from "./words.ts";

/**
 * Translates the words of an endpoint's requests and replies from one spelling to the other (decisions/nodes#words).
 * Schemas mark the words. Everything else stays: free text, unknown keys, keys of maps, and words that already have the
 * wanted spelling.
 */
export interface Translation {
  /** The path and the scope of the endpoint at the service; the parameters have the same names. */
  readonly path: string;
  readonly scope: string | null;
  params(params: Readonly<Record<string, unknown>>, to: Spelling): Readonly<Record<string, unknown>>;
  body(body: unknown, to: Spelling): unknown;
  reply(reply: unknown, to: Spelling): unknown;
  /** An error about a field of the body; its reason changes only if it begins with the field. */
  error(entry: ApiErrorEntry, to: Spelling): ApiErrorEntry;
  /** The filter of a client, as the service reads it. */
  filter(filter: Filter): Filter;
  /** The service's name of an attribute that filters. */
  attribute(name: string): string;
  /** A filter that the service has read, as documented. Order and comparisons by rank are those of documented words. */
  filterQuery(query: FilterQuery): FilterQuery;
}

/** The translation for a service with these words. With documented ones, everything stays as it is. */
export function translationOf(endpoint: Endpoint, words: Spelling): Translation {
  return words === "live" ? liveTranslation(endpoint) : { ...untranslated, path: endpoint.path, scope: endpoint.scope };
}

const untranslated = {
  params: same,
  body: same,
  reply: same,
  error: same,
  filter: same,
  attribute: same,
  filterQuery: same,
};

function same<T>(value: T): T {
  return value;
}

const live = new WeakMap<Endpoint, Translation>();

/** Derived from the schemas once. */
function liveTranslation(endpoint: Endpoint): Translation {
  const known = live.get(endpoint);
  if (known) return known;
  const { path, scope, params, body, reply } = endpoint;
  const inParams = params && wordsIn(params);
  const inBody = body && wordsIn(body);
  const inReply = wordsIn(reply);
  const items = inReply?.keys?.documented.get("data")?.words?.items;
  const attributes = attributesOf(endpoint, "live").map((name) => readAttribute(items, name));
  const find = (name: string) =>
    attributes.find(({ live }) => live === name) ?? attributes.find(({ documented }) => documented === name);
  const translation: Translation = {
    path: spell("path", path, "live"),
    scope: scope && spell("scopes", scope, "live"),
    params: (params, to) => (inParams?.keys ? respellObject(inParams.keys, params, to) : params),
    body: (body, to) => respell(inBody, body, to),
    reply: (reply, to) => respell(inReply, reply, to),
    error: (entry, to) => respellError(inBody, entry, to),
    filter: (filter) => liveFilter(filter, find),
    attribute: (name) => find(name)?.live ?? name,
    filterQuery: ({ where, orderBy }) => ({
      where: documentNode(where, find),
      ...(orderBy && { orderBy: { ...orderBy, attribute: find(orderBy.attribute)?.documented ?? orderBy.attribute } }),
    }),
  };
  live.set(endpoint, translation);
  return translation;
}

/** The words in the values of a schema. */
interface Words {
  /** The kind of a text. */
  readonly kind?: WordKind | undefined;
  /** The known values of a text, as documented. */
  readonly values?: readonly string[] | undefined;
  /** The words of the entries of a list, and of the values of a map. */
  readonly items?: Words | undefined;
  /** The keys of an object that have another name or that have words in their values, by both names. */
  readonly keys?: Keys;
}

type Keys = Record<Spelling, ReadonlyMap<string, Key>>;

interface Key extends Record<Spelling, string> {
  readonly words: Words | undefined;
}

/** Undefined for a schema without words. */
function wordsIn(schema: z.core.$ZodType): Words | undefined {
  const { word: kind, values } = documentation.get(schema) ?? {};
  if (kind !== undefined) return { kind, values };
  if (schema instanceof z.ZodObject) return wordsInKeys(schema._zod.def.shape);
  if (schema instanceof z.ZodArray) return inItems(schema._zod.def.element);
  if (schema instanceof z.ZodRecord) return inItems(schema._zod.def.valueType);
  if (schema instanceof z.ZodUnion) return schema._zod.def.options.map(wordsIn).reduce(merge, undefined);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return wordsIn(schema._zod.def.innerType);
  return undefined;
}

function inItems(schema: z.core.$ZodType): Words | undefined {
  const items = wordsIn(schema);
  return items && { items };
}

function wordsInKeys(shape: z.core.$ZodShape): Words | undefined {
  const keys = Object.entries(shape)
    .map(([name, schema]) => ({ documented: name, live: liveKey(name), words: wordsIn(schema) }))
    .filter(({ documented, live, words }) => documented !== live || words);
  return keys.length === 0 ? undefined : { keys: byBothNames(keys) };
}

function byBothNames(keys: readonly Key[]): Keys {
  return {
    documented: new Map(keys.map((key) => [key.documented, key])),
    live: new Map(keys.map((key) => [key.live, key])),
  };
}

/** The words of a value that has one of two schemas: the same key has the same name in all of them. */
function merge(one: Words | undefined, other: Words | undefined): Words | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const keys = new Map(one.keys?.documented);
  for (const [name, key] of other.keys?.documented ?? [])
    keys.set(name, { ...key, words: merge(keys.get(name)?.words, key.words) });
  return {
    kind: one.kind ?? other.kind,
    values: one.values ?? other.values,
    items: merge(one.items, other.items),
    ...(keys.size > 0 && { keys: byBothNames([...keys.values()]) }),
  };
}

function respell(words: Words | undefined, value: unknown, to: Spelling, holder?: object): unknown {
  if (words === undefined) return value;
  if (typeof value === "string") return words.kind === undefined ? value : respellText(words.kind, value, to, holder);
  if (typeof value !== "object" || value === null) return value;
  const { items, keys } = words;
  if (Array.isArray(value)) return items ? value.map((item) => respell(items, item, to)) : value;
  if (keys) return respellObject(keys, value, to);
  return items
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, respell(items, item, to)]))
    : value;
}

/** Of a key in both spellings, the one in the other spelling counts. */
function respellObject(keys: Keys, value: object, to: Spelling): Record<string, unknown> {
  const from = to === "live" ? "documented" : "live";
  const entries = Object.entries(value).flatMap(([name, part]) => {
    const key = keys[from].get(name) ?? keys[to].get(name);
    if (key === undefined) return [[name, part] as const];
    if (name !== key[from] && Object.hasOwn(value, key[from])) return [];
    return [[key[to], respell(key.words, part, to, value)] as const];
  });
  return Object.fromEntries(entries);
}

function respellText(kind: WordKind, text: string, to: Spelling, holder?: object): string {
  if (kind !== "entityId") return spell(kind, text, to);
  // The ids of other entities may be free text, such as the label of a tag.
  return holder !== undefined && "type" in holder && holder.type === "image" ? spell("id", text, to) : text;
}

function respellError(words: Words | undefined, entry: ApiErrorEntry, to: Spelling): ApiErrorEntry {
  if (entry.field === undefined) return entry;
  const field = respellField(words, entry.field, to);
  if (field === entry.field) return entry;
  const { reason } = entry;
  return { reason: reason.startsWith(entry.field) ? field + reason.slice(entry.field.length) : reason, field };
}

/** `nodes[0].node_id` is `linodes[0].linode_id`. */
function respellField(words: Words | undefined, field: string, to: Spelling): string {
  const from = to === "live" ? "documented" : "live";
  let at = words;
  return field.replace(/\[\d+\]|[^.[\]]+/g, (part) => {
    const key = at?.keys?.[from].get(part);
    at = key ? key.words : at?.items;
    return key?.[to] ?? part;
  });
}

/** An attribute of `X-Filter`. */
interface Attribute extends Record<Spelling, string> {
  readonly words: Words | undefined;
}

type FindAttribute = (name: string) => Attribute | undefined;

/** `entity.type` is the type in the entity of an item; a list matches if it contains the value. */
function readAttribute(items: Words | undefined, name: string): Attribute {
  const live = respellField(items, name, "live");
  const words = name.split(".").reduce((at, part) => at?.keys?.documented.get(part)?.words, items);
  return { documented: name, live, words: words?.items ?? words };
}

function documentNode(node: FilterNode, find: FindAttribute): FilterNode {
  if (node.kind !== "compare") return { ...node, parts: node.parts.map((part) => documentNode(part, find)) };
  const { documented: attribute, words } = find(node.attribute) ?? { documented: node.attribute, words: undefined };
  const { operator, value } = node;
  if (operator === "+contains" && typeof value === "string" && words?.kind && words.values) {
    const { kind, values } = words;
    const found = values.filter((known) => respellText(kind, known, "live").includes(value));
    return { kind: "or", parts: found.map((known) => ({ kind: "compare", attribute, operator: "=", value: known })) };
  }
  return { kind: "compare", attribute, operator, value: respellScalar(words, value, "documented") };
}

function liveFilter(filter: Filter, find: FindAttribute): Filter {
  const entries = Object.entries(filter).map(([key, condition]): [string, Condition | Filter[] | undefined] => {
    if (Array.isArray(condition)) return [key, condition.map((part) => liveFilter(part, find))];
    if (key === "+order_by" && typeof condition === "string") return [key, find(condition)?.live ?? condition];
    const attribute = find(key);
    return [
      attribute?.live ?? key,
      attribute && condition !== undefined ? liveCondition(attribute, condition) : condition,
    ];
  });
  return Object.fromEntries(entries);
}

function liveCondition({ words }: Attribute, condition: Condition): Condition {
  if (typeof condition !== "object" || condition === null) return respellScalar(words, condition, "live");
  const entries = Object.entries(condition).map(([operator, value]) => [operator, respellScalar(words, value, "live")]);
  return Object.fromEntries(entries);
}

function respellScalar(words: Words | undefined, value: Scalar, to: Spelling): Scalar {
  return typeof value === "string" && words?.kind !== undefined ? respellText(words.kind, value, to) : value;
}
