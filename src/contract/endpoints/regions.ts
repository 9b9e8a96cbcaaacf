import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import { region, regionColumns, regionFilterable } from "../resources/region.ts";

const ofAnyone = { method: "GET", scope: null, tag: "Regions" } as const;

/** Regions (decisions/documents#regions). */
export const regionEndpoints = {
  listRegions: {
    ...ofAnyone,
    path: "/regions",
    summary: "List regions",
    query: pageQuery,
    filterable: regionFilterable,
    columns: regionColumns,
    reply: pageOf(region),
  },
  getRegion: {
    ...ofAnyone,
    path: "/regions/{regionId}",
    summary: "View a region",
    params: z.object({ regionId: z.string().min(1).describe("Id of the region") }),
    reply: region,
  },
} as const satisfies Endpoints;
