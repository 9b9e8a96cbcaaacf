import { expect } from "vitest";
import { reportProblem } from "../../../src/server/areas/managed/issues.ts";
import { findRow } from "../../../src/server/store/rows.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { type Answer, noon, refused } from "../start.ts";
import {
  type ApiRequest,
  by,
  days,
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

const notAnAddress = refused(["Must be an e-mail address", "email"]);
const required = (field: string): Answer => refused([`${field} is required`, field]);

const contacts = "/managed/contacts";
const ada = { name: "Ada Lovelace", email: "ada@example.com" };
const contactWith = (fields: object = {}) => ({
  id: 1,
  ...ada,
  phone: { primary: "", secondary: null },
  group: null,
  updated: noon,
  ...fields,
});
const addContact = (fields: object = {}): ApiRequest => ["POST", contacts, { ...ada, ...fields }];
const putContact = (fields: object, before: object = {}): Sentence[1] => [
  addContact(before),
  ["PUT", `${contacts}/1`, fields],
];
const phones = { primary: "123-456-7890", secondary: "+44 20 7946 0000" };

/** Contacts (decisions/documents#managed-monitoring). */
const contact: readonly Sentence[] = [
  ["id, updated: the service's", [addContact()], ok(contactWith())],
  ["name: from 2", [addContact({ name: "Al" })], ok(contactWith({ name: "Al" }))],
  ["name: not 1", [addContact({ name: "A" })], wrongLength("2-64", "name")],
  ["name: to 64", [addContact({ name: "a".repeat(64) })], ok(contactWith({ name: "a".repeat(64) }))],
  ["name: not 65", [addContact({ name: "a".repeat(65) })], wrongLength("2-64", "name")],
  [
    "name: letters, digits, blanks, dashes, underscores",
    [addContact({ name: "a B-9_" })],
    ok(contactWith({ name: "a B-9_" })),
  ],
  [
    "name: nothing else",
    [addContact({ name: "Ada L." })],
    refused(["Must have only letters, digits, spaces, dashes and underscores", "name"]),
  ],
  ["name: not blanks alone", [addContact({ name: "  " })], refused(["Must contain a visible character", "name"])],
  ["name: required", [["POST", contacts, { email: ada.email }]], required("name")],
  ["email: required", [["POST", contacts, { name: ada.name }]], required("email")],
  [
    "email: to 128",
    [addContact({ email: `${"a".repeat(64)}@${"b".repeat(63)}` })],
    ok(contactWith({ email: `${"a".repeat(64)}@${"b".repeat(63)}` })),
  ],
  ["email: not 129", [addContact({ email: `${"a".repeat(64)}@${"b".repeat(64)}` })], wrongLength("0-128", "email")],
  ...[
    "mailto:ada@example.com",
    "ada,ben@example.com",
    "<ada>@example.com",
    ".ada@example.com",
    "ada@",
    "@example.com",
  ].map((email): Sentence => [`email: not ${email}`, [addContact({ email })], notAnAddress]),
  ...["ada+dns@example.com", '"ada,ben"@example.com', "ada@localhost"].map(
    (email): Sentence => [`email: ${email}`, [addContact({ email })], ok(contactWith({ email }))],
  ),
  ["email: an address", [addContact({ email: "ada" })], refused(["Must be an e-mail address", "email"])],
  ["group: from 2", [addContact({ group: "on" })], ok(contactWith({ group: "on" }))],
  ["group: not 1", [addContact({ group: "o" })], wrongLength("2-50", "group")],
  ["group: to 50", [addContact({ group: "g".repeat(50) })], ok(contactWith({ group: "g".repeat(50) }))],
  ["group: not 51", [addContact({ group: "g".repeat(51) })], wrongLength("2-50", "group")],
  ["group: null", [addContact({ group: null })], ok(contactWith())],
  [
    "group: filterable",
    [addContact({ group: "on-call" }), addContact(), ["GET", contacts, undefined, filter({ group: "on-call" })]],
    ok(page([contactWith({ group: "on-call" })])),
  ],
  ["name: not filterable", [["GET", contacts, undefined, filter({ name: "x" })]], unfilterable("name")],
  ["phone: two numbers", [addContact({ phone: phones })], ok(contactWith({ phone: phones }))],
  [
    "phone: one number",
    [addContact({ phone: { primary: "123" } })],
    ok(contactWith({ phone: { primary: "123", secondary: null } })),
  ],
  ["phone: to 32", [addContact({ phone: { primary: "1".repeat(33) } })], wrongLength("0-32", "phone.primary")],
  ["phone: null", [addContact({ phone: null })], ok(contactWith())],
  ["phone: empty", [addContact({ phone: { primary: "", secondary: "" } })], ok(contactWith())],
  [
    "phone.secondary: to 32",
    [addContact({ phone: { secondary: "1".repeat(33) } })],
    wrongLength("0-32", "phone.secondary"),
  ],
  ["phone: an object", [addContact({ phone: "123" })], refused(["Must be of type Object", "phone"])],
  [
    "phone.primary: null in live",
    [addContact()],
    ok(contactWith({ phone: { primary: null, secondary: null } })),
    "live",
  ],
];

/** The endpoints of contacts (decisions/documents#managed-monitoring). */
const contactEndpoints: readonly Sentence[] = [
  ["GET …/contacts: none", [["GET", contacts]], ok(page([]))],
  [
    "GET …/contacts: an envelope",
    [addContact(), ["GET", `${contacts}?page=1&page_size=25`]],
    ok(page([contactWith()])),
  ],
  ["GET …/contacts: of the account", [addContact(), by("stranger", ["GET", contacts])], ok(page([]))],
  ["GET …/contacts: unrestricted users only", [by("read_write", ["GET", contacts])], unauthorized],
  ["GET …/{contactId}", [addContact(), ["GET", `${contacts}/1`]], ok(contactWith())],
  ["GET …/{contactId}: unknown", [["GET", `${contacts}/1`]], notFound],
  ["GET …/{contactId}: foreign", [addContact(), by("stranger", ["GET", `${contacts}/1`])], notFound],
  ["PUT …/{contactId}: nothing", putContact({}), ok(contactWith())],
  ["PUT …/{contactId}: name", putContact({ name: "Ada King" }), ok(contactWith({ name: "Ada King" }))],
  ["PUT …/{contactId}: email", putContact({ email: "a@example.org" }), ok(contactWith({ email: "a@example.org" }))],
  [
    "PUT …/{contactId}: email, an address",
    putContact({ email: "a@" }),
    refused(["Must be an e-mail address", "email"]),
  ],
  ["PUT …/{contactId}: name, its length", putContact({ name: "A" }), wrongLength("2-64", "name")],
  ["PUT …/{contactId}: null name unchanged", putContact({ name: null }), ok(contactWith())],
  ["PUT …/{contactId}: null email unchanged", putContact({ email: null }), ok(contactWith())],
  ["PUT …/{contactId}: group", putContact({ group: "ops" }), ok(contactWith({ group: "ops" }))],
  ["PUT …/{contactId}: group, its length", putContact({ group: "o" }), wrongLength("2-50", "group")],
  [
    "PUT …/{contactId}: phone unchanged",
    putContact({ phone: null }, { phone: phones }),
    ok(contactWith({ phone: phones })),
  ],
  ["PUT …/{contactId}: unknown", [["PUT", `${contacts}/1`, {}]], notFound],
  ["DELETE …/{contactId}: unknown", [["DELETE", `${contacts}/1`]], notFound],
  ["PUT …/{contactId}: group removed", putContact({ group: null }, { group: "on-call" }), ok(contactWith())],
  [
    "PUT …/{contactId}: one phone number",
    putContact({ phone: { secondary: null } }, { phone: phones }),
    ok(contactWith({ phone: { ...phones, secondary: null } })),
  ],
  [
    "PUT …/{contactId}: updated",
    [addContact(), { seconds: 60 }, ["PUT", `${contacts}/1`, {}]],
    ok(contactWith({ updated: "2026-03-04T12:01:00" })),
  ],
  ["DELETE …/{contactId}: {}", [addContact(), ["DELETE", `${contacts}/1`]], ok({})],
  [
    "DELETE …/{contactId}: then unknown",
    [addContact(), ["DELETE", `${contacts}/1`], ["GET", `${contacts}/1`]],
    notFound,
  ],
  [
    "contacts: no event",
    [
      ...putContact({}),
      ["DELETE", `${contacts}/1`],
      [
        "GET",
        "/account/events",
        undefined,
        filter({ "+or": [{ action: "managed_service_create" }, { "entity.type": "account" }] }),
      ],
    ],
    ok(page([])),
  ],
];

const credentials = "/managed/credentials";
const login = { label: "web server", username: "root", password: "correct horse" };
const credentialWith = (fields: object = {}) => ({ id: 1, label: "web server", last_decrypted: null, ...fields });
const addCredential = (fields: object = {}): ApiRequest => ["POST", credentials, { ...login, ...fields }];
const putCredential = (fields: object): Sentence[1] => [addCredential(), ["PUT", `${credentials}/1`, fields]];
const replaceLogin = (fields: object): Sentence[1] => [addCredential(), ["POST", `${credentials}/1/update`, fields]];

/** Credentials (decisions/documents#managed-monitoring). */
const credential: readonly Sentence[] = [
  ["username and password are never returned", [addCredential()], ok(credentialWith())],
  ["label: from 2", [addCredential({ label: "db" })], ok(credentialWith({ label: "db" }))],
  ["label: not 1", [addCredential({ label: "d" })], wrongLength("2-75", "label")],
  ["label: to 75", [addCredential({ label: "d".repeat(75) })], ok(credentialWith({ label: "d".repeat(75) }))],
  ["label: not 76", [addCredential({ label: "d".repeat(76) })], wrongLength("2-75", "label")],
  [
    "label: letters, digits, blanks, dots, dashes, underscores",
    [addCredential({ label: "a_B .-9" })],
    ok(credentialWith({ label: "a_B .-9" })),
  ],
  [
    "label: nothing else",
    [addCredential({ label: "a/b" })],
    refused(["Must have only letters, digits, spaces, dots, dashes and underscores", "label"]),
  ],
  ["label: required", [addCredential({ label: undefined })], required("label")],
  ["label: unique", [addCredential(), addCredential()], refused(["Label must be unique", "label"])],
  ["label: unique in an account", [addCredential(), by("stranger", addCredential())], ok(credentialWith({ id: 2 }))],
  ["password: required", [addCredential({ password: undefined })], required("password")],
  ["password: not empty", [addCredential({ password: "" })], wrongLength("1-5000", "password")],
  ["password: to 5000", [addCredential({ password: "p".repeat(5000) })], ok(credentialWith())],
  ["password: not 5001", [addCredential({ password: "p".repeat(5001) })], wrongLength("1-5000", "password")],
  ["username: optional", [addCredential({ username: undefined })], ok(credentialWith())],
  ["username: to 5000", [addCredential({ username: "u".repeat(5000) })], ok(credentialWith())],
  ["username: not 5001", [addCredential({ username: "u".repeat(5001) })], wrongLength("0-5000", "username")],
];

const sshKey = expect.stringMatching(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43} managed@zonewright$/);

