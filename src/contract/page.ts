import * as z from "zod";
import { largestPage } from "./bounds.ts";
import type { TtlProfile } from "./ttl.ts";

/** The minimum page size of a list. */
export const smallestPage = 25;

/** Query of a paged list (decisions/service#paging). */
export const pageQuery = pagesTo(largestPage);

/**
 * Query of the lists of tickets, replies, tags and tagged objects, whose pages have at most 100 items in the documented
 * profile (decisions/documents#conventions).
 */
export const pageQuery100 = pagesTo(100);

function pagesTo(largest: number) {
  const bounds = `Must be ${smallestPage}-${largest}`;
  return z.object({
    page: z
      .int({ error: "Must be 1 or greater" })
      .min(1, "Must be 1 or greater")
      .default(1)
      .describe("Number of the page, from 1"),
    page_size: z
      .int({ error: bounds })
      .min(smallestPage, bounds)
      .max(largest, bounds)
      .default(100)
      .describe("Number of items on a page"),
  });
}

/** The query of an endpoint in a profile. */
export function queryIn(profile: TtlProfile, query: z.ZodObject | undefined): z.ZodObject | undefined {
  return profile === "live" && query === pageQuery100 ? pageQuery : query;
}

/** The maximum page size of a list that every profile allows. */
export function largestPageOf(query: z.ZodObject | undefined): number {
  return query === pageQuery100 ? 100 : largestPage;
}

/**
 * The envelope of a list (decisions/documents#conventions): an empty list has one page, a page past the end no
 * data.
 */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).describe("The items of this page"),
    page: z.int().min(1).describe("Number of this page, from 1"),
    pages: z.int().min(1).describe("Number of pages; an empty list has one"),
    results: z.int().min(0).describe("Number of items in the whole list"),
  });
}

export interface Page<T> {
  data: T[];
  page: number;
  pages: number;
  results: number;
}

const anyItem = z.custom<object>((item) => typeof item === "object" && item !== null && !Array.isArray(item));
const anyPage = pageOf(anyItem);

/** Reads a reply as a page of any list; undefined if it is something else. */
export function readPage(reply: unknown): Page<object> | undefined {
  return anyPage.safeParse(reply).data;
}
