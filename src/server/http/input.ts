import * as z from "zod";
import { attributesOf, isList, isRequired } from "../../contract/endpoint.ts";
import { type ApiErrorEntry, reasons } from "../../contract/errors.ts";
import { FilterError, type FilterNode, type FilterQuery, parseFilter } from "../../contract/filter.ts";
import { queryIn } from "../../contract/page.ts";
import type { Profile } from "../entities/context.ts";
import { badRequest, errorEntry, notFound, Refusal, refuseIfAny } from "../kit/api-error.ts";
import { type ApiRequest, readBodyOctets } from "../kit/request.ts";
import { isStorable } from "../store/language.ts";
import { findIgnoredKeys } from "./hosted.ts";
import { readFiles } from "./multipart.ts";
import type { EndpointCall } from "./router.ts";

/**
 * A request as its endpoint's schemas read it. If the body has errors, `input` is the request without the invalid
 * fields, if the schema accepts that: it serves to find further errors, and for nothing else.
 */
interface ReadInput {
  readonly input: object | undefined;
  readonly bodyErrors: readonly ApiErrorEntry[];
  /** Keys that the hosted service knows and this server does not, in profile live. */
  readonly ignored: readonly string[];
}

/**
 * Reads the parts of a request that its endpoint declares, and checks them by their schemas.
 * @throws {Refusal} 404 for a path parameter that no object can have; 400 for an invalid query or filter, with all
 * errors of the request; 413 for a body over the limit.
 */
export async function readInput(call: EndpointCall, request: ApiRequest, profile: Profile): Promise<ReadInput> {
  const { endpoint, parameters, translation } = call;
  const params = endpoint.params && (readIds(endpoint.params, parameters) ?? readParams(call, endpoint.params));
  const errors: ApiErrorEntry[] = [];
  const querySchema = queryIn(profile, endpoint.query);
  const query = querySchema && check(querySchema, queryOf(querySchema, request), errors);
  const filter = isList(endpoint) ? readFilter(request, call, profile, errors) : undefined;
  const bodyErrors: ApiErrorEntry[] = [];
  const raw =
    endpoint.body && (endpoint.media ? await readFiles(request) : await parseBody(request, isRequired(endpoint.body)));
  const sent = endpoint.media ? raw : translation.body(raw, "documented");
  const ignored = profile === "live" && raw !== undefined ? findIgnoredKeys(endpoint, raw) : [];
  const body = endpoint.body && (check(endpoint.body, sent, bodyErrors) ?? validPart(endpoint.body, sent, bodyErrors));
  if (errors.length > 0) refuseIfAny([...errors, ...bodyErrors]);
  const input = { ...params, ...(query && { query }), ...(filter && { filter }), ...(body && { body }) };
  return { input: endpoint.body && !body ? undefined : input, bodyErrors, ignored };
}

/** Path parameters that are all ids, without the cost of a schema; undefined for others. */
function readIds({ shape }: z.ZodObject, texts: EndpointCall["parameters"]): Record<string, number> | undefined {
  const ids: Record<string, number> = {};
  for (const name in texts) {
    const text = texts[name] ?? "";
    if (!/^[1-9]\d{0,14}$/.test(text) || !isOfIds(shape[name])) return undefined;
    ids[name] = Number(text);
  }
  return ids;
}

/** Whether a schema accepts all integers from 1 on, and nothing else. */
function isOfIds(schema: z.core.$ZodType | undefined): boolean {
  return (
    schema instanceof z.ZodNumber &&
    schema.isInt &&
    schema.minValue === 1 &&
    schema.maxValue === Number.MAX_SAFE_INTEGER &&
    schema.def.checks?.length === 1
  );
}

/** @throws {Refusal} 404 for a path parameter that no object can have. */
function readParams({ parameters, translation }: EndpointCall, schema: z.ZodObject): object {
  const params = schema.safeParse(translation.params(fromText(schema, parameters), "documented"));
  // Databases reject queries with characters that they cannot store.
  if (params.data === undefined || unstorableErrors(params.data).length > 0) throw notFound();
  return params.data;
}

