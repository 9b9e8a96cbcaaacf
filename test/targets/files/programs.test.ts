import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { askSoa } from "../../../src/dns-client/ask.ts";
import { lines } from "../../cli/run.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { startFileServer } from "./file-servers.ts";
import { copies, Fleet, master } from "./fleet.ts";

const changed = master("192.0.2.4");

/** A fleet with a published zone and a change that is not published yet. */
async function fleetWithChange(): Promise<Fleet> {
  const fleet = new Fleet({ "example.com.zone": master() });
  await fleet.apply();
  fleet.write("zones/example.com.zone", changed);
  fleet.at("2026-03-04T12:00:10Z");
  return fleet;
}

const [before, after] = [1_772_625_600, 1_772_625_610];

interface Case {
  readonly settings: string;
  readonly script?: string;
  readonly code: number;
  /** The line of the zone that failed. */
  readonly says: string;
  /** The serial in the file, and that of the server. */
  readonly serials: readonly [number, number];
}

describe("a check or a reload that fails", () => {
  test.each<[title: string, failing: Case]>([
    [
      "a check with a reason",
      {
        settings: `check: [./check, "{zone}", "{file}"], ${copies}`,
        script: 'echo "$1: line 3: bad owner name" >&2; exit 1',
        code: 3,
        says: "./check rejects the new file, so the old one stays: exit code 1: example.com: line 3: bad owner name. Correct the zone, then apply again.",
        serials: [before, before],
      },
    ],
    [
      "a check that names the new file: it says the name that the file would have",
      {
        settings: `check: [./check, "{zone}", "{file}"], ${copies}`,
        script: 'echo "$2:3: bad owner name"; echo "zone $1/IN: not loaded due to errors."; exit 1',
        code: 3,
        says: "./check rejects the new file, so the old one stays: exit code 1: example.com.zone:3: bad owner name; zone example.com/IN: not loaded due to errors. Correct the zone, then apply again.",
        serials: [before, before],
      },
    ],
    [
      "a check that prints nothing",
      {
        settings: `check: [./check, "{file}"], ${copies}`,
        script: "exit 3",
        code: 3,
        says: "./check rejects the new file, so the old one stays: exit code 3. Correct the zone, then apply again.",
        serials: [before, before],
      },
    ],
    [
      "a check that prints megabytes: its last lines count",
      {
        settings: `check: [./check, "{file}"], ${copies}`,
        script: "yes noise | head -c 3000000; for n in 1 2 3 4 5 6; do echo line $n; done; exit 1",
        code: 3,
        says: "./check rejects the new file, so the old one stays: exit code 1: line 2; line 3; line 4; line 5; line 6. Correct the zone, then apply again.",
        serials: [before, before],
      },
    ],
    [
      "a check that prints control characters, a command of a CI and secrets",
      {
        settings: `check: [./check, "{file}"], ${copies}`,
        script: 'printf "\\033[31mred\\033[0m\\n##[error]x\\nkey $MY_API_KEY\\n$ZONEWRIGHT_FLEET_TOKEN\\n"; exit 1',
        code: 3,
        says: "./check rejects the new file, so the old one stays: exit code 1: \\x1b[31mred\\x1b[0m; #\\x23[error]x; key ***. Correct the zone, then apply again.",
        serials: [before, before],
      },
    ],
    [
      "a check that is not there",
      {
        settings: `check: [./absent, "{file}"], ${copies}`,
        code: 1,
        says: "check: the program ./absent cannot be started: it was not found. Install it, or correct `check` of the target.",
        serials: [before, before],
      },
    ],
    [
      "a reload that fails",
      {
        settings: 'reload: [./check, "{zone}"]',
        script: "echo \"rndc: 'reload' failed: dynamic zone\" >&2; exit 1",
        code: 1,
        says: "the new file is written, but the server did not load it: ./check: exit code 1: rndc: 'reload' failed: dynamic zone. Check the log of the server. The next apply loads the file again.",
        serials: [after, before],
      },
    ],
    [
      "a reload that a signal ends",
      {
        settings: 'reload: [./check, "{zone}"]',
        script: "kill -TERM $$",
        code: 1,
        says: "the new file is written, but the server did not load it: ./check: SIGTERM. Check the log of the server. The next apply loads the file again.",
        serials: [after, before],
      },
    ],
    [
      "a reload that may not be run",
      {
        settings: 'reload: [./zonewright.yaml, "{zone}"]',
        code: 1,
        says: "reload: the program ./zonewright.yaml cannot be started: this user may not run it. Install it, or correct `reload` of the target.",
        serials: [after, before],
      },
    ],
  ])("%s", async (_, { settings, script, code: expected, says, serials }) => {
    const fleet = await fleetWithChange();
    fleet.secrets.push("hunter22-secret", "of-zonewright");
    if (script !== undefined) fleet.script("check", script);
    fleet.configure(settings);
    fleet.env.MY_API_KEY = "hunter22-secret";
    fleet.env.ZONEWRIGHT_FLEET_TOKEN = "of-zonewright";
    const { code, talk } = await fleet.apply();
    expect(code).toBe(expected);
    expect(talk).toContain(says);
    expect([fleet.serial(), fleet.serial("served/example.com.zone")]).toEqual(serials);
    fleet.configure(copies);
    expect((await fleet.apply("2026-03-04T12:00:20Z")).code).toBe(0);
    expect(fleet.read("srv/example.com.zone")).toBe(changed.replace("( 7 ;", `( ${fleet.serial()} ;`));
    expect(fleet.read("served/example.com.zone")).toBe(fleet.read("srv/example.com.zone"));
    expect(Object.keys(fleet.files()).filter((file) => file.startsWith("srv/"))).toEqual(["srv/example.com.zone"]);
    expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  });
});

