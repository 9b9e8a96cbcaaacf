import { expect, test } from "vitest";
import { listFields } from "../../../src/cli/api/field.ts";
import { itemSchema, operations } from "../../../src/cli/api/operation.ts";
import { nothing } from "../../../src/contract/resources/nothing.ts";
import { setManaged } from "../../../src/server/areas/managed/managed-operator.ts";
import { owe } from "../../server/bills.ts";
import { type ApiDesk, apiDesk, Desk, lines, noon } from "../run.ts";

const domain = { domain: "example.com", type: "master", soa_email: "admin@example.com", tags: ["web"] };
const record = { type: "A", name: "www", target: "192.0.2.1" };

/** A desk with an account that has one domain with one record. */
async function openDesk(): Promise<ApiDesk> {
  const desk = await apiDesk();
  await desk.call("POST", "/domains", domain);
  await desk.call("POST", "/domains/1/records", record);
  desk.writes.length = 0;
  return desk;
}

const recordLines = lines`
  id        1
  type      A
  name      www
  target    192.0.2.1
  priority  0
  weight    0
  port      0
  service   -
  protocol  -
  ttl_sec   0
  tag       -
  created   2026-03-04T12:00:00
  updated   2026-03-04T12:00:00
`;

test("creates, reads, changes, lists and deletes a domain and its records", async () => {
  const desk = await apiDesk();
  const created = await desk.run(
    "api create-domain --set domain=example.com --set type=master --set soa_email=a@b.net",
  );
  expect(created).toMatchObject({ code: 0, talk: "", out: expect.stringMatching(/^id {11}1\ntype {9}master\n/) });
  const made = "api create-record 1 --set type=A --set name=www --set target=192.0.2.1";
  expect(await desk.run(made)).toEqual({ code: 0, out: recordLines, talk: "" });
  expect(await desk.run("api get-record 1 1")).toEqual({ code: 0, out: recordLines, talk: "" });
  expect((await desk.run("api update-record 1 1 --set target=192.0.2.2")).out).toBe(
    recordLines.replace("192.0.2.1", "192.0.2.2"),
  );
  expect(await desk.run("api list-records 1 --columns name,type,target")).toEqual({
    code: 0,
    out: "name  type  target\nwww   A     192.0.2.2\n",
    talk: "",
  });
  expect(await desk.run("api delete-record 1 1 --yes")).toEqual({
    code: 0,
    out: "",
    talk: "record 1 of domain 1 deleted\n",
  });
  expect(await desk.run("api list-records 1")).toEqual({ code: 0, out: "", talk: "no items\n" });
  expect(await desk.run("api mark-events-seen 2")).toEqual({
    code: 0,
    out: "",
    talk: "event 2 and all earlier ones marked as seen\n",
  });
  expect(await desk.run("api get-grants")).toEqual({
    code: 0,
    out: "",
    talk: "The user is not restricted and has no grants\n",
  });
  expect(desk.writes).toEqual([
    "POST /v4/domains",
    "POST /v4/domains/1/records",
    "PUT /v4/domains/1/records/1",
    "DELETE /v4/domains/1/records/1",
    "POST /v4/account/events/2/seen",
  ]);
});

test("--json prints the reply of the service, and of --all one page", async () => {
  const desk = await openDesk();
  for (const [command, path] of [
    ["get-domain 1", "/domains/1"],
    ["list-events", "/account/events"],
    ["list-events --all", "/account/events"],
    ["get-zone-file 1", "/domains/1/zone-file"],
  ] as const) {
    const { code, out, talk } = await desk.run(`api ${command} --json`);
    expect({ code, talk }).toEqual({ code: 0, talk: "" });
    expect(JSON.parse(out)).toEqual(await desk.call("GET", path));
  }
  expect(await desk.run("api get-grants --json")).toEqual({ code: 0, out: "", talk: "" });
  expect(await desk.run("api delete-domain 1 --yes --json")).toEqual({ code: 0, out: "{}\n", talk: "" });
});

test("in a pipe, a table has every column with whole values", async () => {
  expect((await (await openDesk()).run("api list-domains")).out).toBe(lines`
    id  type    domain       status  description  group  soa_email          ttl_sec  refresh_sec  retry_sec  expire_sec  master_ips  axfr_ips  tags  created              updated
    1   master  example.com  active  -            -      admin@example.com  0        0            0          0           -           -         web   2026-03-04T12:00:00  2026-03-04T12:00:00
  `);
});

