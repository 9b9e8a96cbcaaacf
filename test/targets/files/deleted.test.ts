import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { startFileServer } from "./file-servers.ts";
import { copies, Fleet, master } from "./fleet.ts";

const source = "zones/example.com.zone";
const monday = "2026-11-30T10:00:00Z";

/** A project with a second zone, so that the first one can leave it. */
function fleetOf(text: string, settings: string): Fleet {
  return new Fleet(
    { "example.com.zone": text, "example.net.zone": master().replaceAll("example.com", "example.net") },
    settings,
  );
}

/** Removes the zone from the project and from the folder. */
async function deleteZone(fleet: Fleet): Promise<void> {
  rmSync(join(fleet.folder, source));
  expect(await fleet.run("apply --yes --delete-zone example.com --allow G06")).toMatchObject({ code: 0 });
}

const undo = async (fleet: Fleet) => expect(await fleet.run("undo last --yes")).toMatchObject({ code: 0 });

const createAgain = async (fleet: Fleet) => {
  fleet.write(source, master("192.0.2.9"));
  expect(await fleet.apply()).toMatchObject({ code: 0 });
};

describe("a deleted zone that comes back has a serial above its last one", () => {
  test.each<[title: string, text: string, policy: string, bring: (fleet: Fleet) => Promise<void>, serial: number]>([
    ["by undo, on the same day", master(), "date", undo, 2_026_113_002],
    ["as a new zone, on the same day", master(), "date", createAgain, 2_026_113_002],
    ["that its file stated", master().replace("( 7 ;", "( 2026113007 ;"), "unixtime", undo, 2_026_113_010],
  ])("%s", async (_, text, policy, bring, serial) => {
    const fleet = fleetOf(text, `serial: ${policy}, ${copies}`);
    await fleet.apply(monday);
    fleet.write(source, text.replace("192.0.2.3", "192.0.2.4"));
    expect(await fleet.apply(monday)).toMatchObject({ code: 0 });
    await deleteZone(fleet);
    await bring(fleet);
    expect(fleet.serial()).toBe(serial);
    expect(Object.keys(fleet.files()).filter((file) => file.startsWith("srv/."))).toEqual([]);
  });

  test("on another machine that has the same folder", async () => {
    const fleet = fleetOf(master(), `serial: date, ${copies}`);
    await fleet.apply(monday);
    await deleteZone(fleet);
    const other = new Fleet({ "example.com.zone": master() });
    other.at(monday);
    other.write("zonewright.yaml", `targets:\n  fleet: { kind: files, folder: ${fleet.folder}/srv, serial: date }\n`);
    expect((await other.apply()).code).toBe(0);
    expect(fleet.serial()).toBe(2_026_113_001);
  });
});

test.skipIf(isMissing("knotd", "dig")).each([
  ["its serial is kept", true],
  ["its serial is lost, and the next apply writes one above it", false],
])("Knot still has the journal of a deleted zone that comes back: %s", async (_, isKept) => {
  const fleet = fleetOf(master(), copies);
  fleet.sleep = (ms) => wait(ms);
  const server = await startFileServer("knot", {
    "example.com": join(fleet.folder, "srv/example.com.zone"),
    "example.net": join(fleet.folder, "srv/example.net.zone"),
  });
  onTestFinished(() => server.stop());
  const [program = "", ...words] = server.reload.slice(0, -2);
  const config = join(dirname(server.reload[2] ?? ""), "config");
  const list = readFileSync(config, "utf8");
  const configure = (text: string) => {
    writeFileSync(config, text);
    execFileSync(program, [...words, "reload"], { stdio: "pipe" });
  };
  const answer = () =>
    execFileSync("dig", ["@127.0.0.1", "-p", String(server.port), "+short", "www.example.com", "A"], {
      encoding: "utf8",
    });
  fleet.configure(`serial: date, reload: ${JSON.stringify(server.reload)}, verify_at: "127.0.0.1:${server.port}"`);
  for (const address of ["192.0.2.3", "192.0.2.4", "192.0.2.5"]) {
    fleet.write(source, master(address));
    expect(await fleet.apply(monday)).toMatchObject({ code: 0 });
  }
  await deleteZone(fleet);
  configure(list.replace(/ {2}- domain: "example\.com"\n.*\n/, "").replace("zone:\nzone:", "zone:"));
  expect(answer()).toBe("");
  if (!isKept) rmSync(join(fleet.folder, "srv/.example.com.zone.written"));
  fleet.write(source, master("192.0.2.9"));
  expect((await fleet.apply(monday)).talk).toContain("no such zone");
  configure(list);
  await expect.poll(answer).toContain(isKept ? "192.0.2.9" : "192.0.2.5");
  expect(await fleet.apply(monday)).toMatchObject({ code: 0 });
  expect([answer(), fleet.serial()]).toEqual(["192.0.2.9\n", 2_026_113_003]);
  expect((await fleet.run("plan")).out).toBe("in sync: 2 zones, nothing to do\n");
});
