import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isLater } from "../../../src/dns/name/serial.ts";
import { copies, Fleet, master } from "./fleet.ts";

const noon = 1_772_625_600; // 2026-03-04T12:00:00Z

const monday = "2026-11-30T10:00:00Z";
const tuesday = "2026-12-01T10:00:00Z";

describe("the source is a BIND zone file", () => {
  test("its octets are published, with a serial in the place of its own", async () => {
    const fleet = new Fleet({ "example.com.zone": master() });
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.read("srv/example.com.zone")).toBe(master().replace("( 7 ;", `( ${noon} ;`));
    expect(fleet.read("served/example.com.zone")).toBe(fleet.read("srv/example.com.zone"));
  });

  test("a byte order mark is not published: servers take it for a name", async () => {
    const fleet = new Fleet({});
    fleet.write("zones/example.com.zone", `\ufeff${master()}`);
    expect((await fleet.apply()).code).toBe(0);
    expect(fleet.read("srv/example.com.zone")).toBe(master().replace("( 7 ;", `( ${noon} ;`));
    expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  });

  test("octets that are not UTF-8, line ends and a missing last line end stay", async () => {
    const fleet = new Fleet({});
    const text = Buffer.from(`${master().replaceAll("\n", "\r\n")}t TXT "\xe9" ; \xe9`, "latin1");
    fleet.write("zones/example.com.zone", text);
    expect((await fleet.apply()).code).toBe(0);
    const published = readFileSync(join(fleet.folder, "srv/example.com.zone"));
    expect(published.toString("latin1")).toBe(text.toString("latin1").replace("( 7 ;", `( ${noon} ;`));
  });

  test.each([
    ["it includes a file, whose path a server reads in its own way", `${master("192.0.2.4")}$INCLUDE more.inc\n`, ""],
    [
      "the folder has an answer to an ACME challenge",
      `${master("192.0.2.4")}inc A 192.0.2.6\n`,
      "_acme-challenge TXT token\n",
    ],
  ])("it is written in canonical form where %s", async (_, source, others) => {
    const fleet = new Fleet({ "example.com.zone": master(), "more.inc": "inc A 192.0.2.6\n" });
    await fleet.apply();
    fleet.write("srv/example.com.zone", `${fleet.read("srv/example.com.zone")}${others}`);
    fleet.write("zones/example.com.zone", source);
    expect(await fleet.apply("2026-03-04T12:00:10Z")).toMatchObject({ code: 0 });
    const name = (owner: string) => owner.padEnd(others === "" ? 3 : "_acme-challenge".length);
    expect(fleet.read("srv/example.com.zone")).toBe(`$ORIGIN example.com.
$TTL 1h
${name("@")} IN SOA ns1 hostmaster ${noon + 10} 14400 3600 1209600 3600
${name("@")} IN NS  ns1
${name("@")} IN NS  ns2
${others === "" ? "" : '_acme-challenge IN TXT "token"\n'}${name("inc")} IN A   192.0.2.6
${name("ns1")} IN A   192.0.2.1
${name("ns2")} IN A   192.0.2.2
${name("www")} IN A   192.0.2.4
`);
  });
});

test("a zone of YAML is written in canonical form, with an SOA record of its settings", async () => {
  const records = `  "@": { NS: [ns1.example.net., ns2.example.net.], MX: 10 mail }\n  mail: { A: 192.0.2.9 }\n`;
  const fleet = new Fleet({ "example.com.yaml": `soa_email: ops@example.com\nrefresh_sec: 2h\nrecords:\n${records}` });
  expect((await fleet.apply()).code).toBe(0);
  expect(fleet.read("srv/example.com.zone")).toBe(`$ORIGIN example.com.
$TTL 1h
@    IN SOA ns1.example.net. ops ${noon} 7200 14400 1209600 3600
@    IN NS  ns1.example.net.
@    IN NS  ns2.example.net.
@    IN MX  10 mail
mail IN A   192.0.2.9
`);
});

type Step = readonly [what: string, act: (fleet: Fleet) => void, now: string, serial: number];

const write = (address: string) => (fleet: Fleet) => fleet.write("zones/example.com.zone", master(address));
const policy = (name: string) => (fleet: Fleet) => fleet.configure(`serial: ${name}, ${copies}`);