test("on a terminal, a table fits the width, and says which columns have no room", async () => {
  const desk = await openDesk();
  await desk.call("PUT", "/domains/1", { description: "the domain of the example company in all languages" });
  desk.width = 80;
  expect(await desk.run("api list-domains")).toEqual({
    code: 0,
    out: lines`
      id  type    domain       status  description
      1   master  example.com  active  the domain of th…(50 characters)…nguages
    `,
    talk: lines`
      columns not shown (terminal too narrow): soa_email, ttl_sec, refresh_sec,
          retry_sec, expire_sec, tags, created, updated; choose with --columns, or use
          --json
    `,
  });
  expect((await desk.run("api list-domains --columns domain,description,tags,created,updated")).out).toBe(lines`
    domain       description          tags  created              updated
    example.com  the domain…50…uages  web   2026-03-04T12:00:00  2026-03-04T12:00:00
  `);
  desk.width = 40;
  expect((await desk.run("api get-domain 1")).out).toContain(lines`
    description  the domain of the example
                 company in all languages
  `);
});

test("the first columns of a table are fields of its items", () => {
  const unknown = operations.flatMap(({ name, endpoint }) => {
    const known = listFields(itemSchema(endpoint)).map(({ path }) => path);
    return (endpoint.columns ?? []).filter((path) => !known.includes(path)).map((path) => `${name}: ${path}`);
  });
  expect(unknown).toEqual([]);
});

test("at 80 columns, tables begin with the most telling columns", async () => {
  const desk = await openDesk();
  desk.width = 80;
  await desk.call("POST", "/support/tickets", { summary: "Zone transfer fails", description: "Since the last update" });
  await desk.call("POST", "/account/oauth-clients", { label: "panel", redirect_uri: "https://panel.example.com/" });
  const table = async (command: string) => {
    const { out } = await desk.run(`api ${command}`);
    return out.replace(/[0-9a-f]{20}/, "0123456789abcdef0123");
  };
  expect(await table("list-tickets")).toBe(lines`
    id  status  summary              updated              opened_by  closable
    1   new     Zone transfer fails  2026-03-04T12:00:00  admin      true
  `);
  expect(await table("list-records 1")).toBe(lines`
    id  type  name  target     ttl_sec  priority  weight  port  created
    1   A     www   192.0.2.1  0        0         0       0     2026-03-04T12:00:00
  `);
  expect(await table("list-oauth-clients")).toBe(lines`
    id                    label  status  redirect_uri                public
    0123456789abcdef0123  panel  active  https://panel.example.com/  false
  `);
  expect(await table("list-events")).toContain(lines`
    id  created              action               entity.label         username
    5   2026-03-04T12:00:00  oauth_client_create  panel                admin
    4   2026-03-04T12:00:00  ticket_create        Zone transfer fails  admin
  `);
  await desk.call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", label: "web-1" });
  await desk.call("POST", "/volumes", { region: "us-east", label: "data", size: 10 });
  expect(await table("list-nodes")).toBe(lines`
    id  label  status   ipv4        type         region   created
    1   web-1  offline  198.18.0.2  g6-nanode-1  us-east  2026-03-04T12:00:00
  `);
  expect(await table("list-addresses")).toBe(lines`
    address                     rdns                         node_id  public
    198.18.0.2                  198-18-0-2.ip.nodes.invalid  1        true
    2001:db8::f03c:91ff:fe00:1  -                            1        true
  `);
  expect(await table("list-volumes")).toBe(lines`
    id  label  status  size  region   created              updated
    1   data   active  10    us-east  2026-03-04T12:00:00  2026-03-04T12:00:00
  `);
  expect(await table("list-regions")).toMatch(/^id +country +status +capabilities\n/);
});

test("columns may be objects; an unknown one is refused", async () => {
  const desk = await openDesk();
  expect((await desk.run("api list-events --columns id,entity.label,entity --page-size 25")).out).toBe(lines`
    id  entity.label  entity
    3   example.com   {"label":"example.com","id":1,"type":"domain","url":"/v4/domains/1"}
    2   web           {"label":"web","id":"web","type":"tag","url":"/v4/tags/web"}
    1   example.com   {"label":"example.com","id":1,"type":"domain","url":"/v4/domains/1"}
  `);
  expect(await desk.run("api list-events --columns id,entity.lable")).toEqual({
    code: 64,
    out: "",
    talk: 'error: --columns: the list has no column "entity.lable". Did you mean "entity.label"?\n',
  });
});

test("a page of a longer list says how to see the rest", async () => {
  const desk = await openDesk();
  for (let index = 0; index < 30; index++)
    await desk.call("POST", "/domains/1/records", { ...record, name: `host-${index}` });
  const { out, talk } = await desk.run("api list-records 1 --page 2 --page-size 25 --columns id,name");
  expect([out, talk]).toEqual([
    lines`
      id  name
      26  host-24
      27  host-25
      28  host-26
      29  host-27
      30  host-28
      31  host-29
    `,
    "page 2 of 2, 31 items in all; --all shows them\n",
  ]);
  const all = await desk.run("api list-records 1 --all --columns name --page-size 25");
  expect([all.out.split("\n").length, all.talk]).toEqual([33, ""]);
  expect((await desk.run("api list-records 1 --page 9")).talk).toBe("page 9 is empty\n");
});

