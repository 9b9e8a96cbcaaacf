import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { askSoa } from "../../../src/dns-client/ask.ts";
import { freePort } from "../../dns/transfer/nameservers.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { startFileServer } from "./file-servers.ts";
import { copies, Fleet, master } from "./fleet.ts";

const now = 1_772_625_600; // 2026-03-04T12:00:00Z

const yaml = (serial: string) => `records:
  "@":
    SOA: ns1 hostmaster ${serial} 14400 3600 1209600 3600
    NS: ns1
  ns1: { A: 192.0.2.1 }
`;

describe("a serial that the zone file states", () => {
  test.each<[title: string, file: string, text: string, policy: string, serial: number]>([
    ["a date, above the time", "example.com.zone", master().replace("( 7 ;", "( 2026113005 ;"), "unixtime", 2026113006],
    ["in YAML", "example.com.yaml", yaml("2026113005"), "unixtime", 2026113006],
    ["that of the policy is above it", "example.com.yaml", yaml("2026030401"), "date", 2026030402],
    ["a placeholder", "example.com.yaml", yaml("1"), "unixtime", now],
  ])("%s", async (_, file, text, policy, serial) => {
    const fleet = new Fleet({ [file]: text }, `serial: ${policy}, ${copies}`);
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.serial("served/example.com.zone")).toBe(serial);
    expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  });

  test("and that is raised later, above that of the secondaries: the file is written again", async () => {
    const fleet = new Fleet({ "example.com.zone": master() });
    expect((await fleet.apply()).code).toBe(0);
    fleet.write("zones/example.com.zone", master().replace("( 7 ;", "( 2026113005 ;"));
    expect((await fleet.run("plan")).out).toContain(
      "note  example.com: its zone file states serial 2026113005, which is above 1772625600, the last one written\n",
    );
    expect((await fleet.run("apply --yes")).code).toBe(0);
    expect(fleet.serial("served/example.com.zone")).toBe(2026113006);
    expect((await fleet.run("drift")).out).toContain("in sync: 1 zone");
    expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  });
});

describe.skipIf(isMissing("named"))("a server that is asked for its serial", () => {
  test.each<[title: string, served: string | undefined, configured: boolean, serial: number]>([
    ["has a higher one", master().replace("( 7 ;", "( 2026113005 ;"), true, 2026113006],
    ["does not know the zone (REFUSED)", undefined, false, now],
    ["knows the zone, and has no file of it (SERVFAIL)", undefined, true, now],
  ])("%s", async (_, served, configured, serial) => {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-serials-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "example.com.zone");
    if (served !== undefined) writeFileSync(file, served);
    const server = await startFileServer("bind", configured ? { "example.com": file } : {});
    onTestFinished(() => server.stop());
    const fleet = new Fleet({ "example.com.zone": master() }, `verify_at: 127.0.0.1:${server.port}`);
    await fleet.apply();
    expect(fleet.serial()).toBe(serial);
  });

  test("does not reply: a zone without a file is refused, because nothing tells its serial", async () => {
    const port = await freePort();
    const fleet = new Fleet({ "example.com.zone": master() }, `verify_at: 127.0.0.1:${port}`);
    const { code, talk } = await fleet.apply();
    expect(code).not.toBe(0);
    expect(talk).toContain(
      `example.com: no file tells its serial, and 127.0.0.1:${port} does not reply: the server is unreachable (ECONNREFUSED). Start the server, or correct \`verify_at\`: the serial of the new file has to be above the one that it has.`,
    );
    expect(Object.keys(fleet.files()).filter((file) => file.startsWith("srv/"))).toEqual([]);
  });

  test("is a secondary with a higher serial: it keeps its zone until the zone file states one above it", async () => {
    const fleet = new Fleet({});
    const file = join(fleet.folder, "srv/example.com.zone");
    fleet.write("srv/example.com.zone", master("192.0.2.9").replace("( 7 ;", "( 2026113005 ;"));
    const primary = await startFileServer("bind", { "example.com": file });
    onTestFinished(() => primary.stop());
    const copy = `zone "example.com" { type secondary; primaries { 127.0.0.1 port ${primary.port}; }; };\n`;
    const secondary = await startFileServer("bind", {}, copy);
    onTestFinished(() => secondary.stop());
    const [rndc = "", ...control] = secondary.reload.slice(0, -2);
    const address = { host: "127.0.0.1", port: secondary.port };
    /** Has the secondary ask for the serial of the primary, and waits until it has one. */
    const refresh = async (serial: number) => {
      execFileSync(rndc, [...control, "refresh", "example.com"], { stdio: "pipe" });
      const served = async () =>
        (await askSoa(address, domainName("example.com.")).catch(() => undefined))?.data.serial;
      await expect.poll(served, { interval: 50 }).toBe(serial);
    };
    await refresh(2026113005);

    // Another machine, whose folder is empty.
    rmSync(file);
    fleet.configure(`reload: ${JSON.stringify(primary.reload)}`);
    fleet.write("zones/example.com.zone", master());
    expect((await fleet.apply()).code).toBe(0);
    await refresh(2026113005);
    const verify = `verify --nameserver 127.0.0.1:${secondary.port}`;
    const { code, out } = await fleet.run(verify);
    expect([code, out.replaceAll(/\s+/g, " ")]).toEqual([
      6,
      expect.stringContaining(
        `127.0.0.1:${secondary.port}: its serial 2026113005 is above 1772625600, that of the zone file: it will not transfer the zone. Write a higher one into the SOA record of the zone's file, and apply. www.example.com A is 3600 192.0.2.9 instead of 3600 192.0.2.3`,
      ),
    ]);
    fleet.write("zones/example.com.zone", master().replace("( 7 ;", "( 2026113006 ;"));
    expect((await fleet.apply()).code).toBe(0);
    await refresh(2026113007);
    expect(await fleet.run(verify)).toMatchObject({ code: 0 });
  });
});
