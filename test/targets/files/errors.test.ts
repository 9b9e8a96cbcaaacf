import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasOwnDisk, ownDisk } from "../../cli/own-disk.ts";
import { Program } from "../../cli/process.ts";
import { lines } from "../../cli/run.ts";
import { copies, Fleet, master } from "./fleet.ts";

const srv = (fleet: Fleet) => join(fleet.folder, "srv");

describe("what cannot be read or written is told", () => {
  test.each<[title: string, act: (fleet: Fleet) => void, code: number, talk: string]>([
    [
      "a folder that is missing",
      (fleet) => rmSync(srv(fleet), { recursive: true }),
      1,
      lines`
        error[files/folder] the folder /desk/srv cannot be read: it does not exist
          Create it, or mount it; then check ${"`folder`"} of the target.
      `,
    ],
    [
      "a file in the place of the folder",
      (fleet) => {
        rmSync(srv(fleet), { recursive: true });
        fleet.write("srv", "");
      },
      1,
      lines`
        error[files/folder] the folder /desk/srv cannot be read: a file is in the place of a folder
          Create it, or mount it; then check ${"`folder`"} of the target.
      `,
    ],
    [
      "a folder in the place of a file",
      (fleet) => {
        rmSync(join(srv(fleet), "example.com.zone"));
        mkdirSync(join(srv(fleet), "example.com.zone"));
      },
      1,
      lines`
        error[files/read] /desk/srv/example.com.zone cannot be read: it is a folder
          Make it a regular file that this user may read, or restore it. --skip-invalid leaves the zone out.
      `,
    ],
    [
      "a link to a missing file",
      (fleet) => {
        rmSync(join(srv(fleet), "example.com.zone"));
        symlinkSync("/nonexistent/example.com.zone", join(srv(fleet), "example.com.zone"));
      },
      1,
      lines`
        error[files/read] /desk/srv/example.com.zone cannot be read: it is a link to a missing file
          Make it a regular file that this user may read, or restore it. --skip-invalid leaves the zone out.
      `,
    ],
    [
      "a named pipe in the place of a file",
      (fleet) => {
        rmSync(join(srv(fleet), "example.com.zone"));
        execFileSync("mkfifo", [join(srv(fleet), "example.com.zone")]);
      },
      1,
      lines`
        error[files/read] /desk/srv/example.com.zone cannot be read: it is a named pipe
          Make it a regular file that this user may read, or restore it. --skip-invalid leaves the zone out.
      `,
    ],
    [
      "a file that someone has edited into an invalid one",
      (fleet) => fleet.write("srv/example.com.zone", fleet.read("srv/example.com.zone").replace("www A", "www B")),
      1,
      lines`
        error[files/read] example.com: the file of the name server cannot be read: /desk/srv/example.com.zone:10:5: www: "B" is not a record type
          Restore it: a new file could have a serial that secondaries ignore. Or name a server that loads the files in ${"`verify_at`"}, and remove it: the next apply writes it again. --skip-invalid leaves the zone out.
      `,
    ],
    [
      "an invalid file whose serial a server knows",
      (fleet) => {
        fleet.configure(`${copies}, verify_at: "127.0.0.1:9"`);
        fleet.write("srv/example.com.zone", fleet.read("srv/example.com.zone").replace("www A", "www B"));
      },
      1,
      lines`
        error[files/read] example.com: the file of the name server cannot be read: /desk/srv/example.com.zone:10:5: www: "B" is not a record type
          Restore it, or remove it: the next apply writes it again. --skip-invalid leaves the zone out.
      `,
    ],
    [
      "the zone files of the project as the folder",
      (fleet) => fleet.write("zonewright.yaml", "targets:\n  fleet: { kind: files, folder: ./zones/ }\n"),
      3,
      lines`
        error[config-value] targets.fleet.folder is a folder of the project's own zone files
          zonewright.yaml:2:33
            2 |   fleet: { kind: files, folder: ./zones/ }
              |                                 ^^^^^^^^
          The folder of the zone files, relative to this file. Name the folder that the name server loads, which is another one.
      `,
    ],
    [
      "a zone without name servers",
      (fleet) => fleet.write("zones/example.com.zone", master("192.0.2.4").replaceAll(/^@ {2}NS.*\n/gm, "")),
      3,
      lines`
        error[no-name-servers] example.com has no NS records of its own
          zones/example.com.zone:4:1
            4 | @  IN SOA ns1 hostmaster ( 7 ; serial: zonewright sets it
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          Add an NS record for each of its name servers at the apex.
      `,
    ],
  ])("%s", async (_, act, code, talk) => {
    const fleet = new Fleet({ "example.com.zone": master() });
    await fleet.apply();
    fleet.write("zones/example.com.zone", master("192.0.2.4"));
    act(fleet);
    expect(await fleet.run("plan")).toEqual({ code, out: "", talk });
  });

  test("a zone whose name a program would take for an option", async () => {
    const source = master().replaceAll("example.com", "-x.example");
    const fleet = new Fleet({ "-x.example.zone": source }, 'reload: [cp, "{zone}"]');
    const { code, talk } = await fleet.apply();
    expect([code, talk]).toEqual([
      5,
      expect.stringContaining(
        "-x.example: the programs of the target would take the name of the zone for an option. Write it after a prefix in `check` and `reload`, such as zone={zone}.",
      ),
    ]);
    expect(existsSync(join(srv(fleet), "-x.example.zone"))).toBe(false);
  });

  test("a link to a file elsewhere is followed, and stays", async () => {
    const fleet = new Fleet({ "example.com.zone": master() });
    fleet.write("elsewhere/example.com.zone", master("192.0.2.9"));
    symlinkSync("../elsewhere/example.com.zone", join(srv(fleet), "example.com.zone"));
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.read("elsewhere/example.com.zone")).toBe(fleet.read("srv/example.com.zone"));
    expect(fleet.read("served/example.com.zone")).toContain("192.0.2.3");
  });
});

