import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { endpoints } from "../../src/contract/endpoints/index.ts";
import { apiErrors } from "../../src/contract/errors.ts";
import { createToken } from "../../src/server/operator/tokens.ts";
import { createServer } from "../../src/server/server.ts";
import type { Store } from "../../src/server/store/store.ts";

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

interface Operation {
  operationId: string;
  parameters: { name: string; in: "path" | "query" | "header"; schema: Schema }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
}

/** A request as it is sent; `operation` is the endpoint that it is meant for. */
export interface FuzzRequest {
  operation: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const document = JSON.parse(readFileSync(new URL("../../schemas/openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Usual values of these fields: random text alone would never be stored. */
const words: Record<string, readonly string[]> = {
  domain: ["example.com", "EXAMPLE.com", "a.example", "*.b.example", "10.in-addr.arpa", "no", ""],
  soa_email: ["hostmaster@example.com", "john.doe@example.net", "nobody"],
  name: ["", "www", "WWW", "*", "a.b", "_dmarc", "www.example.com", "example.com", "@", "x."],
  target: [
    "192.0.2.1",
    "2001:db8::1",
    "mail.example.org",
    "mail.example.org.",
    "",
    ".",
    ";",
    "[remote_addr]",
    "v=spf1 -all",
  ],
  service: ["sip", "_sip", "a.b"],
  protocol: ["tcp", "_udp", "tcp.sub"],
  remote_nameserver: ["ns1.example.org", "192.0.2.1:53", "[::1]:53", "x y"],
  tags: ["prod", "PROD", "web"],
  master_ips: ["192.0.2.1", "::1", "x"],
  axfr_ips: ["192.0.2.2", "x"],
};

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constant("\0"),
  fc.constant("\ud800"),
);
const anyNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(1e300, -1, 0.5, 2 ** 31, 2 ** 63),
);

/** Most of the time the one, now and then the other. */
function mostly<T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: rare });
}

/** A value that the schema takes, most of the time. `field` is the name that it stands under. */
function anyOf(schema: Schema, field: string): fc.Arbitrary<unknown> {
  return mostly(good(schema, field), fc.jsonValue());
}

function good(schema: Schema, field: string): fc.Arbitrary<unknown> {
  if (schema.$ref) return good(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, field);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => good({ ...schema, type }, field)));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((part) => good(part, field)));
  switch (schema.type) {
    case "object":
      return objectOf(schema);
    case "array":
      return mostly(fc.array(anyOf(schema.items ?? {}, field), { maxLength: 4 }), fullList(schema));
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
function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const [there, missing] = required.includes(name) ? [40, 1] : [1, 2];
    const value = fc.oneof(
      { weight: there, arbitrary: anyOf(schema, name) },
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
  fc.integer({ min: 1, max: 3 }).map(String),
  fc.constantFrom("0", "-1", "x", "99", "2147483648", "9007199254740991", "99999999999999999999", "%00"),
);

function requestOf(path: string, method: string, operation: Operation): fc.Arbitrary<FuzzRequest> {
  const names = (place: string) =>
    operation.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  const queryValue = mostly(
    fc.integer({ min: 25, max: 500 }).map(String),
    fc.oneof(anyText, fc.constantFrom("-1", "0")),
  );
  const schema = operation.requestBody?.content["application/json"].schema;
  const json = schema && anyOf(schema, "").map((value) => JSON.stringify(value) ?? "null");
  return fc
    .record({
      ids: fc.record(Object.fromEntries(names("path").map((name) => [name, id]))),
      query: fc.dictionary(fc.constantFrom(...names("query"), "x"), queryValue, { maxKeys: 2 }),
      filter: fc.option(mostly(filterOf(operation.operationId).map(headerText), fc.constant("{")), { nil: undefined }),
      body: json ? mostly(json, anyText) : fc.constant(undefined),
    })
    .map(({ ids, query, filter, body }) => {
      const where = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
      const text = Object.entries(query).map(
        ([key, value]) => `${key}=${encodeURIComponent(value.replace(/\p{Surrogate}/gu, "?"))}`,
      );
      const to = `/v4${where}${text.length > 0 ? `?${text.join("&")}` : ""}`;
      const headers = filter === undefined ? {} : { "X-Filter": filter };
      const request = { operation: operation.operationId, method: method.toUpperCase(), path: to, headers };
      return body === undefined ? request : { ...request, body };
    });
}

/** Requests of every operation of the OpenAPI document, creates more often, so that there is something to change. */
export const requests: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .map(([method, operation]) => ({
        weight: operation.operationId === "createRecord" ? 6 : operation.operationId === "deleteDomain" ? 0.3 : 2,
        arbitrary: requestOf(path, method, operation),
      }))
      .map(({ weight, arbitrary }) => ({ weight: Math.ceil(weight * 3), arbitrary })),
  ),
);

/** Something to ask about: a domain with three records. */
const beginning: readonly FuzzRequest[] = [
  post("createDomain", "/v4/domains", { domain: "begin.example", type: "master", soa_email: "a@begin.example" }),
  post("createRecord", "/v4/domains/1/records", { type: "A", name: "www", target: "192.0.2.1" }),
  post("createRecord", "/v4/domains/1/records", { type: "MX", target: "" }),
  post("createRecord", "/v4/domains/1/records", { type: "CAA", tag: "issue", target: ";" }),
];

function post(operation: string, path: string, body: object): FuzzRequest {
  return { operation, method: "POST", path, headers: {}, body: JSON.stringify(body) };
}

/** Most milliseconds for one request: a hang, on any machine. */
const patience = 5000;

/**
 * Sends the requests one after another to a server with this store. Each must be answered in time as in its endpoint's
 * contract: 200 with its reply, or an error below 500 with entries, and no unexpected error. Returns the number of
 * 200s.
 */
export async function judge(store: Store, sequence: readonly FuzzRequest[]): Promise<number> {
  const now = new Date("2026-03-04T12:00:00Z");
  const token = await createToken(store, { username: "admin", now });
  let unforeseen: unknown;
  const onError = (error: unknown) => {
    unforeseen = error;
  };
  const server = createServer({ store, clock: () => now, onError });
  let stored = 0;
  for (const { operation, method, path, headers, body } of [...beginning, ...sequence]) {
    const fault = (what: string, cause?: unknown) =>
      new Error(`${what}\n${method} ${path} ${JSON.stringify(headers)} ${body ?? ""}`, { cause });
    const request = new Request(`http://api${path}`, {
      method,
      headers: { ...headers, Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body }),
    });
    const started = performance.now();
    const reply = await server(request, { remoteAddress: "192.0.2.99" });
    const text = await reply.text();
    if (performance.now() - started > patience) throw fault("takes too long");
    if (unforeseen !== undefined) throw fault("nobody foresaw", unforeseen);
    if (reply.status >= 500) throw fault(`answers ${reply.status} ${text}`);
    if (reply.headers.get("Content-Type") !== "application/json") throw fault("is not JSON by its header");
    const { reply: contract, noContent } = (endpoints as Record<string, Endpoint>)[operation] ?? {};
    if (reply.status === 204 && noContent !== undefined && text === "") {
      stored++;
      continue;
    }
    const schema = reply.status === 200 ? contract : apiErrors;
    const read = schema?.safeParse(JSON.parse(text));
    if (!read?.success) throw fault(`answers ${reply.status} against its contract: ${text}`, read?.error);
    if (reply.status === 200) stored++;
  }
  return stored;
}
