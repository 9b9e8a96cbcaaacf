import { join } from "node:path";
import { test as always, expect } from "vitest";
import { isMissing, judgesFolder } from "../judges.ts";
import { noon } from "../server/start.ts";
import { folder, run, serve } from "./run.ts";

const test = always.skipIf(isMissing("linode-cli"));

type Api = Awaited<ReturnType<typeof serve>>;

/** Runs the command line of the live service, unmodified: only its address is set, as its documentation says. */
function linode(api: Api, words: string, { env = {}, input = "" } = {}) {
  const address = {
    LINODE_CLI_API_HOST: new URL(api.url).host,
    LINODE_CLI_API_SCHEME: "http",
    LINODE_CLI_API_VERSION: "v4",
  };
  const program = join(judgesFolder, "venv/bin/linode-cli");
  return run([program, ...words.split(" ")], { cwd: folder(), env: { ...address, ...env }, input });
}

test("reads and changes what the token allows", async () => {
  const api = await serve();
  await api.domain("example.com");
  const withToken = (words: string) => linode(api, words, { env: { LINODE_CLI_TOKEN: api.token } });
  const list = async (words: string) => {
    const { code, out, talk } = await withToken(`${words} --text --delimiter ,`);
    expect({ code, talk }).toEqual({ code: 0, talk: [] });
    return out.trimEnd().split("\n");
  };

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

  expect(await withToken("tags delete web")).toEqual({ code: 0, out: "", talk: [] });
  expect((await api.call("GET", "/tags")).body.data).toEqual([]);
  expect(api.writes).toEqual(["POST /v4/tags 200", "DELETE /v4/tags/web 200"]);
});

test("configure --token takes the token and names its user, then misses the list of images", async () => {
  const api = await serve();
  expect(await linode(api, "configure --token", { input: `${api.token}\n` })).toEqual({
    code: 2,
    out: `Welcome to the Linode CLI.  This will walk you through some initial setup.
First, we need a Personal Access Token.  To get one, please visit
https://cloud.linode.com/profile/tokens and click
"Create a Personal Access Token".  The CLI needs access to everything
on your account to work correctly.
Personal Access Token: 
Configuring admin

`,
    talk: [`Could not contact ${api.url}/v4/images - Error: 404`],
  });
});
