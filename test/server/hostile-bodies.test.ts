// @suite postgres

import { expect, test } from "vitest";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { isNightly, seed } from "../properties.ts";
import { freeCatalog } from "./bills.ts";
import { start } from "./start.ts";

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const contact = { name: "Ada", email: "ada@example.com", phone: { primary: "1", secondary: "2" }, group: "on-call" };
const service = {
  service_type: "url",
  label: "web",
  address: "https://10.0.0.1",
  timeout: 10,
  body: "ok",
  consultation_group: "on-call",
  credentials: [1],
  notes: "none",
  region: "us-east",
};

/** Bodies that the endpoints of money, transfers and managed monitoring accept, with every field. */
const bodies: Readonly<Record<string, Json>> = {
  "PUT /account": {
    ...{ first_name: "Ada", last_name: "King", company: "Engines", email: "ada@example.com", phone: "1", tax_id: "2" },
    ...{ address_1: "Street 1", address_2: "", city: "Utrecht", state: "Utrecht", zip: "3511", country: "NL" },
  },
  "POST /account/cancel": { comments: "moving" },
  "POST /account/credit-card": { card_number: "4111111111111111", cvv: "123", expiry_month: 11, expiry_year: 2031 },
  "POST /account/entity-transfers": { entities: { domains: [1], nodes: [1] } },
  "POST /managed/contacts": contact,
  "PUT /managed/contacts/1": contact,
  "POST /managed/credentials": { label: "db", username: "root", password: "correct horse" },
  "PUT /managed/credentials/1": { label: "renamed" },
  "POST /managed/credentials/1/update": { username: "root", password: "correct horse" },
  "PUT /managed/node-settings/1": { ssh: { access: true, user: "root", ip: "any", port: 22 } },
  "POST /managed/services": service,
  "PUT /managed/services/1": service,
  "PUT /networking/ips/198.18.0.2": { rdns: "mail.example.net" },
};

/** Values that stores, readers of JSON and programs of the shell stumble over. */
const hostile: Readonly<Record<string, Json>> = {
  null: null,
  "the empty text": "",
  "a NUL": "a\0b",
  "only a NUL": "\0",
  "half a surrogate pair": "a\ud800b",
  "the other half": "\udc00",
  "a pair": "🦆".repeat(300),
  controls: "\u0001\u001b[31m\u007f\u0085\u2028\r\n",
  "directions of text": "\u202eabc\u2066",
  "a long text": "x".repeat(70_000),
  "combining marks": `e${"\u0301".repeat(2000)}`,
  SQL: "'; drop table accounts; --",
  "a pattern of SQL": "%_\\%",
  "a pattern of JSON": "$.a[*]",
  "one more than 31 bits": 2 ** 31,
  "one more than 63 bits": 2 ** 63,
  "a huge number": 1e308,
  "minus one": -1,
  "a fraction": 0.5,
  "a truth value": true,
  "an empty list": [],
  "a list of a NUL": ["\0"],
  "a list of a huge number": [1e308],
  "nested lists": JSON.parse("[".repeat(500) + "]".repeat(500)),
  "an empty object": {},
  "the prototype": JSON.parse('{"__proto__":{"label":"a"},"constructor":"b"}'),
};

/** Every way to put a hostile value into a body: in the place of it, of each part, and as a further key. */
function* spoil(body: Json): Generator<readonly [where: string, spoil: (value: Json) => Json]> {
  yield ["", (value) => value];
  if (typeof body !== "object" || body === null) return;
  if (!Array.isArray(body)) yield [".\0", (value) => ({ ...body, "\0": value })];
  for (const [key, part] of Object.entries(body))
    for (const [where, put] of spoil(part))
      yield [
        `.${key}${where}`,
        (value) => (Array.isArray(body) ? body.with(Number(key), put(value)) : { ...body, [key]: put(value) }),
      ];
}

/** One of so many cases is tried; the nightly run tries all. */
const stride = isNightly ? 1 : 40;

/** A server with a domain, a node, and a contact, a credential and a service of managed monitoring. */
async function begin() {
  const api = await start({ jobDriver: simulatedDriver(0), catalog: freeCatalog });
  await api.call("POST", "/account/settings/managed-enable");
  await api.call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", label: "web-1" });
  await api.domain("example.com");
  for (const path of ["/managed/contacts", "/managed/credentials", "/managed/services"])
    expect(await api.call("POST", path, bodies[`POST ${path}`])).toMatchObject({ status: 200 });
  return api;
}

const lists = ["/account", "/account/events", "/account/entity-transfers", "/account/notifications"].concat(
  ["contacts", "credentials", "services", "node-settings", "issues"].map((list) => `/managed/${list}`),
);

test.each(Object.entries(bodies))("%s answers hostile values with a success or the reasons", async (what, body) => {
  const cases = [...spoil(body)]
    .flatMap(([where, put]) => Object.entries(hostile).map(([name, value]) => ({ where, name, sent: put(value) })))
    .filter((_, n) => n % stride === seed % stride);
  const [method = "", path = ""] = what.split(" ");
  let api = await begin();
  for (const { where, name, sent } of cases) {
    const { status, body } = await api.call(method, path, sent);
    const described = `${name} in ${where || "its place"}: ${JSON.stringify(body)}`;
    expect([200, 400], described).toContain(status);
    if (status === 400) expect(body.errors[0].reason, described).toMatch(/\S/);
    if (path === "/account/cancel" && status === 200) api = await begin(); // its tokens are invalid
    api.clock.now = new Date(api.clock.now.getTime() + 60_000);
  }
  // Replies with stored values can be made.
  for (const list of lists) expect((await api.call("GET", list)).status, list).toBe(200);
});
