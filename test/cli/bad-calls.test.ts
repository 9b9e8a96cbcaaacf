import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiDesk, lines } from "./run.ts";

const zone = "soa_email: hostmaster@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";
const files = { "zones/example.com.yaml": zone, "zones/example.net.yaml": zone };

/** Calls that make no sense: exit code 64, a sentence, nothing done. */
const rows: [command: string, talk: string][] = [
  ["aply", "error: unknown command 'aply'\n  Did you mean apply?\n"],
  ["plan --jsno", "error: unknown option '--jsno'\n  Run `zonewright plan --help` for its usage.\n"],
  [
    "plan --zone x",
    "error: unknown option '--zone'\n  Name zones without an option, as in `zonewright plan example.com`.\n",
  ],
  [
    "plan --config",
    "error: option '--config <file>' argument missing\n  Run `zonewright plan --help` for its usage.\n",
  ],
  [
    "drift --snapshot=",
    "error: option '--snapshot <file>' argument '' is invalid. It is empty.\n  Run `zonewright drift --help` for its usage.\n",
  ],
  [
    "plan --report xml",
    'error: --report xml: unknown format "xml". Formats: text, json, markdown, github, gitlab, html, junit, sarif, codequality.\n',
  ],
  [
    "plan --out plan.json --expires 0s",
    'error: --expires 0s: such a plan could never be applied. Write a duration such as "2h" or "1d".\n',
  ],
  [
    "export",
    "error: required option '--to <format>' not specified\n  Choose one: bind, yaml, octodns, dns-zonefile, records, named.conf, knot.conf, nsd.conf. Run `zonewright export --help` for its usage.\n",
  ],
  [
    "export --to json",
    "error: option '--to <format>' argument 'json' is invalid. Allowed choices are bind, yaml, octodns, dns-zonefile, records, named.conf, knot.conf, nsd.conf.\n  Run `zonewright export --help` for its usage.\n",
  ],
  ["export --to bind", "error: 2 zones cannot be written to one bind file: add --out FOLDER, or name one zone.\n"],
  ["export --to yaml", "error: 2 zones cannot be written to one yaml file: add --out FOLDER, or name one zone.\n"],
  [
    "export --to bind --origin example.com",
    "error: --origin sets the zone of a file: name one file, without --live and --rendered.\n",
  ],
  ["import file", "error: no files are given. Name files, or folders with files.\n"],
  [
    "serve now",
    "error: too many arguments for 'serve'. Expected 0 arguments but got 1.\n  Run `zonewright serve --help` for its usage.\n",
  ],
  ["serve --port dns", 'error: --port must be a number from 0 to 65535, not "dns".\n'],
  ["serve --port 65536", 'error: --port must be a number from 0 to 65535, not "65536".\n'],
  ["serve --port -1", 'error: --port must be a number from 0 to 65535, not "-1".\n'],
  ["serve --strict-keys", "error: --strict-keys needs --profile live.\n"],
  [
    "serve --ephemeral --no-first-token",
    "error: --ephemeral with --no-first-token leaves no way to create a token. Add --token-file, or set ZONEWRIGHT_SERVE_TOKEN.\n",
  ],
  [
    "serve --survey-link survey.example",
    'error: --survey-link must be a URL, such as https://example.com/survey, not "survey.example".\n',
  ],
  ...["dns.example.com", "ftp://dns.example.com", "https://dns.example.com/login", "https://a:b@dns.example.com"].map(
    (url): [string, string] => [
      `serve --auth-url ${url}`,
      `error: --auth-url must be a scheme and a host, such as https://dns.example.com, not "${url}".\n`,
    ],
  ),
  ["serve --token käse", "error: the token of --token must be one word of printable ASCII characters.\n"],
];

test.each(rows)("%s", async (command, talk) => {
  const desk = await apiDesk(files);
  expect(await desk.run(command)).toEqual({ code: 64, out: "", talk });
  expect(desk.writes).toEqual([]);
  expect(desk.files()).toEqual(files);
});

test("apply without a terminal requires --yes", async () => {
  const desk = await apiDesk(files);
  expect(await desk.run("apply example.com")).toEqual({
    code: 64,
    out: lines`
      example.com                               +2 create
        1 + create  (zone)  master; soa_email hostmaster@example.com  disabled until its records are written
        2 + create  www     A  86400  192.0.2.1                       zones/example.com.yaml:4
      plan: 2 changes in 1 of 1 zone · effects 2af64ceb · 1 read
      apply sends 3 writes and 6 reads (no rate limit)
    `,
    talk: "error: no terminal to confirm on: review the plan, then run the same command with --yes.\n",
  });
  expect(desk.writes).toEqual([]);
});

test("prints help on standard error without a command", async () => {
  const { code, out, talk } = await (await apiDesk()).run("");
  expect({ code, out, talk: talk.split("\n")[0] }).toEqual({ code: 64, out: "", talk: "Example:" });
});

test("every usage error is one sentence after `error:`, like those of unknown options", () => {
  const folder = new URL("../../src/", import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const starts = sources.flatMap((file) => {
    const text = readFileSync(new URL(file, folder), "utf8");
    return [...text.matchAll(/usageError\(\s*["`]([^"`]*)/g)].map(([, start = ""]) => start);
  });
  expect(starts.length).toBeGreaterThan(25);
  expect(starts.filter((start) => /^(?:[A-Z][a-z ]|error)/.test(start))).toEqual([]);
  for (const [, talk] of rows) expect(talk).toMatch(/^error: /);
});
