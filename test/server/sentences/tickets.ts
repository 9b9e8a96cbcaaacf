import { expect } from "vitest";
import { noon, refused } from "../start.ts";
import {
  type ApiRequest,
  by,
  days,
  errorAnswer,
  filter,
  notFound,
  ok,
  page,
  type Sections,
  type Sentence,
  unauthorized,
  unfilterable,
  wrongLength,
} from "./kit.ts";

const path = "/support/tickets";
const summary = "Lookups fail";
const description = "No answer since noon.";
const gravatar_id = expect.stringMatching(/^[0-9a-f]{32}$/);

/** The first ticket as it is at first, but for these. */
const ticketWith = (fields: object = {}) => ({
  id: 1,
  attachments: [],
  closed: null,
  closable: true,
  description,
  entity: null,
  gravatar_id,
  opened: noon,
  opened_by: "admin",
  status: "new",
  summary,
  updated: noon,
  updated_by: null,
  ...fields,
});
const create = (fields: object = {}): ApiRequest => ["POST", path, { summary, description, ...fields }];
const open = (fields: object = {}): ApiRequest[] => [create(fields)];
const get: Sentence[1] = [["GET", `${path}/1`]];
const list: Sentence[1] = [["GET", path]];
const close: ApiRequest[] = [["POST", `${path}/1/close`]];
const filtered = (value: object): Sentence[1] => [...open(), ["GET", path, undefined, filter(value)]];
const required = (field: string) => refused([`${field} is required`, field]);
const invalid = (field: string) => refused([`${field} is not valid`, field]);
const oneOnly = errorAnswer(400, "Only one of the ID attributes can be set");
const notManaged = refused(["Managed is not enabled for this account.", "managed_issue"]);
const idAttributes = ["domain_id", "node_id", "k8scluster_id", "metricsclient_id", "balancer_id", "volume_id"];

/** A configuration profile of the node 1 in `us-east` with an interface in this VLAN. */
const vlanOf = (label: string): ApiRequest => [
  "POST",
  "/node/instances/1/configs",
  { label, devices: {}, interfaces: [{ purpose: "public" }, { purpose: "vlan", label }] },
];
/** The VLAN `backend`. */
const vlan = (): ApiRequest[] => [
  ["POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" }],
  vlanOf("backend"),
];
const ofVlan = { vlan: "backend", region: "us-east" };
const aboutVlan = { entity: { label: "backend", type: "vlan", url: "/v4/regions/us-east" } };