test("text of the service cannot control the terminal", async () => {
  const desk = await openDesk();
  const hostile = "\u001b[2J::error::\u202e##[x]";
  await desk.call("PUT", "/domains/1", { description: `${hostile}\n::add-mask::x` });
  const shown = "\\x1b[2J::error::\\u202e#\\x23[x]";
  expect((await desk.run("api get-domain 1")).out).toContain(lines`
    description  ${shown}
                 \x3a:add-mask::x
  `);
  expect((await desk.run("api list-domains --columns description")).out).toBe(
    `description\n${shown}\\x0a::add-mask::x\n`,
  );
  expect(JSON.parse((await desk.run("api get-domain 1 --json")).out).description).toBe(`${hostile}\n::add-mask::x`);
});

test("a DELETE asks on a terminal", async () => {
  const desk = await openDesk();
  expect(await desk.run("api delete-domain 1", { answer: "n" })).toEqual({
    code: 1,
    out: "",
    talk: "nothing was sent\n",
  });
  expect(desk.writes).toEqual([]);
  expect(await desk.run("api delete-domain 1", { answer: "y" })).toMatchObject({ code: 0, talk: "domain 1 deleted\n" });
  expect(desk.questions).toEqual([
    "Delete a domain and all its records: domain 1 (DELETE /domains/1)? [y/N] ",
    "Delete a domain and all its records: domain 1 (DELETE /domains/1)? [y/N] ",
  ]);
});

test("an unknown field of --body is sent, with a warning", async () => {
  const desk = await openDesk();
  const body = JSON.stringify({ type: "A", nme: "x", target: "192.0.2.9" });
  desk.write("record.json", body);
  expect(await desk.run("api create-record 1 --body @record.json --json")).toMatchObject({
    code: 0,
    talk: 'warning: the operation has no known field "nme" (did you mean "name"?); the service may ignore it\n',
  });
});

test("errors of the API name the field, the reason and what to do", async () => {
  const desk = await openDesk();
  const talkOf = async (command: string, env = {}) => {
    const { code, out, talk } = await desk.run(`api ${command}`, { env });
    expect([code, out]).toEqual([1, ""]);
    return talk;
  };
  expect(await talkOf("create-record 1 --set name=x --set ttl_sec=-1")).toBe(lines`
    error[api/invalid] POST /v4/domains/1/records: 400 type is required; ttl_sec: Must be 0 or greater
      ${"`"}zonewright api create-record --help${"`"} lists what the operation accepts.
  `);
  expect(await talkOf("get-domain 2")).toBe(lines`
    error[api/not-found] GET /v4/domains/2: 404 Not found
      The domain 2 does not exist, or this token may not access it.
  `);
  expect(await talkOf("create-domain --set domain=example.com --set type=master --set soa_email=a@b.net")).toBe(lines`
    error[api/invalid] POST /v4/domains: 400 domain: DNS zone already exists
      If ${"`"}zonewright api list-domains${"`"} does not show it, it belongs to another user or account: use a token of its owner, or have it released there.
  `);
  expect(await talkOf("create-record 1 --set type=CNAME --set name=www --set target=example.net")).toBe(lines`
    error[api/invalid] POST /v4/domains/1/records: 400 name: Record conflict - CNAMES must be unique
      ${"`"}zonewright api list-records${"`"} shows the records of a domain: delete or rename the others first.
  `);
  expect(await talkOf("create-domain --set domain=co.uk --set type=master --set soa_email=a@b.net")).toBe(lines`
    error[api/invalid] POST /v4/domains: 400 domain: The domain is a public suffix
      Create a domain below it, for the name that you registered. ${"`"}zonewright serve --allow-public-suffixes${"`"} accepts it.
  `);
  expect((await desk.run("api create-ticket --set summary=a --set description=b")).code).toBe(0);
  expect((await desk.run("api close-ticket 1 --yes")).code).toBe(0);
  expect(await talkOf("close-ticket 1 --yes")).toBe(lines`
    error[api/invalid] POST /v4/support/tickets/1/close: 400 This ticket cannot be closed
      It is closed already, or the operator opened it and closes it: then reply with ${"`"}zonewright api create-ticket-reply${"`"}.
  `);
  expect(await talkOf("create-ticket-reply 1 --set description=c")).toBe(lines`
    error[api/invalid] POST /v4/support/tickets/1/replies: 400 This ticket is closed
      Open another: ${"`"}zonewright api create-ticket${"`"}.
  `);
  const reader = await desk.mint({ scopes: "domains:read_only" });
  expect(await talkOf("delete-domain 1 --yes", { ZONEWRIGHT_TOKEN: reader })).toBe(lines`
    error[api/scope] DELETE /v4/domains/1: 401 Your OAuth token is not authorized to use this endpoint
      The token is from ZONEWRIGHT_TOKEN. It needs the scope domains:read_write; it has domains:read_only. Replace it with one that has it.
  `);
});

