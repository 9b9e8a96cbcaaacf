import { expect } from "vitest";
import { noon, refused } from "../start.ts";
import {
  type ApiRequest,
  by,
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

const path = "/account/oauth-clients";
const label = "dashboard";
const redirect_uri = "https://dashboard.example/callback";
const id = expect.stringMatching(/^[0-9a-f]{20}$/);
const secret = expect.stringMatching(/^[0-9a-f]{64}$/);

/** A client as it is shown, but for these. Only the reply to its creation has its secret. */
const clientWith = (fields: object = {}) => ({
  id,
  redirect_uri,
  label,
  status: "active",
  secret: "<REDACTED>",
  thumbnail_url: null,
  public: false,
  ...fields,
});
const create: ApiRequest = ["POST", path, { label, redirect_uri }];
const post = (fields: object = {}): Sentence[1] => [["POST", path, { label, redirect_uri, ...fields }]];
const get: Sentence[1] = [["GET", `${path}/{id}`]];
const put = (fields: object): Sentence[1] => [...post(), ["PUT", `${path}/{id}`, fields]];
const filtered = (value: object): Sentence[1] => [...post(), ["GET", path, undefined, filter(value)]];

const redirects = (uri: string): Sentence => [
  `redirect_uri: ${uri}`,
  post({ redirect_uri: uri }),
  ok(clientWith({ redirect_uri: uri, secret })),
];
const invalidUri = refused(["redirect_uri is not valid", "redirect_uri"]);
const redirectsNot = (uri: string): Sentence => [`redirect_uri: not ${uri}`, post({ redirect_uri: uri }), invalidUri];

/** The fields of a client, one row for each (decisions/documents#oauth-clients, decisions/account#oauth-clients). */
const client: readonly Sentence[] = [
  ["id: not a secret; shown again", [...post(), ...get], ok(clientWith())],
  ["label: from 1", post({ label: "x" }), ok(clientWith({ label: "x", secret }))],
  ["label: not 0", post({ label: "" }), wrongLength("1-512", "label")],
  ["label: to 512", post({ label: "x".repeat(512) }), ok(clientWith({ label: "x".repeat(512), secret }))],
  ["label: not 513", post({ label: "x".repeat(513) }), wrongLength("1-512", "label")],
  ["label: filterable", filtered({ label }), ok(page([clientWith()]))],
  ["label: another", filtered({ label: "other" }), ok(page([]))],
  ["public: false unless given", post(), ok(clientWith({ secret }))],
  ["public: boolean", post({ public: true }), ok(clientWith({ public: true, secret }))],
  ["public: not a number", post({ public: 1 }), refused(["Must be of type Boolean", "public"])],
  ["public: filterable", filtered({ public: false }), ok(page([clientWith()]))],
  ["public: the others", filtered({ public: true }), ok(page([]))],
  redirects("https://dashboard.example/callback?from=api"),
  redirects("http://127.0.0.1:8080/"),
  redirects("com.example.dashboard:/callback"),
  redirectsNot("/callback"),
  redirectsNot("dashboard.example"),
  redirectsNot("https://dashboard.example/#done"),
  redirectsNot("javascript:alert(1)"),
  redirectsNot("data:text/html,hello"),
  redirectsNot("ftp://dashboard.example/"),
  ["secret: shown on creation", post(), ok(clientWith({ secret }))],
  ["secret: then masked", [...post(), ...get], ok(clientWith())],
  ["secret: not filterable", filtered({ secret: "x" }), unfilterable("secret")],
  ["status: the operator's", put({ status: "disabled" }), ok(clientWith())],
  ["status: not filterable", filtered({ status: "active" }), unfilterable("status")],
  ["id: not filterable", filtered({ id: "x" }), unfilterable("id")],
  ["redirect_uri: not filterable", filtered({ redirect_uri }), unfilterable("redirect_uri")],
  ["thumbnail_url: null", put({ thumbnail_url: "https://dashboard.example/a.png" }), ok(clientWith())],
];

const event = (action: string, fields: object = {}) => ({
  id: expect.any(Number),
  action,
  created: noon,
  duration: null,
  entity: {
    label,
    id,
    type: "oauth_client",
    url: expect.stringMatching(/^\/v4\/account\/oauth-clients\/[0-9a-f]{20}$/),
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
  ...fields,
});
const events = (action: string): Sentence[1][0] => ["GET", "/account/events", undefined, filter({ action })];

/** The endpoints of clients (decisions/documents#oauth-clients). */
const endpoints: readonly Sentence[] = [
  ["GET …/oauth-clients: an envelope", [...post(), ["GET", `${path}?page=1&page_size=25`]], ok(page([clientWith()]))],
  ["GET …/oauth-clients: of the account", [...post(), by("stranger", ["GET", path])], ok(page([]))],
  ["POST …/oauth-clients: the client", post(), ok(clientWith({ secret }))],
  ["label: required", post({ label: undefined }), refused(["label is required", "label"])],
  ["redirect_uri: required", post({ redirect_uri: undefined }), refused(["redirect_uri is required", "redirect_uri"])],
  ["POST …/oauth-clients: not without access to the account", [by("restricted", create)], unauthorized],
  ["GET …/{clientId}", [...post(), ...get], ok(clientWith())],
  ["GET …/{clientId}: unknown", [["GET", `${path}/0123456789abcdef0123`]], notFound],
  ["PUT …/{clientId}: label", put({ label: "new" }), ok(clientWith({ label: "new" }))],
  ["PUT …/{clientId}: public", put({ public: true }), ok(clientWith({ public: true }))],
  [
    "PUT …/{clientId}: redirect_uri",
    put({ redirect_uri: "https://new.example/" }),
    ok(clientWith({ redirect_uri: "https://new.example/" })),
  ],
  ["PUT …/{clientId}: an invalid redirect_uri", put({ redirect_uri: "javascript:alert(1)" }), invalidUri],
  ["PUT …/{clientId}: label, its length", put({ label: "" }), wrongLength("1-512", "label")],
  ["PUT …/{clientId}: all optional", put({}), ok(clientWith())],
  ["DELETE …/{clientId}: {}", [...post(), ["DELETE", `${path}/{id}`]], ok({})],
  ["DELETE …/{clientId}: then unknown", [...post(), ["DELETE", `${path}/{id}`], ...get], notFound],
  ["DELETE …/{clientId}: unknown", [["DELETE", `${path}/0123456789abcdef0123`]], notFound],
  [
    "a client is created: one event",
    [...post(), events("oauth_client_create")],
    ok(page([event("oauth_client_create")])),
  ],
  [
    "a client is updated: one event",
    [...put({ public: true }), events("oauth_client_update")],
    ok(page([event("oauth_client_update")])),
  ],
  [
    "a client is deleted: one event",
    [...post(), ["DELETE", `${path}/{id}`], events("oauth_client_delete")],
    ok(page([event("oauth_client_delete")])),
  ],
];

export const oauthClientSections: Sections = {
  "decisions/documents#oauth-clients: fields": client,
  "decisions/documents#oauth-clients: endpoints": endpoints,
};
