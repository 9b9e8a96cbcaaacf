import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { askSoa } from "../../../src/dns-client/ask.ts";
import type { Program } from "../../dns/transfer/nameservers.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { startFileServer } from "./file-servers.ts";
import { Fleet, master } from "./fleet.ts";

const file = "srv/example.com.zone";
const [first, second] = [1_772_625_600, 1_772_625_660];

/** A server with a published zone. */
async function published(program: Program, lines?: (path: string) => string) {
  const fleet = new Fleet({ "example.com.zone": master() });
  fleet.sleep = (ms) => wait(ms);
  const path = join(fleet.folder, file);
  const server = await startFileServer(program, { "example.com": path }, lines?.(path));
  onTestFinished(() => server.stop());
  fleet.configure(`reload: ${JSON.stringify(server.reload)}, verify_at: "127.0.0.1:${server.port}"`);
  expect(await fleet.apply("2026-03-04T12:00:00Z")).toMatchObject({ code: 0 });
  const served = async () =>
    (await askSoa({ host: "127.0.0.1", port: server.port }, domainName("example.com."))).data.serial;
  return { fleet, path, served, at: `127.0.0.1:${server.port}` };
}

describe.each<Program>(["bind", "knot", "nsd"])("an old file is copied back into the folder of %s", (program) => {
  const isSkipped = isMissing(({ bind: "named", knot: "knotd", nsd: "nsd" } as const)[program]);

  test.skipIf(isSkipped)("the server keeps the later version until the next apply", async () => {
    const { fleet, path, served, at } = await published(program);
    const backup = readFileSync(path);
    fleet.write("zones/example.com.zone", master("192.0.2.4"));
    expect(await fleet.apply("2026-03-04T12:01:00Z")).toMatchObject({ code: 0 });
    writeFileSync(path, backup);
    fleet.write("zones/example.com.zone", master());
    const note = `the server has serial ${second}, which is above ${first}, that of /desk/${file}, so it has not loaded the file`;
    expect((await fleet.run("plan")).out).toContain(note);
    expect((await fleet.run("drift")).out).not.toContain("in sync");
    expect((await fleet.run("doctor")).out.replaceAll(/\s+/g, " ")).toContain(
      `${at} has serial ${second} of example.com, and the file has ${first}`,
    );
    expect(await served()).toBe(second);
    expect(await fleet.apply("2026-03-04T12:00:30Z")).toMatchObject({ code: 0 });
    expect([fleet.serial(), await served()]).toEqual([second + 1, second + 1]);
    expect(fleet.read(file)).toContain("192.0.2.3");
    expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
    expect((await fleet.run("doctor")).out).toContain(`${at} has the serials of the file`);
  });
});

test.skipIf(isMissing("named"))("a server that signs the zone has a later serial than the file", async () => {
  const { fleet, served, at } = await published(
    "bind",
    (path) =>
      `zone "example.com" { type primary; file "${path}"; dnssec-policy default; inline-signing yes; journal "${path}.signed.j"; };\n`,
  );
  await expect.poll(served).toBeGreaterThan(first);
  expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  expect((await fleet.run("doctor")).out).toContain(`${at} has the serials of the file`);
  fleet.write("zones/example.com.zone", master("192.0.2.5"));
  expect(await fleet.apply("2026-03-04T12:00:00Z")).toMatchObject({ code: 0 });
  expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
});

test.skipIf(isMissing("named"))("a server that loads a file with a later serial than the written one", async () => {
  const fleet = new Fleet({ "example.com.zone": master() });
  fleet.sleep = (ms) => wait(ms);
  const server = await startFileServer("bind", { "example.com": join(fleet.folder, "other") });
  onTestFinished(() => server.stop());
  fleet.write("later", master("192.0.2.9").replace("( 7 ;", "( 2026113005 ;"));
  const words = server.reload.slice(0, -1).join(" ");
  fleet.script("load", `cp later other; ${words} example.com`);
  fleet.configure(`reload: [./load], verify_at: "127.0.0.1:${server.port}"`);
  const { code, talk } = await fleet.apply();
  expect([code, talk]).toEqual([
    5,
    expect.stringContaining(
      `example.com: the new file with serial ${first} is written, but 127.0.0.1:${server.port} has serial 2026113005. It loads another file, or has the zone from before: Knot applies the journal of a deleted zone, which \`knotc -f zone-purge example.com\` removes. The next apply writes a higher serial.`,
    ),
  ]);
});
