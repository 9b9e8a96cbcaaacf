import { describe, expect, test } from "vitest";
import { readAcks } from "../../src/config/acks.ts";
import { readConfig } from "../../src/config/config.ts";
import { type Problem, ProblemError } from "../../src/diagnostics/problem.ts";
import { asName } from "../../src/dns/name/name.ts";
import { configKind } from "../../src/formats/kit/other-format.ts";
import { folderFormats, readers } from "../../src/formats/readers.ts";
import { readTemplate } from "../../src/formats/yaml/template.ts";

const page = "file-format the file is an HTML page, not a zone file";
const pointer = "file-format the file is a pointer of Git LFS, not a zone file";
const conflict = "merge-conflict the file has an unresolved merge conflict";
const bind = "file-format the file is a configuration of BIND, not a zone file";
const sections = "file-format the file is a configuration of Knot or NSD, not a zone file";

/** Contents that belong to no zone file, and their only error. */
const contents: readonly (readonly [text: string, error: string])[] = [
  ["<!DOCTYPE html>\n<html><body>404</body></html>\n", page],
  ['<?xml version="1.0"?>\n<!-- a -->\n<html xmlns="x">\n', page],
  ['<?xml version="1.0"?>\n<zones/>\n', "file-format the file is an XML document, not a zone file"],
  ["version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", pointer],
  ["version https://git-lfs.github.com/spec/v1\r\noid sha256:4d7a\r\nsize 12345\r\n", pointer],
  ["@\0 \0S\0O\0A\0", "encoding the file is encoded in UTF-16"],
  ["records:\n  www:\n<<<<<<< HEAD\n    A: 192.0.2.1\n=======\n    A: 192.0.2.2\n>>>>>>> b\n", conflict],
  ["records: {\n<<<<<<< HEAD\n  www: { A: 192.0.2.1 },\n=======\n>>>>>>> b\n}\n", conflict],
  ['records:\n  a:\n    TXT: "one\n<<<<<<< HEAD\n      two"\n', conflict],
  ["www:\n  type: A\n  value: 192.0.2.1\n||||||| 1234567\n", conflict],
  ["www A 192.0.2.1\r\n=======\r\n", conflict],
  ['options { directory "/var/named"; };\nzone "example.com" { type primary; file "a"; };\n', bind],
  ["server:\n    listen: 127.0.0.1@53\nzone:\n  - domain: example.com\n", sections],
];

/** Every reader of a zone's data, and the problems that it finds. */
const ofReaders: Readonly<Record<string, (bytes: Uint8Array) => readonly Problem[]>> = {
  bind: (bytes) => readers.bind.read(zoneFile("zone", bytes)).problems,
  yaml: (bytes) => readers.yaml.read(zoneFile("yaml", bytes)).problems,
  octodns: (bytes) => folderFormats.octodns.read(zoneFile("yaml", bytes)).problems,
  template: (bytes) => readTemplate("mail", { file: "mail.yaml", bytes }, []).problems,
};

function zoneFile(ending: string, bytes: Uint8Array) {
  return { file: `example.com.${ending}`, bytes, origin: asName("example.com."), settings: [] };
}

describe.each(Object.entries(ofReaders))("in a file of %s", (_, problemsOf) => {
  test.each(contents)("%j is one error", (text, expected) => {
    const errors = problemsOf(Buffer.from(text)).filter(({ severity }) => severity === "error");
    expect(errors.map(({ id, summary }) => `${id} ${summary}`)).toEqual([expected]);
  });
});

/** Settings with the markers of a merge where the YAML parser fails, and where it does not. */
const settings = [
  "<<<<<<< HEAD\nzones: a\n=======\nzones: b\n>>>>>>> b\n",
  "zones: [a,\n<<<<<<< HEAD\n  b]\n",
  'zones: "a\n=======\n  b"\n',
  "# mine\r\n>>>>>>> b\r\nzones: a\r\n",
  "zones: |\n  a\n|||||||\n",
];