const transferable =
  "A domain or node must belong to the account, be named once, and be in no other pending or accepted transfer. A domain is offered together with those of the account above and below it; a node has no unfinished job and no volume attached.";
const nothingPending =
  "It was accepted or cancelled before, or was not accepted within 24 hours. The account that sent it can offer another: `zonewright api create-service-transfer`.";
const payable =
  "Set a card that has not expired with `zonewright api set-credit-card --body @FILE`: it pays the balance at once. The operator of the server can record a payment: `zonewright server operator account pay`.";
const transfers = "/account/service-transfers";
const card = { card_number: "4111111111111111", cvv: "123", expiry_month: 12, expiry_year: 2030 };

/** Commands by the account of the domains 1 and 2, or by `receiver`; `TOKEN` is the transfer that is offered first. */
test.each<[refused: string, error: string, fix: string, advised: readonly string[]]>([
  [
    "create-service-transfer --set entities.domains=1",
    `invalid] POST /v4${transfers}: 400 entities.domains[0]: A domain below "example.com" is not part of the transfer`,
    transferable,
    ["create-service-transfer --set entities.domains=1,2"],
  ],
  [
    "accept-service-transfer TOKEN",
    `invalid] POST /v4${transfers}/TOKEN/accept: 400 You cannot accept your own transfer`,
    "Accept it with a token of another account.",
    ["receiver: accept-service-transfer TOKEN"],
  ],
  [
    "cancel-service-transfer TOKEN --yes twice",
    `invalid] DELETE /v4${transfers}/TOKEN: 400 This transfer is no longer pending`,
    nothingPending,
    ["create-service-transfer --set entities.nodes=1"],
  ],
  [
    "update-node-address 1 198.18.0.2 --set rdns=mail.example.com",
    "invalid] PUT /v4/node/instances/1/ips/198.18.0.2: 400 rdns: We were unable to perform a lookup for 'mail.example.com' at this time",
    "The name must lead back to the address: first create an A or AAAA record of this name with the address.",
    [
      "create-record 1 --set type=A --set name=mail --set target=198.18.0.2",
      "update-node-address 1 198.18.0.2 --set rdns=mail.example.com",
    ],
  ],
  [
    "update-address 198.18.0.2 --set rdns=my_host.example.net",
    "invalid] PUT /v4/networking/ips/198.18.0.2: 400 rdns: Domain is not valid",
    "Write a host name of two labels or more of ASCII letters, digits and hyphens, such as www.example.com.",
    ["update-address 198.18.0.2 --set rdns=www.example.net"],
  ],
  [
    "cancel-account --yes",
    "other] POST /v4/account/cancel: 409 The account has a balance that could not be charged to a credit card",
    payable,
    ["set-credit-card --body @card.json", "cancel-account --yes"],
  ],
  [
    "resize-node 1 --set type=g6-standard-1",
    "invalid] POST /v4/node/instances/1/resize: 400 Account has an outstanding balance",
    payable,
    ["set-credit-card --body @card.json", "resize-node 1 --set type=g6-standard-1"],
  ],
  [
    "create-node --set region=mars --set type=g6-nanode-1",
    "invalid] POST /v4/node/instances: 400 region is not valid",
    "`zonewright api list-regions` shows the ids of regions.",
    ["list-regions"],
  ],
  [
    "create-node --set region=us-east --set type=big",
    "invalid] POST /v4/node/instances: 400 type is not valid",
    "`zonewright api list-node-types` shows the ids of types, if the service has profile live. `zonewright help catalogue` explains those of `zonewright serve`.",
    [],
  ],
  [
    "create-disk 1 --set size=5000 --body @image.json",
    "invalid] POST /v4/node/instances/1/disks: 400 image is not valid",
    "`zonewright api list-images` shows the ids of images, if the service has profile live. `zonewright help catalogue` explains those of `zonewright serve`.",
    [],
  ],
  [
    "create-node-config 1 --set label=boot --set devices:={} --set kernel=nope",
    "invalid] POST /v4/node/instances/1/configs: 400 kernel is not valid",
    "`zonewright api list-kernels` shows the ids of kernels.",
    ["list-kernels"],
  ],
  [
    "create-node --set region=us-east --set type=g6-nanode-1 --set label=web-1",
    "invalid] POST /v4/node/instances: 400 label: Label must be unique",
    "Another one of the account has this label: choose another label.",
    ["create-node --set region=us-east --set type=g6-nanode-1 --set label=web-2"],
  ],
  [
    "boot-node 1",
    "invalid] POST /v4/node/instances/1/boot: 400 A config must be specified",
    "Name one with --set config_id=ID: `zonewright api list-node-configs` shows them, and `zonewright api create-node-config` creates one.",
    ["list-node-configs 1", "create-node-config 1 --set label=boot --set devices:={}", "boot-node 1 --set config_id=1"],
  ],
  [
    "create-node-address 1 --set type=ipv4 --set public=true",
    "invalid] POST /v4/node/instances/1/ips: 400 Additional IPv4 addresses require technical justification. Please contact support describing your requirement",
    "On `zonewright serve`, `extra_public_ipv4` in the catalogue allows more.",
    [],
  ],
  [
    "get-service-transfer 0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D",
    `not-found] GET /v4${transfers}/0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D: 404 Not found`,
    "The transfer 0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D does not exist, or this token may not access it.",
    [],
  ],
  [
    "list-managed-services",
    "invalid] GET /v4/managed/services: 400 Managed is not enabled for this account",
    "An unrestricted user can enable it: `zonewright api enable-managed`.",
    ["enable-managed", "list-managed-services"],
  ],
])("the advised form passes: %s", async (refused, error, fix, advised) => {
  const desk = await openDesk();
  await desk.call("POST", "/domains", { ...domain, domain: "sub.example.com" });
  await desk.call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", label: "web-1" });
  await owe(desk.store, 500);
  await setManaged(desk.store, "admin", false, noon);
  const receiver = await desk.mint({ username: "receiver" });
  desk.write("card.json", JSON.stringify(card));
  desk.write("image.json", JSON.stringify({ image: "node/nope", root_pass: "correct Horse 7" }));
  desk.waited += 60_000; // the node is created
  const offered = refused.includes("TOKEN")
    ? (await desk.call("POST", transfers, { entities: { nodes: [1] } })).token
    : "";
  const run = (command: string) => {
    const [, by, operation = ""] = /^(receiver: )?(.*)$/.exec(command.replace("TOKEN", offered)) ?? [];
    return desk.run(`api ${operation}`, { env: by === undefined ? {} : { ZONEWRIGHT_TOKEN: receiver } });
  };
  const [once = "", isTwice] = refused.split(/(?= twice$)/);
  if (isTwice !== undefined) expect((await run(once)).code).toBe(0);
  const { code, talk } = await run(once);
  const shown = offered === "" ? talk : talk.replace(offered, "TOKEN");
  expect([code, shown]).toEqual([1, `error[api/${error}\n  ${fix}\n`]);
  for (const command of advised) expect([command, (await run(command)).code]).toEqual([command, 0]);
});