/** The body without its invalid fields; a required one becomes an empty text. */
function validPart(schema: z.ZodObject, sent: unknown, errors: readonly ApiErrorEntry[]): object | undefined {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return undefined;
  const faulty = fieldsOf(errors);
  const rest = Object.fromEntries(Object.entries(sent).filter(([key]) => !faulty.has(key)));
  const filled = { ...Object.fromEntries([...faulty].map((key) => [key, ""])), ...rest };
  return schema.safeParse(rest).data ?? schema.safeParse(filled).data;
}

function check(schema: z.ZodObject, value: unknown, errors: ApiErrorEntry[]): object | undefined {
  const result = schema.safeParse(value, { error: reasonFor });
  const found = result.error ? schemaErrors(result.error) : [];
  found.push(...unstorableErrors(result.data ?? fieldsWithoutErrors(schema, value, found)));
  errors.push(...found);
  return found.length === 0 ? result.data : undefined;
}

/**
 * The fields of the schema without errors. Unknown fields are ignored, and an invalid one may have half a million
 * entries.
 */
function fieldsWithoutErrors(schema: z.ZodObject, value: unknown, found: readonly ApiErrorEntry[]): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const faulty = fieldsOf(found);
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => Object.hasOwn(schema.shape, key) && !faulty.has(key)),
  );
}

/** The top-level fields that errors are about. */
function fieldsOf(errors: readonly ApiErrorEntry[]): ReadonlySet<string> {
  return new Set(errors.map(({ field = "" }) => field.split(/[.[]/)[0] ?? ""));
}

/** The query parameters; of a repeated one, the first. */
function queryOf(schema: z.ZodObject, request: ApiRequest): object {
  return fromText(schema, Object.fromEntries([...new URL(request.url).searchParams].reverse()));
}

/** Path and query carry text: a numeral becomes a number where the schema does not accept text. */
function fromText(schema: z.ZodObject, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const { shape } = schema;
  const values = Object.entries(texts).map(([key, text]) => {
    const isNumber = /^-?(0|[1-9]\d{0,15})$/.test(text) && Object.hasOwn(shape, key) && !takesText(shape[key], text);
    return [key, isNumber ? Number(text) : text];
  });
  return Object.fromEntries(values);
}

function takesText(schema: z.core.$ZodType | undefined, text: string): boolean {
  if (schema instanceof z.ZodNumber) return false; // usually, and the errors of `safeParse` cost more than all else
  return schema === undefined || z.safeParse(schema, text).success;
}

/** SQLite refuses expressions deeper than 1,000, and n conditions joined by AND or OR are n deep. */
const deepest = 600;

function readFilter(
  request: ApiRequest,
  { endpoint, translation }: EndpointCall,
  profile: Profile,
  errors: ApiErrorEntry[],
): FilterQuery | undefined {
  const attributes = attributesOf(endpoint, profile);
  try {
    const text = request.headers.get("X-Filter") ?? "";
    const known = [...attributes, ...attributes.map(translation.attribute)];
    const filter = translation.filterQuery(parseFilter(text, known));
    // Databases reject queries with characters that they cannot store.
    if (depth(filter.where) > deepest || unstorableErrors(filter.where).length > 0)
      throw new FilterError(reasons.filterUnusable);
    return filter;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    errors.push(errorEntry("X-Filter", error.reason));
    return undefined;
  }
}

function depth(node: FilterNode): number {
  return node.kind === "compare"
    ? 1
    : node.parts.reduce((most, part) => Math.max(most, depth(part)), 0) + node.parts.length;
}

/**
 * Limits of a body. The largest useful bodies are a domain with three lists of 100 entries and a TXT record of 65,535
 * characters in any JSON spelling; reading many more values, or unknown field names, takes longer than the request.
 */
const bodyLimits = { octets: 1024 * 1024, values: 10_000, depth: 100 };

/**
 * Reads the body of a request as JSON; an empty one is an object without fields, unless a body `isRequired`.
 * @throws {Refusal} 413 over 1 MiB; 400 if it is not UTF-8, incomplete or not JSON, or exceeds the other limits.
 */
async function parseBody(request: ApiRequest, isRequired: boolean): Promise<unknown> {
  const text = await readText(request);
  if (text === "" && !isRequired) return {};
  const { values, depth } = measure(text);
  if (depth > bodyLimits.depth) throw badRequest(`The request body is nested deeper than ${bodyLimits.depth} levels`);
  if (values > bodyLimits.values)
    throw badRequest(`The request body has more than ${bodyLimits.values.toLocaleString("en")} values`);
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(reasons.invalidJson);
  }
}

