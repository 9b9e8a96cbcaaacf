import { expect } from "vitest";
import { noon, refused } from "../start.ts";
import { notFound, ok, page, type Sections, type Sentence } from "./kit.ts";

/**
 * decisions/documents#conventions, decisions/documents#errors and decisions/documents#versions, as far as they are
 * about every endpoint. Both prefixes and all headers: plumbing.test.ts. Tokens and scopes: access.test.ts. Deprecated
 * endpoints and bounds as the OpenAPI document states them: fields.test.ts. Bounds of pages: tags.ts, tickets.ts,
 * service.ts.
 */
const general: readonly Sentence[] = [
  ["a date-time has no zone designator", [["GET", "/account"]], ok(expect.objectContaining({ active_since: noon }))],
  [
    "money values are numbers",
    [["GET", "/account"]],
    ok(expect.objectContaining({ balance: 0, balance_uninvoiced: 0 })),
  ],
  [
    "lists return an envelope: data, page, pages, results",
    [["GET", "/account/events?page=9"]],
    ok({ data: [], page: 9, pages: 1, results: 2 }),
  ],
  [
    "1. an invalid value is an error on its field",
    [["PUT", "/domains/1", { ttl_sec: "x" }]],
    refused(["Must be an integer", "ttl_sec"]),
  ],
  [
    "3. tags: no access to a listed object",
    [["POST", "/tags", { label: "prod", domains: [9] }]],
    refused(["domains[0] is not valid", "domains[0]"]),
  ],
  ["4. deleting a non-existent object", [["DELETE", "/domains/9"]], notFound],
  ["4. changing a non-existent object", [["PUT", "/domains/9", { group: "web" }]], notFound],
  ["4. deleting a non-existent tag", [["DELETE", "/tags/prod"]], notFound],
];

/** The words of the documents and those of the hosted service (decisions/nodes#words). */
const words: readonly Sentence[] = [
  [
    "live words in profile live",
    [["POST", "/tags", { label: "prod", linodes: [9] }]],
    refused(["linodes[0] is not valid", "linodes[0]"]),
    "live",
  ],
  [
    "documented words in profile live, which answers live ones",
    [["POST", "/tags", { label: "prod", nodes: [9] }]],
    refused(["linodes[0] is not valid", "linodes[0]"]),
    "live",
  ],
  [
    "documented words only in profile documented: another key is unknown and ignored",
    [["POST", "/tags", { label: "prod", linodes: [9] }]],
    ok({ label: "prod" }),
  ],
  [
    "never free text",
    [
      ["PUT", "/domains/1", { description: "node", tags: ["node_id"] }],
      ["GET", "/tags"],
    ],
    ok(page([{ label: "node_id" }])),
    "live",
  ],
];

export const generalSections: Sections = {
  "decisions/documents#conventions, decisions/documents#errors": general,
  "decisions/nodes#words": words,
};