/** The endpoints of credentials (decisions/documents#managed-monitoring). */
const credentialEndpoints: readonly Sentence[] = [
  ["GET …/credentials: none", [["GET", credentials]], ok(page([]))],
  [
    "GET …/credentials: an envelope",
    [addCredential(), ["GET", `${credentials}?page=1&page_size=25`]],
    ok(page([credentialWith()])),
  ],
  ["GET …/credentials: of the account", [addCredential(), by("stranger", ["GET", credentials])], ok(page([]))],
  ["GET …/credentials: unrestricted users only", [by("restricted", ["GET", credentials])], unauthorized],
  [
    "GET …/credentials: by label",
    [addCredential(), addCredential({ label: "db" }), ["GET", credentials, undefined, filter({ label: "db" })]],
    ok(page([credentialWith({ id: 2, label: "db" })])),
  ],
  ["username: not filterable", [["GET", credentials, undefined, filter({ username: "x" })]], unfilterable("username")],
  ["GET …/sshkey: an ed25519 key", [["GET", `${credentials}/sshkey`]], ok({ ssh_key: sshKey })],
  ["GET …/{credentialId}", [addCredential(), ["GET", `${credentials}/1`]], ok(credentialWith())],
  ["GET …/{credentialId}: unknown", [["GET", `${credentials}/1`]], notFound],
  ["GET …/{credentialId}: foreign", [addCredential(), by("stranger", ["GET", `${credentials}/1`])], notFound],
  ["PUT …/{credentialId}: label", putCredential({ label: "db" }), ok(credentialWith({ label: "db" }))],
  ["PUT …/{credentialId}: label, its length", putCredential({ label: "d" }), wrongLength("2-75", "label")],
  ["PUT …/{credentialId}: nothing", putCredential({}), ok(credentialWith())],
  ["PUT …/{credentialId}: null label unchanged", putCredential({ label: null }), ok(credentialWith())],
  ["PUT …/{credentialId}: unknown", [["PUT", `${credentials}/1`, {}]], notFound],
  ["PUT …/{credentialId}: its own label", putCredential({ label: "web server" }), ok(credentialWith())],
  ["PUT …/{credentialId}: label only", putCredential({ password: "x" }), ok(credentialWith())],
  [
    "PUT …/{credentialId}: another's label",
    [addCredential(), addCredential({ label: "db" }), ["PUT", `${credentials}/2`, { label: "web server" }]],
    refused(["Label must be unique", "label"]),
  ],
  ["POST …/update: {}", replaceLogin({ password: "new", username: "ops" }), ok({})],
  ["POST …/update: username optional", replaceLogin({ password: "new" }), ok({})],
  ["POST …/update: password required", replaceLogin({ username: "ops" }), required("password")],
  [
    "POST …/update: username to 5000",
    replaceLogin({ password: "new", username: "u".repeat(5001) }),
    wrongLength("0-5000", "username"),
  ],
  ["POST …/update: password not empty", replaceLogin({ password: "" }), wrongLength("1-5000", "password")],
  ["POST …/update: password to 5000", replaceLogin({ password: "p".repeat(5001) }), wrongLength("1-5000", "password")],
  [
    "POST …/update: not the label",
    [...replaceLogin({ password: "new", label: "db" }), ["GET", `${credentials}/1`]],
    ok(credentialWith()),
  ],
  ["DELETE …/{credentialId}: unknown", [["DELETE", `${credentials}/1`]], notFound],
  ["POST …/revoke: {}", [addCredential(), ["POST", `${credentials}/1/revoke`]], ok({})],
  ["POST …/update: unknown", [["POST", `${credentials}/1/update`, { password: "new" }]], notFound],
  ["DELETE …/{credentialId}: {}", [addCredential(), ["DELETE", `${credentials}/1`]], ok({})],
  [
    "DELETE …/{credentialId}: then unknown",
    [addCredential(), ["DELETE", `${credentials}/1`], ["GET", `${credentials}/1`]],
    notFound,
  ],
  [
    "credentials: no event",
    [
      ...replaceLogin({ password: "new" }),
      ["DELETE", `${credentials}/1`],
      ["GET", "/account/events", undefined, filter({ "entity.type": "account" })],
    ],
    ok(page([])),
  ],
  [
    "POST …/revoke: as DELETE",
    [addCredential(), ["POST", `${credentials}/1/revoke`], ["GET", credentials]],
    ok(page([])),
  ],
];

