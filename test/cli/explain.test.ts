import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { exitMeanings } from "../../src/cli/exit-code.ts";
import { readAcks } from "../../src/config/acks.ts";
import { problemIds } from "../../src/diagnostics/registry.ts";
import { guards } from "../../src/planner/blocks/guards.ts";
import { terms } from "../../src/workflow/start/explain.ts";
import { Desk, lines } from "./run.ts";

const root = resolve(import.meta.dirname, "../..");

/** A terminal of 80 columns. */
function terminal(): Desk {
  const desk = new Desk();
  desk.width = 80;
  return desk;
}

test("explain private-address: reason, good and bad example, how to change its severity", async () => {
  expect(await terminal().run("explain private-address")).toEqual({
    code: 0,
    out: lines`
      private-address: warning, set practice (good practice)
        Private, loopback, multicast and other special-purpose addresses are
        unreachable from the internet, and private ones reveal internal hosts (RFC
        6890 and the IANA registries).

      Valid
        records:
          www: { A: 192.0.2.1 }

      Invalid
        records:
          intranet: { A: 10.0.0.1 }

      To change it in zonewright.yaml, alone or as a set (error, warning, note, off):
        rules: { private-address: off }
        rules: { practice: off }
      To lower it at one name, where an error becomes a warning and a warning a note:
        www: { lenient: [private-address], A: 192.0.2.1 }   # in YAML
        ;@ lenient www: private-address
    `,
    talk: "",
  });
});

test.each([
  [
    "error[cname-alone]",
    "cname-alone: error, set dns (rules of DNS)",
    "Its severity is fixed: the API rejects violations.",
  ],
  [
    "Field-Missing",
    "field-missing: error, set reading (syntax of zone files; severity is fixed)",
    "Its severity is fixed.",
  ],
  ["api/rate", "api/rate: error, set service (the API, name servers and the database)", "Its severity is fixed."],
  ["apex-ns", "apex-ns: note, set api (limits of the API)", "  rules: { apex-ns: off }"],
])("explain %s", async (rule, first, last) => {
  const { code, out } = await terminal().run(`explain ${rule}`);
  expect([code, out.split("\n").at(0), out.trimEnd().split("\n").at(-1)]).toEqual([0, first, last]);
});

test.each([
  ["g5", "G05"],
  ["g05", "G05"],
  ["G1", "G01"],
])("explain %s is that of %s", async (word, guard) => {
  expect(await terminal().run(`explain ${word}`)).toEqual(await terminal().run(`explain ${guard}`));
});

test.each([
  ["ack", '"ack" is not a rule, guard or exit code\n  Did you mean "acks"?'],
  ["efects", '"efects" is not a rule, guard or exit code\n  Did you mean "effects"?'],
  ["ack-expird", '"ack-expird" is not a rule, guard or exit code\n  Did you mean "ack-expired"?'],
  ["privat-address", '"privat-address" is not a rule, guard or exit code\n  Did you mean "private-address"?'],
  ["x", '"x" is not a rule, guard or exit code\n  Run `zonewright explain` to list all rules, guards and exit codes.'],
  [
    "constructor",
    '"constructor" is not a rule, guard or exit code\n  Run `zonewright explain` to list all rules, guards and exit codes.',
  ],
  [
    "G07",
    '"G07" is not a rule, guard or exit code\n  Run `zonewright explain` to list all rules, guards and exit codes.',
  ],
  [
    "\u001b[31m\u202e",
    '"\\x1b[31m\\u202e" is not a rule, guard or exit code\n  Run `zonewright explain` to list all rules, guards and exit codes.',
  ],
])("explain %j reports an unknown id", async (rule, said) => {
  expect(await terminal().run(`explain ${rule}`)).toEqual({ code: 3, out: "", talk: `error[rule-unknown] ${said}\n` });
});