test.each<[command: string, fix: string | undefined]>([
  ["create-domain", "`zonewright api create-domain --help` lists what the operation accepts."],
  [
    "create-domain --set domain=example.org --set type=primary --set soa_email=a@b.net",
    "`zonewright api create-domain --help` lists what the operation accepts.",
  ],
  [
    "create-domain --set domain=example.org --set type=master",
    "`zonewright api create-domain --help` lists what the operation accepts.",
  ],
  [
    "create-ticket --set summary= --set description=b",
    "`zonewright api create-ticket --help` lists what the operation accepts.",
  ],
  ["list-domains --page-size 7", "`zonewright api list-domains --help` lists what the operation accepts."],
  [
    "create-domain --set domain=foo --set type=master --set soa_email=a@b.net",
    "Write two labels or more of ASCII letters, digits, hyphens and underscores, without a final dot, such as example.com.",
  ],
  [
    "create-ticket --set summary=a --set description=b --set domain_id=99",
    "`zonewright api list-domains` shows the ids of domains.",
  ],
  ["create-tag --set label=web --set domains=99", "`zonewright api list-domains` shows the ids of domains."],
  [
    "create-oauth-client --set label=a --set redirect_uri=ftp:foo",
    "Write an absolute URL without a fragment, as browsers show it: of http, https, or a scheme with a dot.",
  ],
  [
    "create-managed-service --set service_type=tcp --set label=mail --set address=mail.example.com --set timeout=10",
    "`zonewright api create-managed-service --help` lists what the operation accepts.",
  ],
  ["create-record 1 --set type=A --set target=192.0.2.300", undefined],
  ["import-domain --set domain=example.org --set remote_nameserver=127.0.0.1", undefined],
])("the help is advised where it tells: %s", async (command, fix) => {
  const desk = await openDesk();
  const [error, advice] = (await desk.run(`api ${command}`)).talk.split("\n  ");
  expect(error).toMatch(/^error\[api\/invalid\] (?:POST|GET) .*: 400 \w+/);
  expect(advice).toBe(fix && `${fix}\n`);
});