/** Tickets are opened, shown and closed (decisions/documents#support-tickets). */
const tickets: readonly Sentence[] = [
  ["GET …/tickets: none", list, ok(page([]))],
  ["GET …/tickets: an envelope", [...open(), ...list], ok(page([ticketWith()]))],
  [
    "GET …/tickets: the unclosed first, then the newest",
    [...open(), ...open(), ...open(), ["POST", `${path}/3/close`], ...list],
    ok(
      page([
        ticketWith({ id: 2 }),
        ticketWith(),
        ticketWith({ id: 3, status: "closed", closed: noon, closable: false, updated_by: "admin" }),
      ]),
    ),
  ],
  ["GET …/tickets: page_size to 100", [["GET", `${path}?page_size=101`]], refused(["Must be 25-100", "page_size"])],
  ["GET …/tickets: page_size from 25", [["GET", `${path}?page_size=24`]], refused(["Must be 25-100", "page_size"])],
  [
    "GET …/tickets: page_size 100 unless given",
    [...Array.from({ length: 101 }, () => create()), ["GET", `${path}?page=2`]],
    ok(page([ticketWith()], { page: 2, pages: 2, results: 101 })),
  ],
  ["GET …/tickets: page from 1", [["GET", `${path}?page=0`]], refused(["Must be 1 or greater", "page"])],
  ["POST …/tickets: the ticket", open(), ok(ticketWith())],
  ["description: required", open({ description: undefined }), required("description")],
  ["description: from 1", open({ description: "x" }), ok(ticketWith({ description: "x" }))],
  ["description: not 0", open({ description: "" }), wrongLength("1-65000", "description")],
  [
    "description: to 65000",
    open({ description: "x".repeat(65000) }),
    ok(ticketWith({ description: "x".repeat(65000) })),
  ],
  ["description: not 65001", open({ description: "x".repeat(65001) }), wrongLength("1-65000", "description")],
  ["summary: required", open({ summary: undefined }), required("summary")],
  ["summary: from 1", open({ summary: "x" }), ok(ticketWith({ summary: "x" }))],
  ["summary: not 0", open({ summary: "" }), wrongLength("1-64", "summary")],
  [
    "summary: not of spaces and invisible characters only",
    open({ summary: " \u200b\u3164" }),
    refused(["Must contain a visible character", "summary"]),
  ],
  ["summary: to 64", open({ summary: "x".repeat(64) }), ok(ticketWith({ summary: "x".repeat(64) }))],
  ["summary: not 65", open({ summary: "x".repeat(65) }), wrongLength("1-64", "summary")],
  ...idAttributes.map(
    (field): Sentence => [`${field}: integer`, open({ [field]: "1" }), refused(["Must be an integer", field])],
  ),
  ...idAttributes.map(
    (field): Sentence => [`${field}: of an object of the account`, open({ [field]: 99 }), invalid(field)],
  ),
  [
    "domain_id",
    open({ domain_id: 1 }),
    ok(ticketWith({ entity: { id: 1, type: "domain", label: "example.com", url: "/v4/domains/1" } })),
  ],
  ["domain_id: of another account", [by("stranger", create({ domain_id: 1 }))], invalid("domain_id")],
  ["domain_id: without a grant", [by("restricted", create({ domain_id: 1 }))], invalid("domain_id")],
  ["managed_issue: boolean", open({ managed_issue: "yes" }), refused(["Must be of type Boolean", "managed_issue"])],
  ["managed_issue: false", open({ managed_issue: false }), ok(ticketWith())],
  ["vlan: string", open({ vlan: 5, region: "us-east" }), refused(["Must be of type String", "vlan"])],
  ["region: string", open({ vlan: "backend", region: 5 }), refused(["Must be of type String", "region"])],
  ["1. Only one of the ID attributes", open({ domain_id: 1, node_id: 1 }), oneOnly],
  ["2. With managed_issue no ID attributes", open({ domain_id: 1, managed_issue: true }), oneOnly],
  ["2. managed_issue: true", open({ managed_issue: true }), ok(ticketWith())],
  ["2. managed_issue: with managed only", [{ managed: "off" }, ...open({ managed_issue: true })], notManaged],
  ["2. With managed_issue no vlan", open({ managed_issue: true, vlan: "backend", region: "us-east" }), oneOnly],
  ["3. vlan with region: of the account", open({ vlan: "backend", region: "us-east" }), invalid("vlan")],
  ["3. vlan with region: of a node", [...vlan(), create(ofVlan)], ok(ticketWith(aboutVlan))],
  [
    "3. vlan with region: the subject in a list",
    [...vlan(), create(ofVlan), ...list],
    ok(page([ticketWith(aboutVlan)])),
  ],
  [
    "3. vlan with region: of another configuration profile",
    [...vlan(), vlanOf("other"), create(ofVlan)],
    ok(ticketWith(aboutVlan)),
  ],
  ["3. vlan with region: in another region", [...vlan(), create({ ...ofVlan, region: "eu-west" })], invalid("vlan")],
  ["3. vlan with region: in no region", [...vlan(), create({ ...ofVlan, region: "nowhere" })], invalid("vlan")],
  ["3. vlan with region: the whole label", [...vlan(), create({ ...ofVlan, vlan: "back" })], invalid("vlan")],
  [
    "3. vlan with region: no label of an interface without VLAN",
    [...vlan(), create({ ...ofVlan, vlan: "public" })],
    invalid("vlan"),
  ],
  ["3. vlan with region: no pattern", [...vlan(), create({ ...ofVlan, vlan: "%" })], invalid("vlan")],
  ["3. vlan with region: of another account", [...vlan(), by("stranger", create(ofVlan))], invalid("vlan")],
  ["3. vlan with region: of a node without a grant", [...vlan(), by("restricted", create(ofVlan))], invalid("vlan")],
  [
    "3. vlan with region: of a deleted node",
    [...vlan(), ["DELETE", "/node/instances/1"], create(ofVlan)],
    invalid("vlan"),
  ],
  ...idAttributes.map(
    (field): Sentence => [`3. vlan beside ${field}`, open({ vlan: "backend", region: "us-east", [field]: 1 }), oneOnly],
  ),
  ["3. region is allowed only for a VLAN ticket", open({ region: "us-east" }), invalid("region")],
  ["3. an empty region without vlan, with one error", open({ region: "" }), invalid("region")],
  ["3. vlan requires region", open({ vlan: "backend" }), required("region")],
  ["GET …/{ticketId}", [...open(), ...get], ok(ticketWith())],
  ["GET …/{ticketId}: integer", [["GET", `${path}/one`]], notFound],
  ["GET …/{ticketId}: unknown", get, notFound],
  ["GET …/{ticketId}: of another account", [...open(), by("stranger", ["GET", `${path}/1`])], notFound],
  ["POST …/close: {}", [...open(), ...close], ok({})],
  [
    "POST …/close: closes the ticket",
    [...open(), days(1), ...close, ...get],
    ok(
      ticketWith({
        status: "closed",
        closed: "2026-03-05T12:00:00",
        closable: false,
        updated: "2026-03-05T12:00:00",
        updated_by: "admin",
      }),
    ),
  ],
  ["POST …/close: unknown", close, notFound],
];