test.each(["G04", "g04"])("explain %s: describes the guard and how to approve its changes", async (guard) => {
  expect(await terminal().run(`explain ${guard}`)).toEqual({
    code: 0,
    out: lines`
      G04: guard (delegation)
        Blocks a plan that creates, changes or deletes a delegation (NS, DS).
        Applies to new zones: no.

      How it counts
        Looks for NS and DS records that are created, changed or deleted. There is no
        limit: each one is blocked.
        No setting changes that.

      Example (- before, + after)
        + sub NS ns.example.net.

        blocked by G04 (delegation): sub.example.com NS: creates the delegation

      Not blocked
          sub NS ns.example.net.
        + www A 192.0.2.1

      To approve the changes for one run: --allow G04
      Or in acks.yaml, with the digits that ${"`"}zonewright plan${"`"} prints, and a reason:
        - { guard: G04, zone: example.com, effects: "…", reason: …, until: … }
    `,
    talk: "",
  });
});

test("explain G13: counts, thresholds with their defaults, an example and its approval", async () => {
  expect((await terminal().run("explain G13")).out).toBe(lines`
    G13: guard (many changes)
      Blocks a plan that changes many records in place in one zone, in one run, or
      in many zones.
      Applies to new zones: no.

    How it counts
      Counts the ${"`"}~${"`"} in the header of the plan, and in the headers of all zones:
      settings, and records changed in place, including changes of only the TTL. The
      limit is ${"`"}zone_deletes_least${"`"}, or ${"`"}zone_deletes_percent${"`"} of the records in the
      zone if that is more, but then at most ${"`"}zone_deletes_most${"`"}. For all zones
      together, the limits are ${"`"}run_deletes${"`"} changes, and ${"`"}run_zones${"`"} zones with
      changes.

      To change it in zonewright.yaml; these are the defaults:
        guards:
          zone_deletes_least: 3
          zone_deletes_percent: 10
          zone_deletes_most: 50
          run_deletes: 25
          run_zones: 5

    Example (- before, + after)
      - h{1..4} A 192.0.2.1
      + h{1..4} A 192.0.2.2
        h5 A 192.0.2.1

      blocked by G13 (many changes): example.com: changes 4 of 5 records in place;
      the limit is 3

    Example of a run (- before, + after)
      - h{1..26} A 192.0.2.1
      + h{1..26} A 192.0.2.2
        h{27..300} A 192.0.2.1

      blocked by G13 (many changes): this run: changes 26 records in place in one
      run; the limit is 25

    Not blocked
      - h{1..25} A 192.0.2.1
      + h{1..25} A 192.0.2.2
        h{26..300} A 192.0.2.1

    To approve the changes for one run: --allow G13
    Or in acks.yaml, with the digits that ${"`"}zonewright plan${"`"} prints, and a reason:
      - { guard: G13, zone: example.com, effects: "…", reason: …, until: … }
      - { guard: G13, zone: "*", effects: "…", reason: …, until: … }
  `);
});

/** The parts that differ between guards. */
test.each([
  ["G34", "", '  - { guard: G34, zone: "*", effects: "…", reason: …, until: … }'],
  ["G10", "  No setting changes that.", '  - { guard: G10, zone: "*", effects: "…", reason: …, until: … }'],
  [
    "G12",
    "  To switch it off at one name of a zone file: lenient: [private-address]",
    '  - { guard: G12, zone: example.com, effects: "…", reason: …, until: … }',
  ],
  ["G11", "  No setting changes that.", '  - { guard: G11, zone: sub.example.com, effects: "…", reason: …, until: … }'],
])("explain %s: its setting and its approval", async (guard, setting, approval) => {
  const { out } = await terminal().run(`explain ${guard}`);
  const found = out.split("\n").find((line) => /^ {2}(?:No setting|To switch)/.test(line)) ?? "";
  expect([found, out.trimEnd().split("\n").at(-1)]).toEqual([setting, approval]);
});