test("tickets and tags: files are sent, and messages name the result", async () => {
  const desk = await openDesk();
  desk.write("notes/log.txt", "all is well");
  expect((await desk.run("api create-ticket --set summary=Question --set description=Why? --json")).code).toBe(0);
  const attach = "api create-ticket-attachment 1 --file";
  expect(await desk.run(`${attach} notes/log.txt`)).toEqual({
    code: 0,
    out: "",
    talk: "file attached to ticket 1\n",
  });
  expect((await desk.call("GET", "/support/tickets/1")).attachments).toEqual(["log.txt"]);
  expect(await desk.run(`${attach} missing.txt`)).toEqual({
    code: 3,
    out: "",
    talk: "error[file-read] missing.txt cannot be read: it does not exist\n  Check the path.\n",
  });
  expect((await desk.run("api create-ticket-attachment 1")).talk).toBe(lines`
    error: required option '--file <path>' not specified
      Run ${"`"}zonewright api create-ticket-attachment --help${"`"} for its usage.
  `);
  expect(await desk.run("api list-tagged-objects web --columns type,data.domain")).toEqual({
    code: 0,
    out: "type    data.domain\ndomain  example.com\n",
    talk: "",
  });
  expect((await desk.run("api delete-tag web --yes")).talk).toBe("tag web deleted and removed from all objects\n");
});

test("operations that need no token work without one; others say that it is missing", async () => {
  const desk = await openDesk();
  const env = { ZONEWRIGHT_TOKEN: undefined };
  const { code, out, talk } = await desk.run("api list-regions --all --columns id,country", { env });
  expect([code, out, talk]).toEqual([0, expect.stringMatching(/^id +country\n(?:\S+ +\w\w\n)+$/), ""]);
  expect(await desk.run("api list-domains", { env })).toMatchObject({
    code: 3,
    talk: expect.stringMatching(/^error\[token-missing\] no API token is set\n/),
  });
});

test.each([
  ["update-record", "\n  zonewright api update-record 1 2 --set target=192.0.2.1\n"],
  ["update-record", "\nFields for --set, such as --set target=192.0.2.1:\n"],
  ["create-tag", "\nFields for --set, such as --set label=LABEL (* is required):\n"],
  [
    "create-domain",
    "  zonewright api create-domain --set domain=DOMAIN --set type=master \\\n    --set soa_email=hostmaster@example.com\n",
  ],
  ["rebuild-node", "Example:\n  zonewright api rebuild-node 1 --body @FILE --yes\n"],
  ["update-domain", "\n  axfr_ips     list of texts, up to 100 entries. Addresses that may transfer the\n"],
  ["create-domain", "\n  status       disabled, active. A disabled domain is not served\n"],
  ["create-domain", "\n  tags         list of texts, up to 100 entries, each 3 to 50 characters. For\n"],
  ["create-tag", "\n  label*     text, 3 to 50 characters. Label of the tag, without control\n"],
  ["create-tag", "\n  domains    list of whole numbers, up to 1000 entries. Ids of domains that get\n"],
  ["create-record", "\n  priority  whole number, 0 to 255. MX and SRV: lower is preferred\n"],
  ["create-ticket", "\n  domain_id         whole number. Id of the domain that the ticket is about\n"],
  ["list-tickets", " number of items on a page, from 25 to 100 (default:\n"],
  ["list-notifications", "\nColumns: severity, label, type, entity.label, message, body,"],
  ["list-domains", " only matching items, such as domain=VALUE, or JSON;\n"],
])("the help of %s: %j", async (operation, part) => {
  const { out } = await new Desk().run(`api ${operation} --help`);
  expect(out).toContain(part);
});

const transferOffered =
  "next: the other account accepts it with {call acceptServiceTransfer TOKEN}; whoever has the token can";