test("a check that rejects the file of a new zone", async () => {
  const fleet = new Fleet({ "example.com.zone": master() }, 'check: ["false", "{file}"]');
  const { code, talk } = await fleet.apply();
  expect([code, talk]).toEqual([
    5,
    expect.stringContaining("false rejects the new file, so it is not written: exit code 1. Correct the zone"),
  ]);
});

test("a reload that deletes the file", async () => {
  const fleet = await fleetWithChange();
  fleet.configure('reload: [rm, "{file}"]');
  const { code, talk } = await fleet.apply();
  expect([code, talk]).toEqual([
    5,
    expect.stringContaining(
      "the zone does not exist any more: it was deleted during the run. The next plan creates it again.",
    ),
  ]);
});

test.each([1, 5, 20, 60])("a long output that was cut after %i characters of the new file's name", async (left) => {
  const fleet = await fleetWithChange();
  // The last 600 characters count: the name begins before them.
  fleet.script("check", `printf '%s:36: %s' "$1" "$(head -c ${600 - left - 5} /dev/zero | tr '\\0' x)"; exit 1`);
  fleet.configure(`check: [./check, "{file}"]`);
  const { talk } = await fleet.apply();
  expect(talk).not.toContain("part");
  expect(talk).toContain(left < 5 ? "exit code 1: t:36: xxx" : "exit code 1: example.com.zone:36: xxx");
});

test("a check that fails for one zone leaves the others alone", async () => {
  const fleet = new Fleet({
    "example.com.zone": master(),
    "example.net.zone": master().replaceAll("example.com", "example.net"),
    "example.org.zone": master().replaceAll("example.com", "example.org"),
  });
  fleet.script("check", 'test "$1" != example.net');
  fleet.configure(`check: [./check, "{zone}", "{file}"], ${copies}`);
  const { code, talk } = await fleet.apply();
  expect(code).toBe(5);
  expect(talk).toContain("1 of 3 zones failed");
  expect(Object.keys(fleet.files()).filter((file) => file.startsWith("srv/"))).toEqual([
    "srv/example.com.zone",
    "srv/example.org.zone",
  ]);
  fleet.configure(copies);
  expect((await fleet.apply()).code).toBe(0);
  expect((await fleet.run("plan")).out).toBe("in sync: 3 zones, nothing to do\n");
});

test.each(["example.com.zone", "shop.zone"])(
  "a link to no file beside the zones leaves the zone of %s alone",
  async (file) => {
    const fleet = new Fleet({ [file]: master() });
    symlinkSync("absent", join(fleet.folder, "zones/example.net.zone"));
    const { code, talk } = await fleet.run("apply --yes --skip-invalid");
    expect([code, talk]).toEqual([5, expect.stringContaining("example.com: done")]);
    expect(fleet.read("srv/example.com.zone")).toBe(master().replace("( 7 ;", `( ${fleet.serial()} ;`));
  },
);

describe("a file that the server has not loaded", () => {
  async function unloaded(): Promise<Fleet> {
    const fleet = await fleetWithChange();
    fleet.configure('reload: ["false"]');
    await fleet.apply();
    fleet.configure(copies);
    fleet.at("2026-03-04T12:00:20Z");
    return fleet;
  }

  test("is in the plan, beside what the server has", async () => {
    const fleet = await unloaded();
    expect((await fleet.run("plan")).out).toContain(lines`
      example.com                               ~2 change
    `);
    expect((await fleet.run("plan")).out).toContain("192.0.2.3 → 192.0.2.4");
  });

  test("is loaded by the next apply with its serial, without a new file", async () => {
    const fleet = await unloaded();
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.serial("served/example.com.zone")).toBe(after);
  });

  test("is replaced by a later change", async () => {
    const fleet = await unloaded();
    fleet.write("zones/example.com.zone", master("192.0.2.5"));
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.serial("served/example.com.zone")).toBe(after + 10);
    expect(fleet.read("served/example.com.zone")).toContain("192.0.2.5");
  });

  test("is replaced when the change is reverted, although the server has the wanted zone", async () => {
    const fleet = await unloaded();
    fleet.write("zones/example.com.zone", master());
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.serial()).toBe(after + 10);
    expect(fleet.read("served/example.com.zone")).toBe(fleet.read("srv/example.com.zone"));
    expect(fleet.read("srv/example.com.zone")).toContain("192.0.2.3");
  });

  test("and that someone edits then counts as loaded: the edit is drift", async () => {
    const fleet = await unloaded();
    fleet.write("srv/example.com.zone", fleet.read("srv/example.com.zone").replace("192.0.2.4", "192.0.2.77"));
    expect((await fleet.run("plan")).out).toContain("192.0.2.77 → 192.0.2.4");
  });
});

