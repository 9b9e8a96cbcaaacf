import { expect, test } from "vitest";
import { ImportState } from "../../src/workflow/import/state.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { domainName } from "../names.ts";
import { contextOf } from "../workflow/import-context.ts";
import { Desk, lines } from "./run.ts";

const zone = "$TTL 1h\n@ SOA ns1 h 7 2h 1h 2w 5m\n@ NS ns1\n";

test("import status before any import", async () => {
  const out = "no import yet: `zonewright import axfr`, `import file` and `import remote` are listed here\n";
  expect(await new Desk().run("import status")).toEqual({ code: 0, out, talk: "" });
  expect((await new Desk().run("import status --report json")).out).toBe("null\n");
});

test("import status after an import in which zones failed and a file was kept", async () => {
  const desk = new Desk({
    "old/db.example.com": zone,
    "old/example.net.zone": zone,
    "old/it's-bad.zone": "x\n",
    "zones/example.net.yaml": "soa_email: a@example.net\nrecords: {}\n",
  });
  await desk.run("import file old/it's-bad.zone old/db.example.com old/example.net.zone --restart");
  expect((await desk.run("import status")).out).toBe(lines`
    import of 2026-03-04T12:00:00.000Z: ended 2026-03-04T12:00:00.000Z
    3 zones: 1 imported, 1 kept, 1 failed, 0 left
    kept zones/example.net.yaml: it differs; --yes overwrites it
    failed it's-bad: x: the record type is missing

    next: import the rest with
      zonewright import file 'old/it'\''s-bad.zone' old/db.example.com old/example.net.zone
  `);
});

test("of many zones that failed for the same reason, ten are listed", async () => {
  const name = (index: number) => `z${String(index).padStart(2, "0")}.zone`;
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`old/${name(index)}`, "x\n"]));
  const desk = new Desk({ ...files, "old/other.zone": "$TTL 1h\n" });
  const failed = [
    ...Array.from({ length: 10 }, (_, index) => `failed z0${index}: x: the record type is missing`),
    "failed 2 more: x: the record type is missing",
  ];
  const lines = (text: string) => text.split("\n").filter((line) => line.startsWith("failed "));
  const listed = (text: string) => lines(text).filter((line) => line.includes("x:"));
  const imported = await desk.run("import file old");
  expect(lines(imported.out).filter((line) => /failed (?:z|\d)/.test(line))).toEqual(
    failed.map((line) => line.replace(/: .*/, "")),
  );
  expect(imported.talk.match(/x: the record type is missing/g)).toHaveLength(1);
  expect(listed((await desk.run("import status")).out)).toEqual(failed);
  const json = JSON.parse((await desk.run("import status --report json")).out) as { failed: unknown[] };
  expect(json.failed.length).toBeGreaterThanOrEqual(12);
});

test("a contact address that all zones lack is explained once", async () => {
  const zone = (address: string) => `---\nwww: { type: A, ttl: 300, value: ${address} }\n`;
  const names = ["a.example", "b.example", "c.example"];
  const desk = new Desk(Object.fromEntries(names.map((name) => [`old/${name}.yaml`, zone("192.0.2.1")])));
  const { code, talk } = await desk.run("import file old");
  expect([code, talk.split("\n").filter((line) => /^\S/.test(line))]).toEqual([
    0,
    [
      "warning[import-contact] the source has no contact address; the file has the usual one instead, hostmaster@ and the zone (RFC 2142)",
      "warning[import-contact] also b.example, c.example: the source has no contact address; the file has the usual one instead, hostmaster@ and the zone (RFC 2142)",
    ],
  ]);
});

test("import status of an interrupted import", async () => {
  const desk = new Desk();
  const context = contextOf(desk);
  const state = new ImportState(openProject(context, { config: "zonewright.yaml" }), context.now);
  state.begin({ request: "r", zones: 3, command: "zonewright import axfr --zones-file all --from 192.0.2.53" });
  const name = domainName("example.com.");
  state.imported({ zone: name, file: "zones/example.com.yaml", from: "192.0.2.53:53", serial: 7 });
  state.failed({ zone: domainName("example.net."), problems: [] });
  state.imported({ zone: domainName("Example.net."), file: "zones/example.net.yaml", from: "192.0.2.53:53" });
  expect(JSON.parse((await desk.run("import status --report json")).out)).toEqual({
    begun: "2026-03-04T12:00:00.000Z",
    command: "zonewright import axfr --zones-file all --from 192.0.2.53",
    zones: 3,
    imported: 2,
    kept: [],
    failed: [],
    left: 1,
  });
  expect((await desk.run("import status")).out).toBe(lines`
    import of 2026-03-04T12:00:00.000Z: interrupted, or still running
    3 zones: 2 imported, 0 failed, 1 left

    next: continue with
      zonewright import axfr --zones-file all --from 192.0.2.53
  `);
});

test.each(["main.tf", "zones.csv", "dnsconfig.js", "example.com.ZONE"])(
  "the error of %s names the file once",
  async (file) => {
    const desk = new Desk({ [file]: "x\n" });
    const { out, talk } = await desk.run(`import file ${file}`);
    const [headline = ""] = /^error.*/m.exec(talk) ?? [];
    const name = file.toLowerCase();
    expect([out.split(name).length, headline.toLowerCase().split(name).length]).toEqual([2, 2]);
  },
);
