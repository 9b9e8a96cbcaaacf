import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { dig } from "../dns/transfer/dig.ts";
import type { Running } from "../dns/transfer/nameservers.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { isMissing } from "../judges.ts";

const zoneText =
  "@ 3600 IN SOA ns.example.org. hostmaster 7 7200 3600 1209600 300\n@ 172800 IN NS ns.example.org.\nwww 3600 IN A 192.0.2.1\n";

/** The zone as BIND's dnssec-signzone signs it, and the DS record of its key. */
function sign(zone: string): { signed: string; ds: string } {
  const cwd = mkdtempSync(join(tmpdir(), "zonewright-keys-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  const key = run("dnssec-keygen", "-a", "ECDSAP256SHA256", "-f", "KSK", zone);
  writeFileSync(join(cwd, "zone"), `$ORIGIN ${zone}.\n${zoneText}$INCLUDE ${key}.key\n`);
  run("dnssec-signzone", "-o", zone, "-z", "zone");
  return { signed: readFileSync(join(cwd, "zone.signed"), "utf8"), ds: run("dnssec-dsfromkey", `${key}.key`) };
}

/** A name server of the parent zone, which does not resolve names. */
async function startParent(records: readonly string[]): Promise<Running> {
  const delegations = ["a", "b", "c", "d"].map((name) => `${name}.example. 86400 IN NS ns.example.org.\n`);
  const text = `$ORIGIN example.\n${zoneText}${delegations.join("")}${records.map((record) => record.replace(" IN DS", " 86400 IN DS")).join("\n")}\n`;
  const parent = await useNameServer("bind", { zones: { "example.": text } });
  return parent;
}

const tagOf = (ds: string) => /DS (\d+)/.exec(ds)?.[1] ?? "";

test.skipIf(isMissing("named", "dnssec-signzone"))(
  "a zone with DS records at its parent is flagged with the steps of its move, in every report",
  async () => {
    const [a, b] = [sign("a.example"), sign("b.example")];
    const zones = { "a.example.": a.signed, "b.example.": b.signed, "c.example.": zoneText, "d.example.": zoneText };
    const server = await useNameServer("bind", { zones });
    // c is signed on the way to its public name servers: only its parent shows that.
    const hidden = `c.example. IN DS 4711 13 2 ${"ab".repeat(32)}`;
    const parent = await startParent([a.ds, hidden]);
    const desk = new Desk();
    desk.resolvers = [`127.0.0.1:${parent.port}`];
    desk.shown.push([`127.0.0.1:${server.port}`, "SERVER"]);
    const command = `import axfr a.example b.example c.example d.example --from 127.0.0.1:${server.port}`;
    const steps =
      "Move the zone in this order: 1. remove the DS records at the registrar; 2. wait until the parent zone no longer has them, and then 1 day more, their TTL; 3. change the name servers at the registrar; 4. keep the old name servers running for 2 days more, the TTL of the NS records, or for that of the parent's NS records if it is longer.";
    const { code, out, talk } = await desk.run(command);
    expect([code, talk]).toEqual([
      0,
      `warning[dnssec-ds] a.example has DS records at its parent (key tag ${tagOf(a.ds)}), and the service does not sign zones\n  ${steps}\n` +
        "note[dnssec-unsigned] b.example is signed, but its parent has no DS records, so it can move to a service that does not sign zones\n" +
        `warning[dnssec-ds] c.example has DS records at its parent (key tag 4711), and the service does not sign zones\n  ${steps}\n`,
    ]);
    // The key, an NSEC record for each of the two names, and the signatures of six RRsets.
    const line = "  lost        9 DNSSEC records: the service does not sign zones [dnssec-unsigned]";
    expect(out.match(/.*DNSSEC.*/g)).toEqual([line, line]);
    const json = JSON.parse((await desk.run(`${command} --restart --report json`)).out);
    expect(json.zones.map(({ dnssec }: { dnssec?: object }) => dnssec)).toEqual([
      { isSigned: true, ds: { keyTags: [Number(tagOf(a.ds))], ttl: 86400 }, nsTtl: 172800 },
      { isSigned: true, ds: { keyTags: [], ttl: 0 }, nsTtl: 172800 },
      { isSigned: false, ds: { keyTags: [4711], ttl: 86400 }, nsTtl: 172800 },
      undefined,
    ]);
    const markdown = (await desk.run(`${command} --restart --report markdown`)).out;
    expect(
      markdown.match(/^\| {2}\| {2}\| {2}\| warning \| .*1\. remove the DS records at the registrar.*$/gm),
    ).toHaveLength(2);
    // The server of the zones is none of the parent.
    const unknown = await desk.run(`${command} --restart --resolver 127.0.0.1:${server.port}`);
    expect(unknown.talk.match(/^warning.*/gm)).toEqual(
      ["a", "b"].map(
        (name) =>
          `warning[dnssec-unsigned] ${name}.example is signed, and the service does not sign zones; DS records at its parent are unknown: SERVER: the server does not answer for the parent zone`,
      ),
    );
  },
);

test.skipIf(isMissing("named", "knotd", "dig"))("a zone that Knot signs is flagged", async () => {
  const server = await useNameServer("knot", {
    zones: { "a.example.": zoneText },
    knotZone: ["dnssec-signing: on"],
  });
  const [cds = ""] = await dig(server, "a.example.", "CDS");
  const parent = await startParent([cds.replace(/^(\S+) \d+ IN CDS/, "$1 IN DS")]);
  const desk = new Desk();
  const { out, talk } = await desk.run(
    `import axfr a.example --from 127.0.0.1:${server.port} --resolver 127.0.0.1:${parent.port}`,
  );
  expect([out.match(/.*DNSSEC.*/g), talk.match(/^warning.*/gm)]).toEqual([
    [expect.stringMatching(/^ {2}lost {8}\d+ DNSSEC records: the service does not sign zones/)],
    [
      `warning[dnssec-ds] a.example has DS records at its parent (key tag ${/CDS (\d+)/.exec(cds)?.[1]}), and the service does not sign zones`,
    ],
  ]);
});
