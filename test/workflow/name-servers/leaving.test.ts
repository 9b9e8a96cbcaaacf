import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { askSoa } from "../../../src/dns-client/ask.ts";
import { guardIds } from "../../../src/planner/blocks/guards.ts";
import { Desk } from "../../cli/run.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { type FileServer, startFileServer } from "../../targets/files/file-servers.ts";
import { twoServers, zoneText } from "./two-servers.ts";

const parentText = (serial: number, servers: readonly string[]) => `$ORIGIN example.
$TTL 7200
@ SOA ns hostmaster ${serial} 3600 600 86400 60
@ NS ns
ns A 127.0.0.1
${servers.map((name) => `z01 3600 NS ${name}.example.net.\n`).join("")}`;

const applyCommand = `apply --yes --allow ${guardIds.join(",")}`;

/** The zone with the TTL of its NS records in seconds, on both targets or on one. */
const zone = (servers: string, { nsTtl = 300, on = "office, fleet" } = {}) =>
  `;@ targets: ${on}\n${zoneText(servers).replaceAll(/^@ NS/gm, `@ ${nsTtl} NS`)}`;

/** A project whose zone is on two BINDs that load its files (`office`, ns1, and `fleet`, ns2), and a parent zone. */
async function onTwoServers() {
  const desk = new Desk();
  desk.sleep = (ms) => wait(ms);
  desk.env.PATH = process.env.PATH;
  const fileOf = (folder: string) => join(desk.folder, folder, "z01.example.zone");
  const parentFile = join(desk.folder, "parent.zone");
  for (const name of ["office", "fleet"]) mkdirSync(join(desk.folder, name));
  writeFileSync(fileOf("office"), zoneText("ns1"));
  writeFileSync(parentFile, parentText(1, []));
  const [office, fleet, parent] = await Promise.all([
    startFileServer("bind", { "z01.example": fileOf("office") }),
    startFileServer("bind", { "z01.example": fileOf("fleet") }),
    startFileServer("bind", { example: parentFile }),
  ]);
  for (const server of [office, fleet, parent]) onTestFinished(() => server.stop());
  desk.resolvers = [`127.0.0.1:${parent.port}`];
  const target = (name: string, { check, reload, port }: FileServer, server: string) =>
    `  ${name}: { kind: files, folder: ${name}, check: ${JSON.stringify(check)}, reload: ${JSON.stringify(reload)}, verify_at: "127.0.0.1:${port}", nameservers: { ${server}.example.net: "127.0.0.1:${port}" } }\n`;
  const targets = target("office", office, "ns1") + target("fleet", fleet, "ns2");
  desk.write("zonewright.yaml", `targets:\n${targets}zones: { path: zones, targets: [office, fleet] }\n`);
  let serial = 1;
  /** Gives the zone other servers in the parent zone. */
  const delegate = async (...servers: readonly string[]) => {
    writeFileSync(parentFile, parentText(++serial, servers));
    const [program = "", ...words] = parent.reload;
    execFileSync(
      program,
      words.map((word) => word.replace("{zone}", "example")),
    );
    const address = { host: "127.0.0.1", port: parent.port };
    while ((await askSoa(address, domainName("example."))).data.serial !== serial) await wait(10);
  };
  const apply = async (text: string) => {
    desk.write("zones/z01.example.zone", text);
    const { code, out, talk } = await desk.run(applyCommand);
    expect([code, code === 0 || out + talk]).toEqual([0, true]);
  };
  /** Has `fleet` let the zone go: the exit code, and the reasons against it, with times from now. */
  const leave = async (text: string) => {
    desk.write("zones/z01.example.zone", text);
    const { code, out } = await desk.run("apply --yes --target fleet --delete-zone z01.example --allow G06");
    const [, found] = /blocked by G35 \(name servers in use\):\s+([\s\S]*?)\n\s+to approve/.exec(out) ?? [];
    const now = desk.now.getTime() + desk.waited;
    const reasons = found
      ?.split(/\n\s+/)
      .map((reason) =>
        reason.replace(/until (\S+Z)/, (_, day) => `for ${Math.round((Date.parse(day) - now) / 60_000)} minutes`),
      );
    return reasons ?? code;
  };
  const minutes = (count: number) => {
    desk.waited += count * 60_000;
  };
  return { desk, delegate, apply, leave, minutes, isStored: () => existsSync(fileOf("fleet")) };
}

