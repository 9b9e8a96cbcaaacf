import type { Page } from "../../contract/page.ts";
import type { Slice } from "../store/page.ts";

/** The envelope of a list (decisions/documents#conventions): an empty list has one page. */
export function envelope<T>(
  data: T[],
  results: number,
  { page, page_size }: Pick<Slice, "page" | "page_size">,
): Page<T> {
  return { data, page, pages: Math.max(1, Math.ceil(results / page_size)), results };
}
