import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test as always, expect } from "vitest";
import { addUser } from "../../src/server/areas/account/users-operator.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { isMissing, judgesFolder } from "../judges.ts";
import { noon } from "../server/start.ts";
import { folder, run, serve } from "./run.ts";

const test = always.skipIf(isMissing("linode-cli"));

type Api = Awaited<ReturnType<typeof serve>>;

/** Runs the command line of the live service, unmodified: only its address is set, as its documentation says. */
function linode(api: Api, words: string, { cwd = folder(), env = {}, input = "" } = {}) {
  const address = {
    LINODE_CLI_API_HOST: new URL(api.url).host,
    LINODE_CLI_API_SCHEME: "http",
    LINODE_CLI_API_VERSION: "v4",
  };
  const program = join(judgesFolder, "venv/bin/linode-cli");
  return run([program, ...words.split(" ")], { cwd, env: { ...address, ...env }, input });
}

/** The lines of a list, of which each must succeed without a word on standard error. */
async function linesOf(api: Api, words: string): Promise<string[]> {
  const env = { LINODE_CLI_TOKEN: api.token };
  const { code, out, talk } = await linode(api, `${words} --text --delimiter ,`, { env });
  expect({ code, talk }).toEqual({ code: 0, talk: [] });
  return out.trimEnd().split("\n");
}

test("reads and changes what the token allows", async () => {
  const api = await serve();
  await api.domain("example.com");
  const list = (words: string) => linesOf(api, words);

  expect(await list("tags create --label web --domains 1")).toEqual(["label", "web"]);
  const [tags, account, events, regions, domains] = await Promise.all([
    list("tags list"),
    list("account view --format company,euuid,balance,active_since"),
    list("events list --format id,username,action,entity.url,created,status"),
    list("regions list --format id,label,country,status"),
    list("domains list --format id,domain,type,status,soa_email,tags"),
  ]);
  expect(tags).toEqual(["label", "web"]);
  expect(account).toEqual([
    "company,euuid,balance,active_since",
    expect.stringMatching(`^admin,[0-9a-f-]{36},0,${noon}$`),
  ]);
  expect(events).toEqual([
    "id,username,action,entity.url,created,status",
    `2,admin,tag_create,/v4/tags/web,${noon},notification`,
    `1,admin,dns_zone_create,/v4/domains/1,${noon},notification`,
  ]);
  expect(regions).toContain("eu-central,Frankfurt, DE,de,ok");
  expect(domains).toEqual([
    "id,domain,type,status,soa_email,tags",
    "1,example.com,master,active,hostmaster@example.com,web",
  ]);

  const env = { LINODE_CLI_TOKEN: api.token };
  expect(await linode(api, "tags delete web", { env })).toEqual({ code: 0, out: "", talk: [] });
  expect((await api.call("GET", "/tags")).body.data).toEqual([]);
  expect(api.writes).toEqual(["POST /v4/tags 200", "DELETE /v4/tags/web 200"]);
});

test("opens, answers, lists and closes a ticket", async () => {
  const api = await serve();
  await api.domain("example.com");
  const list = (words: string) => linesOf(api, words);
  expect(
    await list("tickets create --summary Lookups --description Timeouts --domain_id 1 --format id,summary,status"),
  ).toEqual(["id,summary,status", "1,Lookups,new"]);
  expect(await list("tickets reply 1 --description Solved --format created_by,id")).toEqual([
    "created_by,id",
    "admin,1",
  ]);
  const [tickets, ticket, replies] = await Promise.all([
    list("tickets list --format id,summary,opened_by,updated_by,entity.url"),
    list("tickets view 1 --format id,description,closable"),
    list("tickets replies 1 --format id,created_by,from_linode"),
  ]);
  expect(tickets).toEqual(["id,summary,opened_by,updated_by,entity.url", "1,Lookups,admin,admin,/v4/domains/1"]);
  expect(ticket).toEqual(["id,description,closable", "1,Timeouts,True"]);
  expect(replies).toEqual(["id,created_by,from_linode", "1,admin,False"]);
  const env = { LINODE_CLI_TOKEN: api.token };
  expect(await linode(api, "tickets close 1", { env })).toEqual({ code: 0, out: "", talk: [] });
  expect(api.writes).toEqual([
    "POST /v4/support/tickets 200",
    "POST /v4/support/tickets/1/replies 200",
    "POST /v4/support/tickets/1/close 200",
  ]);
});

