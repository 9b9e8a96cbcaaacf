import * as fc from "fast-check";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { endpoints } from "../../src/contract/endpoints/index.ts";
import { openApi } from "../../src/contract/openapi.ts";
import { type FormRequest, formRequests } from "./forms.ts";
import { anyText, mostly } from "./texts.ts";

/** The part of JSON Schema that the OpenAPI document uses. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}

interface Content {
  content: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  parameters: { name: string; in: "path" | "query" | "header"; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Partial<Content>>;
  security: object[];
}

/** The part of the OpenAPI document that requests and replies are made and judged by. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export const profiles = ["documented", "live"] as const;
export type Profile = (typeof profiles)[number];

/** The document of a service with this profile, as clients read it. */
export function documentOf(profile: Profile): ApiDocument {
  return JSON.parse(JSON.stringify(openApi(profile)));
}

/** A request of the API, or of the pages and endpoints of OAuth. */
export type FuzzRequest = ApiRequest | FormRequest;

/**
 * A request as it is sent, but for `@me` and `@other`: words that belong to the account of its sender and to the
 * other.
 */
export interface ApiRequest {
  /** The endpoint that it is meant for. */
  operation: string;
  sender: Sender;
  method: string;
  /** `@id0` and so on are ids that are not numbers, in the order in which replies show them. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The name of an uploaded file; the request is then a form. */
  file?: string;
}

/** Users, each with a word that is in everything of their account; a guest has no token. */
export const senders = { owner: "alpha", restricted: "alpha", stranger: "bravo", guest: "alpha" } as const;
export type Sender = keyof typeof senders;

/** Usual values of these fields: random text alone would never be stored. */
const words: Record<string, readonly string[]> = {
  domain: ["@me.example", "@ME.example", "a.@me.example", "*.b.example", "10.in-addr.arpa", "no", ""],
  soa_email: ["hostmaster@@me.example", "john.doe@example.net", "nobody"],
  email: ["john.doe@@me.example", "nobody"],
  name: ["", "www", "WWW", "*", "a.b", "_dmarc", "www.@me.example", "@me.example", "@", "x."],
  target: [
    "192.0.2.1",
    "2001:db8::1",
    "mail.@me.example",
    "mail.@me.example.",
    "",
    ".",
    ";",
    "[remote_addr]",
    "v=spf1 -all",
  ],
  service: ["sip", "_sip", "a.b"],
  protocol: ["tcp", "_udp", "tcp.sub"],
  remote_nameserver: ["ns1.example.org", "192.0.2.1:53", "[::1]:53", "x y"],
  tags: ["@me", "@ME", "@me web"],
  master_ips: ["192.0.2.1", "::1", "x"],
  axfr_ips: ["192.0.2.2", "x"],
  label: ["@me", "@ME", "@me web", "no"],
  redirect_uri: ["https://@me.example/callback", "http://127.0.0.1:8080/", "javascript:alert(1)"],
  country: ["US", "nl", "XX"],
  state: ["PA", "Utrecht"],
  card_number: ["4111111111111111", "4111 1111 1111 1111", "1"],
  cvv: ["123", "12"],
  region: ["us-east", "nowhere"],
  scopes: ["domains:read_only", "*", "nonsense"],
  file: ["@me.txt", "a.PNG", "../../@me.pdf", "a.exe", ""],
};

/** Usual values of parameters of paths that are texts. */
const pathWords: Record<string, readonly string[]> = {
  label: ["@me", "@ME", "@me web", "@other", "no"],
  clientId: ["@id0", "@id1", "@id2", "0123456789abcdef0123"],
  regionId: ["us-east", "eu-west", "nowhere"],
  username: ["@me-owner", "@me-restricted", "@other-owner", "no"],
};

const anyNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(1e300, -1, 0.5, 2 ** 31, 2 ** 63),
);

/** Bodies that readers of JSON stumble over. */
const hostileJson = [
  ...[
    "",
    "{",
    "{}{}",
    "[]",
    "null",
    '"text"',
    "\ufeff{}",
    "{'label': 'x'}",
    '{"label":"\\ud800"}',
    '{"label":"a\\u0000b"}',
  ],
  ...['{"__proto__":{"label":"@me"}}', '{"label":"@me","label":"@me web"}', '{"domains":[1,1,-0,1e400]}'],
  ...["[".repeat(20_000), '{"a":'.repeat(5000)],
];

