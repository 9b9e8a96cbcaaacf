import * as z from "zod";
import type { Endpoint } from "../../contract/endpoint.ts";
import { type ApiErrorEntry, reasons } from "../../contract/errors.ts";
import { FilterError, type FilterNode, type FilterQuery, parseFilter } from "../../contract/filter.ts";
import { errorEntry, notFound, refuse } from "../kit/api-error.ts";
import type { Profile } from "../kit/context.ts";
import { readText } from "./body.ts";
import { readJson } from "./read-json.ts";
import { entries, reasonFor, unstorable } from "./schema-problems.ts";

/**
 * A request as its endpoint's schemas have read it. Where its body has faults, `input` has the body without them, as long as
 * the schema takes it so: what else is wrong can be found out with it, nothing else may be done with it.
 */
export interface ReadInput {
  readonly input: object | undefined;
  readonly faults: readonly ApiErrorEntry[];
}

/**
 * The parts of a request that its endpoint declares, read and checked by their schemas.
 * @throws {ApiError} 404 for a path parameter that cannot be an id; 400 for a query or a filter that cannot be used, with
 * every fault of the request; 413 for a body over the limit.
 */
export async function readInput(
  endpoint: Endpoint,
  request: Request,
  pathParameters: Record<string, string>,
  profile: Profile,
): Promise<ReadInput> {
  const params = endpoint.params?.safeParse(fromText(endpoint.params, pathParameters));
  if (params?.success === false) throw notFound();
  const problems: ApiErrorEntry[] = [];
  const query = endpoint.query && check(endpoint.query, queryOf(endpoint.query, request), problems);
  const filter = endpoint.filterable && readFilter(request, endpoint, profile, problems);
  const faults: ApiErrorEntry[] = [];
  const sent = endpoint.body && readJson(await readText(request));
  const body = endpoint.body && (check(endpoint.body, sent, faults) ?? sound(endpoint.body, sent, faults));
  if (problems.length > 0) refuse([...problems, ...faults]);
  const input = { ...params?.data, ...(query && { query }), ...(filter && { filter }), ...(body && { body }) };
  return { input: endpoint.body && !body ? undefined : input, faults };
}

/** What is left of a body without its faulty fields; an empty text takes the place of one that it cannot be without. */
function sound(schema: z.ZodObject, sent: unknown, faults: readonly ApiErrorEntry[]): object | undefined {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return undefined;
  const faulty = fieldsOf(faults);
  const rest = Object.fromEntries(Object.entries(sent).filter(([key]) => !faulty.has(key)));
  const filled = { ...Object.fromEntries([...faulty].map((key) => [key, ""])), ...rest };
  return schema.safeParse(rest).data ?? schema.safeParse(filled).data;
}

function check(schema: z.ZodObject, value: unknown, problems: ApiErrorEntry[]): object | undefined {
  const result = schema.safeParse(value, { error: reasonFor });
  const found = result.error ? entries(result.error) : [];
  found.push(...unstorable(result.data ?? unsaid(schema, value, found)));
  problems.push(...found);
  return found.length === 0 ? result.data : undefined;
}

/**
 * The fields that the schema speaks of, as far as it has nothing against them. What a body holds beside them is nobody's
 * fault, and what it holds in a field that is wrong already may be half a million entries.
 */
function unsaid(schema: z.ZodObject, value: unknown, found: readonly ApiErrorEntry[]): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const faulty = fieldsOf(found);
  return Object.fromEntries(Object.entries(value).filter(([key]) => key in schema.shape && !faulty.has(key)));
}

/** The fields of a body that these are about. */
function fieldsOf(problems: readonly ApiErrorEntry[]): ReadonlySet<string> {
  return new Set(problems.map(({ field = "" }) => field.split(/[.[]/)[0] ?? ""));
}

/** Of a parameter that is given twice, the first counts. */
function queryOf(schema: z.ZodObject, request: Request): object {
  return fromText(schema, Object.fromEntries([...new URL(request.url).searchParams].reverse()));
}

/** Path and query carry text: where the schema does not take a text that is a number, it gets the number. */
function fromText(schema: z.ZodObject, texts: Record<string, string>): object {
  const values = Object.entries(texts).map(([key, text]) => {
    const takesText = z.safeParse(schema.shape[key] ?? z.unknown(), text).success;
    return [key, !takesText && /^-?(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text];
  });
  return Object.fromEntries(values);
}

/** Deeper than 1,000 SQLite refuses an expression, and n conditions joined by AND or OR are n deep in it. */
const deepest = 600;

function readFilter(
  request: Request,
  { filterable = [], orderable = [] }: Endpoint,
  profile: Profile,
  problems: ApiErrorEntry[],
): FilterQuery | undefined {
  try {
    const text = request.headers.get("X-Filter") ?? "";
    const filter = parseFilter(text, filterable, profile === "live" ? [...filterable, ...orderable] : filterable);
    // No stored text has what cannot be stored, and databases refuse to look for it.
    if (depth(filter.where) > deepest || unstorable(filter.where).length > 0)
      throw new FilterError(reasons.filterUnusable);
    return filter;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    problems.push(errorEntry("X-Filter", error.reason));
    return undefined;
  }
}

function depth(node: FilterNode): number {
  return node.kind === "compare"
    ? 1
    : node.parts.reduce((most, part) => Math.max(most, depth(part)), 0) + node.parts.length;
}
