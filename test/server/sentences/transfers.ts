import { expect } from "vitest";
import { noon, refused } from "../start.ts";
import {
  type ApiRequest,
  by,
  domainWith,
  errorAnswer,
  filter,
  nodeWith,
  notFound,
  ok,
  page,
  recordWith,
  type Sections,
  type Sentence,
  unauthorized,
  unfilterable,
} from "./kit.ts";

const path = "/account/entity-transfers";
const token = expect.stringMatching(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
const unknown = "0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D";
const day = 86_400;
const moveTime = 10;

/** The transfer of domain 1 that is offered at noon, as the sender sees it, but for these. */
const transferWith = (fields: object = {}) => ({
  entities: { nodes: [], domains: [1] },
  token,
  status: "pending",
  created: noon,
  updated: noon,
  expiry: "2026-03-05T12:00:00",
  is_sender: true,
  ...fields,
});
const offered = (entities: unknown): ApiRequest => ["POST", path, { entities }];
const offer = offered({ domains: [1] });
const list: ApiRequest = ["GET", path];
const get: ApiRequest = ["GET", `${path}/{token}`];
const cancel: ApiRequest = ["DELETE", `${path}/{token}`];
const accept: ApiRequest = ["POST", `${path}/{token}/accept`];
const accepted: Sentence[1] = [offer, by("stranger", accept)];
const moved: Sentence[1] = [...accepted, { seconds: moveTime }];

const invalid = (...fields: string[]) =>
  refused(...fields.map((field): [string, string] => [`entities.${field} is not valid`, `entities.${field}`]));
/** The refusal of the first entity of a list, or of another, with the reason. */
const hindered = (list: string, reason: string, index = 0) => refused([reason, `entities.${list}[${index}]`]);
const domain = (name: string, fields: object = {}): ApiRequest => [
  "POST",
  "/domains",
  { domain: name, type: "master", soa_email: "hostmaster@example.com", ...fields },
];
const node = (fields: object = {}): ApiRequest => [
  "POST",
  "/node/instances",
  { region: "us-east", type: "g6-nanode-1", label: "web-1", ...fields },
];
/** An idle node, whose id is 1. */
const idle: Sentence[1] = [node(), { seconds: 8 }];
/** A configuration profile in a VLAN. */
const vlan = (label: string): ApiRequest => [
  "POST",
  "/node/instances/1/configs",
  { label: "inside", devices: {}, interfaces: [{ purpose: "vlan", label, ipam_address: "" }] },
];
/** A running node in a VLAN. */
const inVlan: Sentence[1] = [...idle, vlan("lan"), ["POST", "/node/instances/1/boot", {}], { seconds: 60 }];
const anyTimes = { created: expect.any(String), updated: expect.any(String), expiry: expect.any(String) };
const later = (seconds: number) => `2026-03-04T12:00:${String(seconds).padStart(2, "0")}`;

/** The fields of a transfer, one row for each (decisions/documents#entity-transfers). */
const fields: readonly Sentence[] = [
  [
    "created: when it was offered",
    [{ seconds: 5 }, offer],
    ok(transferWith({ created: later(5), updated: later(5), expiry: "2026-03-05T12:00:05" })),
  ],
  ["entities: a map from type to ids, which are integers", [offer], ok(transferWith())],
  [
    "entities: not of other types",
    [offered({ domains: ["1"] })],
    refused(["Must be an integer", "entities.domains[0]"]),
  ],
  ["expiry: after 24 hours", [offer, { seconds: day - 1 }, get], ok(transferWith())],
  [
    "expiry: not later",
    [offer, { seconds: day }, get],
    ok(transferWith({ status: "stale", updated: "2026-03-05T12:00:00" })),
  ],
  ["is_sender: of the account, not the user", [offer, by("colleague", get)], ok(transferWith())],
  [
    "is_sender: not of the receiver",
    [...accepted, by("stranger", get)],
    ok(transferWith({ is_sender: false, status: "accepted" })),
  ],
  ["is_sender: filterable", [offer, ["GET", path, undefined, filter({ is_sender: true })]], ok(page([transferWith()]))],
  ["is_sender: filterable by false", [offer, ["GET", path, undefined, filter({ is_sender: false })]], ok(page([]))],
  [
    "is_sender: the filter of the receiver",
    [...accepted, by("stranger", ["GET", path, undefined, filter({ is_sender: false })])],
    ok(page([transferWith({ is_sender: false, status: "accepted" })])),
  ],
  ["status: pending", [offer, get], ok(transferWith())],
  ["status: accepted", [...accepted, get], ok(transferWith({ status: "accepted" }))],
  ["status: completed", [...moved, get], ok(transferWith({ status: "completed", updated: later(10) }))],
  [
    "status: cancelled",
    [offer, { seconds: 1 }, cancel, get],
    ok(transferWith({ status: "cancelled", updated: later(1) })),
  ],
  [
    "status: failed",
    [...accepted, ["DELETE", "/domains/1"], { seconds: moveTime }, get],
    ok(transferWith({ status: "failed", updated: later(10) })),
  ],
  [
    "status: stale",
    [offer, { seconds: day }, get],
    ok(transferWith({ status: "stale", updated: "2026-03-05T12:00:00" })),
  ],
  ["status: filterable", [offer, ["GET", path, undefined, filter({ status: "pending" })]], ok(page([transferWith()]))],
  ["status: another", [offer, ["GET", path, undefined, filter({ status: "accepted" })]], ok(page([]))],
  ["token: a UUID in upper case", [offer], ok(transferWith())],
  ["token: not filterable", [["GET", path, undefined, filter({ token: unknown })]], unfilterable("token")],
  ["created: not filterable", [["GET", path, undefined, filter({ created: noon })]], unfilterable("created")],
];

/** The endpoints of transfers (decisions/documents#entity-transfers). */
const endpoints: readonly Sentence[] = [
  ["GET: an envelope", [list], ok(page([]))],
  ["GET: page and page_size", [offer, ["GET", `${path}?page=2&page_size=25`]], ok(page([], { page: 2, results: 1 }))],
  ["POST: entities is required", [["POST", path, {}]], refused(["entities is required", "entities"])],
  [
    "POST: entities is an object",
    [["POST", path, { entities: "nodes" }]],
    refused(["Must be of type Object", "entities"]),
  ],
  ["POST: the transfer", [offer], ok(transferWith())],
  ["GET …/{token}: the transfer", [offer, get], ok(transferWith())],
  ["GET …/{token}: a UUID", [["GET", `${path}/1`]], notFound],
  ["GET …/{token}: unknown", [["GET", `${path}/${unknown}`]], notFound],
  ["DELETE …/{token}: {}", [offer, cancel], ok({})],
  ["DELETE …/{token}: unknown", [["DELETE", `${path}/${unknown}`]], notFound],
  ["POST …/accept: {}", accepted, ok({})],
  ["POST …/accept: unknown", [["POST", `${path}/${unknown}/accept`]], notFound],
];

/** The same five at the path of later clients (decisions/documents#entity-transfers). */
const service: readonly Sentence[] = [
  ["GET", [offer, ["GET", "/account/service-transfers"]], ok(page([transferWith()]))],
  ["POST", [["POST", "/account/service-transfers", { entities: { domains: [1] } }]], ok(transferWith())],
  ["GET …/{token}", [offer, ["GET", "/account/service-transfers/{token}"]], ok(transferWith())],
  [
    "DELETE …/{token}",
    [offer, ["DELETE", "/account/service-transfers/{token}"], get],
    ok(transferWith({ status: "cancelled" })),
  ],
  [
    "POST …/{token}/accept",
    [offer, by("stranger", ["POST", "/account/service-transfers/{token}/accept"]), get],
    ok(transferWith({ status: "accepted" })),
  ],
  [
    "in profile live, nodes are linodes",
    [...idle, ["POST", "/account/service-transfers", { entities: { linodes: [1] } }]],
    ok(
      transferWith({
        entities: { linodes: [1], domains: [] },
        created: later(8),
        updated: later(8),
        expiry: "2026-03-05T12:00:08",
      }),
    ),
    "live",
  ],
  [
    "in profile live, in errors too",
    [["POST", "/account/service-transfers", { entities: { linodes: [9] } }]],
    invalid("linodes[0]"),
    "live",
  ],
  [
    "in profile live, ordered by created",
    [["GET", "/account/service-transfers", undefined, filter({ "+order_by": "created", "+order": "desc" })]],
    ok(page([])),
    "live",
  ],
];

const events = (action: string): ApiRequest => ["GET", "/account/events", undefined, filter({ action })];
const event = (action: string, of: object = {}) => ({
  id: expect.any(Number),
  action,
  created: noon,
  duration: null,
  entity: {
    label: "example.com",
    id: token,
    type: "entity_transfer",
    url: expect.stringMatching(/^\/v4\/account\/entity-transfers\/[0-9A-F-]{36}$/),
  },
  secondary_entity: null,
  message: "",
  percent_complete: null,
  rate: null,
  read: false,
  seen: false,
  status: "notification",
  time_remaining: null,
  username: "admin",
  ...of,
});
/** The event of an offer, which does not have its token: whoever reads events could accept it. */
const offerEvent = (label: string) =>
  ok(
    page([
      event("entity_transfer_create", {
        entity: { label, type: "entity_transfer", url: "/v4/account/entity-transfers" },
      }),
    ]),
  );
const once = (action: string, of: object = {}) => ok(page([event(action, of)]));
const failed = (message: string) => once("entity_transfer_fail", { created: later(10), username: "", message });

const nodeAccepted: Sentence[1] = [offered({ nodes: [1] }), by("stranger", accept)];
const nodeFailed = (message: string) =>
  once("entity_transfer_fail", {
    created: expect.any(String),
    username: "",
    message,
    entity: { ...event("").entity, label: "web-1" },
  });

/** The entities that can be offered (decisions/account#transfers). */
const offers: readonly Sentence[] = [
  [
    "the key nodes",
    [...idle, offered({ nodes: [1] }), ["GET", path]],
    ok(
      page([
        transferWith({
          entities: { nodes: [1], domains: [] },
          created: later(8),
          updated: later(8),
          expiry: "2026-03-05T12:00:08",
        }),
      ]),
    ),
  ],
  ["null as absent", [offered({ domains: [1], nodes: null })], ok(transferWith())],
  [
    "no other key",
    [offered({ domains: [1], volumes: [1] })],
    refused(["entities.volumes is not supported", "entities.volumes"]),
  ],
  [
    "no other key, whatever JavaScript calls so",
    [offered({ domains: [1], constructor: [1] })],
    refused(["entities.constructor is not supported", "entities.constructor"]),
  ],
  ["at least one id", [offered({})], refused(["Must have at least one id", "entities"])],
  [
    "at least one id in the lists",
    [offered({ nodes: [], domains: [] })],
    refused(["Must have at least one id", "entities"]),
  ],
  [
    "to 1000 ids",
    [offered({ domains: Array.from({ length: 1001 }, (_, n) => n) })],
    refused(["Must have at most 1000 entries", "entities.domains"]),
  ],
  ["each exists", [offered({ domains: [1, 2], nodes: [7] })], invalid("nodes[0]", "domains[1]")],
  [
    "each is the account's own",
    [by("stranger", domain("example.org")), offered({ domains: [2] })],
    invalid("domains[0]"),
  ],
  ["each once", [offered({ domains: [1, 1] })], hindered("domains", 'The request names "example.com" twice.', 1)],
  ["in no other pending transfer", [offer, offer], hindered("domains", '"example.com" is part of another transfer.')],
  [
    "in no other accepted transfer",
    [...accepted, offer],
    hindered("domains", '"example.com" is part of another transfer.'),
  ],
  ["again after a cancelled transfer", [offer, cancel, offer], ok(transferWith())],
  [
    "again after a stale transfer",
    [offer, { seconds: day }, offer],
    ok(transferWith({ created: "2026-03-05T12:00:00", updated: "2026-03-05T12:00:00", expiry: "2026-03-06T12:00:00" })),
  ],
  [
    "a node is not busy",
    [...idle, ["POST", "/node/instances/1/disks", { label: "data", size: 100 }], offered({ nodes: [1] })],
    hindered("nodes", 'A job of "web-1" is unfinished.'),
  ],
  [
    "a node has no volume attached",
    [...idle, ["POST", "/volumes", { label: "data", node_id: 1 }], offered({ nodes: [1] })],
    hindered("nodes", 'A volume is attached to "web-1".'),
  ],
  [
    "a node has no VLAN in a configuration profile, because the receiver's one of that name is another",
    [...idle, vlan("lan"), offered({ nodes: [1] })],
    hindered("nodes", 'A configuration profile of "web-1" has a VLAN.'),
  ],
  [
    "a node is attached to no VLAN: a boot without it detaches the node",
    [...inVlan, ["PUT", "/node/instances/1/configs/1", { interfaces: [] }], offered({ nodes: [1] })],
    hindered("nodes", '"web-1" is attached to a VLAN until it boots without one.'),
  ],
  [
    "a node that booted without its VLAN",
    [
      ...inVlan,
      ["PUT", "/node/instances/1/configs/1", { interfaces: [] }],
      ["POST", "/node/instances/1/reboot", {}],
      { seconds: 60 },
      offered({ nodes: [1] }),
    ],
    ok(transferWith({ entities: { nodes: [1], domains: [] }, ...anyTimes })),
  ],
  [
    "not without a domain below",
    [domain("sub.example.com"), offer],
    hindered("domains", 'A domain below "example.com" is not part of the transfer.'),
  ],
  [
    "not without a domain above",
    [domain("sub.example.com"), offered({ domains: [2] })],
    hindered("domains", 'A domain above "sub.example.com" is not part of the transfer.'),
  ],
  [
    "a domain with those above and below it",
    [domain("a.sub.example.com"), domain("sub.example.com"), offered({ domains: [3, 1, 2] })],
    ok(transferWith({ entities: { nodes: [], domains: [3, 1, 2] } })),
  ],
  ["by unrestricted users only", [by("read_write", offer)], unauthorized],
  ["listed by unrestricted users only", [by("read_only", list)], unauthorized],
];

/** The two sides, and their events (decisions/account#transfers). */
const sides: readonly Sentence[] = [
  [
    "the token in any letter case",
    [offer, ["GET", path], ["POST", `${path}/{lower token}/accept`, undefined, { as: "stranger" }]],
    ok({}),
  ],
  [
    "listed: sent ones, whatever became of them",
    [offer, cancel, list],
    ok(page([transferWith({ status: "cancelled" })])),
  ],
  [
    "listed: accepted ones",
    [...accepted, by("stranger", list)],
    ok(page([transferWith({ status: "accepted", is_sender: false })])),
  ],
  ["listed: not those of others", [offer, by("stranger", list)], ok(page([]))],
  [
    "seen by anyone with the token while it is pending",
    [offer, by("stranger", get)],
    ok(transferWith({ is_sender: false })),
  ],
  ["seen by nobody else once it is cancelled", [offer, cancel, by("stranger", get)], notFound],
  ["seen by nobody else once it is stale", [offer, { seconds: day }, by("stranger", get)], notFound],
  [
    "seen by the receiver once it is completed",
    [...moved, by("stranger", get)],
    ok(transferWith({ status: "completed", updated: later(10), is_sender: false })),
  ],
  ["cancelled by the sender only", [offer, by("stranger", cancel)], unauthorized],
  ["cancelled by the account, not the user", [offer, by("colleague", cancel)], ok({})],
  ["not cancelled twice", [offer, cancel, cancel], errorAnswer(400, "This transfer is no longer pending.")],
  ["not cancelled once it is accepted", [...accepted, cancel], errorAnswer(400, "This transfer is no longer pending.")],
  [
    "not cancelled once it is stale",
    [offer, { seconds: day }, cancel],
    errorAnswer(400, "This transfer is no longer pending."),
  ],
  [
    "not accepted twice",
    [...accepted, by("stranger", accept)],
    errorAnswer(400, "This transfer is no longer pending."),
  ],
  [
    "not accepted once it is cancelled",
    [offer, cancel, by("stranger", accept)],
    errorAnswer(400, "This transfer is no longer pending."),
  ],
  [
    "not accepted once it is stale",
    [offer, { seconds: day }, by("stranger", accept)],
    errorAnswer(400, "This transfer is no longer pending."),
  ],
  ["not accepted by the sender", [offer, accept], errorAnswer(400, "You cannot accept your own transfer.")],
  [
    "not accepted by others of the sender",
    [offer, by("colleague", accept)],
    errorAnswer(400, "You cannot accept your own transfer."),
  ],
  ["entity_transfer_create", [offer, events("entity_transfer_create")], offerEvent("example.com")],
  ["entity_transfer_cancel", [offer, cancel, events("entity_transfer_cancel")], once("entity_transfer_cancel")],
  [
    "entity_transfer_accept: of the receiver",
    [...accepted, by("stranger", events("entity_transfer_accept"))],
    once("entity_transfer_accept", { username: "stranger" }),
  ],
  [
    "entity_transfer_accept: of the sender, without a name of another account",
    [...accepted, events("entity_transfer_accept")],
    once("entity_transfer_accept", { username: "" }),
  ],
  [
    "entity_transfer_stale: at its own moment",
    [offer, { seconds: 2 * day }, events("entity_transfer_stale")],
    once("entity_transfer_stale", { created: "2026-03-05T12:00:00", username: "" }),
  ],
  [
    "an event names three entities",
    [
      ...["a", "b", "c", "d"].map((name) => domain(`${name}.example`)),
      offered({ domains: [5, 4, 3, 2, 1] }),
      events("entity_transfer_create"),
    ],
    offerEvent("d.example, c.example, b.example and 2 more"),
  ],
];

/** The move of all entities, or of none (decisions/account#transfers). */
const moves: readonly Sentence[] = [
  ["not before 10 s", [...accepted, { seconds: 9 }, ["GET", "/domains/1"]], ok(domainWith())],
  ["the sender has it no longer", [...moved, ["GET", "/domains/1"]], notFound],
  ["the receiver has it under its id", [...moved, by("stranger", ["GET", "/domains/1"])], ok(domainWith())],
  [
    "its records under theirs",
    [...moved, by("stranger", ["GET", "/domains/1/records"])],
    ok(page([recordWith({ id: 1, name: "www" })])),
  ],
  [
    "the receiver may change it",
    [...moved, by("stranger", ["PUT", "/domains/1", { group: "theirs" }])],
    ok(domainWith({ group: "theirs", updated: later(10) })),
  ],
  [
    "the same serial",
    [["GET", "/domains/1/zone-file"], ...moved, by("stranger", ["GET", "/domains/1/zone-file"])],
    ok({
      zone_file: [
        "; example.com [1]",
        "$TTL 86400",
        "@  IN  SOA  ns1.example.net. hostmaster.example.com. 2026000001 14400 14400 1209600 86400",
        "@ NS ns1.example.net.",
        "www A 192.0.2.1",
      ],
    }),
  ],
  [
    "grants end",
    [by("read_write", ["GET", "/domains/1"]), ...moved, by("read_write", ["GET", "/domains"])],
    ok(page([])),
  ],
  [
    "tags are made anew",
    [
      ["PUT", "/domains/1", { tags: ["Prod", "web"] }],
      by("stranger", domain("example.org", { tags: ["prod"] })),
      ...moved,
      by("stranger", ["GET", "/domains/1"]),
    ],
    ok(domainWith({ tags: ["prod", "web"] })),
  ],
  [
    "tags of the sender stay with it",
    [["PUT", "/domains/1", { tags: ["prod"] }], ...moved, ["GET", "/tags"]],
    ok(page([{ label: "prod" }])),
  ],
  [
    "tags of the sender have it no longer",
    [["PUT", "/domains/1", { tags: ["prod"] }], ...moved, ["GET", "/tags/prod"]],
    ok(page([])),
  ],
  [
    "a new tag has the event of the user who accepted",
    [["PUT", "/domains/1", { tags: ["prod"] }], ...moved, by("stranger", events("tag_create"))],
    ok(
      page([
        event("tag_create", {
          created: later(10),
          username: "stranger",
          entity: { label: "prod", id: "prod", type: "tag", url: "/v4/tags/prod" },
        }),
      ]),
    ),
  ],
  [
    "a node with its addresses",
    [
      ...idle,
      offered({ nodes: [1] }),
      by("stranger", accept),
      { seconds: moveTime },
      by("stranger", ["GET", "/node/instances/1"]),
    ],
    ok(nodeWith({ label: "web-1", updated: expect.any(String) })),
  ],
  [
    "failed: gone",
    [...accepted, ["DELETE", "/domains/1"], { seconds: moveTime }, events("entity_transfer_fail")],
    failed('"example.com" no longer exists.'),
  ],
  [
    "failed: told to the receiver too",
    [...accepted, ["DELETE", "/domains/1"], { seconds: moveTime }, by("stranger", events("entity_transfer_fail"))],
    failed('"example.com" no longer exists.'),
  ],
  [
    "failed: a domain below it",
    [...accepted, domain("sub.example.com"), { seconds: moveTime }, events("entity_transfer_fail")],
    failed('A domain below "example.com" is not part of the transfer.'),
  ],
  [
    "failed: a domain above it",
    [
      domain("a.b.example"),
      offered({ domains: [2] }),
      by("stranger", accept),
      domain("b.example"),
      { seconds: moveTime },
      events("entity_transfer_fail"),
    ],
    once("entity_transfer_fail", {
      created: later(10),
      username: "",
      message: 'A domain above "a.b.example" is not part of the transfer.',
      entity: { ...event("").entity, label: "a.b.example" },
    }),
  ],
  [
    "failed: a node is busy",
    [
      ...idle,
      ...nodeAccepted,
      ["POST", "/node/instances/1/disks", { label: "data", size: 100 }],
      { seconds: moveTime },
      events("entity_transfer_fail"),
    ],
    nodeFailed('A job of "web-1" is unfinished.'),
  ],
  [
    "failed: a volume was attached since",
    [
      ...idle,
      ...nodeAccepted,
      ["POST", "/volumes", { label: "data", node_id: 1 }],
      { seconds: moveTime },
      events("entity_transfer_fail"),
    ],
    nodeFailed('A volume is attached to "web-1".'),
  ],
  [
    "failed: a configuration profile has a VLAN since",
    [...idle, ...nodeAccepted, vlan("lan"), { seconds: moveTime }, events("entity_transfer_fail")],
    nodeFailed('A configuration profile of "web-1" has a VLAN.'),
  ],
  [
    "failed: a label is taken, in any letter case",
    [
      ...idle,
      by("stranger", node({ label: "WEB-1" })),
      { seconds: 8 },
      ...nodeAccepted,
      { seconds: moveTime },
      events("entity_transfer_fail"),
    ],
    nodeFailed("It conflicts with an entity of the receiving account, whose users see the reason."),
  ],
  [
    "failed: the receiver learns which label",
    [
      ...idle,
      by("stranger", node({ label: "WEB-1" })),
      { seconds: 8 },
      ...nodeAccepted,
      { seconds: moveTime },
      by("stranger", events("entity_transfer_fail")),
    ],
    nodeFailed('The receiving account already has the label "web-1".'),
  ],
  [
    "failed: the sender learns of its own reasons, and not how many the receiver has",
    [
      ...idle,
      node({ label: "web-2" }),
      node({ label: "web-3" }),
      ...["web-1", "web-2"].map((label) => by("stranger", node({ label }))),
      { seconds: 8 },
      offered({ nodes: [1, 2, 3] }),
      by("stranger", accept),
      ["POST", "/node/instances/3/disks", { label: "data", size: 100 }],
      { seconds: moveTime },
      events("entity_transfer_fail"),
    ],
    once("entity_transfer_fail", {
      created: expect.any(String),
      username: "",
      message:
        'A job of "web-3" is unfinished. It conflicts with an entity of the receiving account, whose users see the reason.',
      entity: { ...event("").entity, label: "web-1, web-2, web-3" },
    }),
  ],
  [
    "failed: each reason, to three",
    [
      ...["a", "b", "c", "d"].map((name) => domain(`${name}.example`)),
      offered({ domains: [1, 2, 3, 4, 5] }),
      by("stranger", accept),
      ...[1, 2, 3, 4].map((id): ApiRequest => ["DELETE", `/domains/${id}`]),
      { seconds: moveTime },
      events("entity_transfer_fail"),
    ],
    once("entity_transfer_fail", {
      created: later(10),
      username: "",
      message:
        '"example.com" no longer exists. "a.example" no longer exists. "b.example" no longer exists. 1 more reason is not shown.',
      entity: { ...event("").entity, label: "example.com, a.example, b.example and 2 more" },
    }),
  ],
  [
    "failed: moves nothing",
    [
      domain("example.org"),
      offered({ domains: [1, 2] }),
      by("stranger", accept),
      ["DELETE", "/domains/2"],
      { seconds: moveTime },
      ["GET", "/domains/1"],
    ],
    ok(domainWith()),
  ],
  [
    "failed: can be offered again",
    [...accepted, domain("sub.example.com"), { seconds: moveTime }, offered({ domains: [1, 2] })],
    ok(
      transferWith({
        entities: { nodes: [], domains: [1, 2] },
        created: later(10),
        updated: later(10),
        expiry: "2026-03-05T12:00:10",
      }),
    ),
  ],
  [
    "a renamed domain moves",
    [
      ...accepted,
      ["PUT", "/domains/1", { domain: "example.org", soa_email: "hostmaster@example.com" }],
      { seconds: moveTime },
      by("stranger", ["GET", "/domains/1"]),
    ],
    ok(domainWith({ domain: "example.org" })),
  ],
];

/** The cancellation of the account (decisions/account#cancellation). */
const cancelled: readonly Sentence[] = [
  [
    "a cancelled account: pending transfers are cancelled",
    [offer, ["POST", "/account/cancel", {}], by("stranger", accept)],
    errorAnswer(400, "This transfer is no longer pending."),
  ],
  [
    "the sender was cancelled",
    [
      ...accepted,
      ["POST", "/account/cancel", {}],
      { seconds: moveTime },
      by("stranger", events("entity_transfer_fail")),
    ],
    failed("The account that sent it was cancelled."),
  ],
  [
    "the receiver was cancelled",
    [
      ...accepted,
      by("stranger", ["POST", "/account/cancel", {}]),
      { seconds: moveTime },
      events("entity_transfer_fail"),
    ],
    failed("The account that accepted it was cancelled."),
  ],
];

export const transferSections: Sections = {
  "decisions/documents#entity-transfers: fields": fields,
  "decisions/documents#entity-transfers: endpoints": endpoints,
  "decisions/documents#entity-transfers: service transfers": service,
  "decisions/account#transfers: offers": offers,
  "decisions/account#transfers: sides": sides,
  "decisions/account#transfers: moves": moves,
  "decisions/account#cancellation: transfers": cancelled,
};