test("creates, boots, reads and deletes a node", async () => {
  const api = await serve({ jobDriver: simulatedDriver(0) });
  const list = (words: string) => linesOf(api, words);
  const node = "--region us-east --type g6-nanode-1 --label web-1 --image linode/debian12 --root_pass Correct-Horse-7";
  expect(
    await list(`linodes create --no-defaults ${node} --booted false --format id,label,status,region,type`),
  ).toEqual(["id,label,status,region,type", "1,web-1,provisioning,us-east,g6-nanode-1"]);
  const env = { LINODE_CLI_TOKEN: api.token };
  expect(await linode(api, "linodes boot 1", { env })).toEqual({ code: 0, out: "", talk: [] });
  expect(
    await Promise.all([
      list("linodes list --label web-1 --format id,label,status,ipv4,image"),
      list("linodes view 1 --format id,status,ipv6,tags"),
      list("linodes disks-list 1 --format id,label,status,size,filesystem"),
      list("linodes configs-list 1 --format id,label,kernel"),
      list("linodes ips-list 1 --table ipv4.public --format address,public,rdns"),
      list("events list --format action,status,entity.label,secondary_entity.url"),
    ]),
  ).toEqual([
    ["id,label,status,ipv4,image", "1,web-1,running,198.18.0.2,linode/debian12"],
    ["id,status,ipv6,tags", "1,running,2001:db8::f03c:91ff:fe00:1/128,"],
    ["id,label,status,size,filesystem", "1,Debian 12 Disk,ready,25088,ext4", "2,512 MB Swap Image,ready,512,swap"],
    ["id,label,kernel", "1,My Debian 12 Disk Profile,linode/latest-64bit"],
    ["ipv4.public", "address,public,rdns", "198.18.0.2,True,198-18-0-2.ip.nodes.invalid"],
    [
      "action,status,entity.label,secondary_entity.url",
      "linode_boot,finished,web-1,/v4/linode/instances/1/configs/1",
      "linode_create,finished,web-1,/v4/images/linode/debian12",
    ],
  ]);
  expect(await linode(api, "linodes delete 1", { env })).toEqual({ code: 0, out: "", talk: [] });
  expect((await api.call("GET", "/linode/instances")).body.data).toEqual([]);
  expect(api.writes).toEqual([
    "POST /v4/linode/instances 200",
    "POST /v4/linode/instances/1/boot 200",
    "DELETE /v4/linode/instances/1 200",
  ]);
});

test("reads what the server has beyond the documents", async () => {
  const api = await serve();
  expect(
    await Promise.all([
      linesOf(api, "profile tokens-list --format id,scopes,token"),
      linesOf(api, "users list --format username,restricted"),
      linesOf(api, "account settings --format managed,network_helper,longview_subscription"),
    ]),
  ).toEqual([
    ["id,scopes,token", "1,*,<REDACTED>"],
    ["username,restricted", "admin,False"],
    ["managed,network_helper,longview_subscription", "False,True,"],
  ]);
});

test.each([
  ["an unrestricted user is asked for a region, a type, an image and a user", "admin", "26\n14\n9\n1\n\n\n"],
  ["a restricted user is not asked for a user", "ci", "26\n14\n9\n\n\n"],
])("configure --token: %s", async (_, username, answers) => {
  const api = await serve();
  await addUser(api.store, { username: "ci", account: "admin", restricted: true, now: api.clock.now });
  const token = await api.mint({ username });
  const cwd = folder();
  const { code, out, talk } = await linode(api, "configure --token", { cwd, input: `${token}\n${answers}` });
  expect({ code, talk }).toEqual({ code: 0, talk: [] });
  expect(out).toContain(`\nConfiguring ${username}\n`);
  expect(readFileSync(join(cwd, ".config/linode-cli"), "utf8").trim().split("\n")).toEqual([
    "[DEFAULT]",
    `default-user = ${username}`,
    "",
    `[${username}]`,
    `token = ${token}`,
    "region = us-east",
    "type = g6-nanode-1",
    "image = linode/debian12",
    ...(username === "admin" ? ["authorized_users = admin"] : []),
  ]);
  const profile = await linode(api, "profile view --text --no-headers --format username,restricted", { cwd });
  expect({ code: profile.code, out: profile.out }).toEqual({
    code: 0,
    out: `${username}\t${username === "ci" ? "True" : "False"}\n`,
  });
});
