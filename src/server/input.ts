import * as z from "zod";
import type { Endpoint } from "../contract/endpoint.ts";
import { type ApiErrorEntry, reasons } from "../contract/errors.ts";
import { FilterError, type FilterNode, type FilterQuery, parseFilter } from "../contract/filter.ts";
import { notFound, problem, refusal, refuse } from "./api-error.ts";
import { readText } from "./read-text.ts";
import { entries, reasonFor, unstorable } from "./schema-problems.ts";

/**
 * The parts of a request that its endpoint declares, read and checked by their schemas.
 * @throws {ApiError} 404 for a path parameter that cannot be an id; 400 with every problem of the query, the filter and
 * the body; 413 for a body over the limit.
 */
export async function readInput(
  endpoint: Endpoint,
  request: Request,
  pathParameters: Record<string, string>,
): Promise<object> {
  const params = endpoint.params?.safeParse(fromText(endpoint.params, pathParameters));
  if (params?.success === false) throw notFound();
  const problems: ApiErrorEntry[] = [];
  const query = endpoint.query && check(endpoint.query, queryOf(endpoint.query, request), problems);
  const filter = endpoint.filterable && readFilter(request, endpoint.filterable, problems);
  const body = endpoint.body && check(endpoint.body, parseJson(await readText(request)), problems);
  refuse(problems);
  return { ...params?.data, ...(query && { query }), ...(filter && { filter }), ...(body && { body }) };
}

function check(schema: z.ZodObject, value: unknown, problems: ApiErrorEntry[]): object | undefined {
  const result = schema.safeParse(value, { error: reasonFor });
  problems.push(...(result.success ? unstorable(result.data) : entries(result.error)));
  return result.data;
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(reasons.invalidJson);
  }
}

/** Deeper than 1,000 SQLite refuses an expression, and n conditions joined by AND or OR are n deep in it. */
const deepest = 600;

function readFilter(
  request: Request,
  filterable: readonly string[],
  problems: ApiErrorEntry[],
): FilterQuery | undefined {
  try {
    const filter = parseFilter(request.headers.get("X-Filter") ?? "", filterable);
    if (depth(filter.where) > deepest) throw new FilterError(reasons.filterUnusable);
    return filter;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    problems.push(problem("X-Filter", error.reason));
    return undefined;
  }
}

function depth(node: FilterNode): number {
  return node.kind === "compare"
    ? 1
    : node.parts.reduce((most, part) => Math.max(most, depth(part)), 0) + node.parts.length;
}