const settings = "/managed/node-settings";
const node: ApiRequest = [
  "POST",
  "/node/instances",
  { region: "us-east", type: "g6-nanode-1", label: "web-1", group: "web" },
];
const ssh = { access: true, user: "root", ip: "any", port: 22 };
const settingsWith = (changed: object = {}) => ({ id: 1, label: "web-1", group: "web", ssh: { ...ssh, ...changed } });
const putSsh = (changed: object): Sentence[1] => [node, ["PUT", `${settings}/1`, { ssh: changed }]];

/** Settings of nodes and their endpoints (decisions/documents#managed-monitoring). */
const nodeSettings: readonly Sentence[] = [
  ["one entry per node on the account", [node, ["GET", settings]], ok(page([settingsWith()]))],
  ["GET …/node-settings: by label", [node, ["GET", settings, undefined, filter({ label: "web-2" })]], ok(page([]))],
  ["GET …/node-settings: none", [["GET", settings]], ok(page([]))],
  ["GET …/node-settings: of the account", [node, by("stranger", ["GET", settings])], ok(page([]))],
  ["GET …/node-settings: unrestricted users only", [by("restricted", ["GET", settings])], unauthorized],
  ["GET …/{nodeId}", [node, ["GET", `${settings}/1`]], ok(settingsWith())],
  ["GET …/{nodeId}: unknown", [["GET", `${settings}/1`]], notFound],
  ["GET …/{nodeId}: foreign", [node, by("stranger", ["GET", `${settings}/1`])], notFound],
  ["PUT …/{nodeId}: access", putSsh({ access: false }), ok(settingsWith({ access: false }))],
  ["PUT …/{nodeId}: user", putSsh({ user: "ops" }), ok(settingsWith({ user: "ops" }))],
  [
    "GET …/node-settings: page, page_size",
    [node, ["GET", `${settings}?page=1&page_size=25`]],
    ok(page([settingsWith()])),
  ],
  ["PUT …/{nodeId}: unknown", [["PUT", `${settings}/1`, {}]], notFound],
  ["PUT …/{nodeId}: not the label", [node, ["PUT", `${settings}/1`, { label: "x", group: "x" }]], ok(settingsWith())],
  ["PUT …/{nodeId}: null ssh unchanged", [node, ["PUT", `${settings}/1`, { ssh: null }]], ok(settingsWith())],
  [
    "PUT …/{nodeId}: null members unchanged",
    [
      ...putSsh({ access: false, user: "ops" }),
      ["PUT", `${settings}/1`, { ssh: { access: null, user: null, ip: null } }],
    ],
    ok(settingsWith({ access: false, user: "ops" })),
  ],
  ["PUT …/{nodeId}: access, a boolean", putSsh({ access: "no" }), refused(["Must be of type Boolean", "ssh.access"])],
  ["PUT …/{nodeId}: user from 1", putSsh({ user: "" }), wrongLength("1-32", "ssh.user")],
  [
    "PUT …/{nodeId}: user, one word",
    putSsh({ user: "root -o x" }),
    refused(["Must have only printable ASCII characters without spaces", "ssh.user"]),
  ],
  ["PUT …/{nodeId}: port, an integer", putSsh({ port: 22.5 }), refused(["Must be 1-65535", "ssh.port"])],
  [
    "PUT …/{nodeId}: ip any",
    [...putSsh({ ip: "198.18.0.2" }), ["PUT", `${settings}/1`, { ssh: { ip: "any" } }]],
    ok(settingsWith()),
  ],
  [
    "PUT …/{nodeId}: no event",
    [...putSsh({ port: 23 }), ["GET", "/account/events", undefined, filter({ action: "node_update" })]],
    ok(page([])),
  ],
  ["a deleted node has no settings", [node, ["DELETE", "/node/instances/1"], days(1), ["GET", settings]], ok(page([]))],
  ["PUT …/{nodeId}: user to 32", putSsh({ user: "u".repeat(33) }), wrongLength("1-32", "ssh.user")],
  ["PUT …/{nodeId}: an address of the node", putSsh({ ip: "198.18.0.2" }), ok(settingsWith({ ip: "198.18.0.2" }))],
  ["PUT …/{nodeId}: not another address", putSsh({ ip: "192.0.2.1" }), refused(["ssh.ip is not valid", "ssh.ip"])],
  ["PUT …/{nodeId}: port", putSsh({ port: 2222 }), ok(settingsWith({ port: 2222 }))],
  ["PUT …/{nodeId}: port from 1", putSsh({ port: 0 }), refused(["Must be 1-65535", "ssh.port"])],
  ["PUT …/{nodeId}: port to 65535", putSsh({ port: 65_536 }), refused(["Must be 1-65535", "ssh.port"])],
  ["PUT …/{nodeId}: nothing", [node, ["PUT", `${settings}/1`, {}]], ok(settingsWith())],
  [
    "PUT …/{nodeId}: partial",
    [...putSsh({ port: 2222 }), ["PUT", `${settings}/1`, { ssh: { user: "ops", port: null } }]],
    ok(settingsWith({ port: 2222, user: "ops" })),
  ],
  ["PUT …/{nodeId}: stored", [...putSsh({ port: 2222 }), ["GET", settings]], ok(page([settingsWith({ port: 2222 })]))],
  [
    "an address that the node has lost: any",
    [
      node,
      ["PUT", `${settings}/1`, { ssh: { ip: "198.18.0.2" } }],
      ["POST", "/node/instances/1/migrate", { region: "eu-west" }],
      days(1),
      ["GET", `${settings}/1`],
    ],
    ok(settingsWith()),
  ],
  [
    "node-settings in live",
    [
      ["POST", "/linode/instances", { region: "us-east", type: "g6-nanode-1", label: "web-1", group: "web" }],
      ["GET", "/managed/linode-settings/1"],
    ],
    ok(settingsWith()),
    "live",
  ],
];