/** Bodies of uploads with the boundary `x`, that readers of forms stumble over. */
const hostileUploads = [
  ...[
    "",
    "--x--",
    "--x\r\n--x--\r\n",
    "--x\r\n\r\ntext\r\n--x--",
    "--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--",
  ],
  ...["other", 'file"; filename="@me.txt', 'file"; filename="a\\"b.txt', 'file"; filename="\0.txt'].map(part),
  part('file"; filename="@me.txt') + part('file"; filename="b.txt'),
  part('file"; filename="@me.txt').slice(0, -9),
];

function part(name: string): string {
  return `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\ntext\r\n--x--\r\n`;
}

type Schemas = Readonly<Record<string, Schema>>;

/** A value that the schema takes, most of the time. `field` is the name that it stands under. */
function anyOf(schema: Schema, field: string, schemas: Schemas): fc.Arbitrary<unknown> {
  return mostly(good(schema, field, schemas), fc.jsonValue());
}

function good(schema: Schema, field: string, schemas: Schemas): fc.Arbitrary<unknown> {
  if (schema.$ref) return good(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, field, schemas);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => good({ ...schema, type }, field, schemas)));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((part) => good(part, field, schemas)));
  switch (schema.type) {
    case "object":
      return objectOf(schema, schemas);
    case "array":
      return mostly(fc.array(anyOf(schema.items ?? {}, field, schemas), { maxLength: 4 }), fullList(schema));
    case "integer": {
      const { minimum = 0, maximum = 70_000 } = schema;
      return mostly(fc.integer({ min: minimum, max: Math.min(maximum, 70_000) }), anyNumber);
    }
    case "string":
      return mostly(fc.constantFrom(...(words[field] ?? ["text"])), anyText);
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

/** About as long as the schema takes it, each entry another one. */
function fullList({ maxItems = 4 }: Schema): fc.Arbitrary<unknown> {
  return fc
    .integer({ min: maxItems - 1, max: maxItems + 1 })
    .map((length) => Array.from({ length }, (_, n) => `192.0.2.${n}`));
}

/** Usually the required fields, sometimes the others, and one unknown field. */
function objectOf({ properties = {}, required = [] }: Schema, schemas: Schemas): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const [there, missing] = required.includes(name) ? [40, 1] : [1, 2];
    const value = fc.oneof(
      { weight: there, arbitrary: anyOf(schema, name, schemas) },
      { weight: missing, arbitrary: fc.constant(undefined) },
    );
    return [name, value] as const;
  });
  return fc.record({ ...Object.fromEntries(fields), unknown: fc.option(fc.jsonValue(), { nil: undefined, freq: 20 }) });
}

const scalar = fc.oneof(fc.constantFrom("example.com", "www", "A", "", null, true), anyText, anyNumber);

/** Usually a filter on filterable attributes of the endpoint. */
function filterOf(operation: string): fc.Arbitrary<object> {
  const { filterable = ["x"] } = (endpoints as Record<string, Endpoint>)[operation] ?? {};
  const attribute = mostly<string>(fc.constantFrom(...filterable), fc.constantFrom("x", "id", "+like"));
  const operator = fc.constantFrom("+gt", "+gte", "+lt", "+lte", "+neq", "+contains");
  const condition = fc.oneof(scalar, fc.dictionary(operator, scalar, { maxKeys: 2 }));
  const { node } = fc.letrec<{ node: object; leaf: object }>((tie) => ({
    leaf: fc.dictionary(attribute, condition, { maxKeys: 2 }) as fc.Arbitrary<object>,
    node: fc.oneof(
      { maxDepth: 3 },
      tie("leaf"),
      fc.dictionary(fc.constantFrom("+and", "+or"), fc.array(tie("node"), { maxLength: 3 }), { maxKeys: 2 }),
      fc.record({ "+order_by": attribute, "+order": fc.constantFrom("asc", "desc", undefined) }),
    ) as fc.Arbitrary<object>,
  }));
  return node;
}

