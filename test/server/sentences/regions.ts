import { refused } from "../start.ts";
import { by, filter, notFound, ok, page, type Sections, type Sentence, unfilterable } from "./kit.ts";

const capabilities = ["Nodes", "Backups", "Block Storage", "Cloud Firewall", "Vlans"];

/** A region of the embedded catalogue. */
const region = (id: string, country: string, fields: object = {}) => ({
  id,
  country,
  capabilities,
  status: "ok",
  resolvers: { ipv4: "192.0.2.5,192.0.2.6", ipv6: "3fff::5,3fff::6" },
  ...fields,
});
const newark = region("us-east", "us");
const frankfurt = region("eu-central", "de");
const frankfurt2 = region("de-fra-2", "de");
const london = region("eu-west", "gb");
const london2 = region("gb-lon", "gb");

const filtered = (value: object, as = ""): Sentence[1] => [["GET", "/regions", undefined, { ...filter(value), as }]];
const europe = { "+or": [{ country: "de" }, { country: "gb" }] };

/**
 * The fields of a region, one after the other (decisions/documents#regions). Those that can be filtered serve clients.
 */
const fields: readonly Sentence[] = [
  ["id: string", [["GET", "/regions/us-east"]], ok(newark)],
  ["id: filterable", filtered({ id: "us-east" }), ok(page([newark]))],
  ["id: in its letter case", filtered({ id: "US-East" }), ok(page([]))],
  ["country: filterable", filtered({ country: "de" }), ok(page([frankfurt2, frankfurt]))],
  [
    "capabilities: array of strings; a region without VLANs",
    filtered({ capabilities: { "+neq": "Vlans" } }),
    ok(page([region("us-west", "us", { capabilities: capabilities.filter((word) => word !== "Vlans") })])),
  ],
  ["capabilities: filterable", filtered({ capabilities: "Vlans", country: "de" }), ok(page([frankfurt2, frankfurt]))],
  ["resolvers: not filterable", filtered({ "resolvers.ipv4": "" }), unfilterable("resolvers.ipv4")],
  ["status: ok, outage", filtered({ status: { "+neq": "ok" } }), ok(page([]))],
  ["label: not in the document", filtered({ label: "Newark, NJ" }), unfilterable("label")],
  ["label: no order in profile documented", filtered({ "+order_by": "label" }), unfilterable("label")],
  [
    "label: sent in profile live",
    [["GET", "/regions/us-east"]],
    ok(
      region("us-east", "us", {
        capabilities: ["Linodes", ...capabilities.slice(1)],
        label: "Newark, NJ",
        site_type: "core",
        monitors: { alerts: ["Linodes"] },
        placement_group_limits: {
          maximum_pgs_per_customer: null,
          maximum_linodes_per_pg: 5,
          maximum_linodes_per_flexible_pg: 5,
        },
      }),
    ),
    "live",
  ],
];

/** The endpoints of regions, which need no token (decisions/documents#regions, decisions/documents#authentication). */
const endpoints: readonly Sentence[] = [
  [
    "GET /regions: ordered as wished",
    filtered({ ...europe, "+order_by": "id", "+order": "desc" }),
    ok(page([london2, london, frankfurt, frankfurt2])),
  ],
  [
    "GET /regions: not every service is available in every region",
    filtered({ capabilities: "Kubernetes" }),
    ok(page([])),
  ],
  ["GET /regions: page_size at least 25", [["GET", "/regions?page_size=24"]], refused(["Must be 25-500", "page_size"])],
  [
    "GET /regions: page_size at most 500",
    [["GET", "/regions?page_size=501"]],
    refused(["Must be 25-500", "page_size"]),
  ],
  ["GET /regions: page from 1", [["GET", "/regions?page=0"]], refused(["Must be 1 or greater", "page"])],
  [
    "GET /regions: past the end",
    [["GET", "/regions?page=3&page_size=25"]],
    ok(page([], { page: 3, pages: 2, results: 34 })),
  ],
  ["GET /regions: without a token", filtered({ id: "us-east" }, ""), ok(page([newark]))],
  ["GET /regions: with an invalid token", filtered({ id: "us-east" }, "0".repeat(64)), ok(page([newark]))],
  ["GET /regions/{regionId}: without a token", [by("", ["GET", "/regions/us-east"])], ok(newark)],
  ["GET /regions/{regionId}: with an invalid token", [["GET", "/regions/us-east", undefined, { as: "x" }]], ok(newark)],
  ["GET /regions/{regionId}: string; an unknown one", [["GET", "/regions/us-nowhere"]], notFound],
  ["GET /regions/{regionId}: in its letter case", [["GET", "/regions/US-EAST"]], notFound],
  ["GET /regions/{regionId}: not by its place in the list", [["GET", "/regions/1"]], notFound],
];

export const regionSections: Sections = {
  "decisions/documents#regions: fields": fields,
  "decisions/documents#regions: endpoints": endpoints,
};