describe.skipIf(!hasOwnDisk)("a disk of its own", () => {
  const large = `${master("192.0.2.4")}${Array.from({ length: 4000 }, (_, index) => `host-${index} A 192.0.2.${index % 256}\n`).join("")}`;

  test.each([
    ["that is full", "size=20k", "the disk is full", "Make room on the disk, then apply again."],
    ["that is read-only", "ro", "the disk is read-only", "Make the folder writable for this user, then apply again."],
  ])("%s: the old file stays, and nothing else is left", async (_, options, reason, fix) => {
    const fleet = new Fleet({ "example.com.zone": master() });
    await fleet.apply();
    const before = fleet.read("srv/example.com.zone");
    fleet.write("zones/example.com.zone", large);
    const inside = ownDisk("srv", options);
    const script = [
      ...inside.slice(0, 4),
      `${inside[4]?.replace('exec "$@"', '{ "$@"; code=$?; ls -A "$0"; cat "$0"/*; exit $code; }')}`,
      "srv",
    ];
    const program = new Program(fleet.folder, "apply --yes --allow G01,G33", { PATH: process.env.PATH }, script);
    const { code, out, talk } = await program.end();
    expect(code).toBe(1);
    expect(talk).toContain(`srv/example.com.zone cannot be written: ${reason}; the old file stays. ${fix}`);
    expect(out.endsWith(`example.com.zone\n${before}`)).toBe(true);
  });
});

test.each(["EINVAL", "ENOTSUP"])("a folder that cannot be synced (%s) is written all the same", async (code) => {
  const fleet = new Fleet({ "example.com.zone": master() });
  fleet.write("mount.mjs", mountWithout(code));
  const env = { NODE_OPTIONS: `--import ${join(fleet.folder, "mount.mjs")}`, PATH: process.env.PATH };
  const { code: ended, talk } = await new Program(fleet.folder, "apply --yes", env).end();
  expect([ended, talk]).toEqual([0, expect.stringContaining("example.com: done")]);
});

/** A module that lets the sync of a folder fail, as some mounts do. */
const mountWithout = (code: string) => `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const sync = fs.fsyncSync;
fs.fsyncSync = (file) => {
  if (fs.fstatSync(file).isDirectory()) throw Object.assign(new Error("${code}: invalid, fsync"), { code: "${code}" });
  sync(file);
};
syncBuiltinESMExports();
`;

describe("wrong settings of the target", () => {
  const target = (settings: string) => `targets:\n  fleet: { kind: files, ${settings} }\n`;
  test.each<[settings: string, summary: string]>([
    ["serial: date", "targets.fleet.folder must be a string"],
    ["folder: srv, serial: counter", "targets.fleet.serial must be unixtime or date"],
    [
      "folder: srv, check: named-checkzone",
      'targets.fleet.check must be a list: a program and its arguments, such as [rndc, reload, "{zone}"]',
    ],
    ["folder: srv, check: []", "targets.fleet.check must be a program and its arguments"],
    ['folder: srv, check: [named-checkzone, "{zone}"]', 'targets.fleet.check must have "{file}", the file to check'],
    ['folder: srv, reload: ["{zone}"]', "targets.fleet.reload must begin with the name of a program"],
    [
      'folder: srv, reload: [rndc, reload, "{zones}"]',
      "targets.fleet.reload must have no other names in braces than {zone} and {file}",
    ],
    [
      "folder: srv, verify_at: 'a b'",
      "targets.fleet.verify_at must be a host or address, such as ns0.example.net or 192.0.2.53:5300",
    ],
    [`folder: "s\\0rv"`, "targets.fleet.folder must not have a NUL character"],
    [`folder: srv, check: [grep, "a\\0b", "{file}"]`, "targets.fleet.check entry 2 must not have a NUL character"],
    [`folder: srv, reload: ["cp\\0"]`, "targets.fleet.reload entry 1 must not have a NUL character"],
    ["folder: srv, token_file: x", '"targets.fleet.token_file" is not a setting'],
  ])("%s", async (settings, summary) => {
    const fleet = new Fleet({ "example.com.zone": master() });
    fleet.write("zonewright.yaml", target(settings));
    const { code, talk } = await fleet.run("plan");
    expect([code, talk.split("\n")[0]]).toEqual([3, expect.stringContaining(summary)]);
  });
});

