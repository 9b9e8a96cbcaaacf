import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Problem } from "../../src/diagnostics/problem.ts";
import { checkZone } from "../../src/dns/check.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { readZoneFile, recordsText } from "./api.ts";

/**
 * Reads a zone file among others: its records except those of the head, and its problems as `rule file:line:column <-
 * file:line`.
 */
function read(files: Record<string, string>, links: Record<string, string> = {}) {
  const { zone, problems } = readFiles(files, links);
  return { records: recordsText([zone]).split("\n").filter(Boolean), said: problems.map(shown) };
}

function readFiles(files: Record<string, string>, links: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-include-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const place = (file: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    return join(folder, file);
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(place(file), text);
  for (const [link, target] of Object.entries(links)) symlinkSync(target.replace(/^\//, `${folder}/`), place(link));
  const root = { path: join(folder, "zones"), file: "zones" };
  return readZoneFile({ path: join(folder, "zones/example.zone"), file: "zones/example.zone", root });
}

function shown({ id: rule, place: at, via = [] }: Problem): string {
  return [`${rule} ${at?.file}:${at?.line}:${at?.column}`, ...via.map(({ file, line }) => `${file}:${line}`)].join(
    " <- ",
  );
}

const host = "host 300 A 192.0.2.1\n";
const hostRecord = "host.example. 300 IN A 192.0.2.1";

test.each<[string, string, Record<string, string>, Record<string, string>, string]>([
  ["a file beside the zone", "hosts.inc", { "zones/hosts.inc": host }, {}, hostRecord],
  ["a file in a folder below", "sub/hosts.inc", { "zones/sub/hosts.inc": host }, {}, hostRecord],
  ["out of a folder and back", "sub/../hosts.inc", { "zones/hosts.inc": host, "zones/sub/x": "" }, {}, hostRecord],
  ["a name with spaces", '"my hosts.inc"', { "zones/my hosts.inc": host }, {}, hostRecord],
  ["a name beyond ASCII", "hösts.inc", { "zones/hösts.inc": host }, {}, hostRecord],
  ["a name that starts with dots", "..hosts", { "zones/..hosts": host }, {}, hostRecord],
  [
    "a link inside the folder",
    "link.inc",
    { "zones/a/hosts.inc": host },
    { "zones/link.inc": "a/hosts.inc" },
    hostRecord,
  ],
])("allowed include: %s", (_, written, files, links, record) => {
  const { records, said } = read({ ...files, "zones/example.zone": `$INCLUDE ${written}\n` }, links);
  expect({ records, said }).toEqual({ records: [record], said: [] });
});

test("includes by absolute path", () => {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-include-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "hosts.inc"), host);
  writeFileSync(join(folder, "example.zone"), `$INCLUDE ${folder}/hosts.inc\n`);
  const { zone, problems } = readZoneFile({ path: join(folder, "example.zone"), file: "example.zone" });
  expect({ text: recordsText([zone]), problems }).toEqual({ text: `${hostRecord}\n`, problems: [] });
});

test("a path is relative to the file that contains it", () => {
  const files = {
    "zones/example.zone": "$INCLUDE sub/one.inc\n",
    "zones/sub/one.inc": "$INCLUDE two.inc\n$INCLUDE ../three.inc\n",
    "zones/sub/two.inc": "two 300 A 192.0.2.2\n",
    "zones/three.inc": "three 300 A 192.0.2.3\n",
  };
  expect(read(files)).toEqual({
    records: ["three.example. 300 IN A 192.0.2.3", "two.example. 300 IN A 192.0.2.2"],
    said: [],
  });
});

const secret = { "secret.inc": "secret 300 A 192.0.2.66\n", "zones-old/hosts.inc": host };

test.each<[string, string, Record<string, string>, string]>([
  ["by ..", "../secret.inc", {}, "include-outside"],
  ["by .. and a folder whose name starts alike", "../zones-old/hosts.inc", {}, "include-outside"],
  ["by a link to a file", "link.inc", { "zones/link.inc": "../secret.inc" }, "include-outside"],
  ["by a link to a file, absolute", "link.inc", { "zones/link.inc": "/secret.inc" }, "include-outside"],
  ["by a link to a folder", "old/hosts.inc", { "zones/old": "../zones-old" }, "include-outside"],
  ["by a link to a link", "a.inc", { "zones/a.inc": "b.inc", "zones/b.inc": "../secret.inc" }, "include-outside"],
  ["by a dangling link", "link.inc", { "zones/link.inc": "../nothing" }, "include-read"],
  ["a missing file", "../nothing", {}, "include-outside"],
  ["the folder itself", ".", {}, "include-read"],
  ["a folder", "sub", { "zones/sub/x": "x" }, "include-read"],
  ["links in a circle", "a.inc", { "zones/a.inc": "b.inc", "zones/b.inc": "a.inc" }, "include-read"],
  ["a name with a zero octet", '"a\\000b"', {}, "include-read"],
  ["no name", '""', {}, "include-read"],
])("rejected include: %s", (_, written, links, rule) => {
  const text = `; first\n$INCLUDE ${written} sub\nafter 300 A 192.0.2.9\n`;
  expect(read({ ...secret, "zones/example.zone": text }, links)).toEqual({
    records: ["after.example. 300 IN A 192.0.2.9"],
    said: [`${rule} zones/example.zone:2:10`],
  });
});

test("detects a loop through a link", () => {
  const files = { "zones/example.zone": "$INCLUDE link.inc\n" };
  expect(read(files, { "zones/link.inc": "example.zone" })).toEqual({
    records: [],
    said: ["include-loop zones/example.zone:1:10"],
  });
});

test("allows sixteen levels and no more", () => {
  const files: Record<string, string> = { "zones/example.zone": "$INCLUDE 1.inc\n" };
  for (let depth = 1; depth <= 17; depth++)
    files[`zones/${depth}.inc`] = `host${depth} 300 A 192.0.2.${depth}\n$INCLUDE ${depth + 1}.inc\n`;
  const { records, said } = read(files);
  expect(records.length).toBe(16);
  const way = Array.from({ length: 15 }, (_, index) => `zones/${15 - index}.inc:2`);
  expect(said).toEqual([["include-depth zones/16.inc:2:10", ...way, "zones/example.zone:1"].join(" <- ")]);
});

test("limits the readings that few files can cause", () => {
  const files: Record<string, string> = { "zones/example.zone": "$INCLUDE 1.inc\n$INCLUDE 1.inc\n" };
  for (let depth = 1; depth <= 15; depth++) files[`zones/${depth}.inc`] = `$INCLUDE ${depth + 1}.inc\n`.repeat(10);
  files["zones/16.inc"] = host;
  const { records, said } = read(files);
  expect(records).toEqual([hostRecord]);
  expect([...new Set(said.map((text) => text.split(" ")[0]))]).toEqual(["include-count"]);
});

test("problems in an included file name the including line", () => {
  const files = {
    "zones/example.zone": "@ 300 SOA ns.example.net. hostmaster 1 300 300 300 300\n$INCLUDE one.inc\n",
    "zones/one.inc": "; first\n$INCLUDE two.inc\n",
    "zones/two.inc": "@ NS ns.example.net.\na A 10.0.0.1\nb CNAME c.example.net\nd CAA 0 pki x\ne 17 A 192.0.2.1\n",
  };
  const way = "<- zones/one.inc:2 <- zones/example.zone:2";
  const { zone } = readFiles(files);
  expect([...checkZone(zone), ...accept(zone).problems].map(shown)).toEqual([
    `private-address zones/two.inc:2:1 ${way}`,
    "soa-times zones/example.zone:1:1",
    `target-needs-dot zones/two.inc:3:9 ${way}`,
    `caa-tag zones/two.inc:4:1 ${way}`,
    "domain-name zones/example.zone:1:1",
    `ttl-rounded zones/two.inc:5:1 ${way}`,
    `apex-ns zones/two.inc:1:1 ${way}`,
  ]);
});
