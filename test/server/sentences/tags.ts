import { expect } from "vitest";
import { noon, refused } from "../start.ts";
import {
  type ApiRequest,
  by,
  days,
  domainWith,
  filter,
  notFound,
  ok,
  page,
  type Sections,
  type Sentence,
  unauthorized,
  wrongLength,
} from "./kit.ts";

const create = (fields: object): ApiRequest => ["POST", "/tags", fields];
const post = (fields: object): Sentence[1] => [create(fields)];
const prod = post({ label: "prod", domains: [1] });
const list: ApiRequest = ["GET", "/tags"];
const tagged: ApiRequest = ["GET", "/tags/prod"];
const domain: ApiRequest = ["GET", "/domains/1"];
const taggedDomain = domainWith({ tags: ["prod"] });
const taggedSlave = (domain: string) => ({ domain, type: "slave", master_ips: ["192.0.2.53"], tags: ["prod"] });
const required = (field: string) => refused([`${field} is required`, field]);
const invalid = (field: string) => refused([`${field} is not valid`, field]);

/** The fields of a tag (decisions/documents#tags). */
const tag: readonly Sentence[] = [
  ["label: from 3", post({ label: "abc" }), ok({ label: "abc" })],
  ["label: not 2", post({ label: "ab" }), wrongLength("3-50", "label")],
  ["label: to 50", post({ label: "x".repeat(50) }), ok({ label: "x".repeat(50) })],
  ["label: not 51", post({ label: "x".repeat(51) }), wrongLength("3-50", "label")],
  ["label: no line break", post({ label: "a\nbc" }), refused(["Must not contain control characters", "label"])],
  ["label: no escape", post({ label: "a\u001b[1m" }), refused(["Must not contain control characters", "label"])],
  ["label: not of spaces only", post({ label: "   " }), refused(["Must contain a visible character", "label"])],
  [
    "label: not of a Hangul filler",
    post({ label: "\u3164".repeat(3) }),
    refused(["Must contain a visible character", "label"]),
  ],
  ["label: a symbol is visible", post({ label: "  🌍" }), ok({ label: "  🌍" })],
  ["label: string", post({ label: 123 }), refused(["Must be of type String", "label"])],
  ["attached to domains", [...prod, domain], ok(taggedDomain)],
  ["a tag moves neither updated nor the serial", [days(1), ...prod, domain], ok(taggedDomain)],
];