test("operations whose reply does not tell it say what they did, or what comes next", () => {
  const done = operations.flatMap(({ name, endpoint }) =>
    endpoint.reply === nothing || endpoint.done !== undefined ? [[name, endpoint.done]] : [],
  );
  expect(done).toEqual([
    ["cancel-account", "account cancelled: its tokens are invalid, and only the operator of the service can reopen it"],
    ["set-credit-card", "credit card of the account set"],
    ["delete-domain", "domain {domainId} deleted"],
    ["delete-record", "record {recordId} of domain {domainId} deleted"],
    ["create-entity-transfer", transferOffered],
    ["cancel-entity-transfer", "transfer {token} cancelled: its nodes and domains stay in the account"],
    ["accept-entity-transfer", "transfer {token} accepted: its nodes and domains arrive within seconds, all or none"],
    ["create-service-transfer", transferOffered],
    ["cancel-service-transfer", "transfer {token} cancelled: its nodes and domains stay in the account"],
    ["accept-service-transfer", "transfer {token} accepted: its nodes and domains arrive within seconds, all or none"],
    ["mark-event-read", "event {eventId} marked as read"],
    ["mark-events-seen", "event {eventId} and all earlier ones marked as seen"],
    ["delete-managed-contact", "contact {contactId} deleted"],
    ["delete-managed-credential", "credential {credentialId} deleted"],
    ["update-managed-password", "username and password of credential {credentialId} replaced"],
    ["revoke-managed-credential", "credential {credentialId} deleted"],
    ["delete-managed-service", "service {serviceId} deleted"],
    ["delete-node", "deletion of node {nodeId} begun"],
    ["boot-node", "node {nodeId} boots"],
    ["shut-down-node", "node {nodeId} shuts down"],
    ["reboot-node", "node {nodeId} reboots"],
    ["delete-node-address", "address {address} taken from node {nodeId}"],
    ["rescue-node", "node {nodeId} boots its rescue system"],
    ["reset-node-password", "password of root on node {nodeId} is being set"],
    ["resize-node", "resize of node {nodeId} begun"],
    ["migrate-node", "migration of node {nodeId} begun"],
    ["delete-disk", "deletion of disk {diskId} of node {nodeId} begun"],
    ["reset-disk-password", "password of root on disk {diskId} of node {nodeId} is being set"],
    ["resize-disk", "resize of disk {diskId} of node {nodeId} begun"],
    ["delete-node-config", "configuration profile {configId} of node {nodeId} deleted"],
    ["enable-backups", "backups of node {nodeId} turned on"],
    ["cancel-backups", "backups of node {nodeId} turned off and deleted"],
    ["restore-backup", "restore of backup {backupId} begun"],
    ["delete-volume", "volume {volumeId} deleted"],
    ["detach-volume", "volume {volumeId} detached"],
    ["delete-firewall", "firewall {firewallId} deleted"],
    ["delete-firewall-device", "device {deviceId} taken from firewall {firewallId}"],
    ["delete-oauth-client", "OAuth client {clientId} and its tokens deleted"],
    ["create-ticket-attachment", "file attached to ticket {ticketId}"],
    ["close-ticket", "ticket {ticketId} closed"],
    ["delete-tag", "tag {label} deleted and removed from all objects"],
    ["enable-managed", "managed monitoring enabled"],
  ]);
});

test("a cancelled account is told so, also without a survey", async () => {
  const desk = await openDesk();
  desk.width = 80;
  expect(await desk.run("api cancel-account --yes")).toEqual({
    code: 0,
    out: "survey_link  -\n",
    talk: lines`
      account cancelled: its tokens are invalid, and only the operator of the service
          can reopen it
    `,
  });
});

test("operations other than DELETE that end something ask for confirmation, and name the consequence", async () => {
  const desk = await openDesk();
  for (const operation of [
    "cancel-account",
    "close-ticket 1",
    "cancel-backups 1",
    "reset-oauth-client-secret 2737bf16b39ab5d7b4a1",
  ])
    expect(await desk.run(`api ${operation}`, { answer: "n" })).toEqual({
      code: 1,
      out: "",
      talk: "nothing was sent\n",
    });
  expect(desk.questions).toEqual([
    "Cancel the account (POST /account/cancel)? Its nodes, volumes and firewalls are deleted, its tokens become invalid, its domains are no longer served, and you cannot reopen it yourself. [y/N] ",
    "Close a ticket: ticket 1 (POST /support/tickets/1/close)? You cannot reopen it or reply to it. [y/N] ",
    "Turn off the backups of a node and delete all that it has: node 1 (POST /node/instances/1/backups/cancel)? All its backups are deleted. [y/N] ",
    "Replace the secret of an OAuth client: OAuth client 2737bf16b39ab5d7b4a1 (POST /account/oauth-clients/2737bf16b39ab5d7b4a1/reset-secret)? Its present secret becomes invalid. [y/N] ",
  ]);
});