test.each(settings)("in settings, %j is a merge conflict", (text) => {
  expect(idsOf(() => readConfig("zonewright.yaml", text, []))).toEqual(["merge-conflict"]);
  expect(idsOf(() => readAcks("acks.yaml", text, []))).toEqual(["merge-conflict"]);
});

function idsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    return error instanceof ProblemError ? error.problems.map(({ id }) => id) : [String(error)];
  }
}

/** Texts that a server reads as its configuration, and texts that are none. */
const kinds: readonly (readonly [text: string, kind: ReturnType<typeof configKind>])[] = [
  ['zone "a.example" { type primary; };', "BIND"],
  ["ZONE a.example IN\n{\n  type primary;\n};", "BIND"],
  ['// mine\n/* zones\n */ # here\nview "inside" in /* all */ { };', "BIND"],
  ['include "/etc/bind/named.conf.local";', "BIND"],
  ["include /etc/bind/named.conf.local ;", "BIND"],
  ['\ufeffkey "x" { algorithm hmac-sha256; secret "c2VjcmV0"; };', "BIND"],
  ["acl friends { any; };", "BIND"],
  ["options\n{ };", "BIND"],
  ["masters x port 53 { 192.0.2.1; };", "BIND"],
  ["remote-servers x { 192.0.2.1; };", "BIND"],
  ["server 192.0.2.1 { bogus yes; };", "BIND"],
  ["statistics-channels { };\n", "BIND"],
  ["dnssec-policy mine { };\n", "BIND"],
  ["server:\n  ip-address: 127.0.0.1\n", "sections"],
  ['zone: name: "a.example" zonefile: "a.zone"\n', "sections"],
  ["zone:\nname: a.example\nzonefile: a\n", "sections"],
  ["# mine\n\n  zone:\r\n\tname: a.example\r\n", "sections"],
  ["zone:\n  - domain: a.example\n", "sections"],
  ["zone: # all\n- domain: a.example\n", "sections"],
  ['include: "/etc/nsd/more.conf"\n', "sections"],
  ["include: conf.d/*.conf\n", "sections"],
  ["pattern:\n  name: x\n", "sections"],
  ["mod-stats:\n  - id: default\n", "sections"],
  ["keystore:\n  - id: x\n    backend: pem\n", "sections"],
  ["", undefined],
  ["//\n// the zones of this server\n//\n", undefined],
  ["; zone file\n$TTL 300\n@ SOA a b 1 2 3 4 5\n", undefined],
  ["zone A 192.0.2.1\nkey A 192.0.2.1\n", undefined],
  ['key IN TXT "v=spf1 { -all"\n', undefined],
  ["include\n", undefined],
  ["options ; { moved }\nserver.example\n", undefined],
  ['; zone "a" { };\nwww A 192.0.2.1\n', undefined],
  ["records:\n  zone:\n    A: 192.0.2.1\n", undefined],
  ["zone: a.example\nrecords:\n  server:\n    A: 192.0.2.1\n  storage:\n    A: 192.0.2.1\n", undefined],
  ["zone:\n  a.example\nrecords: {}\n", undefined],
  ["server:\n  A: 192.0.2.1\n", undefined],
  ["server:\n  type: A\n  value: 192.0.2.1\nstorage:\n  type: A\n  value: 192.0.2.2\n", undefined],
  ["server:\n  - type: A\n    value: 192.0.2.1\n", undefined],
  ["server:\n  ttl: 60\n  type: A\n  value: 192.0.2.1\n", undefined],
  ["key:\n", undefined],
  ["example.com\nexample.net\n", undefined],
];

test.each(kinds)("%j is a configuration: %s", (text, kind) => {
  expect(configKind(text)).toBe(kind);
});

test("a long text is recognised in linear time", () => {
  const start = performance.now();
  for (const part of ["\n", " ", "zone ", "/* ", "# ", "zone:", "- ", "include: "]) configKind(part.repeat(300_000));
  expect(performance.now() - start).toBeLessThan(1000);
});