const accountEvents = (action: string): ApiRequest => ["GET", "/account/events", undefined, filter({ action })];
const event = (action: string, username: string) => ({
  id: expect.any(Number),
  action,
  created: noon,
  duration: null,
  entity: { label: "admin", type: "account", url: "/v4/account" },
  secondary_entity: null,
  message: "",
  percent_complete: null,
  rate: null,
  read: false,
  seen: false,
  status: "notification",
  time_remaining: null,
  username,
});
const services = "/managed/services";
const web = { service_type: "url", label: "Web shop", address: "https://shop.example.com/health", timeout: 30 };
const serviceWith = (fields: object = {}) => ({
  id: 1,
  status: "pending",
  ...web,
  body: null,
  consultation_group: "",
  notes: null,
  region: null,
  credentials: [],
  created: noon,
  updated: noon,
  ...fields,
});
const addService = (fields: object = {}): ApiRequest => ["POST", services, { ...web, ...fields }];
const addTcp = (address: string, fields: object = {}): ApiRequest =>
  addService({ service_type: "tcp", address, ...fields });
const putService = (fields: object, before: object = {}): Sentence[1] => [
  addService(before),
  ["PUT", `${services}/1`, fields],
];
const later: Sentence[1][number] = { seconds: 60 };
const minuteLater = "2026-03-04T12:01:00";
const serviceOne = `${services}/1`;

