import * as z from "zod";

/** Query of a paged list (service: Paging). */
export const pageQuery = z.object({
  page: z
    .int({ error: "Must be 1 or greater" })
    .min(1, "Must be 1 or greater")
    .default(1)
    .describe("Number of the page, from 1"),
  page_size: z
    .int({ error: "Must be 25-500" })
    .min(25, "Must be 25-500")
    .max(500, "Must be 25-500")
    .default(100)
    .describe("Number of items on a page"),
});

/** The maximum page size of a list of domains or records. */
export const largestPage = 500;

/**
 * The envelope of a list (first document, General conventions): an empty list has one page, a page past the end no
 * data.
 */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).describe("The items of this page"),
    page: z.int().describe("Number of this page, from 1"),
    pages: z.int().describe("Number of pages; an empty list has one"),
    results: z.int().describe("Number of items in the whole list"),
  });
}

export interface Page<T> {
  data: T[];
  page: number;
  pages: number;
  results: number;
}