/** A header is octets: what JSON leaves beyond them is escaped. */
function headerText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const id = mostly(
  fc.integer({ min: 1, max: 4 }).map(String),
  fc.constantFrom("0", "-1", "x", "99", "2147483648", "9007199254740991", "99999999999999999999", "%00"),
);

/** A parameter of a path: an id, or one of its words. */
function pathText(name: string): fc.Arbitrary<string> {
  const usual = pathWords[name];
  return usual ? mostly(fc.constantFrom(...usual), anyText) : id;
}

const encode = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, "?")).replaceAll("%40", "@");

type Template = Omit<ApiRequest, "sender">;

function requestOf(path: string, method: string, operation: Operation, schemas: Schemas): fc.Arbitrary<Template> {
  const names = (place: string) =>
    operation.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  const queryValue = mostly(
    fc.integer({ min: 25, max: 500 }).map(String),
    fc.oneof(anyText, fc.constantFrom("-1", "0")),
  );
  const content = operation.requestBody?.content ?? {};
  const schema = content["application/json"]?.schema;
  const json = schema && anyOf(schema, "", schemas).map((value) => JSON.stringify(value) ?? "null");
  const isUpload = content["multipart/form-data"] !== undefined;
  return fc
    .record({
      ids: fc.record(Object.fromEntries(names("path").map((name) => [name, pathText(name)]))),
      query: fc.dictionary(fc.constantFrom(...names("query"), "x"), queryValue, { maxKeys: 2 }),
      filter: fc.option(mostly(filterOf(operation.operationId).map(headerText), fc.constant("{")), { nil: undefined }),
      body: json ? mostly(json, fc.oneof(fc.constantFrom(...hostileJson), anyText)) : fc.constant(undefined),
      upload: isUpload ? upload : fc.constant({}),
    })
    .map(({ ids, query, filter, body, upload }) => {
      const where = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(ids[name] ?? "").replaceAll("%25", "%"));
      const text = Object.entries(query).map(([key, value]) => `${key}=${encode(value)}`);
      return {
        operation: operation.operationId,
        method: method.toUpperCase(),
        path: `/v4${where}${text.length > 0 ? `?${text.join("&")}` : ""}`,
        headers: filter === undefined ? {} : { "X-Filter": filter },
        ...(body !== undefined && { body }),
        ...upload,
      };
    });
}

/** A form with a file, or a body that is hardly one. */
const upload = mostly<Partial<Template>>(
  mostly(fc.constantFrom(...(words.file ?? [])), anyText).map((file) => ({ file })),
  fc.record({
    headers: fc
      .constantFrom("multipart/form-data; boundary=x", "multipart/form-data", "application/json", "text/plain")
      .map((type) => ({ "Content-Type": type })),
    body: mostly(fc.constantFrom(...hostileUploads), anyText),
  }),
);

/** Creates are more frequent, so that there is something to change, and deletes of what has much below it rare. */
const weights: Readonly<Record<string, number>> = { createRecord: 18, deleteDomain: 1, cancelAccount: 0.05 };

const anySender = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Sender>("owner") },
  { weight: 3, arbitrary: fc.constant<Sender>("restricted") },
  { weight: 6, arbitrary: fc.constant<Sender>("stranger") },
  { weight: 1, arbitrary: fc.constant<Sender>("guest") },
);

/**
 * Requests of every operation of the OpenAPI document of a profile, by all senders, and some of the pages and endpoints
 * of OAuth.
 */
export function requestsTo({ paths, components }: ApiDocument): fc.Arbitrary<FuzzRequest> {
  const templates = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      weight: Math.ceil(20 * (weights[operation.operationId] ?? 6)),
      arbitrary: requestOf(path, method, operation, components.schemas),
    })),
  );
  const ofApi = fc.tuple(fc.oneof(...templates), anySender).map(([template, sender]) => ({ ...template, sender }));
  return fc.oneof({ weight: 5, arbitrary: ofApi }, { weight: 1, arbitrary: formRequests() });
}
