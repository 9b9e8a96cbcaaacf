// @suite long

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isMissing } from "../judges.ts";
import { isNightly } from "../properties.ts";
import { programWords } from "./process.ts";
import { Desk, lines } from "./run.ts";

/** Command lines up to the cursor, and all candidates there, or some of them. */
const cases: readonly [line: string, offered: readonly string[]][] = [
  ["pl", ["plan"]],
  ["server token ", ["create", "list", "revoke"]],
  ["server token create --sc", ["--scopes"]],
  ["api list-d", ["list-disks", "list-domains"]],
  ["api list-domains --fil", ["--filter"]],
  ["api create-domain --fil", []],
  ["server oper", ["operator"]],
  ["server operator a", ["account"]],
  [
    "server operator ",
    ["account", "client", "credential", "maintenance", "managed", "node", "notice", "sshkey", "ticket"],
  ],
  ["server operator account ", ["list", "pay", "reopen", "statement"]],
  ["server operator account list --d", ["--data"]],
  ["plan --rep", ["--report", "--report-url"]],
  ["plan --report j", ["json", "junit"]],
  ["plan exa", ["example.com", "example.net"]],
  ["plan --zones zo", ["zones/"]],
  ["plan --config zonew", ["zonewright.yaml"]],
  ["plan --config other/z.yaml exa", ["example.org"]],
  ["plan --config=other/z.yaml exa", ["example.org"]],
  ["plan --zones octo exa", ["example.net"]],
  ["undo --config other/z.yaml ", ["last", "20260101T000000"]],
  ["runs ", ["last", "20260304T120000"]],
  ["undo la", ["last"]],
  ["apply --allow G05,G06", ["G05,G06"]],
  ["explain private", ["private-address"]],
  ["explain eff", ["effects"]],
  ["help zone", ["zone-files"]],
  ["help import ", ["api", "axfr", "file", "remote", "status"]],
  ["help server operator acc", ["account"]],
  ["help server tok", ["token"]],
  ["help plan ", []],
  ["help dri", ["drift", "drift.md"]],
  ["apply ", ["example.com", "example.net", "plan.json", "plans/old.json"]],
  ["explain G0", ["G01", "G03", "G04", "G05", "G06", "G08", "G09"]],
];

function newDesk(): Desk {
  const desk = new Desk({
    "zonewright.yaml": "zones: [zones, { path: octo, format: octodns }]\n",
    "zones/example.com.yaml": "",
    "octo/example.net.yaml": "",
    "plan.json": '{\n  "format": "zonewright.plan/1"\n}\n',
    "plans/old.json": '{"format":"zonewright.plan/1"}',
    "package.json": "{}\n",
    "other/z.yaml": "zones: dns\n",
    "other/dns/example.org.yaml": "",
    "other/.zonewright/runs/20260101T000000/journal.jsonl": "",
    ".zonewright/runs/20260304T120000/journal.jsonl": "",
    "bin/zonewright": `#!/bin/sh\nexec ${programWords.map((word) => `"${word}"`).join(" ")} "$@"\n`,
  });
  chmodSync(join(desk.folder, "bin/zonewright"), 0o755);
  return desk;
}

