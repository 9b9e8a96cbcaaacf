import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Program } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { isMissing } from "../../judges.ts";
import { type Configuration, key, startUpdateServer, zoneOfNumber } from "../../updates/servers.ts";
import { nsOf, zoneText } from "./two-servers.ts";
import { type SignedCase, twoSigners } from "./two-signers.ts";

/** A project with z01.example on two name servers, each with further records. */
async function onBoth(configurations: readonly [Configuration, Configuration], more: readonly [string, string]) {
  const desk = new Desk();
  const servers = await Promise.all(
    configurations.map(async (configuration, index) => {
      const text = zoneText("ns1 ns2") + (more[index] ?? "");
      const server = await startUpdateServer(configuration, 1, () => text);
      onTestFinished(() => server.stop());
      await server.untilServed("z01.example.");
      return server;
    }),
  );
  desk.write("a.key", `key "${key.name}" { algorithm hmac-sha256; secret "${key.secret}"; };\n`);
  const targets = servers.map(({ port }, index) => {
    const at = `127.0.0.1:${port}`;
    const [name, server] =
      [
        ["east", "ns1.example.net"],
        ["west", "ns2.example.net"],
      ][index] ?? [];
    return `  ${name}: { kind: rfc2136, server: "${at}", tsig_key_file: a.key, nameservers: { ${server}: "${at}" } }\n`;
  });
  desk.write("zonewright.yaml", `targets:\n${targets.join("")}zones: { path: zones, targets: [east, west] }\n`);
  desk.write("zones/z01.example.zone", zoneText("ns1 ns2", "192.0.2.9"));
  const { PATH, HOME } = process.env;
  return { run: (words: string) => new Program(desk.folder, words, { PATH, HOME }).end() };
}

const cases: Readonly<Record<string, SignedCase>> = {
  "the keys that sign the records of both on each": { east: ({ zsk }) => [zsk], west: ({ csk }) => [csk] },
  "all keys on each (RFC 8901, model 2)": { east: ({ ksk, zsk }) => [ksk, zsk], west: ({ csk }) => [csk] },
  "a key for all that the other lacks": { east: ({ zsk }) => [zsk], west: () => [] },
  "a key for keys of the other, and not that of its records": { east: ({ ksk }) => [ksk], west: ({ csk }) => [csk] },
  "the key of the other with other flags, and so another tag": {
    east: ({ zsk }) => [zsk],
    west: ({ csk }) => [csk.replace(/^257/, "256")],
  },
  "each with its own keys": { east: () => [], west: () => [] },
  "signed on east only": { east: ({ zsk }) => [zsk] },
  "signed on west only": { west: () => [] },
};

test.skipIf(isMissing("named", "dnssec-signzone", "delv", "pdns_server", "pdns-backend-sqlite3"))(
  "zones pass as delv validates them with the keys of one server and the records of the other",
  async () => {
    const { desk, east, west, isValid } = await twoSigners(Object.values(cases));
    const titles = Object.keys(cases);
    // All at once: delv waits for seconds before it gives up.
    const validated = await Promise.all(
      titles.map((_, index) =>
        Promise.all([isValid(index, east.port, west.port), isValid(index, west.port, east.port)]),
      ),
    );
    const found: Record<string, unknown> = {};
    for (const [index, title] of titles.entries()) {
      const [keysOfEast, keysOfWest] = validated[index] ?? [];
      const { code, talk } = await desk.run(`plan ${zoneOfNumber(index)}`);
      const [, why = ""] = /^error\[keys-differ\] (.*)$/m.exec(talk) ?? [];
      const plan = code === 0 ? "planned" : why.replaceAll(/the key \d+/g, "the key N");
      found[title] = { keysOfEast, keysOfWest, plan };
    }
    expect(found).toMatchInlineSnapshot(`
      {
        "a key for all that the other lacks": {
          "keysOfEast": true,
          "keysOfWest": false,
          "plan": "z03.example is signed with keys that not all targets have: west lacks the key N of east",
        },
        "a key for keys of the other, and not that of its records": {
          "keysOfEast": false,
          "keysOfWest": true,
          "plan": "z04.example is signed with keys that not all targets have: east lacks the key N of west",
        },
        "all keys on each (RFC 8901, model 2)": {
          "keysOfEast": true,
          "keysOfWest": true,
          "plan": "planned",
        },
        "each with its own keys": {
          "keysOfEast": false,
          "keysOfWest": false,
          "plan": "z06.example is signed with keys that not all targets have: east lacks the key N of west; west lacks the key N of east",
        },
        "signed on east only": {
          "keysOfEast": false,
          "keysOfWest": false,
          "plan": "z07.example is signed on east and not on west: resolvers that validate refuse the answers from west",
        },
        "signed on west only": {
          "keysOfEast": false,
          "keysOfWest": false,
          "plan": "z08.example is signed on west and not on east: resolvers that validate refuse the answers from east",
        },
        "the key of the other with other flags, and so another tag": {
          "keysOfEast": true,
          "keysOfWest": false,
          "plan": "z05.example is signed with keys that not all targets have: west lacks the key N of east",
        },
        "the keys that sign the records of both on each": {
          "keysOfEast": true,
          "keysOfWest": true,
          "plan": "planned",
        },
      }
    `);
  },
);

