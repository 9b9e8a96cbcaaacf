import type * as z from "zod";
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
  const params = endpoint.params?.safeParse(numbersIn(pathParameters));
  if (params?.success === false) throw notFound();
  const problems: ApiErrorEntry[] = [];
  const query = endpoint.query && check(endpoint.query, numbersIn(firstOfEach(new URL(request.url))), problems);
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

/** Path and query carry text; a schema that wants a number gets one where the text is one. */
function numbersIn(texts: Record<string, string>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, /^-?(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text]),
  );
}

function firstOfEach({ searchParams }: URL): Record<string, string> {
  return Object.fromEntries([...searchParams].reverse());
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(reasons.invalidJson);
  }
}

/** Beyond this many comparisons SQLite refuses the expression as too deep, its limit is 1,000. */
const mostComparisons = 500;

function readFilter(
  request: Request,
  filterable: readonly string[],
  problems: ApiErrorEntry[],
): FilterQuery | undefined {
  try {
    const filter = parseFilter(request.headers.get("X-Filter") ?? "", filterable);
    if (comparisons(filter.where) > mostComparisons) throw new FilterError(reasons.filterUnusable);
    return filter;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    problems.push(problem("X-Filter", error.reason));
    return undefined;
  }
}

function comparisons(node: FilterNode): number {
  return node.kind === "compare" ? 1 : node.parts.reduce((sum, part) => sum + comparisons(part), 0);
}