const files = `${path}/1/attachments`;
const attach = (...names: string[]): ApiRequest[] =>
  names.map((name) => {
    const form = new FormData();
    form.set("file", new File(["text"], name));
    return ["POST", files, form];
  });
const attached = (...attachments: string[]) => ok(ticketWith({ attachments, updated_by: "admin" }));
const wrongFile = refused(["File type is not supported", "file"]);
const endings = [".gif", ".jpg", ".jpeg", ".pjpg", ".pjpeg", ".tif", ".tiff", ".png", ".pdf", ".txt"];

/** Attachments (decisions/documents#support-tickets, decisions/account#tickets). */
const attachments: readonly Sentence[] = [
  ...endings.map(
    (ending): Sentence => [
      `accepted extension ${ending}`,
      [...open(), ...attach(`a${ending}`), ...get],
      attached(`a${ending}`),
    ],
  ),
  ["POST …/attachments: {}", [...open(), ...attach("notes.txt")], ok({})],
  [
    "updated: the last file",
    [...open(), days(1), ...attach("notes.txt"), ...get],
    ok(ticketWith({ attachments: ["notes.txt"], updated: "2026-03-05T12:00:00", updated_by: "admin" })),
  ],
  ["in any letter case", [...open(), ...attach("Notes.TXT"), ...get], attached("Notes.TXT")],
  ["no other extension", [...open(), ...attach("notes.exe")], wrongFile],
  ["not in front of another", [...open(), ...attach("notes.txt.exe")], wrongFile],
  ["not without", [...open(), ...attach("notes")], wrongFile],
  ["a file is required", [...open(), ["POST", files, new FormData()]], required("file")],
  [
    "a repeated name",
    [...open(), ...attach("notes.txt", "notes.txt", "notes.txt"), ...get],
    attached("notes.txt", "notes (2).txt", "notes (3).txt"),
  ],
  ["line separators in the name", [...open(), ...attach("a\u2028\u2029b.txt"), ...get], attached("a\u2028\u2029b.txt")],
  ["the base name", [...open(), ...attach("../../etc/notes.txt"), ...get], attached("notes.txt")],
  [
    "20 a ticket",
    [
      ...open(),
      ...attach(...endings.map((ending) => `a${ending}`), ...endings.map((ending) => `b${ending}`)),
      ...attach("c.txt"),
    ],
    errorAnswer(400, "A ticket can have at most 20 files"),
  ],
  ["of a closed ticket", [...open(), ...close, ...attach("notes.txt")], errorAnswer(400, "This ticket is closed")],
  ["of an unknown ticket", attach("notes.txt"), notFound],
];

const replies = `${path}/1/replies`;
const reply = (text: unknown = "It works again."): ApiRequest[] => [["POST", replies, { description: text }]];
/** A request of this caller about a ticket on domain 1, which the first user opened. */
const ofDomain = (caller: "read_only" | "read_write", request: readonly ApiRequest[]): Sentence[1] => [
  ...open({ domain_id: 1 }),
  ...request.map((one) => by(caller, one)),
];
const replyWith = (fields: object = {}) => ({
  id: 1,
  created: noon,
  created_by: "admin",
  description: "It works again.",
  from_operator: false,
  gravatar_id,
  ...fields,
});