const storedAs = (type: "url" | "tcp", sent: string, address = sent): Sentence => [
  `address, ${type}: ${sent}`,
  [addService({ service_type: type, address: sent })],
  ok(serviceWith({ service_type: type, address })),
];
const longUrl = (characters: number) => `https://shop.example.com/${"a".repeat(characters - 25)}`;
const invalidAddress = refused(["address is not valid", "address"]);
const addressNot = (type: "url" | "tcp", address: string): Sentence => [
  `address, ${type}: not ${JSON.stringify(address)}`,
  [addService({ service_type: type, address })],
  invalidAddress,
];
const needsRegion = refused(["region is required for a private address", "region"]);
const allowsNoRegion = refused(["region may be set for a private address only", "region"]);

/** The fields of a service, one row or more for each (decisions/documents#managed-monitoring). */
const service: readonly Sentence[] = [
  storedAs("url", "http://shop.example.com"),
  storedAs("url", "https://shop.example.com:8443/a?b=c"),
  storedAs("url", "HTTPS://Shop.Example.Com/"),
  storedAs("url", "https://shop.example.com/#top", "https://shop.example.com/"),
  storedAs("url", "https://[2001:db8::1]:8443/"),
  storedAs("tcp", "mail.example.com:25"),
  storedAs("tcp", "[2001:db8::1]:25"),
  storedAs("tcp", "192.0.2.1:65535"),
  addressNot("url", "ftp://shop.example.com/"),
  addressNot("url", "file:///etc/passwd"),
  addressNot("url", "shop.example.com"),
  addressNot("url", "https:///health"),
  addressNot("url", "https://admin:secret@shop.example.com/"),
  addressNot("url", "https://shop.example.com/a b"),
  addressNot("url", "https://shop.example.com:99999/"),
  addressNot("tcp", "mail.example.com"),
  addressNot("tcp", "mail.example.com:0"),
  addressNot("tcp", "mail.example.com:65536"),
  addressNot("tcp", "https://mail.example.com:25"),
  addressNot("tcp", "root@mail.example.com:25"),
  addressNot("tcp", "2001:db8::1:25"),
  ["address: from 3", [addTcp("a:")], wrongLength("3-2048", "address")],
  ["address: required", [addService({ address: undefined })], required("address")],
  ["address: to 2048", [addService({ address: longUrl(2048) })], ok(serviceWith({ address: longUrl(2048) }))],
  ["address: not 2049", [addService({ address: longUrl(2049) })], wrongLength("3-2048", "address")],
  ["body: empty, as null", [addService({ body: "" })], ok(serviceWith())],
  ["consultation_group: null", [addService({ consultation_group: null })], ok(serviceWith())],
  ["notes: null", [addService({ notes: null })], ok(serviceWith())],
  ["credentials: null", [addService({ credentials: null })], ok(serviceWith())],
  [
    "credentials: to 100",
    [addService({ credentials: Array.from({ length: 101 }, (_, index) => index + 1) })],
    refused(["Must have at most 100 entries", "credentials"]),
  ],
  ["body: to 100", [addService({ body: "b".repeat(100) })], ok(serviceWith({ body: "b".repeat(100) }))],
  ["body: not 101", [addService({ body: "b".repeat(101) })], wrongLength("0-100", "body")],
  ["body: null", [addService({ body: null })], ok(serviceWith())],
  [
    "consultation_group: a text",
    [addService({ consultation_group: "ops" })],
    ok(serviceWith({ consultation_group: "ops" })),
  ],
  [
    "consultation_group: to 50",
    [addService({ consultation_group: "g".repeat(51) })],
    wrongLength("0-50", "consultation_group"),
  ],
  ["created, updated, status: the service's", [addService({ status: "ok", created: "x" })], ok(serviceWith())],
  ["credentials: ids", [addCredential(), addService({ credentials: [1] })], ok(serviceWith({ credentials: [1] }))],
  [
    "credentials: of the account",
    [by("stranger", addCredential()), addService({ credentials: [1] })],
    refused(["credentials[0] is not valid", "credentials[0]"]),
  ],
  [
    "credentials: each once",
    [addCredential(), addService({ credentials: [1, 1] })],
    refused(["Must be unique", "credentials[1]"]),
  ],
  [
    "credentials: in their order",
    [addCredential(), addCredential({ label: "db" }), addService({ credentials: [2, 1] })],
    ok(serviceWith({ credentials: [2, 1] })),
  ],
  [
    "credentials: DELETE takes it out of services",
    [addCredential(), addService({ credentials: [1] }), ["DELETE", `${credentials}/1`], ["GET", serviceOne]],
    ok(serviceWith()),
  ],
  ["label: from 3", [addService({ label: "web" })], ok(serviceWith({ label: "web" }))],
  ["label: not 2", [addService({ label: "we" })], wrongLength("3-64", "label")],
  ["label: to 64", [addService({ label: "w".repeat(64) })], ok(serviceWith({ label: "w".repeat(64) }))],
  ["label: not 65", [addService({ label: "w".repeat(65) })], wrongLength("3-64", "label")],
  [
    "label: letters, digits, blanks, dots, dashes, underscores",
    [addService({ label: "a_B .-9" })],
    ok(serviceWith({ label: "a_B .-9" })),
  ],
  [
    "label: nothing else",
    [addService({ label: "web/1" })],
    refused(["Must have only letters, digits, spaces, dots, dashes and underscores", "label"]),
  ],
  ["label: required", [addService({ label: undefined })], required("label")],
  ["notes: a text", [addService({ notes: "Ask Ada." })], ok(serviceWith({ notes: "Ask Ada." }))],
  ["notes: to 65000", [addService({ notes: "n".repeat(65_001) })], wrongLength("0-65000", "notes")],
  ["region: required if the address is a private IP", [addTcp("10.0.0.1:25")], needsRegion],
  ["region: 192.168.0.0/16 is private", [addService({ address: "http://192.168.128.5/" })], needsRegion],
  ["region: 172.16.0.0/12 is private", [addTcp("172.31.255.255:25")], needsRegion],
  ["region: fc00::/7 is private", [addTcp("[fd00::1]:25")], needsRegion],
  ["region: another spelling of 10.0.0.1 is private", [addService({ address: "http://167772161/" })], needsRegion],
  ["region: ::ffff:10.0.0.1 is private", [addTcp("[::ffff:10.0.0.1]:25")], needsRegion],
  [
    "region: with a private IP",
    [addTcp("10.0.0.1:25", { region: "us-east" })],
    ok(serviceWith({ service_type: "tcp", address: "10.0.0.1:25", region: "us-east" })),
  ],
  ["region: may not be set for a name", [addService({ region: "us-east" })], allowsNoRegion],
  ["region: may not be set for a public IP", [addTcp("192.0.2.1:25", { region: "us-east" })], allowsNoRegion],
  ["region: known", [addTcp("10.0.0.1:25", { region: "mars" })], refused(["region is not valid", "region"])],
  ["service_type: required", [addService({ service_type: undefined })], required("service_type")],
  [
    "service_type: url or tcp",
    [addService({ service_type: "udp" })],
    refused(["Must be one of url, tcp", "service_type"]),
  ],
  ["timeout: from 1", [addService({ timeout: 1 })], ok(serviceWith({ timeout: 1 }))],
  ["timeout: not 0", [addService({ timeout: 0 })], refused(["Must be 1-255", "timeout"])],
  ["timeout: to 255", [addService({ timeout: 255 })], ok(serviceWith({ timeout: 255 }))],
  ["timeout: not 256", [addService({ timeout: 256 })], refused(["Must be 1-255", "timeout"])],
  ["timeout: required", [addService({ timeout: undefined })], required("timeout")],
];