test.each<[title: string, policy: string, steps: readonly Step[]]>([
  [
    "unchanged content keeps its serial",
    "unixtime",
    [
      ["first", write("192.0.2.3"), monday, 1_796_032_800],
      ["nothing", () => {}, tuesday, 1_796_032_800],
      [
        "a comment and another serial in the source",
        (fleet) => fleet.write("zones/example.com.zone", `; 2\n${master().replace("( 7", "( 8")}`),
        tuesday,
        1_796_032_800,
      ],
      ["a record", write("192.0.2.4"), tuesday, 1_796_119_200],
    ],
  ],
  [
    "by date, two in a day, and the next day",
    "date",
    [
      ["first", write("192.0.2.3"), monday, 2_026_113_000],
      ["second", write("192.0.2.4"), monday, 2_026_113_001],
      ["nothing", () => {}, monday, 2_026_113_001],
      ["tuesday", write("192.0.2.5"), tuesday, 2_026_120_100],
    ],
  ],
  [
    "the clock goes back",
    "unixtime",
    [
      ["first", write("192.0.2.3"), tuesday, 1_796_119_200],
      ["a day earlier", write("192.0.2.4"), monday, 1_796_119_201],
      ["the same second", write("192.0.2.5"), monday, 1_796_119_202],
      ["right again", write("192.0.2.6"), "2026-12-01T11:00:00Z", 1_796_122_800],
    ],
  ],
  [
    "the policy changes down and up",
    "date",
    [
      ["date", write("192.0.2.3"), monday, 2_026_113_000],
      [
        "unixtime",
        (fleet) => {
          policy("unixtime")(fleet);
          write("192.0.2.4")(fleet);
        },
        tuesday,
        2_026_113_001,
      ],
      [
        "date again",
        (fleet) => {
          policy("date")(fleet);
          write("192.0.2.5")(fleet);
        },
        tuesday,
        2_026_120_100,
      ],
    ],
  ],
  [
    "a revert is a new serial, and a rebase to the same content none",
    "unixtime",
    [
      ["first", write("192.0.2.3"), monday, 1_796_032_800],
      ["change", write("192.0.2.4"), "2026-11-30T10:00:05Z", 1_796_032_805],
      ["revert", write("192.0.2.3"), "2026-11-30T10:00:10Z", 1_796_032_810],
      ["rebase", write("192.0.2.3"), tuesday, 1_796_032_810],
    ],
  ],
  [
    "a backup of the folder is restored",
    "unixtime",
    [
      ["first", write("192.0.2.3"), monday, 1_796_032_800],
      [
        "change",
        (fleet) => {
          cpSync(join(fleet.folder, "srv"), join(fleet.folder, "backup"), { recursive: true });
          write("192.0.2.4")(fleet);
        },
        "2026-11-30T10:00:05Z",
        1_796_032_805,
      ],
      [
        "the old file is there again",
        (fleet) => cpSync(join(fleet.folder, "backup"), join(fleet.folder, "srv"), { recursive: true }),
        tuesday,
        1_796_119_200,
      ],
    ],
  ],
])("%s", async (_, serial, steps) => {
  const fleet = new Fleet({});
  policy(serial)(fleet);
  const found: [string, number][] = [];
  const served: number[] = [];
  for (const [what, act, now] of steps) {
    act(fleet);
    const { code, talk } = await fleet.apply(now);
    expect([what, code, talk]).toEqual([what, 0, talk]);
    found.push([what, fleet.serial()]);
    served.push(fleet.serial("served/example.com.zone"));
  }
  expect(found).toEqual(steps.map(([what, , , wanted]) => [what, wanted]));
  for (const [index, one] of served.entries())
    if (index > 0) expect(one === served[index - 1] || isLater(one, served[index - 1] ?? 0)).toBe(true);
});

test("two machines with the same repository and folder agree without a state of their own", async () => {
  const [one, other] = [new Fleet({ "example.com.zone": master() }), new Fleet({})];
  other.configure(
    `folder: ${join(one.folder, "srv")}, reload: [cp, "{file}", ${join(one.folder, "served/")}]`.replace(
      "folder: ",
      "x: ",
    ),
  );
  other.write(
    "zonewright.yaml",
    `targets:\n  fleet: { kind: files, folder: ${one.folder}/srv, reload: [cp, "{file}", ${one.folder}/served/] }\n`,
  );
  await one.apply(monday);
  other.write("zones/example.com.zone", master());
  other.at(tuesday);
  expect(await other.run("plan")).toMatchObject({ code: 0, out: "in sync: 1 zone, nothing to do\n" });
  other.write("zones/example.com.zone", master("192.0.2.4"));
  expect((await other.apply(monday)).code).toBe(0);
  one.write("zones/example.com.zone", master("192.0.2.4"));
  one.at(tuesday);
  expect((await one.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  expect(one.serial("served/example.com.zone")).toBe(1_796_032_801);
});