test.skipIf(isMissing("named", "dnssec-signzone", "delv", "pdns_server", "pdns-backend-sqlite3"))(
  "all servers of a target are asked, and a plan names the targets whose keys are not known",
  async () => {
    const { desk, east, west, targets, writeConfig } = await twoSigners([
      { east: ({ zsk }) => [zsk], west: () => [] },
      {},
    ]);
    const found: Record<string, unknown> = {};
    const shown = (text: string) =>
      text
        .replaceAll(`:${east.port}`, ":EAST")
        .replaceAll(`:${west.port}`, ":WEST")
        .replaceAll(/the key \d+/g, "the key N");
    const planned = async (title: string, changed: Partial<typeof targets>, zones = "z02.example") => {
      writeConfig(changed);
      const { code, out, talk } = await desk.run(`plan ${zones}`);
      const [, why] = /^error\[keys-differ\] (.*)$/m.exec(talk) ?? [];
      found[title] = [code, shown(why ?? out).match(/^(?:note {2}the keys|z01.*is signed).*$/gm) ?? []];
    };
    const at = ({ port }: { port: number }) => `"127.0.0.1:${port}"`;
    const without = targets.east.replace(/, nameservers.*/, "");
    await planned("both answer", {});
    await planned("a target without servers", { east: without });
    await planned("zones of one reason", { east: without }, "");
    await planned("a server that is dead", { east: `${without}, nameservers: { ns1.example.net: "127.0.0.1:1" }` });
    const second = `${without}, nameservers: { ns1.example.net: ${at(west)}, ns1b.example.net: ${at(east)} }`;
    await planned("a second server with other keys", { east: second }, "z01.example");
    expect(found).toMatchInlineSnapshot(`
      {
        "a second server with other keys": [
          4,
          [
            "z01.example is signed with keys that not all targets have: east (ns1.example.net) lacks the key N of east (ns1b.example.net); west lacks the key N of east (ns1b.example.net)",
          ],
        ],
        "a server that is dead": [
          0,
          [
            "note  the keys of z02.example on east are unknown: 127.0.0.1:1: the server is unreachable (ECONNREFUSED)",
          ],
        ],
        "a target without servers": [
          0,
          [
            "note  the keys of z02.example on east are unknown: \`nameservers\` are not set there, or have no addresses",
          ],
        ],
        "both answer": [
          0,
          [],
        ],
        "zones of one reason": [
          0,
          [
            "note  the keys of z01.example, z02.example on east are unknown: \`nameservers\` are not set there, or have no addresses",
          ],
        ],
      }
    `);
  },
);

test.skipIf(isMissing("named", "knotd"))(
  "two servers that sign on their own are refused, and nothing is written",
  async () => {
    const { run } = await onBoth(["BIND, `dnssec-policy`", "Knot, signed"], ["", ""]);
    const { code, talk } = await run("apply --yes");
    expect([code, talk]).toEqual([
      4,
      expect.stringMatching(
        /z01\.example is signed with keys that not all targets have: east lacks the key \d+ of west/,
      ),
    ]);
  },
);