const seen = (minutes: number) =>
  `z01.example: resolvers may use NS records with its servers for ${minutes} minutes (1 hour after all sets were without them)`;
const replaced = (minutes: number) =>
  `z01.example: resolvers may use NS records with its servers for ${minutes} minutes (the TTL of a set that apply replaced)`;

test.skipIf(isMissing("named"))(
  "a target lets a zone go once no NS set names its servers, and their TTLs have passed",
  async () => {
    const { delegate, apply, leave, minutes, isStored } = await onTwoServers();
    await delegate("ns1", "ns2");
    await apply(zone("ns1 ns2"));

    // The zone leaves the target before its servers leave the NS records.
    expect(await leave(zone("ns1 ns2", { on: "office" }))).toEqual([
      "z01.example: its file still names ns2.example.net",
    ]);

    // The file is right, and the servers of the target have the old set, as the parent has.
    await apply(zone("ns1", { on: "office" }));
    expect(await leave(zone("ns1", { on: "office" }))).toEqual([
      "z01.example: the parent zone still answers with NS ns2.example.net",
      "z01.example: ns2.example.net still answers with NS ns2.example.net",
    ]);

    // Everybody has the new set. The parent had the old one for an hour.
    await apply(zone("ns1"));
    await delegate("ns1");
    expect(await leave(zone("ns1", { on: "office" }))).toEqual([seen(60)]);
    minutes(59);
    expect(await leave(zone("ns1", { on: "office" }))).toEqual([seen(1)]);
    minutes(2);
    expect([await leave(zone("ns1", { on: "office" })), isStored()]).toEqual([0, false]);

    // The zone comes back, and leaves again.
    await apply(zone("ns1 ns2"));
    await delegate("ns1", "ns2");
    await apply(zone("ns1"));
    await delegate("ns1");
    expect(await leave(zone("ns1", { on: "office" }))).toEqual([seen(60)]);
    minutes(30);

    // Its file has the server again, before the zone has left.
    expect(await leave(zone("ns1 ns2", { on: "office" }))).toEqual([
      "z01.example: its file still names ns2.example.net",
    ]);
    expect(await leave(zone("ns1", { on: "office" }))).toEqual([seen(60)]);
    minutes(30);

    // So does an apply that has the server in its NS records.
    await apply(zone("ns1 ns2"));
    await apply(zone("ns1"));
    expect(await leave(zone("ns1", { on: "office" }))).toEqual([seen(60)]);
  },
);

test.skipIf(isMissing("named"))(
  "the TTL of NS records that an apply removes or lowers counts from then, whatever the new TTL is",
  async () => {
    const { delegate, apply, leave, minutes, isStored } = await onTwoServers();
    const day = 1440;
    await delegate("ns1");
    await apply(zone("ns1 ns2", { nsTtl: 172_800 }));
    await apply(zone("ns1 ns2", { nsTtl: 3_600 }));
    minutes(day);
    await apply(zone("ns1"));
    expect(await leave(zone("ns1", { on: "office" }))).toEqual([replaced(day)]);
    minutes(day - 1);
    expect(await leave(zone("ns1", { on: "office" }))).toEqual([replaced(1)]);
    minutes(2);
    expect([await leave(zone("ns1", { on: "office" })), isStored()]).toEqual([0, false]);

    await apply(zone("ns1 ns2", { nsTtl: 172_800 }));
    await apply(zone("ns1"));
    expect(await leave(zone("ns1", { on: "office" }))).toEqual([replaced(2 * day)]);
  },
);

test.skipIf(isMissing("named", "dig"))("what cannot be asked is told, and does not count as unused", async () => {
  const { desk, run, text } = await twoServers();
  desk.env.PATH = process.env.PATH;
  desk.write("zones/z01.example.zone", zoneText("ns1 ns2"));
  expect((await run("apply --yes --allow G04")).code).toBe(0);
  desk.write("zones/z01.example.zone", `;@ targets: office\n${zoneText("ns1")}`);
  const command = "apply --yes --target fleet --delete-zone z01.example --allow G06";
  expect((await desk.run(command)).out).toContain(
    "the parent zone could not be asked for its NS records (this machine has no resolver)",
  );
  desk.write("zonewright.yaml", text.replace(/ {4}nameservers: \{ ns2.*\n/, ""));
  expect((await desk.run(command)).out).toContain(
    "whether resolvers still ask fleet is unknown: its `nameservers` are not set",
  );
});