const serviceEvent = (action: string) => ({
  ...event(action, "admin"),
  entity: { label: "Web shop", id: 1, type: "managed_service", url: "/v4/managed/services/1" },
});

/** The monitor finds the first service down. */
const down = {
  operator: (store: Store, now: Date) =>
    store.write(async (db) => {
      const found = (await findRow(db, "managed_services", { id: 1, account_id: 1 })) ?? expect.fail();
      await reportProblem(db, found, "it refuses the connection", now);
    }),
};

/** Issues (decisions/documents#managed-monitoring). */
const issue = {
  id: 1,
  created: noon,
  services: [1],
  entity: { id: 1, type: "ticket", label: "Web shop is down", url: "/support/tickets/1" },
};

/**
 * The endpoints of services (decisions/documents#managed-monitoring). Only a monitor changes `pending` to another
 * status.
 */
const serviceEndpoints: readonly Sentence[] = [
  ["GET …/services: none", [["GET", services]], ok(page([]))],
  ["GET …/services: an envelope", [addService(), ["GET", services]], ok(page([serviceWith()]))],
  ["GET …/services: of the account", [addService(), by("stranger", ["GET", services])], ok(page([]))],
  ["GET …/services: unrestricted users only", [by("read_write", ["GET", services])], unauthorized],
  [
    "GET …/services: by label",
    [addService(), addService({ label: "other" }), ["GET", services, undefined, filter({ label: "other" })]],
    ok(page([serviceWith({ id: 2, label: "other" })])),
  ],
  [
    "GET …/services: page, page_size",
    [addService(), ["GET", `${services}?page=1&page_size=25`]],
    ok(page([serviceWith()])),
  ],
  ["address: not filterable", [["GET", services, undefined, filter({ address: "x" })]], unfilterable("address")],
  ["GET …/services: by status", [addService(), ["GET", services, undefined, filter({ status: "ok" })]], ok(page([]))],
  ["POST …/services: pending", [addService()], ok(serviceWith())],
  ["GET …/{serviceId}", [addService(), ["GET", serviceOne]], ok(serviceWith())],
  ["GET …/{serviceId}: unknown", [["GET", serviceOne]], notFound],
  ["GET …/{serviceId}: foreign", [addService(), by("stranger", ["GET", serviceOne])], notFound],
  ["PUT …/{serviceId}: nothing", putService({}), ok(serviceWith())],
  ["PUT …/{serviceId}: label", putService({ label: "Shop" }), ok(serviceWith({ label: "Shop" }))],
  ["PUT …/{serviceId}: timeout", putService({ timeout: 5 }), ok(serviceWith({ timeout: 5 }))],
  [
    "PUT …/{serviceId}: address",
    putService({ address: "https://b.example/" }),
    ok(serviceWith({ address: "https://b.example/" })),
  ],
  ["PUT …/{serviceId}: address, of its type", putService({ address: "b.example:25" }), invalidAddress],
  [
    "PUT …/{serviceId}: type with address",
    putService({ service_type: "tcp", address: "b.example:25" }),
    ok(serviceWith({ service_type: "tcp", address: "b.example:25" })),
  ],
  ["PUT …/{serviceId}: type alone", putService({ service_type: "tcp" }), invalidAddress],
  ["PUT …/{serviceId}: null unchanged", putService({ label: null, address: null, timeout: null }), ok(serviceWith())],
  ["PUT …/{serviceId}: body", putService({ body: "fine" }), ok(serviceWith({ body: "fine" }))],
  [
    "PUT …/{serviceId}: consultation_group",
    putService({ consultation_group: "ops" }),
    ok(serviceWith({ consultation_group: "ops" })),
  ],
  [
    "PUT …/{serviceId}: null consultation_group unchanged",
    putService({ consultation_group: null }, { consultation_group: "ops" }),
    ok(serviceWith({ consultation_group: "ops" })),
  ],
  ["PUT …/{serviceId}: notes", putService({ notes: "x" }), ok(serviceWith({ notes: "x" }))],
  [
    "PUT …/{serviceId}: region",
    [addTcp("10.0.0.1:25", { region: "us-east" }), ["PUT", serviceOne, { region: "eu-west" }]],
    ok(serviceWith({ service_type: "tcp", address: "10.0.0.1:25", region: "eu-west" })),
  ],
  ["PUT …/{serviceId}: region, for a private address only", putService({ region: "us-east" }), allowsNoRegion],
  [
    "PUT …/{serviceId}: credentials of the account",
    putService({ credentials: [1] }),
    refused(["credentials[0] is not valid", "credentials[0]"]),
  ],
  ["PUT …/{serviceId}: status is the service's", putService({ status: "ok" }), ok(serviceWith())],
  ["PUT …/{serviceId}: unknown", [["PUT", serviceOne, {}]], notFound],
  ["DELETE …/{serviceId}: unknown", [["DELETE", serviceOne]], notFound],
  ["POST …/enable: unknown", [["POST", `${serviceOne}/enable`]], notFound],
  ["PUT …/{serviceId}: body removed", putService({ body: null }, { body: "fine" }), ok(serviceWith())],
  ["PUT …/{serviceId}: notes removed", putService({ notes: null }, { notes: "x" }), ok(serviceWith())],
  [
    "PUT …/{serviceId}: region removed",
    [addTcp("10.0.0.1:25", { region: "us-east" }), ["PUT", serviceOne, { address: "a.example:25", region: null }]],
    ok(serviceWith({ service_type: "tcp", address: "a.example:25" })),
  ],
  [
    "PUT …/{serviceId}: region kept",
    [addTcp("10.0.0.1:25", { region: "us-east" }), ["PUT", serviceOne, { address: "a.example:25" }]],
    allowsNoRegion,
  ],
  [
    "PUT …/{serviceId}: credentials replaced",
    [addCredential(), ...putService({ credentials: [] }, { credentials: [1] })],
    ok(serviceWith()),
  ],
  [
    "PUT …/{serviceId}: credentials unchanged",
    [addCredential(), ...putService({}, { credentials: [1] })],
    ok(serviceWith({ credentials: [1] })),
  ],
  [
    "PUT …/{serviceId}: updated",
    [addService(), later, ["PUT", serviceOne, {}]],
    ok(serviceWith({ updated: minuteLater })),
  ],
  [
    "PUT …/{serviceId}: no event",
    [...putService({}), ["GET", "/account/events", undefined, filter({ "entity.type": "managed_service" })]],
    ok(page([serviceEvent("managed_service_create")])),
  ],
  [
    "POST …/disable: disabled",
    [addService(), ["POST", `${serviceOne}/disable`]],
    ok(serviceWith({ status: "disabled" })),
  ],
  [
    "POST …/disable: again",
    [addService(), ["POST", `${serviceOne}/disable`], later, ["POST", `${serviceOne}/disable`]],
    ok(serviceWith({ status: "disabled" })),
  ],
  ["POST …/disable: unknown", [["POST", `${serviceOne}/disable`]], notFound],
  [
    "POST …/enable: pending",
    [addService(), ["POST", `${serviceOne}/disable`], later, ["POST", `${serviceOne}/enable`]],
    ok(serviceWith({ updated: minuteLater })),
  ],
  ["POST …/enable: an enabled one", [addService(), later, ["POST", `${serviceOne}/enable`]], ok(serviceWith())],
  [
    "a disabled one stays so with another address",
    [addService(), ["POST", `${serviceOne}/disable`], ["PUT", serviceOne, { address: "https://b.example/" }]],
    ok(serviceWith({ status: "disabled", address: "https://b.example/" })),
  ],
  ["DELETE …/{serviceId}: {}", [addService(), ["DELETE", serviceOne]], ok({})],
  ["DELETE …/{serviceId}: then unknown", [addService(), ["DELETE", serviceOne], ["GET", serviceOne]], notFound],
  [
    "event managed_service_create",
    [addService(), accountEvents("managed_service_create")],
    ok(page([serviceEvent("managed_service_create")])),
  ],
  [
    "event managed_service_delete",
    [addService(), ["DELETE", serviceOne], accountEvents("managed_service_delete")],
    ok(page([serviceEvent("managed_service_delete")])),
  ],
  ["GET …/issues: none", [["GET", "/managed/issues"]], ok(page([]))],
  ["GET …/issues: an envelope", [addService(), down, ["GET", "/managed/issues"]], ok(page([issue]))],
  [
    "GET …/issues: page, page_size",
    [addService(), down, ["GET", "/managed/issues?page=1&page_size=25"]],
    ok(page([issue])),
  ],
  [
    "services: also those that were deleted since",
    [addService(), down, ["DELETE", serviceOne], ["GET", "/managed/issues/1"]],
    ok(issue),
  ],
  [
    "entity: the ticket, which is closed with the issue",
    [addService(), down, ["DELETE", serviceOne], ["GET", "/support/tickets", undefined, filter({ closed: noon })]],
    ok(page([expect.objectContaining({ id: 1, summary: "Web shop is down", status: "closed" })])),
  ],
  [
    "recent issues: 90 days after their end",
    [addService(), down, ["DELETE", serviceOne], days(90), ["GET", "/managed/issues"]],
    ok(page([issue])),
  ],
  [
    "recent issues: no longer",
    [addService(), down, ["DELETE", serviceOne], days(91), ["GET", "/managed/issues/1"]],
    notFound,
  ],
  ["ongoing issues: always", [addService(), down, days(400), ["GET", "/managed/issues"]], ok(page([issue]))],
  ["GET …/issues: of the account", [addService(), down, by("stranger", ["GET", "/managed/issues"])], ok(page([]))],
  ["GET …/issues/{issueId}", [addService(), down, ["GET", "/managed/issues/1"]], ok(issue)],
  ["GET …/issues/{issueId}: foreign", [addService(), down, by("stranger", ["GET", "/managed/issues/1"])], notFound],
  [
    "created: filterable",
    [addService(), down, ["GET", "/managed/issues", undefined, filter({ created: { "+gt": noon } })]],
    ok(page([])),
  ],
  ["GET …/issues: unrestricted users only", [by("restricted", ["GET", "/managed/issues"])], unauthorized],
  ["GET …/issues/{issueId}: unknown", [["GET", "/managed/issues/1"]], notFound],
];

