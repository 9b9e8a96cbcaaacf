import type { AnyInput } from "../../client/call.ts";
import type { UntypedCall } from "../../client/client.ts";
import { all, type List, type PagedInput } from "../../client/pages.ts";
import { lookFirst } from "../../client/transport-error.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import type { Filter } from "../../contract/filter.ts";
import { largestPageOf, type Page, readPage } from "../../contract/page.ts";
import { advise } from "../../diagnostics/advice.ts";
import { type ProblemError, problemError } from "../../diagnostics/problem.ts";

/** One call of an endpoint that is known only at run time. */
export interface OperationCall {
  readonly endpoint: Endpoint;
  /** Path parameters. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly filter?: Filter | undefined;
  readonly body?: unknown;
  /** Whether all pages of the list are read, as one page. */
  readonly isAll: boolean;
}

/** Sends the call. Returns the JSON of the reply as the service sent it; undefined for a reply without content. */
export async function callOperation(call: UntypedCall, wanted: OperationCall, signal: AbortSignal): Promise<unknown> {
  return wanted.isAll ? readAllPages(call, wanted, signal) : call(wanted.endpoint, inputOf(wanted), { signal });
}

function inputOf({ params, query, filter, body }: OperationCall): AnyInput {
  return {
    ...params,
    ...(query && { query }),
    ...(filter && { filter }),
    ...(body !== undefined && { body }),
  };
}

async function readAllPages(call: UntypedCall, wanted: OperationCall, signal: AbortSignal): Promise<Page<object>> {
  const getPage: List<PagedInput, { id: string; item: object }> = async (input, options) => {
    const query = { ...wanted.query, ...input?.query };
    const page = readPage(await call(wanted.endpoint, inputOf({ ...wanted, query }), options));
    if (page === undefined) throw notShaped(wanted, "a page of a list");
    return { ...page, data: identify(page.data) };
  };
  const list = Object.assign(getPage, { largestPage: largestPageOf(wanted.endpoint.query) });
  const items = await all(list, {}, { signal });
  return { data: items.map(({ item }) => item), page: 1, pages: 1, results: items.length };
}

/** The items of a page with an id each: their own or, in lists without ids, their content and number among equals. */
function identify(items: readonly object[]): { id: string; item: object }[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const content = JSON.stringify("id" in item ? item.id : item);
    const number = counts.get(content) ?? 0;
    counts.set(content, number + 1);
    return { id: `${content} ${number}`, item };
  });
}

/** The error for a reply of another shape than the operation has: `a page of a list` or `an object`. */
export function notShaped({ endpoint: { method, path }, isAll }: OperationCall, shape: string): ProblemError {
  const look = advise`Use ${{ set: "json" }}${isAll ? advise`, without ${{ set: "all" }},` : ""} to see the reply.`;
  const fix = method === "GET" ? look : lookFirst; // it would send a write again
  return problemError("transport/reply", `${method} ${path}: the reply is not ${shape}`, { fix });
}
