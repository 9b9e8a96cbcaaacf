import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lines } from "../../cli/run.ts";
import { copies, Fleet, master } from "./fleet.ts";

const zoneOf = (name: string, address?: string) => master(address).replaceAll("example.com", name);

const filesOf = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${name}.zone`, zoneOf(name)]));

const settings = `${copies}, catalog: catalog.example`;

/** The first 32 hexadecimal digits of the SHA-256 of `example.com.` and so on, by sha256sum. */
const labels = {
  "example.com": "3ebef312509f797c5bb010db71e23cfd",
  "example.net": "043b5743b0221a0e42b3ce179fca7917",
  "example.org": "4cc4895e602643ea315dd80211bc7300",
} as const;

async function published(...names: readonly string[]): Promise<Fleet> {
  const fleet = new Fleet(filesOf(...names), settings);
  const { code, talk } = await fleet.apply("2026-03-04T12:00:00Z");
  expect(talk).toContain("catalog.example: done");
  expect(code).toBe(0);
  fleet.at("2026-03-04T12:00:10Z");
  return fleet;
}

function removeFile(fleet: Fleet, file: string): void {
  rmSync(join(fleet.folder, file));
}

/** The members of the catalog that is in a folder, by label, as its text has them. */
function members(fleet: Fleet, folder = "served"): Record<string, string> {
  const text = fleet.read(`${folder}/catalog.example.zone`);
  return Object.fromEntries(
    [...text.matchAll(/^(\S+)\.zones\s+\d+ IN PTR (\S+)\.$/gm)].map(([, label, zone]) => [String(zone), String(label)]),
  );
}

const memberNames = (fleet: Fleet) => Object.keys(members(fleet)).sort();

describe("the catalog of a folder", () => {
  test("is a zone of version 2, written after the zones that it lists", async () => {
    const fleet = new Fleet(filesOf("example.org", "example.com"), `${copies}, catalog: catalog.example`);
    fleet.script("load", 'echo "$1" >> loaded; cp "$2" served/');
    fleet.configure(
      'reload: [./load, "{zone}", "{file}"], check: [./load, "{zone}", "{file}"], catalog: catalog.example',
    );
    fleet.at("2026-03-04T12:00:00Z");
    const plan = await fleet.run("plan");
    expect(plan.out).toContain(lines`
      catalog.example                           +6 create
        15 + create  (zone)                            master  served from its creation on
        16 + create  @                                 SOA  0  invalid. invalid. 0 3600 600 2147483646 0
        17 + create  version                           TXT  0  "2"
        18 + create  3ebef312509f797c5bb010db71e23cfd.zones  PTR  0  example.com.
        19 + create  4cc4895e602643ea315dd80211bc7300.zones  PTR  0  example.org.
        20 + create  @                                 NS   0  invalid.
    `);
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.read("srv/catalog.example.zone")).toBe(lines`
      ;@ implicit: TTL
      $ORIGIN catalog.example.
      $TTL 0
      @                        0 IN SOA invalid. invalid. 1772625600 3600 600 2147483646 0
      @                        0 IN NS  invalid.
      version                  0 IN TXT "2"
      3ebef312509f797c5bb010db71e23cfd.zones 0 IN PTR example.com.
      4cc4895e602643ea315dd80211bc7300.zones 0 IN PTR example.org.
    `);
    expect(fleet.read("loaded").split("\n").slice(-3)).toEqual(["catalog.example", "catalog.example", ""]);
    expect((await fleet.run("plan")).out).toBe("in sync: 3 zones, nothing to do\n");
  });

  test.each<[title: string, settings: string, says: string]>([
    [
      "check",
      `${copies}, check: [./fails, "{zone}", "{file}"]`,
      "./fails rejects the new file, so the old one stays: exit code 1",
    ],
    ["reload", 'reload: [./fails, "{zone}"]', "the new file is written, but the server did not load it: ./fails"],
  ])("fails by itself if its %s does: the zones are published, and the next apply lists them", async (_, one, says) => {
    const fleet = await published("example.com");
    fleet.script("fails", 'test "$1" != catalog.example');
    fleet.configure(`${one}, catalog: catalog.example`);
    fleet.write("zones/example.net.zone", zoneOf("example.net"));
    const { code, talk } = await fleet.apply();
    expect([code, talk.match(/^\S+: (?:done|failed)/gm)]).toEqual([
      5,
      ["example.net: done", "catalog.example: failed"],
    ]);
    expect(talk.replaceAll("\n    ", " ")).toContain(says);
    expect(Object.keys(members(fleet, "srv")).sort()).toEqual(
      one.includes("check") ? ["example.com"] : ["example.com", "example.net"],
    );
    fleet.configure(settings);
    expect((await fleet.apply("2026-03-04T12:00:20Z")).code).toBe(0);
    expect(memberNames(fleet)).toEqual(["example.com", "example.net"]);
    expect((await fleet.run("plan")).out).toBe("in sync: 3 zones, nothing to do\n");
  });

  test("gives its members a group", async () => {
    const fleet = await published("example.com");
    fleet.configure(`${copies}, catalog: { zone: catalog.example, group: signed }`);
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.read("served/catalog.example.zone")).toContain(
      `${labels["example.com"]}.zones 0 IN PTR example.com.\ngroup.${labels["example.com"]}.zones 0 IN TXT "signed"\n`,
    );
    fleet.configure(settings);
    expect((await fleet.apply("2026-03-04T12:00:20Z")).code).toBe(0);
    expect(fleet.read("served/catalog.example.zone")).not.toContain("group");
  });

  test("gains and loses members, with a serial that rises only then", async () => {
    const fleet = await published("example.com", "example.net");
    const serials = [fleet.serial("served/catalog.example.zone")];
    const next = async (now: string, command = "apply --yes") => {
      fleet.at(now);
      expect((await fleet.run(command)).code).toBe(0);
      serials.push(fleet.serial("served/catalog.example.zone"));
      return memberNames(fleet);
    };
    fleet.write("zones/example.com.zone", zoneOf("example.com", "192.0.2.9"));
    expect(await next("2026-03-04T12:00:10Z")).toEqual(["example.com", "example.net"]);
    fleet.write("zones/example.org.zone", zoneOf("example.org"));
    expect(await next("2026-03-04T12:00:20Z")).toEqual(["example.com", "example.net", "example.org"]);
    removeFile(fleet, "zones/example.net.zone");
    expect(await next("2026-03-04T12:00:30Z")).toEqual(["example.com", "example.net", "example.org"]);
    expect(await next("2026-03-04T12:00:40Z", "apply --yes --delete-zone example.net --allow G06")).toEqual([
      "example.com",
      "example.org",
    ]);
    const first = 1_772_625_600;
    expect(serials).toEqual([first, first, first + 20, first + 20, first + 40]);
  });

  test("has labels that do not depend on files, formats and letter case", async () => {
    const fleet = await published("example.com", "example.net");
    expect(members(fleet)).toEqual({ "example.com": labels["example.com"], "example.net": labels["example.net"] });
    removeFile(fleet, "zones/example.com.zone");
    fleet.write("zones/a.zone", `$ORIGIN EXAMPLE.com.\n${zoneOf("example.com")}`);
    fleet.write("zones/example.aa.zone", zoneOf("example.aa"));
    expect((await fleet.apply()).code).toBe(0);
    expect(members(fleet)).toMatchObject({
      "example.com": labels["example.com"],
      "example.net": labels["example.net"],
    });
  });

  test("keeps the labels and the members of another program, which the plan names", async () => {
    const fleet = new Fleet(filesOf("example.com"), settings);
    fleet.write(
      "srv/catalog.example.zone",
      `@ 0 IN SOA invalid. invalid. 1 3600 600 2147483646 0