/** Replies (decisions/documents#support-tickets). */
const repliesTo: readonly Sentence[] = [
  ["GET …/replies: none", [...open(), ["GET", replies]], ok(page([]))],
  [
    "GET …/replies: an envelope",
    [...open(), ...reply(), ["GET", `${replies}?page=1&page_size=25`]],
    ok(page([replyWith()])),
  ],
  [
    "GET …/replies: page_size to 100",
    [...open(), ["GET", `${replies}?page_size=101`]],
    refused(["Must be 25-100", "page_size"]),
  ],
  [
    "GET …/replies: page_size from 25",
    [...open(), ["GET", `${replies}?page_size=24`]],
    refused(["Must be 25-100", "page_size"]),
  ],
  ["GET …/replies: page from 1", [...open(), ["GET", `${replies}?page=0`]], refused(["Must be 1 or greater", "page"])],
  [
    "GET …/replies: page_size 100 unless given",
    [...open(), ...Array.from({ length: 101 }, () => reply()).flat(), ["GET", `${replies}?page=2`]],
    ok(page([replyWith({ id: 101 })], { page: 2, pages: 2, results: 101 })),
  ],
  ["GET …/replies: of an unknown ticket", [["GET", replies]], notFound],
  ["POST …/replies: the reply", [...open(), ...reply()], ok(replyWith())],
  [
    "POST …/replies: from_linode in profile live",
    [...open(), ...reply()],
    ok({ ...replyWith({ from_linode: false }), from_operator: undefined }),
    "live",
  ],
  ["description: required", [...open(), ["POST", replies, {}]], required("description")],
  ["description: from 1", [...open(), ...reply("x")], ok(replyWith({ description: "x" }))],
  ["description: not 0", [...open(), ...reply("")], wrongLength("1-65535", "description")],
  [
    "description: to 65535",
    [...open(), ...reply("x".repeat(65535))],
    ok(replyWith({ description: "x".repeat(65535) })),
  ],
  ["description: not 65536", [...open(), ...reply("x".repeat(65536))], wrongLength("1-65535", "description")],
  ["description: string", [...open(), ...reply(5)], refused(["Must be of type String", "description"])],
  ["of an unknown ticket", reply(), notFound],
];

const events = (action: string): ApiRequest => ["GET", "/account/events", undefined, filter({ action })];
const event = (action: string) => ({
  id: expect.any(Number),
  action,
  created: noon,
  duration: null,
  entity: { label: summary, id: 1, type: "ticket", url: "/v4/support/tickets/1" },
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
const once = (action: string) => ok(page([event(action)]));

/** The decisions about tickets (decisions/account#tickets). The operator's side: operator-ticket.test.ts. */
const design: readonly Sentence[] = [
  ["opened: filterable", filtered({ opened: noon }), ok(page([ticketWith()]))],
  ["closed: filterable", filtered({ closed: noon }), ok(page([]))],
  ["updated: filterable", filtered({ updated: { "+gt": noon } }), ok(page([]))],
  ["summary: not filterable", filtered({ summary }), unfilterable("summary")],
  // As clients of the hosted service do.
  ["status: filterable", filtered({ status: "new" }), ok(page([ticketWith()]))],
  [
    "a reply of the customer: updated, but new until the operator's first reply",
    [...open(), days(1), ...reply(), ...get],
    ok(ticketWith({ updated: "2026-03-05T12:00:00", updated_by: "admin" })),
  ],
  [
    "a closed ticket cannot be closed",
    [...open(), ...close, ...close],
    errorAnswer(400, "This ticket cannot be closed"),
  ],
  ["later replies", [...open(), ...close, ...reply()], errorAnswer(400, "This ticket is closed")],
  [
    "a restricted user: their own tickets",
    [...open(), by("restricted", create()), by("restricted", ["GET", path])],
    ok(page([ticketWith({ id: 2, opened_by: "restricted" })])),
  ],
  [
    "a restricted user: those of entities they see",
    [...open({ domain_id: 1 }), ...open(), by("read_only", ["GET", `${path}?page=1`])],
    ok(page([ticketWith({ entity: { id: 1, type: "domain", label: "example.com", url: "/v4/domains/1" } })])),
  ],
  ["a restricted user: replies with too small a grant", ofDomain("read_only", reply()), unauthorized],
  ["a restricted user: files with too small a grant", ofDomain("read_only", attach("notes.txt")), unauthorized],
  ["a restricted user: closes with too small a grant", ofDomain("read_only", close), unauthorized],
  ["a restricted user: closes with a grant that suffices", ofDomain("read_write", close), ok({})],
  ["a restricted user: no others", [...open(), by("restricted", ["GET", `${path}/1`])], unauthorized],
  ["ticket_create", [...open(), events("ticket_create")], once("ticket_create")],
  ["ticket_update, of a reply", [...open(), ...reply(), events("ticket_update")], once("ticket_update")],
  ["ticket_update, of a close", [...open(), ...close, events("ticket_update")], once("ticket_update")],
  [
    "ticket_attachment_upload",
    [...open(), ...attach("notes.txt"), events("ticket_attachment_upload")],
    once("ticket_attachment_upload"),
  ],
];

export const ticketSections: Sections = {
  "decisions/documents#support-tickets": tickets,
  "decisions/documents#support-tickets: attachments": attachments,
  "decisions/documents#support-tickets: replies": repliesTo,
  "decisions/account#tickets": design,
};