test.skipIf(isMissing("named", "dnssec-signzone", "delv", "pdns_server", "pdns-backend-sqlite3"))(
  "a signed zone comes to a second target, whose servers enter the NS records once it has the keys",
  async () => {
    const { desk, east, west } = await twoSigners([{ west: () => [] }], "ns2");
    const zone = zoneOfNumber(0);
    await east.call("DELETE", `/zones/${zone}`);
    const shown = (text: string) => text.replaceAll(`${east.port}`, "EAST");
    const run = async (words: string) => {
      const { code, out, talk } = await desk.run(words);
      return [
        code,
        `${talk}${out}`.match(/^(?:error|warning|failed| {2}blocked).*z01.*$|^.*@ +NS .*$/gm)?.map(shown) ?? [],
      ];
    };
    const found: Record<string, unknown> = {};
    const step = async (title: string, words: string) => {
      found[title] = [...(await run(words)), { east: nsOf(east.port, zone), west: nsOf(west.port, zone) }];
    };
    await step("a plan", "plan");
    await step("an apply", "apply --yes --wait 1s");
    await step("a second one", "apply --yes --wait 1s");
    const folder = join(desk.folder, "keys");
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".private"))) {
      const isOfKeys = readFileSync(join(folder, file.replace("private", "key")), "utf8").includes("DNSKEY 257");
      const content = readFileSync(join(folder, file), "utf8");
      await east.call("POST", `/zones/${zone}/cryptokeys`, {
        keytype: isOfKeys ? "ksk" : "zsk",
        active: true,
        content,
      });
    }
    await step("a plan with its keys on both", "plan");
    expect(found).toMatchInlineSnapshot(`
      {
        "a plan": [
          0,
          [
            "  4 + create  @       NS   300  ns1.example.net.                                 blocked by G04 (on west)  zones/z01.example.zone:4",
            "  5 + create  @       NS   300  ns2.example.net.                                 on east  zones/z01.example.zone:5",
            "  blocked by G04 (delegation): z01.example NS: changes the delegation (on west)",
            "warning  z01.example is signed on west; the servers of east enter its NS records once their keys match",
            "warning  z01.example: ns1.example.net does not answer with the zone yet (127.0.0.1:EAST: the server refused the request (REFUSED)); its NS record is left out until it does (on west)",
          ],
          {
            "east": [],
            "west": [
              "ns2.example.net.",
            ],
          },
        ],
        "a plan with its keys on both": [
          0,
          [
            "  1 + create  @  NS  300  ns1.example.net.  blocked by G04  zones/z01.example.zone:4",
            "  blocked by G04 (delegation): z01.example NS: changes the delegation",
          ],
          {
            "east": [
              "ns1.example.net.",
              "ns2.example.net.",
            ],
            "west": [
              "ns2.example.net.",
            ],
          },
        ],
        "a second one": [
          0,
          [
            "warning  z01.example is signed on west and not on east: resolvers that validate refuse the answers from east; the servers of east enter its NS records once their keys match",
            "warning  z01.example is signed on west and not on east: resolvers that validate refuse the answers from east; the servers of east enter its NS records once their keys match",
          ],
          {
            "east": [
              "ns1.example.net.",
              "ns2.example.net.",
            ],
            "west": [
              "ns2.example.net.",
            ],
          },
        ],
        "an apply": [
          0,
          [
            "  4 + create  @       NS   300  ns1.example.net.                                 zones/z01.example.zone:4",
            "  5 + create  @       NS   300  ns2.example.net.                                 zones/z01.example.zone:5",
            "warning  z01.example is signed on west; the servers of east enter its NS records once their keys match",
            "warning  z01.example is signed on west and not on east: resolvers that validate refuse the answers from east; the servers of east enter its NS records once their keys match",
          ],
          {
            "east": [
              "ns1.example.net.",
              "ns2.example.net.",
            ],
            "west": [
              "ns2.example.net.",
            ],
          },
        ],
      }
    `);
  },
);