const empty = { cpu: [], disk: [], net_in: [], net_out: [], swap: [] };

/** Statistics (decisions/documents#managed-monitoring). The sums are tested in monitor.test.ts. */
const stats: readonly Sentence[] = [
  ["GET …/stats: none", [["GET", "/managed/stats"]], ok({ data: empty })],
  ["GET …/stats: a node that never ran", [node, ["GET", "/managed/stats"]], ok({ data: empty })],
  ["GET …/stats: live", [["GET", "/managed/stats"]], ok({ data: ["Graphs are not yet available."] }), "live"],
  ["GET …/stats: unrestricted users only", [by("restricted", ["GET", "/managed/stats"])], unauthorized],
];

const off = { managed: "off" } as const;
const notEnabled = refused(["Managed is not enabled for this account."]);
const accountSettings = {
  backups_enabled: false,
  managed: true,
  network_helper: true,
  metrics_subscription: null,
  object_storage: "disabled",
  interfaces_for_new_nodes: "legacy_config_only",
};

/** A request of each endpoint. */
const everyRequest: readonly ApiRequest[] = [
  ["GET", contacts],
  addContact(),
  ["GET", `${contacts}/1`],
  ["PUT", `${contacts}/1`, {}],
  ["DELETE", `${contacts}/1`],
  ["GET", credentials],
  addCredential({ label: "db" }),
  ["GET", `${credentials}/sshkey`],
  ["GET", `${credentials}/1`],
  ["PUT", `${credentials}/1`, {}],
  ["DELETE", `${credentials}/1`],
  ["POST", `${credentials}/1/update`, { password: "x" }],
  ["POST", `${credentials}/1/revoke`],
  ["GET", "/managed/issues"],
  ["GET", "/managed/issues/1"],
  ["GET", settings],
  ["GET", `${settings}/1`],
  ["PUT", `${settings}/1`, {}],
  ["GET", services],
  addService(),
  ["GET", serviceOne],
  ["PUT", serviceOne, {}],
  ["DELETE", serviceOne],
  ["POST", `${serviceOne}/disable`],
  ["POST", `${serviceOne}/enable`],
  ["GET", "/managed/stats"],
];