describe("others in the folder", () => {
  test("an edit of a written file is drift by an unknown hand, and the next apply takes it back", async () => {
    const fleet = new Fleet({ "example.com.zone": master() });
    await fleet.apply();
    const published = fleet.read("srv/example.com.zone");
    fleet.write("srv/example.com.zone", `${published.replace("192.0.2.3 ", "192.0.2.66 ")}hand A 192.0.2.5\n`);
    expect((await fleet.run("drift")).out).toBe(lines`
      last known state of 1 of 1 zone; 1 zone read, without a log of events
      example.com
        drift     www A  3600 192.0.2.3 → 3600 192.0.2.66
                  author unknown: the service keeps no log of events
        foreign   hand A  3600 192.0.2.5
                  author unknown: the service keeps no log of events
      drift: 1 change outside git, 1 addition outside git in 1 of 1 zone · 2 requests
    `);
    expect((await fleet.apply("2026-03-04T12:00:10Z")).code).toBe(0);
    expect(fleet.read("srv/example.com.zone")).toBe(published.replace("1772625600", "1772625610"));
  });

  test("a changed serial alone is no drift", async () => {
    const fleet = new Fleet({ "example.com.zone": master() });
    await fleet.apply();
    fleet.write("srv/example.com.zone", fleet.read("srv/example.com.zone").replace("1772625600", "2000000000"));
    expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
    fleet.write("zones/example.com.zone", master("192.0.2.4"));
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.serial()).toBe(2_000_000_001);
  });

  test("an edit of other records between plan and apply is kept", async () => {
    const fleet = new Fleet({ "example.com.zone": master() });
    await fleet.apply();
    fleet.script("check", `echo 'hand A 192.0.2.5' >> srv/example.com.zone; rm check; ln -s /bin/true check`);
    fleet.configure(`check: [./check, "{file}"], ${copies}`);
    fleet.write("zones/example.com.zone", master("192.0.2.4"));
    const { code, talk } = await fleet.apply("2026-03-04T12:00:10Z");
    expect([code, talk]).toEqual([
      6,
      expect.stringContaining("example.com differs from the plan when read back: someone else may be writing"),
    ]);
    expect(fleet.read("served/example.com.zone")).toMatch(/hand IN A +192\.0\.2\.5\n/);
    expect(fleet.read("served/example.com.zone")).toMatch(/www +IN A +192\.0\.2\.4\n/);
  });

  test("an edit of the same records between plan and apply is not overwritten", async () => {
    const fleet = new Fleet({ "example.com.zone": master() });
    await fleet.apply();
    fleet.script("check", "sed -i 's/192.0.2.3 /192.0.2.66 /' srv/example.com.zone");
    fleet.configure(`check: [./check, "{file}"], ${copies}`);
    fleet.write("zones/example.com.zone", master("192.0.2.4"));
    const { code, talk } = await fleet.apply("2026-03-04T12:00:10Z");
    expect([code, talk]).toEqual([
      4,
      expect.stringContaining(
        "www.example.com. A was changed by someone else after the plan was made: it was 192.0.2.3, and is 192.0.2.66 now. It was left unchanged.",
      ),
    ]);
    expect(fleet.read("srv/example.com.zone")).toContain("192.0.2.66");
  });
});

test("octets outside of UTF-8 are published as they are, and verified", async () => {
  const text = Buffer.from(`${master()}raw TXT "caf\xe9 \xc3\xa9 \\\xe9 \\\\\xff"\n`, "latin1");
  const fleet = new Fleet({ "example.com.zone": "" });
  writeFileSync(join(fleet.folder, "zones/example.com.zone"), text);
  expect((await fleet.apply()).code).toBe(0);
  const written = readFileSync(join(fleet.folder, "srv/example.com.zone"), "latin1");
  expect(written).toBe(text.toString("latin1").replace("( 7 ;", `( ${fleet.serial()} ;`));
  const { out } = await fleet.run("verify --wait 1s");
  expect(out.split("\n").slice(0, 2)).toEqual([
    "pass          example.com  folder: 7 records as in the file",
    `pass          example.com  zone file: serial ${fleet.serial()}, 5 RRsets as stored`,
  ]);
});