@ 0 IN NS invalid.
version 0 IN TXT "2"
old1.zones 0 IN PTR example.com.
group.old1.zones 0 IN TXT "theirs"
coo.old1.zones 0 IN PTR other.catalog.example.
old2.zones 0 IN PTR other.example.
group.old2.zones 0 IN TXT "theirs"
old3.zones 0 IN PTR example.org.
`,
    );
    expect((await fleet.run("plan")).out).toContain(lines`
      note  catalog.example loses 2 records of its members: group.old1.zones TXT, coo.old1.zones PTR
    `);
    expect((await fleet.apply()).code).toBe(0);
    expect((await fleet.run("plan")).out).toBe(lines`
      note  catalog.example has 2 members without a zone file, which stay: other.example, example.org
      in sync: 2 zones, nothing to do
    `);
    fleet.write("zones/example.org.zone", zoneOf("example.org"));
    fleet.write("zones/example.net.zone", zoneOf("example.net"));
    expect((await fleet.apply("2026-03-04T12:00:20Z")).code).toBe(0);
    expect(members(fleet)).toEqual({
      "example.com": "old1",
      "other.example": "old2",
      "example.org": "old3",
      "example.net": labels["example.net"],
    });
    expect(fleet.read("served/catalog.example.zone")).toMatch(/^group\.old2\.zones +0 IN TXT "theirs"$/m);
  });
});

describe("a zone stays in the catalog", () => {
  test("if all zone files are gone: nothing is planned", async () => {
    const fleet = await published("example.com", "example.net");
    for (const name of ["example.com", "example.net"]) removeFile(fleet, `zones/${name}.zone`);
    expect((await fleet.apply()).code).toBe(3);
    expect(memberNames(fleet)).toEqual(["example.com", "example.net"]);
  });

  test("if its file is invalid, or cannot be read", async () => {
    const fleet = await published("example.com", "example.net", "example.org");
    fleet.write("zones/example.com.zone", zoneOf("example.com", "192.0.2.300"));
    fleet.write("zones/example.org.zone", zoneOf("example.org", "192.0.2.9"));
    fleet.write("zones/example.info.zone", zoneOf("example.info"));
    const { code, talk } = await fleet.run("apply --yes --skip-invalid");
    expect([code, talk]).toEqual([5, expect.stringContaining("catalog.example: done")]);
    expect(memberNames(fleet)).toEqual(["example.com", "example.info", "example.net", "example.org"]);
  });

  test("if its file is invalid and the catalog was removed", async () => {
    const fleet = await published("example.com", "example.net");
    fleet.write("zones/example.com.zone", zoneOf("example.com", "192.0.2.300"));
    removeFile(fleet, "srv/catalog.example.zone");
    await fleet.run("apply --yes --skip-invalid");
    expect(memberNames(fleet)).toEqual(["example.com", "example.net"]);
  });

  test("if another zone is applied alone, also where the catalog was removed", async () => {
    const fleet = await published("example.com", "example.net");
    removeFile(fleet, "srv/catalog.example.zone");
    fleet.write("zones/example.org.zone", zoneOf("example.org"));
    expect((await fleet.run("apply --yes example.com")).code).toBe(0);
    expect(memberNames(fleet)).toEqual(["example.com", "example.net"]);
    expect((await fleet.apply("2026-03-04T12:00:20Z")).code).toBe(0);
    expect(memberNames(fleet)).toEqual(["example.com", "example.net", "example.org"]);
  });

  test.each<[title: string, command: string, code: number]>([
    ["a new zone is applied alone", "apply --yes example.info", 0],
    ["its file is invalid", "apply --yes --skip-invalid --allow G01,G03", 5],
  ])("if the catalog is from an older backup, and %s", async (_, command, code) => {
    const fleet = await published("example.org");
    const backup = fleet.read("srv/catalog.example.zone");
    fleet.write("zones/example.net.zone", zoneOf("example.net"));
    expect((await fleet.apply()).code).toBe(0);
    fleet.write("srv/catalog.example.zone", backup);
    fleet.write("zones/example.net.zone", zoneOf("example.net", "192.0.2.300"));
    fleet.write("zones/example.info.zone", zoneOf("example.info"));
    fleet.at("2026-03-04T12:00:20Z");
    expect((await fleet.run(command)).code).toBe(code);
    expect(memberNames(fleet)).toEqual(["example.info", "example.net", "example.org"]);
  });

  test("if a guard blocks its deletion", async () => {
    const fleet = await published("example.com", "example.net");
    removeFile(fleet, "zones/example.net.zone");
    const { code, out } = await fleet.run("apply --yes --delete-zone example.net");
    expect([code, out]).toEqual([3, expect.stringContaining("blocked by G06 (domain): example.net")]);
    expect(memberNames(fleet)).toEqual(["example.com", "example.net"]);
  });

  test("if too many would leave it at once: the guard of deletions counts them", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `z${index}.example`);
    const fleet = await published(...names);
    for (const name of names.slice(0, 4)) removeFile(fleet, `zones/${name}.zone`);
    const going = names.slice(0, 4).map((name) => `--delete-zone ${name}`);
    const { code, out } = await fleet.run(`apply --yes ${going.join(" ")} --allow G06`);
    expect([code, out]).toEqual([
      3,
      expect.stringContaining(
        "blocked by G01 (many deletions): catalog.example: deletes 4 of 9 records; the limit is 3",
      ),
    ]);
    expect(memberNames(fleet)).toEqual(names);
  });

  test("if it is not deleted because another zone failed", async () => {
    const fleet = await published("example.com", "example.net");
    fleet.script("check", 'test "$1" != example.com');
    fleet.configure(`check: [./check, "{zone}", "{file}"], ${settings}`);
    fleet.write("zones/example.com.zone", zoneOf("example.com", "192.0.2.9"));
    fleet.write("zones/example.org.zone", zoneOf("example.org"));
    removeFile(fleet, "zones/example.net.zone");
    const { code, talk } = await fleet.run("apply --yes --delete-zone example.net --allow G06");
    expect(code).toBe(5);
    expect(talk).toContain("the domain was not deleted");
    expect(memberNames(fleet)).toEqual(["example.com", "example.net", "example.org"]);
    expect(fleet.read("srv/example.net.zone")).toBe(fleet.read("served/example.net.zone"));
  });

  test("if an undo leaves it: it deletes records, not the zone", async () => {
    const fleet = await published("example.com");
    fleet.write("zones/example.net.zone", zoneOf("example.net"));
    expect((await fleet.apply()).code).toBe(0);
    fleet.at("2026-03-04T12:00:20Z");
    expect((await fleet.run("undo last --yes --allow G03,G08")).code).toBe(0);
    expect(fleet.read("srv/example.net.zone")).not.toContain("www");
    expect(memberNames(fleet)).toEqual(["example.com", "example.net"]);
  });
});

describe("a zone is not added to the catalog", () => {
  test("before it was loaded; the others are, and the next apply adds it", async () => {
    const fleet = await published("example.com");
    fleet.write("zones/example.net.zone", zoneOf("example.net"));
    fleet.write("zones/example.org.zone", zoneOf("example.org"));
    fleet.script("check", 'test "$1" != example.net');
    fleet.configure(`check: [./check, "{zone}", "{file}"], ${settings}`);
    const { code, talk } = await fleet.apply();
    expect(code).toBe(5);
    expect(talk).toContain("1 of 3 zones failed");
    expect(memberNames(fleet)).toEqual(["example.com", "example.org"]);
    fleet.configure(settings);
    expect((await fleet.apply("2026-03-04T12:00:20Z")).code).toBe(0);
    expect(memberNames(fleet)).toEqual(["example.com", "example.net", "example.org"]);
  });

  test("before it was loaded, where another zone is applied alone", async () => {
    const fleet = await published("example.com");
    fleet.write("zones/example.net.zone", zoneOf("example.net"));
    fleet.configure(`reload: ["false"], catalog: catalog.example`);
    expect((await fleet.apply()).code).toBe(5);
    fleet.configure(settings);
    fleet.write("zones/example.com.zone", zoneOf("example.com", "192.0.2.9"));
    fleet.at("2026-03-04T12:00:20Z");
    expect((await fleet.run("apply --yes example.com --allow G04")).code).toBe(0);
    expect(memberNames(fleet)).toEqual(["example.com"]);
  });

  test("if it is the only one: no empty catalog is written", async () => {
    const fleet = new Fleet(filesOf("example.com"), `check: ["false", "{file}"], ${settings}`);
    const { code, talk } = await fleet.apply();
    expect(code).toBe(5);
    expect(talk).toContain("the catalog was not written: it depends on example.com, which failed");
    expect(Object.keys(fleet.files()).filter((file) => file.startsWith("srv/"))).toEqual([]);
  });
});

describe("a run with the catalog", () => {
  test("is undone: a deleted zone is restored with its label", async () => {
    const fleet = await published("example.com", "example.net");
    removeFile(fleet, "zones/example.net.zone");
    expect((await fleet.run("apply --yes --delete-zone example.net --allow G06")).code).toBe(0);
    expect(memberNames(fleet)).toEqual(["example.com"]);
    fleet.at("2026-03-04T12:00:20Z");
    expect((await fleet.run("undo last --yes")).code).toBe(0);
    expect(members(fleet)).toEqual({ "example.com": labels["example.com"], "example.net": labels["example.net"] });
  });

  test("is continued: the catalog follows from its zones", async () => {
    const fleet = await published("example.com");
    fleet.write("zones/example.net.zone", zoneOf("example.net"));
    fleet.configure('reload: ["false"], catalog: catalog.example');
    expect((await fleet.apply()).code).toBe(5);
    expect(memberNames(fleet)).toEqual(["example.com"]);
    fleet.configure(settings);
    fleet.at("2026-03-04T12:00:20Z");
    const { code, talk } = await fleet.run("apply --yes --resume --allow G04");
    expect([code, talk]).toEqual([0, expect.stringContaining("catalog.example: done")]);
    expect(memberNames(fleet)).toEqual(["example.com", "example.net"]);
  });

  test("is approved by a plan file", async () => {
    const fleet = await published("example.com");
    fleet.write("zones/example.net.zone", zoneOf("example.net"));
    expect((await fleet.run("plan --out plan.json")).code).toBe(0);
    expect((await fleet.run("apply --yes plan.json")).code).toBe(0);
    expect(memberNames(fleet)).toEqual(["example.com", "example.net"]);
  });

  test("is planned against a snapshot", async () => {
    const fleet = await published("example.com");
    expect((await fleet.run("snapshot --out live.json")).code).toBe(0);
    expect((await fleet.run("plan --against live.json")).out).toContain("in sync: 2 zones, nothing to do\n");
  });

  test("finds the edits of others, and reverts them", async () => {
    const fleet = await published("example.com", "example.net");
    const text = fleet.read("srv/catalog.example.zone");
    const edited = text.replace(/^.*example\.net\.\n/m, "").replace('"2"', '"1"');
    fleet.write("srv/catalog.example.zone", edited);
    expect((await fleet.run("drift")).out).toBe(lines`
      last known state of 3 of 3 zones; 3 zones read, without a log of events
      catalog.example
        drift     version TXT  0 "2" → 0 "1"
                  author unknown: the service keeps no log of events
        drift     043b5743b0221a0e42b3ce179fca7917.zones PTR  0 example.net. → (none)
                  author unknown: the service keeps no log of events
      drift: 2 changes outside git in 1 of 3 zones · 4 requests
    `);
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.read("srv/catalog.example.zone")).toBe(text.replace("1772625600", "1772625610"));
  });
});

describe("the list for the primary", () => {
  const list = async (fleet: Fleet) => {
    const { code, out, talk } = await fleet.run("export --to named.conf --role primary");
    return [code, talk, ...[...out.matchAll(/^zone "(.*)" \{$/gm)].map(([, zone]) => zone)];
  };

  test("has a member whose zone file left the project, until it is deleted", async () => {
    const fleet = await published("example.com", "example.net");
    removeFile(fleet, "zones/example.net.zone");
    expect(await list(fleet)).toEqual([0, "", "example.com", "example.net", "catalog.example"]);
    expect((await fleet.run("apply --yes --delete-zone example.net --allow G06")).code).toBe(0);
    expect(await list(fleet)).toEqual([0, "", "example.com", "catalog.example"]);
  });

  test("has a member that leaves the catalog, until the server has loaded it", async () => {
    const fleet = await published("example.com", "example.net");
    removeFile(fleet, "zones/example.net.zone");
    fleet.configure('reload: ["false"], catalog: catalog.example');
    expect((await fleet.run("apply --yes --delete-zone example.net --allow G06")).code).toBe(1);
    expect(memberNames(fleet)).toEqual(["example.com", "example.net"]);
    expect(Object.keys(members(fleet, "srv"))).toEqual(["example.com"]);
    expect(await list(fleet)).toEqual([0, "", "example.com", "example.net", "catalog.example"]);
  });

  test("is refused if the catalog cannot be read", async () => {
    const fleet = await published("example.com", "example.net");
    removeFile(fleet, "zones/example.net.zone");
    fleet.write(
      "srv/catalog.example.zone",
      fleet.read("srv/catalog.example.zone").replace(/PTR(?= example.net)/, "PRT"),
    );
    expect(await list(fleet)).toEqual([
      1,
      lines`
        error[files/read] catalog.example: the file of the name server cannot be read: /desk/srv/catalog.example.zone:7:45: 043b5743b0221a0e42b3ce179fca7917.zones: "PRT" is not a record type
          Restore it: a new file could have a serial that secondaries ignore. Or name a server that loads the files in ${"`verify_at`"}, and remove it: the next apply writes it again.
      `,
    ]);
  });

  test("needs the address of a secondary", async () => {
    const fleet = await published("example.com");
    expect(await fleet.run("export --to named.conf --role primary --secondary no.such.invalid")).toMatchObject({
      code: 64,
      talk: expect.stringContaining(
        "error: no.such.invalid has no address here, and a configuration needs one. Name it with --secondary ADDRESS.\n",
      ),
    });
  });

  test("names the zones of the folder that it does not have, such as an earlier catalog", async () => {
    const fleet = await published("example.com", "example.net");
    removeFile(fleet, "zones/example.net.zone");
    fleet.configure(copies);
    const says = (zone: string) =>
      `not listed: ${zone}, which is in the folder and not in the project; list it by hand if the server is to keep it\n`;
    const [code, talk, ...zones] = await list(fleet);
    expect([
      code,
      String(talk)
        .split(/(?<=\n)/)
        .sort(),
      zones,
    ]).toEqual([0, [says("catalog.example"), says("example.net")], ["example.com"]]);
  });
});

test.each(["the file", "the folder, as git does"])("the last zone is deleted after %s was removed", async (what) => {
  for (const words of ["--delete-zone example.com --allow G06", "plan.json"]) {
    const fleet = await published("example.com");
    if (what === "the file") removeFile(fleet, "zones/example.com.zone");
    else rmSync(join(fleet.folder, "zones"), { recursive: true });
    expect(await fleet.run("plan")).toMatchObject({ code: 3 });
    expect(await fleet.run("plan --delete-zone example.com --allow G06 --out plan.json")).toMatchObject({ code: 0 });
    expect(await fleet.run(`apply --yes ${words}`)).toMatchObject({ code: 0, talk: expect.any(String) });
    expect(Object.keys(fleet.files()).filter((file) => file.startsWith("srv/"))).toEqual([
      "srv/.example.com.zone.written",
      "srv/catalog.example.zone",
    ]);
    expect(memberNames(fleet)).toEqual([]);
  }
});

describe("mistakes", () => {
  test("a zone file with the name of the catalog", async () => {
    const fleet = new Fleet(filesOf("example.com", "catalog.example"), settings);
    expect((await fleet.run("validate")).out).toBe(lines`
      error[catalog-zone] "catalog.example" is the catalog of the target fleet, which zonewright writes
        zones/catalog.example.zone:4:1
          4 | @  IN SOA ns1 hostmaster ( 7 ; serial: zonewright sets it
            | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        Remove the zone file, or give ${"`catalog`"} of the target another name.

      not valid: 2 zones, 12 records, 1 error
    `);
  });

  test.each<[title: string, command: string, text: string, reason: string]>([
    [
      "a zone without a version",
      "plan",
      "@ 0 IN SOA invalid. invalid. 1 3600 600 2147483646 0\n@ 0 IN NS invalid.\n",
      "it has no TXT record of version.catalog.example",
    ],
    [
      "a zone with other records",
      "apply --yes --allow G01,G03,G04,G05,G13",
      `${zoneOf("catalog.example")}version TXT 2\nx.zones PTR example.com.\n`,
      "it has the record ns1.catalog.example A",
    ],
    ["a zone of another project", "drift", zoneOf("catalog.example"), "it has the record ns1.catalog.example A"],
  ])("the name of another zone of the folder: %s, by %s", async (_, command, text, reason) => {
    const fleet = new Fleet(filesOf("example.com"), copies);
    expect((await fleet.apply()).code).toBe(0);
    fleet.configure(settings);
    fleet.write("srv/catalog.example.zone", text);
    expect(await fleet.run(command)).toEqual({
      code: 3,
      out: "",
      talk: lines`
        error[catalog-zone] "catalog.example" cannot be the catalog of the target: the zone of this name is no catalog zone, since ${reason}
          Give ${"`catalog`"} of the target the name of no other zone. If it is a catalog, restore its file.
      `,
    });
    expect(fleet.read("srv/catalog.example.zone")).toBe(text);
  });

  test("the deletion of the catalog", async () => {
    const fleet = await published("example.com");
    expect((await fleet.run("plan --delete-zone catalog.example")).talk).toBe(lines`
      error[delete-zone-file] catalog.example is the catalog of the target, so it is not deleted
        Remove ${"`catalog`"} from the settings of the target first.
    `);
  });

  test.each([
    ["catalog: ''", "catalog must be the name of a zone, such as catalog.example\n"],
    [
      "catalog: { zone: catalog.example, group: 'two words' }",
      "catalog.group must be a word, as the configuration of the secondaries has it\n",
    ],
    ["catalog: [catalog.example]", "catalog must be the name of a zone, such as catalog.example, or { zone, group }\n"],
  ])("%s", async (setting, says) => {
    const fleet = new Fleet(filesOf("example.com"), `${copies}, ${setting}`);
    expect((await fleet.run("validate")).talk).toContain(`error[config-value] targets.fleet.${says}`);
  });
});
