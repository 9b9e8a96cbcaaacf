import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { startFileServer } from "../../targets/files/file-servers.ts";
import { twoServers, zoneText } from "./two-servers.ts";

const parentText = (serial: number, servers: readonly string[]) => `$ORIGIN example.
$TTL 7200
@ SOA ns hostmaster ${serial} 3600 600 86400 60
@ NS ns
ns A 127.0.0.1
${servers.map((name) => `z01 3600 NS ${name}.example.net.\n`).join("")}`;

test.skipIf(isMissing("named", "dig"))(
  "a target lets a zone go once no NS set names its servers, and their TTLs have passed",
  async () => {
    const { desk, fleet, run } = await twoServers();
    const file = join(desk.folder, "parent.zone");
    writeFileSync(file, parentText(1, ["ns1", "ns2"]));
    const parent = await startFileServer("bind", { example: file });
    onTestFinished(() => parent.stop());
    desk.resolvers = [`127.0.0.1:${parent.port}`];
    desk.env.PATH = process.env.PATH;
    const blocksOf = async () => {
      const { code, out } = await desk.run("apply --yes --target fleet --delete-zone z01.example --allow G06");
      const [, found] = /blocked by G35 \(name servers in use\):\s+([\s\S]*?)\n\s+to approve/.exec(out) ?? [];
      return [code, found?.split(/\n\s+/)];
    };
    desk.write("zones/z01.example.zone", zoneText("ns1 ns2"));
    expect((await run("apply --yes --allow G04")).code).toBe(0);

    // The zone leaves the target before its servers leave the NS records.
    desk.write("zones/z01.example.zone", `;@ targets: office\n${zoneText("ns1 ns2")}`);
    expect(await blocksOf()).toEqual([3, ["z01.example: its file still names ns2.example.net"]]);

    // The file is right, and the servers of the target have the old set, as the parent has.
    desk.write("zones/z01.example.zone", `;@ targets: office\n${zoneText("ns1")}`);
    expect((await run("apply --yes --allow G04")).code).toBe(0);
    expect(await blocksOf()).toEqual([
      3,
      [
        "z01.example: the parent zone still answers with NS ns2.example.net",
        "z01.example: ns2.example.net still answers with NS ns2.example.net",
      ],
    ]);

    // Everybody has the new set. The parent had the old one for an hour.
    desk.write("zones/z01.example.zone", zoneText("ns1"));
    expect((await run("apply --yes --allow G04")).code).toBe(0);
    writeFileSync(file, parentText(2, ["ns1"]));
    const [program = "", ...words] = parent.reload;
    execFileSync(
      program,
      words.map((word) => word.replace("{zone}", "example")),
    );
    desk.write("zones/z01.example.zone", `;@ targets: office\n${zoneText("ns1")}`);
    await expect
      .poll(blocksOf)
      .toEqual([
        3,
        [
          "z01.example: resolvers may use NS records with its servers until 2026-03-04T13:00:00Z (1 hour after all sets were without them)",
        ],
      ]);
    desk.waited += 3_599_000;
    expect((await blocksOf())[0]).toBe(3);
    desk.waited += 2_000;
    expect(await blocksOf()).toEqual([0, undefined]);
    expect([existsSync(join(desk.folder, "srv/z01.example.zone")), fleet.port > 0]).toEqual([false, true]);
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