/** The body as text. */
async function readText(request: ApiRequest): Promise<string> {
  const octets = await readBodyOctets(request, bodyLimits.octets, {
    tooLarge: () => new Refusal(413, [{ reason: "The request body is larger than 1 MiB" }]),
    incomplete: () => badRequest(reasons.invalidJson),
  });
  try {
    return utf8.decode(octets);
  } catch {
    throw badRequest(reasons.invalidJson);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

const [quote, backslash, comma, colon] = ['"', "\\", ",", ":"].map((sign) => sign.charCodeAt(0));
/** In ASCII, `[` and `]` with this bit set are `{` and `}`. */
const [opening, closing, curly] = [0x7b, 0x7d, 0x20];

/** Counts values and nesting outside of strings, stopping at the limits. */
function measure(text: string): { values: number; depth: number } {
  let [values, level, depth] = [1, 0, 0];
  for (let at = 0; at < text.length && values <= bodyLimits.values && depth <= bodyLimits.depth; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma || code === colon) values++;
    else if ((code | curly) === opening) depth = Math.max(depth, ++level);
    else if ((code | curly) === closing) level--;
  }
  return { values, depth };
}

/** Index of the quote that ends the string that begins at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
    at = end + 1;
  }
}

/** The reason for an issue that the contract has no text for. */
function reasonFor(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return `${fieldAt(issue.path ?? [])} is required`;
      if (isNumber(issue.expected)) return "Must be an integer";
      return `Must be of type ${issue.expected === "record" ? "Object" : capitalize(issue.expected)}`;
    case "invalid_value":
      return `Must be one of ${issue.values.join(", ")}`;
    case "too_big":
      return "Too large";
    case "too_small":
      return "Too small";
    default:
      return undefined;
  }
}

/** The errors that a schema found; for a field of the wrong type, only that. */
function schemaErrors({ issues }: z.ZodError): ApiErrorEntry[] {
  const mistyped = new Set(issues.filter(isTypeIssue).map(({ path }) => fieldAt(path)));
  return issues
    .filter((issue) => isTypeIssue(issue) || !mistyped.has(fieldAt(issue.path)))
    .map(({ path, message }) => (path.length === 0 ? { reason: message } : errorEntry(fieldAt(path), message)));
}

function isTypeIssue({ code }: z.core.$ZodIssue): boolean {
  return code === "invalid_type";
}

/** Deeper than any schema, but not than the stack: a body may be nested half a million times. */
const deepestBody = 100;

/** Errors for texts that databases cannot store. */
function unstorableErrors(value: unknown, path: readonly PropertyKey[] = []): ApiErrorEntry[] {
  if (typeof value === "string") {
    return isStorable(value) ? [] : [errorEntry(fieldAt(path), "Contains a character that cannot be stored")];
  }
  if (typeof value !== "object" || value === null || path.length > deepestBody) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    unstorableErrors(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** `["ipv4", 0, "range"]` is `ipv4[0].range` (decisions/service#replies). */
function fieldAt(path: readonly PropertyKey[]): string {
  return path.reduce<string>((field, key) => {
    if (typeof key === "number") return `${field}[${key}]`;
    return field === "" ? String(key) : `${field}.${String(key)}`;
  }, "");
}

function isNumber(type: string): boolean {
  return type === "number" || type === "int";
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