test("marks the operations that only profile live has, and names that profile when a service lacks one", async () => {
  const desk = await apiDesk();
  const { out: list } = await desk.run("api");
  const marked = list.split("\n").filter((line) => line.includes("profile live"));
  expect(marked.map((line) => line.trim().replace(/ {2,}/g, " | "))).toEqual([
    "list-node-types | GET | /node/types | List the types of compute nodes (profile live only)",
    "get-node-type | GET | /node/types/{typeId} | View a type of compute nodes (profile live only)",
    "list-images | GET | /images | List the images of compute nodes (profile live only)",
    "get-image | GET | /images/{imageId} | View an image of compute nodes (profile live only)",
  ]);
  const command = "`zonewright serve --profile live`";
  const { out: help } = await desk.run("api list-images --help");
  expect(help).toContain("GET /images needs no token. Only profile live has it:\n`zonewright serve --profile live`.\n");
  expect(await desk.run("api list-images")).toEqual({
    code: 1,
    out: "",
    talk: lines`
      error[api/not-found] GET /v4/images: 404 Not found
        Only a server with profile live has this path. Start it with ${command}, or check the base URL.
    `,
  });
});

const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;

const look = "Use --json to see the reply.";
const check = "It may have taken effect: check before sending it again.";
test.each([
  ["list-tags", "null", "GET /tags: the reply is not a page of a list", look],
  ["list-tags", '"text"', "GET /tags: the reply is not a page of a list", look],
  ["list-tags", '{"data":{},"page":1,"pages":1,"results":0}', "GET /tags: the reply is not a page of a list", look],
  ["list-tags", '{"data":[],"page":1,"pages":1,"results":-1}', "GET /tags: the reply is not a page of a list", look],
  ["list-tags", '{"data":[],"page":1,"pages":-1,"results":0}', "GET /tags: the reply is not a page of a list", look],
  ["list-tags", '{"data":[null],"page":1,"pages":1,"results":1}', "GET /tags: the reply is not a page of a list", look],
  ["list-tags", '{"data":[1],"page":1,"pages":1,"results":1}', "GET /tags: the reply is not a page of a list", look],
  ["list-tags", '{"data":[[]],"page":1,"pages":1,"results":1}', "GET /tags: the reply is not a page of a list", look],
  ["get-domain 1", "null", "GET /domains/{domainId}: the reply is not an object", look],
  ["get-domain 1", "7", "GET /domains/{domainId}: the reply is not an object", look],
  ["get-domain 1", "[1,2]", "GET /domains/{domainId}: the reply is not an object", look],
  ["get-domain 1", "{}", "GET /domains/{domainId}: the reply is not an object with fields", look],
  ["update-domain 1 --set group=a", "{}", "PUT /domains/{domainId}: the reply is not an object with fields", check],
  ["update-domain 1 --set group=a", "null", "PUT /domains/{domainId}: the reply is not an object", check],
  ["create-tag --set label=a", "[1,2]", "POST /tags: the reply is not an object", check],
  ["delete-domain 1 --yes", '"x"', "DELETE /domains/{domainId}: the reply is not an object", check],
])("api %s with the reply %s is an error; --json shows it", async (command, reply, summary, fix) => {
  const desk = await apiDesk({}, () => async () => Response.json(JSON.parse(reply)));
  const talk = `error[transport/reply] ${summary}\n  The base URL is from ZONEWRIGHT_API_URL. ${fix}\n`;
  expect(await desk.run(`api ${command}`)).toEqual({ code: 1, out: "", talk });
  const shown = await desk.run(`api ${command} --json`);
  expect([shown.code, JSON.parse(shown.out)]).toEqual([0, JSON.parse(reply)]);
});

test.each(["null", '{"data":[null,1,"x"],"page":1,"pages":1,"results":3}'])(
  "with --all, the reply %s is shown without it",
  async (reply) => {
    const desk = await apiDesk({}, () => async () => Response.json(JSON.parse(reply)));
    expect(await desk.run("api list-tags --all")).toEqual({
      code: 1,
      out: "",
      talk: lines`
        error[transport/reply] GET /tags: the reply is not a page of a list
          The base URL is from ZONEWRIGHT_API_URL. Use --json, without --all, to see the reply.
      `,
    });
  },
);

test("refuses a reply that is nested deeper than any of the API", async () => {
  const headers = { "Content-Type": "application/json" };
  const desk = await apiDesk({}, () => async () => new Response(`{"data":${nested}}`, { headers }));
  expect(await desk.run("api list-tags")).toEqual({
    code: 1,
    out: "",
    talk: lines`
      error[transport/reply] GET /v4/tags: 200 with a body (application/json) that is not the API's: {"data":${"[".repeat(72)}…
        The base URL is from ZONEWRIGHT_API_URL. Check the base URL http://api, and any proxy between.
    `,
  });
});
