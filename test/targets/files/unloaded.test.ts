import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lines } from "../../cli/run.ts";
import { Fleet, master } from "./fleet.ts";

const before = 1_772_625_600; // 2026-03-04T12:00:00Z

/** A server that loads a file once `ok` is there, as `rndc` does once its key is. */
const script = `test -e ok || { echo "rndc: neither rndc.conf nor rndc.key was found" >&2; exit 1; }; cp "$1" served/`;

/** A fleet whose server loads nothing. */
function fleetWithoutKey(): Fleet {
  const fleet = new Fleet({ "example.com.zone": master() }, 'reload: [./load, "{file}"]');
  fleet.script("load", script);
  return fleet;
}

/** A fleet with a published zone, and a change whose reload failed. */
async function fleetWithFailedReload(): Promise<Fleet> {
  const fleet = fleetWithoutKey();
  fleet.write("ok", "");
  expect((await fleet.apply()).code).toBe(0);
  rmSync(join(fleet.folder, "ok"));
  fleet.write("zones/example.com.zone", master("192.0.2.4"));
  fleet.at("2026-03-04T12:00:10Z");
  expect((await fleet.run("apply --yes")).code).not.toBe(0);
  return fleet;
}

const served = "served/example.com.zone";

describe("a first apply whose reload failed, without an approval", () => {
  test("the plan creates the zone, and says that no server has loaded it", async () => {
    const fleet = fleetWithoutKey();
    const first = (await fleet.run("plan")).out;
    expect((await fleet.run("apply --yes")).code).not.toBe(0);
    const again = (await fleet.run("plan")).out;
    const note = "note  example.com: no server has loaded /desk/srv/example.com.zone yet\n";
    expect(again.replace(note, "").replace("2 reads", "1 read")).toBe(first);
    expect(again).toContain(note);
  });

  test.each(["apply --resume --yes", "apply --yes"])("%s loads it", async (command) => {
    const fleet = fleetWithoutKey();
    expect((await fleet.run("apply --yes")).code).not.toBe(0);
    fleet.write("ok", "");
    expect((await fleet.run(command)).code).toBe(0);
    expect(fleet.serial(served)).toBe(before);
    expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  });

  test("undo says that its file stays", async () => {
    const fleet = fleetWithoutKey();
    expect((await fleet.run("apply --yes")).code).not.toBe(0);
    const { code, out } = await fleet.run("undo last --yes");
    expect([code, out]).toEqual([
      0,
      lines`
        note  example.com: no server has loaded /desk/srv/example.com.zone yet. The next apply loads it. To give the zone up, remove the file: a server may load it when it starts.
        nothing of the run is left to undo
      `,
    ]);
  });
});

describe("a change whose reload failed", () => {
  test("is no change of others in the plan, and none in drift", async () => {
    const fleet = await fleetWithFailedReload();
    expect((await fleet.run("plan")).out).toBe(lines`
      example.com                               ~2 change
        1 ~ change  @    SOA  3600  ns1 hostmaster 0 14400 3600 1209600 3600  gets a higher serial  zones/example.com.zone:4
        2 ~ change  www  A    3600  192.0.2.3 → 192.0.2.4                     updated in place; caches may keep the old value for up to 1 hour  zones/example.com.zone:10
      note  example.com: the server has not loaded /desk/srv/example.com.zone, which a run has written with serial 1772625610
      note  a write is refused if someone else edited its RRsets meanwhile, except in the last instant
      plan: 2 changes in 1 of 1 zone · effects 81c510fc · 3 reads
      apply sends 2 writes in 1 request and 5 reads (no rate limit)
    `);
    expect((await fleet.run("drift")).out).toContain("drift: none, 1 pending change in 1 of 1 zone");
  });

  test.each(["apply --resume --yes", "apply --yes"])("%s loads it with its serial", async (command) => {
    const fleet = await fleetWithFailedReload();
    fleet.write("ok", "");
    fleet.at("2026-03-04T12:00:20Z");
    expect((await fleet.run(command)).code).toBe(0);
    expect(fleet.serial(served)).toBe(before + 10);
    expect(fleet.read(served)).toContain("192.0.2.4");
  });

  test("undo restores the file with a higher serial, also while the server loads nothing", async () => {
    const fleet = await fleetWithFailedReload();
    fleet.at("2026-03-04T12:00:20Z");
    expect((await fleet.run("undo last --yes")).code).not.toBe(0);
    expect(fleet.serial()).toBe(before + 20);
    expect(fleet.read("srv/example.com.zone")).not.toContain("192.0.2.4");
    fleet.write("ok", "");
    expect((await fleet.run("undo last --yes")).code).toBe(0);
    expect(fleet.serial(served)).toBe(before + 20);
    expect(fleet.read(served)).toContain("192.0.2.3");
  });
});

test("a reload that succeeds does not stand for that of another run, which has failed", async () => {
  const fleet = await fleetWithFailedReload();
  const names = ["example.com.zone", ".example.com.zone.loaded", ".example.com.zone.written"];
  const ofFailed = names.map((name) => [name, fleet.read(`srv/${name}`)] as const);
  for (const [name, text] of ofFailed) fleet.write(`failed/${name}`, text);
  // A run on another machine writes its file, and its reload fails, while the reload of this one is under way.
  fleet.write("ok", "");
  expect((await fleet.apply()).code).toBe(0);
  fleet.script("load", `cp "$1" served/; cp failed/.example.com.zone.* failed/example.com.zone srv/`);
  fleet.write("zones/example.com.zone", master("192.0.2.5"));
  fleet.at("2026-03-04T12:00:20Z");
  expect(await fleet.apply()).toMatchObject({
    code: 6,
    talk: expect.stringContaining("differs from the plan when read back: someone else may be writing"),
  });
  expect((await fleet.run("plan")).out).toContain(
    "note  example.com: the server has not loaded /desk/srv/example.com.zone",
  );
});