test.each([
  ["G02", "G01: guard (many deletions)"],
  ["g14", "G13: guard (many changes)"],
])("explain %s: a former guard is the check of the whole run by another one", async (id, head) => {
  const { code, out } = await terminal().run(`explain ${id}`);
  const [former, guard] = [id.toUpperCase(), head.slice(0, 3)];
  expect([code, ...out.split("\n").slice(0, 3)]).toEqual([
    0,
    `${former} is now ${guard}, for the run as a whole (zone "*")`,
    "",
    head,
  ]);
  expect(out.match(/^Example.*/gm)).toEqual(["Example of a run (- before, + after)"]);
  expect(out).toContain(`--allow ${former}\n`);
  expect(out.match(/^ {2}- \{ guard.*/gm)).toEqual([
    `  - { guard: ${guard}, zone: "*", effects: "…", reason: …, until: … }`,
  ]);
});

test.each(guards.map(({ guard }) => guard))("explain %s keeps to 80 columns", async (guard) => {
  const { out } = await terminal().run(`explain ${guard}`);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("explain 8: describes the exit code and lists its errors", async () => {
  expect(await terminal().run("explain 8")).toEqual({
    code: 0,
    out: lines`
      exit code 8
        try later: another apply is running, a rate limit, or maintenance

      Errors
        api/busy
        api/maintenance
        api/rate
        client/wait-timeout
        github/rate
        node-busy
        run-locked
    `,
    talk: "",
  });
});

test("explain 3: describes the exit code of all other errors", async () => {
  const { out } = await terminal().run("explain 3");
  expect(out.split("\n")).toEqual([
    "exit code 3",
    "  invalid input: a file, setting or flag value has to change, `fmt --check`",
    "  would change a file, or a guard blocks a change",
    "",
    "Errors: all that end with no other exit code.",
    "",
  ]);
});

test("explain exit-codes lists all codes in the words of docs/exit-codes.md", async () => {
  const { out } = await terminal().run("explain exit-codes");
  const explained = [...out.replaceAll(/\n {3,}/g, " ").matchAll(/^ {2}(\d+) +(.*)$/gm)].map(
    ([, code, meaning]) => `| ${code} | ${meaning} |`,
  );
  const rows = (file: string) => readFileSync(resolve(root, file), "utf8").match(/^\| \d+ \| .*\|$/gm) ?? [];
  expect(explained.length).toBe(11);
  expect(rows("docs/exit-codes.md").slice(0, explained.length)).toEqual(explained);
});

test("explain without argument lists every rule, guard and exit code", async () => {
  const { out } = await terminal().run("explain");
  const listed = [...out.matchAll(/^ {2}(\S+) /gm)].map(([, id]) => id);
  expect(listed.sort()).toEqual(
    [...problemIds, ...guards.map(({ guard }) => guard), ...terms, ...exitMeanings.map(([code]) => `${code}`)].sort(),
  );
  expect(out.split("\n").filter((line) => /^\S/.test(line))).toEqual([
    "api: limits of the API",
    "dns: rules of DNS",
    "practice: good practice",
    "reading: syntax of zone files; severity is fixed",
    "project: files, plans and runs of a project",
    "service: the API, name servers and the database",
    "github: GitHub, for pull requests",
    "words of plans and files",
    "guards: each blocks a plan that …, until someone approves it",
    "exit codes: how a command ended",
  ]);
});

test("explain resolves the former name of a rule", async () => {
  const { code, out } = await terminal().run("explain guard-held");
  expect([code, out.split("\n").slice(0, 3)]).toEqual([
    0,
    ["guard-held is now guard-blocked", "", "guard-blocked: error, set project (files, plans and runs of a project)"],
  ]);
});

test("a config with the former name of a rule is refused with its current name", async () => {
  const desk = new Desk({ "zonewright.yaml": "rules: { type-not-held: warning }\n", "zones/a.example.yaml": "{}\n" });
  expect((await desk.run("validate")).talk).toMatch('Did you mean "type-unsupported"?');
});

test.each([
  "explain",
  "explain private-address",
  "explain type-unsupported",
  "explain G09",
  "explain 3",
  "explain exit-codes",
])("%s keeps to 80 columns", async (command) => {
  const { out } = await terminal().run(command);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test.each([
  ["effects", "effects: the digest of what a plan changes"],
  ["acks", "acks.yaml: approvals of changes that guards block"],
  ["acks.yaml", "acks.yaml: approvals of changes that guards block"],
])("explain %s", async (word, first) => {
  const { code, out } = await terminal().run(`explain ${word}`);
  expect([code, out.split("\n")[0]]).toEqual([0, first]);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("the entry that `explain acks` shows is valid", async () => {
  const { out } = await new Desk().run("explain acks");
  const entry = /^ {2}- guard:.*\n(?: {4}.*\n)+/m.exec(out)?.[0] ?? "";
  expect(readAcks("acks.yaml", entry, ["G05"])).toMatchObject([{ guard: "G05", zone: "example.com" }]);
});