/** The output of a shell's script: `[line]`, then the candidates, one per line. */
function offersOf(desk: Desk, shell: string, args: readonly string[]): Record<string, string[]> {
  const env = { HOME: desk.folder, PATH: `${desk.folder}/bin:${process.env.PATH}`, TERM: "dumb" };
  const { stdout, stderr } = spawnSync(shell, args, { cwd: desk.folder, env, encoding: "utf8", timeout: 30_000 });
  expect(stderr).toBe("");
  const blocks = stdout.split(/^\[/m).slice(1);
  return Object.fromEntries(
    blocks.map((block) => {
      const [line = "", ...words] = block.trimEnd().split("\n");
      return [line.slice(0, -1), words.map((word) => word.split("\t")[0] ?? "")];
    }),
  );
}

/** The cases of the other shells, whose scripts ask the same program: every third, as each question starts it. */
const someCases = isNightly ? cases : cases.filter((_, index) => index % 3 === 0);

/** Compares what is offered, whichever way a shell marks folders, and whether it repeats what is before a comma. */
function expectOffers(offers: Record<string, string[]>, expected = someCases): void {
  const normal = (words: readonly string[]) => [...new Set(words.map((word) => word.replace(/\/$|^.*,/g, "")))].sort();
  const given = Object.entries(offers).map(([line, words]) => [line, normal(words)]);
  expect(Object.fromEntries(given)).toEqual(Object.fromEntries(expected.map(([line, words]) => [line, normal(words)])));
}

test.skipIf(isMissing("bash"))("bash completes commands, flags, their values, zones, runs and guards", () => {
  const script = lines`
    source <(zonewright completion bash)
    offer() { COMP_WORDS=("\${@:2}"); COMP_CWORD=$(($# - 2)); _zonewright; echo "[$1]"; printf '%s\\n' "\${COMPREPLY[@]}"; }
  `
    .replaceAll("\\$", "$")
    .replaceAll("\\\\n", "\\n");
  // As bash does, with the = of --flag=value as a word of its own.
  const wordsOf = (line: string) => line.replace("=", " = ").replace(/ $/, ' ""');
  const calls = cases.map(([line]) => `offer "${line}" zonewright ${wordsOf(line)}\n`).join("");
  expectOffers(offersOf(newDesk(), "bash", ["--norc", "-c", script + calls]), cases);
});

test.skipIf(isMissing("bash"))("bash runs nothing that a name contains", () => {
  const desk = newDesk();
  desk.write("bin/foreign", "#!/bin/sh\nprintf '%s\\n' '$(touch ran)' '`touch ran`' '*' 'a b'\n");
  chmodSync(join(desk.folder, "bin/foreign"), 0o755);
  const calls = ["plan", "runs"].map((word) => `COMP_WORDS=(foreign ${word} ''); _zonewright; offered`).join("\n");
  const script = `source <(zonewright completion bash); COMP_CWORD=2
    offered() { echo "[\${COMP_WORDS[1]}]"; printf '%s\\n' "\${COMPREPLY[@]:0:4}"; }\n${calls}`;
  const names = ["$(touch ran)", "`touch ran`", "*", "a b"];
  expect(offersOf(desk, "bash", ["--norc", "-c", script])).toEqual({ plan: names, runs: names });
  expect(existsSync(join(desk.folder, "ran"))).toBe(false);
});

test.skipIf(isMissing("fish"))("fish completes the same", () => {
  const calls = someCases.map(([line]) => `echo "[${line}]"; complete -C "zonewright ${line}"\n`).join("");
  expectOffers(offersOf(newDesk(), "fish", ["--no-config", "-c", `zonewright completion fish | source\n${calls}`]));
});

test.skipIf(isMissing("fish"))("fish shows the meaning of each guard, for approvals and for explain", () => {
  const { stdout } = spawnSync(
    "fish",
    [
      "--no-config",
      "-c",
      'zonewright completion fish | source; complete -C "zonewright explain G0"; complete -C "zonewright apply --allow G05,G0"',
    ],
    {
      cwd: newDesk().folder,
      env: { HOME: "/nowhere", PATH: `${newDesk().folder}/bin:${process.env.PATH}`, TERM: "dumb" },
      encoding: "utf8",
    },
  );
  const about = "deletes, disables or enables a domain, or changes it from primary to secondary or back";
  expect(stdout.split("\n").filter((line) => line.includes("G06"))).toEqual([`G06\t${about}`, `G05,G06\t${about}`]);
});

test.skipIf(isMissing("zsh"))("zsh completes the same", () => {
  const desk = newDesk();
  // A terminal of zsh's own, in which every call of the builtin that offers words is written down.
  desk.write(
    "setup.zsh",
    [
      "PS1= PROMPT_SP= RPS1=; unsetopt beep; autoload -Uz compinit; compinit -u -D",
      "source <(zonewright completion zsh)",
      "compadd () {",
      '  [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]] || { local -a hits; builtin compadd -A hits "$@"; (( $#hits )) && print -rl -- $hits >> out }',
      '  builtin compadd "$@"',
      "}",
      "finish () { print end >> out; zle kill-whole-line }; zle -N finish; bindkey '^X' finish; print end >> out",
    ].join("\n"),
  );
  desk.write(
    "drive.zsh",
    [
      "zmodload zsh/zpty; zpty -b z zsh -f -i",
      "wait_end () { local text; until [[ -f out && $(<out) == *end ]]; do zpty -rt z text; sleep 0.02; done; grep -v '^end$' out; rm out }",
      "zpty -w z 'source ./setup.zsh'; wait_end",
      ...someCases.map(([line]) => `print '[${line}]'; zpty -wn z 'zonewright ${line}'$'\\t\\C-x'; wait_end`),
      "zpty -d z",
    ].join("\n"),
  );
  expectOffers(offersOf(desk, "zsh", ["-f", "drive.zsh"]));
});

test("zones and runs come from names alone; what cannot be read offers nothing and reports nothing", async () => {
  const desk = newDesk();
  expect(await desk.run("__complete zones")).toEqual({ code: 0, out: "example.com\nexample.net\n", talk: "" });
  desk.write("zonewright.yaml", "zones: [\n");
  expect(await desk.run("__complete zones")).toEqual({ code: 0, out: "example.com\n", talk: "" });
  expect(await new Desk().run("__complete zones")).toEqual({ code: 0, out: "", talk: "" });
  expect(await new Desk().run("__complete runs")).toEqual({ code: 0, out: "last\n", talk: "" });
});

test("a folder with very many entries, such as /, is not read to its end", async () => {
  const desk = new Desk({ "zones/a/a.example.yaml": "" });
  for (let index = 0; index < 20_000; index++) writeFileSync(join(desk.folder, `zones/${index}.example.yaml`), "");
  const offered = (await desk.run("__complete zones")).out.split("\n");
  expect(offered.length).toBeGreaterThan(19_000);
  expect(offered).not.toContain("a.example");
});

test("names that a shell would expand or run, or that look like flags, are not offered", async () => {
  const desk = newDesk();
  for (const name of ["$(id)", "`id`", "a;id", "--force", "*", "x%24%28id%29", "a'b", "a\nb", "\u001b[2J"]) {
    desk.write(`zones/${name}.yaml`, "");
    desk.write(`.zonewright/runs/${name}/journal.jsonl`, "");
  }
  expect((await desk.run("__complete zones")).out).toBe("example.com\nexample.net\n");
  expect((await desk.run("__complete runs")).out).toBe("last\n20260304T120000\n");
});

test("an unknown shell is a usage error", async () => {
  expect(await new Desk().run("completion csh")).toEqual({
    code: 64,
    out: "",
    talk: 'error: completion supports bash, zsh and fish, not "csh".\n',
  });
});
