import { expect, onTestFinished, test } from "vitest";
import { listenDns } from "../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../src/server/server.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { isMissing } from "../judges.ts";
import { waitForCurrent } from "../server/nameserver/wait-for-current.ts";
import { type ApiDesk, apiDesk, lines, noon } from "./run.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    "@": { A: 192.0.2.10, MX: 10 mail, TXT: v=spf1 mx -all }
    mail: { A: 192.0.2.25 }
    "*": { CNAME: "@" }
    sub: { NS: ns.sub }
    ns.sub: { A: 192.0.2.53 }
`;

async function live(): Promise<ApiDesk> {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  expect((await desk.run("apply --yes --allow G09")).code).toBe(0);
  return desk;
}

/** The name service for the zones of the API. */
async function names({ store }: ApiDesk): Promise<string> {
  const settings = readServerSettings({ store, clock: () => noon });
  const onError = (error: unknown) => expect.fail(String(error));
  const zones = new StoredZones(settings, () => noon, { waitForCurrent });
  const service = await listenDns({ host: "127.0.0.1", port: 0, zones, onError });
  onTestFinished(() => service.close());
  return `127.0.0.1:${service.port}`;
}

async function ran(desk: ApiDesk, command: string, ...servers: string[]): Promise<{ code: number; lines: string[] }> {
  const flags = servers.map((server) => ` --nameserver ${server}`).join("");
  const { code, out } = await desk.run(command + flags);
  const hidden = servers.reduce((text, server, index) => text.replaceAll(server, `SERVER${index + 1}`), out);
  return {
    code,
    lines: hidden
      .replace(/serial \d+/g, "serial N")
      .trimEnd()
      .split("\n"),
  };
}

const api = "pass          example.com  API: 7 records as in the file";

test("queries every RRset of the zone at the name service", async () => {
  const desk = await live();
  expect(await ran(desk, "verify", await names(desk))).toEqual({
    code: 0,
    lines: [
      api,
      "pass          example.com  zone file: serial N, 8 RRsets as stored",
      "pass          example.com  SERVER1: serial N, 8 RRsets answered",
    ],
  });
});

test("says how to name a server where those of the zone have no address", async () => {
  const desk = await live();
  const { code, talk } = await desk.run("verify --wait 1s");
  expect([code, talk]).toEqual([
    7,
    "Name a server to ask with `--nameserver HOST:PORT`. `zonewright serve --dns 127.0.0.1:5300` answers for its zones.\n",
  ]);
  expect((await desk.run(`verify --nameserver ${await names(desk)}`)).code).toBe(0);
});

test("apply --verify queries written and deleted RRsets", async () => {
  const desk = await live();
  desk.write("zones/example.com.yaml", zone.replace(", TXT: v=spf1 mx -all", "").replace("192.0.2.25", "192.0.2.26"));
  const { code, lines } = await ran(desk, "apply --yes --allow G05 --verify", await names(desk));
  expect({ code, lines: lines.slice(-3) }).toEqual({
    code: 0,
    lines: [
      "pass          example.com  API: 6 records as in the file",
      "pass          example.com  zone file: serial N, 2 RRsets as stored",
      "pass          example.com  SERVER1: serial N, 2 RRsets answered",
    ],
  });
});

test("fails before any query if the API's data differs", async () => {
  const desk = await live();
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.25", "192.0.2.26"));
  expect(await ran(desk, "verify", "127.0.0.1:1")).toEqual({
    code: 6,
    lines: ["fail          example.com  API: 1 difference from its file; run `zonewright plan` to see it"],
  });
});

test("a server without answer or with a refusal is inconclusive", async () => {
  const desk = await live();
  const other = await names(await apiDesk());
  const { code, lines } = await ran(desk, "verify", await names(desk), `127.0.0.1:${await freePort()}`, other);
  expect({ code, lines: lines.slice(2) }).toEqual({
    code: 7,
    lines: [
      "pass          example.com  SERVER1: serial N, 8 RRsets answered",
      "inconclusive  example.com  SERVER2: the server is unreachable (ECONNREFUSED)",
      "inconclusive  example.com  SERVER3: the server refused the request (REFUSED)",
    ],
  });
});

test("skips a disabled zone", async () => {
  const desk = await live();
  desk.write("zones/example.com.yaml", `status: disabled\n${zone}`);
  expect((await desk.run("apply --yes --allow G06")).code).toBe(0);
  expect(await desk.run("verify --nameserver 127.0.0.1:1")).toEqual({
    code: 0,
    out: "",
    talk: "1 zone skipped: disabled, or a slave\n",
  });
});

test.each([
  [
    "--nameserver 192.0.2.1:99999",
    'error: --nameserver needs an address or a name, with or without a port, such as 192.0.2.53:5300; not "192.0.2.1:99999".\n',
  ],
  [
    "--nameserver [192.0.2.1]:53",
    'error: --nameserver needs an address or a name, with or without a port, such as 192.0.2.53:5300; not "[192.0.2.1]:53".\n',
  ],
  ["--wait soon", 'error: --wait soon: not a time. Write a duration such as "30s" or "5m".\n'],
])("rejects verify %s", async (flags, talk) => {
  const desk = await live();
  expect(await desk.run(`verify ${flags}`)).toEqual({ code: 64, out: "", talk });
});

/** The zone as the service renders it, in a name server of its own. */
async function inBind(desk: ApiDesk, edit: (text: string) => string): Promise<string> {
  const { zone_file } = await desk.call("GET", "/domains/1/zone-file");
  const server = await useNameServer("bind", { zones: { "example.com.": edit(`${zone_file.join("\n")}\n`) } });
  return `${server.host}:${server.port}`;
}

test.skipIf(isMissing("named")).each([
  ["the same zone", (text: string) => text, 0, "pass          example.com  SERVER1: serial N, 8 RRsets answered"],
  [
    "another address",
    (text: string) => text.replaceAll("192.0.2.25", "192.0.2.99"),
    6,
    "fail          example.com  SERVER1: mail.example.com A is 3600 192.0.2.99 instead of 3600 192.0.2.25",
  ],
  [
    "a set that is missing",
    (text: string) => text.replace(/^.*spf1.*\n/m, ""),
    6,
    'fail          example.com  SERVER1: example.com TXT is nothing instead of 3600 "v=spf1 mx -all"',
  ],
  [
    "an older serial",
    (text: string) => text.replace(/\b2026\d{6}\b|\b17\d{8}\b/, "1"),
    7,
    "inconclusive  example.com  SERVER1: it still has the serial N instead of 2026000001",
  ],
])("BIND with %s", async (_, edit, code, line) => {
  const desk = await live();
  const result = await ran(desk, "verify", await inBind(desk, edit));
  expect({ code: result.code, line: result.lines.at(-1)?.replace(/not \d+$/, "not N") }).toEqual({ code, line });
});
