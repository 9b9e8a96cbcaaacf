import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";

/** `npm run house`: measures the structure of the code, so that two commits can be compared. */

const root = resolve(import.meta.dirname, "..");

interface File {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}

function filesOf(folder: string): File[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => {
      const path = join(root, folder, name);
      const text = readFileSync(path, "utf8");
      return { path, text, lines: text.split("\n").length - 1 };
    });
}

/** The text of a file without its comments and the words of its messages: what the compiler reads. */
function codeOf(text: string): string {
  return text.replace(/"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|(?<=^|[\s;])\/\/[^\n]*/g, (part) =>
    part.startsWith('"') ? '""' : "",
  );
}

const total = (files: readonly File[]) => files.reduce((sum, { lines }) => sum + lines, 0);
const count = (files: readonly File[], pattern: RegExp) =>
  files.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);
const countCode = (files: readonly File[], pattern: RegExp) =>
  files.reduce((sum, { text }) => sum + [...codeOf(text).matchAll(pattern)].length, 0);

/**
 * The parameters of each function that is declared by `function` or as a method, counted at the top level of its
 * parentheses.
 */
function longSignatures(files: readonly File[], least: number): number {
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
function withOneImporter(files: readonly File[]): File[] {
  const importers = new Map<string, number>();
  for (const { path, text } of files)
    for (const [, target = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
      const imported = resolve(dirname(path), target);
      importers.set(imported, (importers.get(imported) ?? 0) + 1);
    }
  return files.filter(({ path }) => importers.get(path) === 1);
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

const src = filesOf("src");
const test = filesOf("test");
const small = withOneImporter(src).filter(({ lines }) => lines < 40);
const nothing = cpuOf("-e", "0");
const rows: [string, string | number][] = [
  ["lines in src", total(src)],
  ["files in src", src.length],
  ["lines in test", total(test)],
  ["files in test", test.length],
  ["casts on RDATA", countCode(src, /\bdata(?:\.\w+|\[[^\]]+\])? as (?!const)|\bdata\.\w+\)? as /g)],
  [".toLowerCase()", countCode(src, /\.toLowerCase\(\)/g)],
  ["functions with five or more parameters", longSignatures(src, 5)],
  ["files with one importer and under 40 lines", small.length],
  [
    "wildcard owner names built outside dns/lookup.ts",
    count(
      src.filter(({ path }) => !path.endsWith("dns/lookup.ts")),
      /`\*\.\$\{/g,
    ),
  ],
  ["lines that the formatter leaves alone", count([...src, ...test], /biome-ignore\sformat/g)],
  ["config reads in one validate", configReads()],
  ["CPU ms of node -e 0", Math.round(nothing)],
  ["CPU ms of zonewright --version", Math.round(cpuOf("dist/cli/main.js", "--version"))],
  [
    'CPU ms of import "zonewright/client"',
    Math.round(cpuOf("-e", `import("${join(root, "dist/library/client.js")}")`)),
  ],
];
if (process.argv.includes("--tests")) {
  const start = performance.now();
  spawnSync("npm", ["test"], { cwd: root, stdio: "ignore" });
  rows.push(["seconds of npm test", Math.round((performance.now() - start) / 1000)]);
}
for (const [what, number] of rows) process.stdout.write(`${String(number).padStart(7)}  ${what}\n`);
if (process.argv.includes("--files"))
  for (const { path, lines } of small) process.stdout.write(`${String(lines).padStart(7)}  ${relative(root, path)}\n`);
