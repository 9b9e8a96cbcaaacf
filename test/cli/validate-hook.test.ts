import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { readAll } from "../../src/cli/terminal.ts";
import { Desk, type RunOptions } from "./run.ts";

const valid = `example.com.	3600	IN	SOA	ns1.example.com. hostmaster.example.com. 7 7200 3600 1209600 300
example.com.	3600	IN	NS	ns1.example.com.
example.com.	3600	IN	NS	ns2.example.net.
ns1.example.com.	3600	IN	A	192.0.2.1
www.example.com.	3600	IN	A	192.0.2.10
`;
const invalid = `${valid}www.example.com.	3600	IN	CNAME	example.com.\n`;
const nsd = { VERIFY_ZONE: "example.com.", VERIFY_ZONE_ON_STDIN: "yes" };

const catalog = `catalog.example.	0	IN	SOA	invalid. invalid. 7 3600 600 2147483646 0
catalog.example.	0	IN	NS	invalid.
version.catalog.example.	0	IN	TXT	"2"
a.zones.catalog.example.	0	IN	PTR	example.com.
group.a.zones.catalog.example.	0	IN	TXT	"signed"
`;
const ofCatalog = { VERIFY_ZONE: "catalog.example.", VERIFY_ZONE_ON_STDIN: "yes" };

interface Call extends RunOptions {
  readonly input?: string;
  readonly files?: Record<string, string>;
}

async function run(command: string, { input = valid, files = {}, ...options }: Call = {}): Promise<string> {
  const desk = new Desk(files);
  desk.input = input;
  const { code, out, talk } = await desk.run(`validate ${command}`, options);
  expect(Object.keys(desk.files()), "nothing is written").toEqual(Object.keys(files));
  return `${code} ${out}${talk}`.trimEnd();
}

const alone = "3 example.com: error[cname-alone] www has a CNAME and other records (A)";

describe("validate --hook", () => {
  test.each<[what: string, command: string, call: Call, expected: string]>([
    ["NSD, valid", "--hook nsd", { env: nsd }, "0"],
    ["NSD, invalid", "--hook nsd", { env: nsd, input: invalid }, alone],
    ["Knot, valid", "--hook knot example.com", {}, "0"],
    ["Knot, invalid", "--hook knot example.com.", { input: invalid }, alone],
    ["Cascade, valid", "--hook cascade", { env: { CASCADE_ZONE: "example.com" } }, "0"],
    ["Cascade, invalid", "--hook cascade", { env: { CASCADE_ZONE: "example.com" }, input: invalid }, alone],
    [
      "another zone",
      "--hook knot example.net",
      {},
      "3 example.net: error[soa-owner] the SOA record is that of example.com, not of example.net",
    ],
    ["a catalog zone", "--hook nsd", { env: ofCatalog, input: catalog }, "0"],
    [
      "a catalog zone of another version",
      "--hook nsd",
      { env: ofCatalog, input: catalog.replace('"2"', '"3"') },
      '3 catalog.example: error[transfer/catalog] this is not a valid catalog zone: "version.catalog.example." has no TXT record "2"',
    ],
    [
      "a catalog zone that lists a zone twice",
      "--hook nsd",
      { env: ofCatalog, input: `${catalog}b.zones.catalog.example. 0 IN PTR example.com.\n` },
      '3 catalog.example: error[transfer/catalog] this is not a valid catalog zone: it lists "example.com." twice',
    ],
    ["nothing", "--hook nsd", { env: nsd, input: "" }, "3 example.com: error[zone-empty] the file contains no zone"],
    [
      "a transfer without an SOA record",
      "--hook nsd",
      { env: nsd, input: valid.replace(/.*\n/, "") },
      "3 example.com: error[transfer/soa] example.com has no SOA record",
    ],
    [
      "a zone without name servers",
      "--hook nsd",
      { env: nsd, input: valid.replaceAll(/.*\tNS\t.*\n/g, "") },
      "3 example.com: error[no-name-servers] example.com has no NS records of its own",
    ],
    [
      "a file of the machine",
      "--hook knot example.com",
      { input: `${valid}$INCLUDE /etc/hostname\n` },
      '3 example.com: error[include-read] "/etc/hostname": $INCLUDE is not possible here',
    ],
    [
      "a config that lowers a severity",
      "--hook nsd --config hook.yaml",
      {
        env: nsd,
        input: `${valid}example.com. 60 IN TXT "v=spf1 -all"\nexample.com. 60 IN TXT "v=spf1 mx -all"\n`,
        files: { "hook.yaml": "rules: { single-policy: warning }\n" },
      },
      "0",
    ],
    [
      "a config with targets",
      "--hook nsd",
      {
        env: nsd,
        input: invalid,
        files: {
          "zonewright.yaml":
            "targets: { a: { kind: rfc2136, server: a.example }, b: { kind: files, folder: b } }\nzones: { path: zones, targets: [a, b] }\n",
        },
      },
      alone,
    ],
    [
      "a name that a terminal would obey",
      "--hook nsd",
      { env: { ...nsd, VERIFY_ZONE: "a\u001b[31m.example." }, input: "" },
      "3 a\\x1b[31m.example: error[zone-empty] the file contains no zone",
    ],
    [
      "no name",
      "--hook nsd",
      { env: { VERIFY_ZONE_ON_STDIN: "yes" } },
      "64 error: --hook nsd takes the name of the zone from VERIFY_ZONE, which the server sets.",
    ],
    [
      "NSD that does not feed the zone",
      "--hook nsd",
      { env: { ...nsd, VERIFY_ZONE_ON_STDIN: "no" } },
      "64 error: --hook nsd reads the zone from standard input: set `verifier-feed-zone: yes` in the configuration of the server.",
    ],
    [
      "a name beside the one of the server",
      "--hook nsd example.net",
      { env: nsd },
      "64 error: --hook nsd takes the name of the zone from VERIFY_ZONE: leave out example.net.",
    ],
    ["no argument", "--hook knot", {}, "64 error: --hook knot needs the name of one zone."],
    ["two arguments", "--hook knot a.example b.example", {}, "64 error: --hook knot needs the name of one zone."],
    ["a report", "--hook nsd --report json", { env: nsd }, "64 error: --hook nsd goes with --config only."],
    ["--strict", "--hook nsd --strict", { env: nsd }, "64 error: --hook nsd goes with --config only."],
  ])("%s", async (_, command, call, expected) => {
    expect(await run(command, call)).toBe(expected);
  });

  test("the log of the server gets 20 errors, and the number of the others", async () => {
    const names = Array.from({ length: 25 }, (_, index) => `h${index}.example.com.`);
    const input =
      valid + names.map((name) => `${name} 60 IN A 192.0.2.1\n${name} 60 IN CNAME www.example.com.\n`).join("");
    const lines = (await run("--hook nsd", { env: nsd, input })).split("\n");
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe("example.com: 5 more errors");
  });
});

test("standard input is read up to a limit", async () => {
  const { signal } = new AbortController();
  const read = (...chunks: string[]) => readAll(Readable.from(chunks.map((text) => Buffer.from(text))), signal, 8);
  expect(await read("1234", "5678")).toBe("12345678");
  await expect(read("1234", "56789", "never read")).rejects.toThrow("standard input has more than 8 bytes, the limit");
  await expect(readAll(Readable.from([Buffer.of(0xe9)]), signal)).rejects.toThrow("standard input is not UTF-8");
});