/** On unless the operator turns it off (decisions/account#managed-monitoring). */
const switches: readonly Sentence[] = [
  ["on unless the operator says off", [["GET", "/account/settings"]], ok(accountSettings)],
  ["off", [off, ["GET", "/account/settings"]], ok({ ...accountSettings, managed: false })],
  ...everyRequest.map(
    ([method, path, body]): Sentence => [
      `off: not ${method} ${path}`,
      [addContact(), addCredential(), addService(), node, down, off, [method, path, body]],
      notEnabled,
    ],
  ),
  [
    "off and on: everything is kept",
    [addContact(), off, { managed: "on" }, ["GET", contacts]],
    ok(page([contactWith()])),
  ],
  [
    "event managed_disabled, by no user",
    [off, accountEvents("managed_disabled")],
    ok(page([event("managed_disabled", "")])),
  ],
  [
    "event managed_enabled, by no user",
    [off, { managed: "on" }, accountEvents("managed_enabled")],
    ok(page([event("managed_enabled", "")])),
  ],
  ["POST /account/settings/managed-enable: {}", [off, ["POST", "/account/settings/managed-enable"]], ok({})],
  [
    "POST /account/settings/managed-enable: enabled",
    [off, ["POST", "/account/settings/managed-enable"], ["GET", "/account/settings"]],
    ok(accountSettings),
  ],
  [
    "POST /account/settings/managed-enable: event managed_enabled",
    [off, ["POST", "/account/settings/managed-enable"], accountEvents("managed_enabled")],
    ok(page([event("managed_enabled", "admin")])),
  ],
  [
    "POST /account/settings/managed-enable: enabled already, no event",
    [["POST", "/account/settings/managed-enable"], accountEvents("managed_enabled")],
    ok(page([])),
  ],
  [
    "POST /account/settings/managed-enable: unrestricted users only",
    [by("restricted", ["POST", "/account/settings/managed-enable"])],
    unauthorized,
  ],
];

export const managedSections: Sections = {
  "decisions/documents#managed-monitoring: contacts": contact,
  "decisions/documents#managed-monitoring: endpoints of contacts": contactEndpoints,
  "decisions/documents#managed-monitoring: credentials": credential,
  "decisions/documents#managed-monitoring: endpoints of credentials": credentialEndpoints,
  "decisions/documents#managed-monitoring: settings of nodes": nodeSettings,
  "decisions/documents#managed-monitoring: services": service,
  "decisions/documents#managed-monitoring: endpoints of services and issues": serviceEndpoints,
  "decisions/documents#managed-monitoring: statistics": stats,
  "decisions/account#managed-monitoring": switches,
};