/** The endpoints of tags (decisions/documents#tags). */
const endpoints: readonly Sentence[] = [
  ["GET /tags: none", [list], ok(page([]))],
  [
    "GET /tags: by label, without regard to case",
    [...post({ label: "web" }), ...post({ label: "Prod" }), ...post({ label: "all" }), list],
    ok(page([{ label: "all" }, { label: "Prod" }, { label: "web" }])),
  ],
  ["GET /tags: page_size to 100", [["GET", "/tags?page_size=101"]], refused(["Must be 25-100", "page_size"])],
  ["GET /tags: page_size from 25", [["GET", "/tags?page_size=24"]], refused(["Must be 25-100", "page_size"])],
  ["GET /tags: page from 1", [["GET", "/tags?page=0"]], refused(["Must be 1 or greater", "page"])],
  ["GET /tags: page_size to 500 in profile live", [["GET", "/tags?page_size=500"]], ok(page([])), "live"],
  [
    "GET /tags: page_size 100 unless given",
    [
      ...Array.from({ length: 101 }, (_, n): ApiRequest => ["POST", "/tags", { label: `tag ${100 + n}` }]),
      ["GET", "/tags?page=2"],
    ],
    ok(page([{ label: "tag 200" }], { page: 2, pages: 2, results: 101 })),
  ],
  ["GET /tags: all labels for restricted users", [...prod, by("restricted", list)], ok(page([{ label: "prod" }]))],
  ["GET /tags: of the account", [...prod, by("stranger", list)], ok(page([]))],
  ["POST /tags: the created tag", prod, ok({ label: "prod" })],
  ["POST /tags: label required", post({ domains: [1] }), required("label")],
  ["POST /tags: the arrays are optional", post({ label: "prod" }), ok({ label: "prod" })],
  [
    "POST /tags: empty arrays",
    post({ label: "prod", domains: [], nodes: [], balancers: [], volumes: [] }),
    ok({ label: "prod" }),
  ],
  ["domains: an array", post({ label: "prod", domains: 1 }), refused(["Must be of type Array", "domains"])],
  ["domains: integer IDs", post({ label: "prod", domains: ["1"] }), refused(["Must be an integer", "domains[0]"])],
  ["domains: that exist", post({ label: "prod", domains: [1, 99] }), invalid("domains[1]")],
  ["nodes: that exist", post({ label: "prod", nodes: [99] }), invalid("nodes[0]")],
  ["balancers: that exist", post({ label: "prod", balancers: [99] }), invalid("balancers[0]")],
  ["volumes: that exist", post({ label: "prod", volumes: [99] }), invalid("volumes[0]")],
  [
    "otherwise the tag is not created",
    [{ refused: ["POST", "/tags", { label: "prod", domains: [1, 99] }] }, list],
    ok(page([])),
  ],
  [
    "and attached to nothing",
    [{ refused: ["POST", "/tags", { label: "prod", domains: [1, 99] }] }, domain],
    ok(domainWith()),
  ],
  ["domains of another account", [by("stranger", create({ label: "prod", domains: [1] }))], invalid("domains[0]")],
  [
    "POST /tags: a label that exists gains the objects",
    [...post({ label: "prod" }), ...post({ label: "PROD", domains: [1] }), domain],
    ok(taggedDomain),
  ],
  ["and stays one", [...post({ label: "prod" }), ...post({ label: "PROD" }), list], ok(page([{ label: "prod" }]))],
  ["POST /tags: unrestricted users only", [by("read_write", create({ label: "prod" }))], unauthorized],
  ["GET /tags/{label}: all tagged objects", [...prod, tagged], ok(page([{ type: "domain", data: taggedDomain }]))],
  [
    "GET /tags/{label}: page, page_size",
    [...prod, ["GET", "/tags/prod?page=2&page_size=25"]],
    ok(page([], { page: 2, results: 1 })),
  ],
  [
    "GET /tags/{label}: page_size to 100",
    [...prod, ["GET", "/tags/prod?page_size=101"]],
    refused(["Must be 25-100", "page_size"]),
  ],
  [
    "GET /tags/{label}: page_size from 25",
    [...prod, ["GET", "/tags/prod?page_size=24"]],
    refused(["Must be 25-100", "page_size"]),
  ],
  [
    "GET /tags/{label}: page from 1",
    [...prod, ["GET", "/tags/prod?page=0"]],
    refused(["Must be 1 or greater", "page"]),
  ],
  [
    "GET /tags/{label}: page_size 100 unless given",
    [
      ...Array.from({ length: 101 }, (_, n): ApiRequest => ["POST", "/domains", taggedSlave(`d${n + 1}.example`)]),
      ["GET", "/tags/prod?page=2"],
    ],
    ok(
      page([{ type: "domain", data: domainWith({ id: 102, soa_email: "", ...taggedSlave("d101.example") }) }], {
        page: 2,
        pages: 2,
        results: 101,
      }),
    ),
  ],
  [
    "GET /tags/{label}: without regard to case",
    [...prod, ["GET", "/tags/PROD"]],
    ok(page([{ type: "domain", data: taggedDomain }])),
  ],
  ["GET /tags/{label}: unknown", [["GET", "/tags/prod"]], notFound],
  ["GET /tags/{label}: no objects", [...post({ label: "prod" }), tagged], ok(page([]))],
  ["GET /tags/{label}: as far as grants show", [...prod, by("restricted", tagged)], ok(page([]))],
  [
    "GET /tags/{label}: what a grant shows",
    [...prod, by("read_only", tagged)],
    ok(page([{ type: "domain", data: taggedDomain }])),
  ],
  ["GET /tags/{label}: of the account", [...prod, by("stranger", tagged)], notFound],
  ["GET /tags/{label}: a label with a blank", [...post({ label: "a b c" }), ["GET", "/tags/a%20b%20c"]], ok(page([]))],
  ["DELETE /tags/{label}: {}", [...prod, ["DELETE", "/tags/prod"]], ok({})],
  ["removes the tag from all objects", [...prod, ["DELETE", "/tags/prod"], domain], ok(domainWith())],
  ["and deletes it", [...prod, ["DELETE", "/tags/prod"], list], ok(page([]))],
  ["DELETE /tags/{label}: unknown", [["DELETE", "/tags/prod"]], notFound],
  [
    "DELETE /tags/{label}: unrestricted users only",
    [...prod, by("read_write", ["DELETE", "/tags/prod"])],
    unauthorized,
  ],
];

const use: ApiRequest = ["PUT", "/domains/1", { tags: ["prod"] }];
const events = (action: string): ApiRequest => ["GET", "/account/events", undefined, filter({ action })];
const event = (action: string) => ({
  id: expect.any(Number),
  action,
  created: noon,
  duration: null,
  entity: { label: "prod", id: "prod", type: "tag", url: "/v4/tags/prod" },
  secondary_entity: null,
  message: "",
  percent_complete: null,
  rate: null,
  read: false,
  seen: false,
  status: "notification",
  time_remaining: null,
  username: "admin",
});

/** The decisions about tags (decisions/account#tags). */
const design: readonly Sentence[] = [
  ["a tag is created on first use", [use, list], ok(page([{ label: "prod" }]))],
  ["and its last use keeps it", [use, ["PUT", "/domains/1", { tags: [] }], list], ok(page([{ label: "prod" }]))],
  ["and a deleted domain too", [use, ["DELETE", "/domains/1"], list], ok(page([{ label: "prod" }]))],
  ["tag_create, of a POST", [...prod, events("tag_create")], ok(page([event("tag_create")]))],
  ["tag_create, of a first use", [use, list, events("tag_create")], ok(page([event("tag_create")]))],
  ["no tag_create of an existing one", [...prod, ...prod, events("tag_create")], ok(page([event("tag_create")]))],
  ["tag_delete", [...prod, ["DELETE", "/tags/prod"], events("tag_delete")], ok(page([event("tag_delete")]))],
];

export const tagSections: Sections = {
  "decisions/documents#tags: fields": tag,
  "decisions/documents#tags: endpoints": endpoints,
  "decisions/account#tags": design,
};
