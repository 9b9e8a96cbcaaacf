import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { httpServer } from "../client/sockets.ts";
import { apiDesk, Desk, type RunOptions } from "./run.ts";

const zone = "soa_email: hostmaster@example.com\nrecords: {}\n";

/** Which of two settings counts: the good one leads to the server, the bad one to a website. */
const rows: {
  what: string;
  config?: string;
  token?: string;
  env?: RunOptions["env"];
  flags?: string;
  works: boolean;
}[] = [
  { what: "the address of the environment", works: true },
  { what: "the address of the config", config: "GOOD", env: { ZONEWRIGHT_API_URL: undefined }, works: true },
  { what: "environment before config", config: "BAD", works: true },
  { what: "environment before config", config: "GOOD", env: { ZONEWRIGHT_API_URL: "BAD" }, works: false },
  { what: "an empty variable counts as unset", config: "GOOD", env: { ZONEWRIGHT_API_URL: "" }, works: true },
  { what: "flag before environment", env: { ZONEWRIGHT_API_URL: "BAD" }, flags: "--api-url GOOD", works: true },
  { what: "flag before environment", flags: "--api-url BAD", works: false },
  { what: "an address with /v4", flags: "--api-url GOOD/v4/", works: true },
  { what: "a token file", token: "GOOD", env: { ZONEWRIGHT_TOKEN: "", ZONEWRIGHT_TOKEN_FILE: "token" }, works: true },
  { what: "the token before its file", token: "BAD", env: { ZONEWRIGHT_TOKEN_FILE: "token" }, works: true },
  {
    what: "the token before its file",
    token: "GOOD",
    env: { ZONEWRIGHT_TOKEN: "BAD", ZONEWRIGHT_TOKEN_FILE: "token" },
    works: false,
  },
  {
    what: "the flag before the token",
    token: "GOOD",
    env: { ZONEWRIGHT_TOKEN: "BAD" },
    flags: "--token-file token",
    works: true,
  },
  {
    what: "the flag before the file",
    token: "GOOD",
    env: { ZONEWRIGHT_TOKEN: "", ZONEWRIGHT_TOKEN_FILE: "nowhere" },
    flags: "--token-file token",
    works: true,
  },
];

test.each(rows)("$what: $works", async ({ config, token, env = {}, flags = "", works }) => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  const nowhere = await httpServer((_, reply) => reply.writeHead(404).end());
  const address = (text: string) => text.replace("GOOD", desk.url).replace("BAD", nowhere);
  const secret = (text: string) => text.replace("GOOD", desk.token).replace("BAD", "0123456789abcdef");
  if (config) desk.write("zonewright.yaml", `api_url: ${address(config)}\n`);
  if (token) desk.write("token", `${secret(token)}\n`);
  const given = Object.entries(env).map(([name, value]) => [
    name,
    name.includes("TOKEN") ? value && secret(value) : value && address(value),
  ]);
  const { code } = await desk.run(`plan ${address(flags)}`, { env: Object.fromEntries(given) });
  expect(code).toBe(works ? 0 : 1);
});

test.each<[what: string, config: string, env: string | undefined, path: string]>([
  ["documented words by default", "", undefined, "/v4/node/types"],
  ["the words of the config", "api_words: live\n", undefined, "/v4/linode/types"],
  ["the words of the environment", "", "live", "/v4/linode/types"],
  ["environment before config", "api_words: live\n", "documented", "/v4/node/types"],
  ["an empty variable counts as unset", "api_words: live\n", "", "/v4/linode/types"],
])("requests have %s", async (_, config, words, path) => {
  const desk = new Desk({ "zonewright.yaml": config });
  const requested: (string | undefined)[] = [];
  const url = await httpServer(({ url }, reply) => {
    requested.push(url);
    reply.setHeader("Content-Type", "application/json").end('{"data":[],"page":1,"pages":1,"results":0}');
  });
  const { code } = await desk.run(`api list-node-types --api-url ${url}`, { env: { ZONEWRIGHT_API_WORDS: words } });
  expect([code, requested]).toEqual([0, [path]]);
});

test("defaults complete what a zone omits, for masters only", async () => {
  const desk = await apiDesk({
    "zonewright.yaml": "defaults: { soa_email: dns@example.com, ttl_sec: 5m, retry_sec: 7200, tags: [shop] }\n",
    "zones/a.example.yaml": "records: {}\n",
    "zones/b.example.yaml": "soa_email: b@example.com\nttl_sec: 1h\ntags: []\nrecords: {}\n",
    "zones/c.example.yaml": "type: slave\nmaster_ips: [192.0.2.53]\n",
  });
  await desk.run("apply --yes");
  const { data } = await desk.call("GET", "/domains");
  const settings = data.map(({ domain, soa_email, ttl_sec, retry_sec, tags }: Record<string, unknown>) => [
    domain,
    soa_email,
    ttl_sec,
    retry_sec,
    tags,
  ]);
  expect(settings.sort()).toEqual([
    ["a.example", "dns@example.com", 300, 7200, ["shop"]],
    ["b.example", "b@example.com", 3600, 7200, []],
    ["c.example", "", 0, 0, []],
  ]);
  expect((await desk.run("plan")).out).toBe("in sync: 3 zones, nothing to do\n");
});

test("finds zone files at any depth, follows links, breaks circles, skips names with a dot", async () => {
  const desk = await apiDesk({
    "zones/shop/deep/example.com.yaml": zone,
    "zones/example.net.yml": zone,
    "zones/.old.yaml": "broken: [",
    "zones/.git/example.org.yaml": zone,
    "zones/node_modules/x/example.org.yaml": zone,
    "zones/README.md": "about",
    "elsewhere/example.org.yaml": zone,
    "elsewhere/lab/lab.example.yaml": zone,
  });
  symlinkSync("../elsewhere/example.org.yaml", join(desk.folder, "zones/example.org.yaml"));
  symlinkSync("../elsewhere/lab", join(desk.folder, "zones/lab"));
  symlinkSync("../../zones", join(desk.folder, "elsewhere/lab/up"));
  mkdirSync(join(desk.folder, "zones/empty"));
  expect(await desk.run("validate")).toEqual({ code: 0, out: "valid: 4 zones, 0 records\n", talk: "" });
});

test("a broken link is an error, not a missing zone", async () => {
  const desk = await apiDesk({ "zones/example.net.yaml": zone });
  symlinkSync("gone.yaml", join(desk.folder, "zones/example.com.yaml"));
  expect(await desk.run("apply --yes")).toEqual({
    code: 3,
    out: "",
    talk: "error[file-read] zones/example.com.yaml cannot be read: it is a link to a file that does not exist\n  Make it a regular file that this user may read, or remove it.\n",
  });
});
