import { expect, onTestFinished, test } from "vitest";
import { Program } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { isMissing } from "../../judges.ts";
import { type Configuration, key, startUpdateServer } from "../../updates/servers.ts";
import { zoneText } from "./two-servers.ts";

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

/** Keys as they are in a zone: a zone signing key has the flags 256, one that signs keys 257. */
const keyText = (flags: number, text: string) =>
  `@ DNSKEY ${flags} 3 13 ${Buffer.from(text.repeat(22)).toString("base64")}\n`;
const [zskEast, zskWest] = ["east", "west"].map((text) => keyText(256, text)) as [string, string];
const [kskEast, kskWest] = ["EAST", "WEST"].map((text) => keyText(257, text)) as [string, string];

test.skipIf(isMissing("named", "knotd")).each([
  [
    "each has the zone signing keys of both (RFC 8901, model 2)",
    [kskEast + zskEast + zskWest, kskWest + zskWest + zskEast],
  ],
  ["both have the same keys", [kskEast + zskEast, kskEast + zskEast]],
  ["each signs with one key for all, and has that of the other", [kskEast + kskWest, kskWest + kskEast]],
] as const)("a multi-signer set passes: %s", async (_, more) => {
  const { run } = await onBoth(["BIND", "BIND"], more);
  expect((await run("plan")).code).toBe(0);
});

test.skipIf(isMissing("named", "knotd")).each([
  [
    "signed on one only",
    [kskEast + zskEast, ""],
    "z01.example is signed on east and not on west: resolvers that validate refuse the answers from west",
  ],
  [
    "the keys of the other are missing on one",
    [kskEast + zskEast + zskWest, kskWest + zskWest],
    "z01.example is signed with keys that not all targets have: west lacks the key 42605 of east",
  ],
] as const)("keys that resolvers could not follow are refused: %s", async (_, more, why) => {
  const { run } = await onBoth(["BIND", "BIND"], more);
  const planned = await run("plan");
  expect([planned.code, [...new Set(planned.talk.match(/^error.*$/gm))]]).toEqual([4, [`error[keys-differ] ${why}`]]);
});

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
