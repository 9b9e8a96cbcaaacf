import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { codeOf, filesOf, root, type SourceFile } from "./house/files.ts";
import { drawings } from "./house/floors.ts";
import { flatFolders } from "./house/folders.ts";
import { overgrownFunctions } from "./house/functions.ts";
import { filesThatRun } from "./house/running.ts";
import { advisedFlags, namesWithSeveralMeanings } from "./house/words.ts";

/**
 * `npm run house`: measures the structure of the code, so that two commits can be compared. `-- --list` lists what each
 * count is made of, `-- --draw` draws the floors only.
 */

const total = (files: readonly SourceFile[]) => files.reduce((sum, { lines }) => sum + lines, 0);
const count = (files: readonly SourceFile[], pattern: RegExp) =>
  files.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);
const countCode = (files: readonly SourceFile[], pattern: RegExp) =>
  files.reduce((sum, { text }) => sum + [...codeOf(text).matchAll(pattern)].length, 0);

/**
 * The parameters of each function that is declared by `function` or as a method, counted at the top level of its
 * parentheses.
 */
function longSignatures(files: readonly SourceFile[], least: number): number {
  let found = 0;
  for (const { text } of files)
    for (const { index, 0: head } of text.matchAll(
      /\bfunction\*? ?\w*(?:<[^(]*>)?\(|^ {2}(?:async |static |\*)*#?\w+(?:<[^(]*>)?\((?=[^)]*:)/gm,
    )) {
      let depth = 1;
      let commas = 0;
      let isTrailing = false;
      for (let at = index + head.length; at < text.length && depth > 0; at++) {
        const character = text[at] ?? "";
        if (text[at - 1] === "=" && character === ">") continue;
        if ("([{<".includes(character)) depth++;
        else if (")]}>".includes(character)) depth--;
        else if (character === "," && depth === 1) commas++;
        if (depth > 0 && character.trim() !== "") isTrailing = character === "," && depth === 1;
      }
      if (commas + (isTrailing ? 0 : 1) >= least) found++;
    }
  return found;
}

/** Files that a single other file imports. */
function withOneImporter(files: readonly SourceFile[]): SourceFile[] {
  const importers = new Map<string, number>();
  for (const { path, text } of files)
    for (const [, target = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
      const imported = resolve(root, dirname(path), target);
      importers.set(imported, (importers.get(imported) ?? 0) + 1);
    }
  return files.filter(({ path }) => importers.get(resolve(root, path)) === 1);
}

/** The CPU time of a run of node, in milliseconds: the median of five, user and system. */
function cpuOf(...args: string[]): number {
  const code =
    "const { ru } = process; process.on('exit', () => { const { user, system } = process.cpuUsage(); require('node:fs').writeSync(2, `\\ncpu ${user + system}`); });";
  const preload = `data:text/javascript,${encodeURIComponent(`import { createRequire } from "node:module"; const require = createRequire("/"); ${code}`)}`;
  const times = Array.from({ length: 5 }, () => {
    const { stderr } = spawnSync(process.execPath, ["--import", preload, ...args], { encoding: "utf8", cwd: root });
    return Number(/cpu (\d+)$/.exec(stderr)?.[1]) / 1000;
  });
  return times.sort((a, b) => a - b)[2] ?? Number.NaN;
}

/** The number of times that one `validate` reads the project's config file. */
function configReads(): number {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-house-"));
  try {
    writeFileSync(join(folder, "zonewright.yaml"), "zones: .\n");
    writeFileSync(join(folder, "example.com.zone"), ";@ soa_email: a@example.com\n$TTL 1h\nwww A 192.0.2.1\n");
    const hook = `
      import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      let reads = 0;
      const read = fs.readFileSync;
      fs.readFileSync = (path, ...rest) => { if (String(path).endsWith("zonewright.yaml")) reads++; return read(path, ...rest); };
      syncBuiltinESMExports();
      process.on("exit", () => fs.writeSync(2, "\\nreads " + reads));`;
    const args = [
      "--import",
      `data:text/javascript,${encodeURIComponent(hook)}`,
      join(root, "dist/cli/main.js"),
      "validate",
    ];
    const { stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: folder });
    return Number(/reads (\d+)$/.exec(stderr)?.[1]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A count, and the things that it counts, which `--list` prints. */
interface Row {
  readonly what: string;
  readonly number: string | number;
  readonly list?: readonly string[];
}

if (process.argv.includes("--draw")) {
  process.stdout.write(`${drawings().join("\n\n")}\n`);
  process.exit();
}
const src = filesOf("src");
const test = filesOf("test");
const rows: Row[] = [...sizes(), ...rooms(), ...words(), ...functions(), ...(await running())];
if (process.argv.includes("--tests")) {
  const start = performance.now();
  spawnSync("npm", ["test"], { cwd: root, stdio: "ignore" });
  rows.push({ what: "seconds of npm test", number: Math.round((performance.now() - start) / 1000) });
}
for (const { what, number, list = [] } of rows) {
  process.stdout.write(`${String(number).padStart(7)}  ${what}\n`);
  if (process.argv.includes("--list")) for (const line of list) process.stdout.write(`           ${line}\n`);
}

function sizes(): Row[] {
  const small = withOneImporter(src).filter(({ lines }) => lines < 40);
  return [
    { what: "lines in src", number: total(src) },
    { what: "files in src", number: src.length },
    { what: "lines in test", number: total(test) },
    { what: "files in test", number: test.length },
    {
      what: "files with one importer and under 40 lines",
      number: small.length,
      list: small.map(({ path, lines }) => `${path} (${lines})`),
    },
    { what: "lines that the formatter leaves alone", number: count([...src, ...test], /biome-ignore\sformat/g) },
  ];
}

function rooms(): Row[] {
  const flat = flatFolders(src);
  const [[folder, largest] = ["", 0]] = flat;
  const large = flat.filter(([, files]) => files > 25).map(([name, files]) => `${name} (${files})`);
  return [{ what: `files in the largest flat folder, ${folder}`, number: largest, list: large }];
}

function words(): Row[] {
  const below = src.filter(({ path }) => !/^src\/(?:cli|action)\//.test(path));
  const advice = advisedFlags(below, commandNames());
  const names = [...namesWithSeveralMeanings(src)];
  return [
    {
      what: "flags and commands of zonewright named below cli and action",
      number: advice.length,
      list: advice.map(({ path, line, text }) => `${path}:${line} ${text}`),
    },
    {
      what: "exported names with several meanings",
      number: names.length,
      list: names.map(([name, paths]) => `${name}: ${paths.join(", ")}`),
    },
    {
      what: "casts on RDATA",
      number: countCode(src, /\bdata(?:\.\w+|\[[^\]]+\])? as (?!const)|\bdata\.\w+\)? as /g),
    },
    { what: ".toLowerCase()", number: countCode(src, /\.toLowerCase\(\)/g) },
    {
      what: "wildcard owner names built outside dns/lookup/lookup.ts",
      number: count(
        src.filter(({ path }) => !path.endsWith("dns/lookup/lookup.ts")),
        /`\*\.\$\{/g,
      ),
    },
  ];
}

/** The commands of the program, by the names of their files. */
function commandNames(): string[] {
  return src.flatMap(({ path }) => /^src\/cli\/commands\/([a-z]+)\.ts$/.exec(path)?.[1] ?? []);
}

function functions(): Row[] {
  const { long, complex } = overgrownFunctions({ lines: 50, complexity: 20 });
  const placed = (found: typeof long) => found.map(({ path, line }) => `${path}:${line}`);
  return [
    { what: "functions with five or more parameters", number: longSignatures(src, 5) },
    { what: "functions over 50 lines", number: long.length, list: placed(long) },
    { what: "functions with a cognitive complexity over 20", number: complex.length, list: placed(complex) },
  ];
}

async function running(): Promise<Row[]> {
  const { apply, create } = await filesThatRun();
  return [
    { what: "files that run when one record is applied", number: apply.length, list: apply },
    { what: "files that run when the server creates a record", number: create.length, list: create },
    { what: "config reads in one validate", number: configReads() },
    { what: "CPU ms of node -e 0", number: Math.round(cpuOf("-e", "0")) },
    { what: "CPU ms of zonewright --version", number: Math.round(cpuOf("dist/cli/main.js", "--version")) },
    { what: 'CPU ms of import "zonewright/client"', number: cpuOfImport("client") },
    { what: 'CPU ms of import "zonewright"', number: cpuOfImport("index") },
  ];
}

function cpuOfImport(file: string): number {
  return Math.round(cpuOf("-e", `import("${join(root, `dist/library/${file}.js`)}")`));
}