test("undo restores the records of a run under a higher serial", async () => {
  const fleet = new Fleet({ "example.com.zone": master() });
  await fleet.apply();
  fleet.write("zones/example.com.zone", `${master("192.0.2.4").replace("4h 1h", "2h 1h")}new TXT new\n`);
  expect((await fleet.apply("2026-03-04T12:00:10Z")).code).toBe(0);
  fleet.at("2026-03-04T12:00:20Z");
  expect((await fleet.run("undo last --yes")).code).toBe(0);
  expect(fleet.read("served/example.com.zone")).toBe(`$ORIGIN example.com.
$TTL 1h
@   IN SOA ns1 hostmaster 1772625620 14400 3600 1209600 3600
@   IN NS  ns1
@   IN NS  ns2
ns1 IN A   192.0.2.1
ns2 IN A   192.0.2.2
www IN A   192.0.2.3
`);
});

test("a zone is deleted only by its name, with its file", async () => {
  const fleet = new Fleet({
    "example.com.zone": master(),
    "example.net.zone": master().replaceAll("example.com", "example.net"),
  });
  await fleet.apply();
  rmSync(join(fleet.folder, "zones/example.net.zone"));
  expect((await fleet.run("apply --yes")).out).toContain("in sync");
  expect(existsSync(join(srv(fleet), "example.net.zone"))).toBe(true);
  fleet.at("2026-03-04T12:00:10Z");
  expect((await fleet.run("apply --yes --delete-zone example.net --allow G06")).code).toBe(0);
  expect(Object.keys(fleet.files()).filter((file) => file.startsWith("srv/"))).toEqual([
    "srv/.example.net.zone.written",
    "srv/example.com.zone",
  ]);
  fleet.at("2026-03-04T12:00:20Z");
  expect((await fleet.run("undo last --yes")).code).toBe(0);
  expect(fleet.read("srv/example.net.zone")).toContain(" 1772625620 14400 3600 1209600 3600\n");
});

test("two targets with the same folder", async () => {
  const fleet = new Fleet({ "example.com.zone": master() });
  const one = "{ kind: files, folder: srv }";
  fleet.write(
    "zonewright.yaml",
    `targets:\n  one: ${one}\n  two: ${one.replace("srv", "./srv/")}\nzones: { path: zones, targets: [one, two] }\n`,
  );
  expect(await fleet.run("validate")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[config-value] targets.two.folder is that of one
        zonewright.yaml:3:31
          3 |   two: { kind: files, folder: ./srv/ }
            |                               ^^^^^^
        The folder of the zone files, relative to this file. Give each target a folder of its own.
    `,
  });
});

test("a written file that is no zone file fails all zones, or is left out, and stays in the catalog", async () => {
  const settings = `${copies}, catalog: catalog.example`;
  const zones = { "example.com.zone": master(), "example.net.zone": master().replaceAll("example.com", "example.net") };
  const fleet = new Fleet(zones, settings);
  expect((await fleet.apply("2026-03-04T12:00:00Z")).code).toBe(0);
  const members = () => fleet.read("srv/catalog.example.zone").match(/PTR\s+\S+/g);
  expect(members()).toHaveLength(2);
  fleet.write("srv/example.net.zone", fleet.read("srv/example.net.zone").replace("www A", "www PRT"));
  fleet.write("zones/example.com.zone", master("192.0.2.9"));
  const { code, talk } = await fleet.apply("2026-03-04T12:01:00Z");
  expect([code, talk]).toEqual([
    1,
    lines`
      error[files/read] example.net: the file of the name server cannot be read: /desk/srv/example.net.zone:10:5: www: "PRT" is not a record type
        Restore it: a new file could have a serial that secondaries ignore. Or name a server that loads the files in ${"`verify_at`"}, and remove it: the next apply writes it again. --skip-invalid leaves the zone out.
    `,
  ]);
  const skipped = await fleet.run("apply --yes --skip-invalid");
  expect([skipped.code, skipped.out]).toEqual([
    5,
    expect.stringContaining("warning  example.net is left out: its live version cannot be read"),
  ]);
  expect(fleet.read("srv/example.com.zone")).toContain("192.0.2.9");
  expect(members()).toHaveLength(2);
});

test("a zone whose name is too long for the name of a file and of those beside it", async () => {
  const zone = `${["a", "b", "c"].map((letter) => letter.repeat(60)).join(".")}.${"d".repeat(55)}.com`;
  const fleet = new Fleet({ "long.zone": `$ORIGIN ${zone}.\n${master().replace("$ORIGIN example.com.\n", "")}` });
  expect(await fleet.apply()).toMatchObject({
    code: 3,
    talk: expect.stringContaining(
      `${zone}: its zone file would have a name of 247 octets; at most 246 fit. Serve it with a target of another kind.`,
    ),
  });
});