test("a new zone that the server has not loaded is created again", async () => {
  const fleet = new Fleet({ "example.com.zone": master() }, 'reload: ["false"]');
  expect((await fleet.apply()).code).toBe(5);
  fleet.configure(copies);
  expect((await fleet.apply("2026-03-04T12:00:10Z")).code).toBe(0);
  expect(fleet.serial("served/example.com.zone")).toBe(before);
  expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
});

describe("the journal that BIND keeps of a file", () => {
  /** The head of a journal up to a serial. */
  function journalTo(serial: number): Buffer {
    const head = Buffer.alloc(64);
    head.write(";BIND LOG V9.2\n", "latin1");
    head.writeUInt32BE(before - 10, 16);
    head.writeUInt32BE(serial, 24);
    return head;
  }
  const journal = "srv/example.com.zone.jnl";

  test("is removed if it ends with what BIND has loaded, and the file is loaded", async () => {
    const fleet = await fleetWithChange();
    fleet.write(journal, journalTo(before));
    fleet.script("load", 'test ! -e "$1.jnl" || { echo out of range; exit 1; }; cp "$1" served/');
    fleet.configure('reload: [./load, "{file}"]');
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.serial("served/example.com.zone")).toBe(after);
    expect(fleet.files()).not.toHaveProperty([journal]);
  });

  test.each([
    ["a later serial, as after dynamic updates", journalTo(before + 1)],
    ["another format", Buffer.from("no journal".repeat(10))],
  ])("stays with %s, and the message names it", async (_, bytes) => {
    const fleet = await fleetWithChange();
    fleet.write(journal, bytes);
    fleet.script("load", "echo out of range; exit 1");
    fleet.configure("reload: [./load]");
    const { code, talk } = await fleet.apply();
    expect(code).toBe(1);
    expect(talk).toContain(
      "./load: exit code 1: out of range. Check the log of the server. If its journal is out of sync with the zone, remove /desk/srv/example.com.zone.jnl. The next apply loads the file again.\n",
    );
    expect(fleet.files()).toHaveProperty([journal]);
  });

  test("is removed with the file of a deleted zone", async () => {
    const fleet = await fleetWithChange();
    fleet.write(journal, journalTo(before));
    rmSync(join(fleet.folder, "zones/example.com.zone"));
    fleet.write("zones/example.net.zone", master().replaceAll("example.com", "example.net"));
    expect((await fleet.run("apply --yes --delete-zone example.com --allow G06")).code).toBe(0);
    expect(Object.keys(fleet.files()).filter((file) => file.startsWith("srv/"))).toEqual([
      "srv/.example.com.zone.written",
      "srv/example.net.zone",
    ]);
  });
});

test("a zone that has no file cannot be deleted", async () => {
  const fleet = await fleetWithChange();
  expect(await fleet.run("plan --delete-zone example.net")).toMatchObject({
    code: 3,
    talk: lines`
      error[delete-zone-unknown] example.net cannot be deleted: the folder has no such zone
        Name a zone of the folder. ${"`zonewright plan`"} lists those without a zone file.
    `,
  });
});

test.skipIf(isMissing("named"))("without a reload, the server at verify_at is compared all the same", async () => {
  const fleet = new Fleet({ "example.com.zone": master() });
  const server = await startFileServer("bind", { "example.com": join(fleet.folder, "srv/example.com.zone") });
  onTestFinished(() => server.stop());
  fleet.configure(`verify_at: "127.0.0.1:${server.port}"`);
  const { code, talk } = await fleet.apply();
  expect([code, talk]).toEqual([
    5,
    expect.stringContaining(
      `example.com: the new file with serial ${fleet.serial()} is written, but 127.0.0.1:${server.port} does not answer for the zone. Have the server load the file, as \`reload\` of the target does. The next apply compares the serials again.`,
    ),
  ]);
  const [program = "", ...words] = server.reload;
  execFileSync(
    program,
    words.map((word) => (word === "{zone}" ? "example.com" : word)),
    { stdio: "pipe" },
  );
  const address = { host: "127.0.0.1", port: server.port };
  await expect.poll(() => askSoa(address, domainName("example.com.")).catch(() => undefined)).toBeDefined();
  expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
});
