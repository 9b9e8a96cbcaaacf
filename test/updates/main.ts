import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describeJudge, findMissing } from "../judges.ts";
import { printFilePeers } from "./file-peers.ts";
import { type Cells, judge } from "./judge.ts";
import { printPeers } from "./peers.ts";
import { type Configuration, configurations } from "./servers.ts";

/**
 * `npm run judge:updates [-- NAME…] [-- --write]`: measures how BIND, Knot and PowerDNS treat dynamic updates, and
 * prints the table of docs/dynamic-updates.md, of all configurations or those with a NAME in theirs. `--write` puts it
 * there.
 */
const page = fileURLToPath(new URL("../../docs/dynamic-updates.md", import.meta.url));
const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("--"));
if (names[0] === "peers") {
  await printPeers(names.slice(1));
  process.exit();
}
if (names[0] === "files") {
  await printFilePeers();
  process.exit();
}
const all = Object.keys(configurations) as Configuration[];
const chosen = all.filter((name) => names.length === 0 || names.some((word) => name.includes(word)));
const missing = findMissing(["named", "knotd", "pdns_server", "pdns-backend-sqlite3", "octodns-validate"]);
if (missing.length > 0 || chosen.length === 0) {
  console.error(missing.map(describeJudge).join(", ") || `No configuration is called so: ${all.join("; ")}`);
  process.exit(2);
}

const versions = [
  ["BIND", "named", "-v"],
  ["Knot", "knotd", "-V"],
  ["PowerDNS", "pdns_server", "--version"],
].map(([name = "", program = "", option = ""]) => {
  const { stdout, stderr } = spawnSync(program, [option], { encoding: "utf8" });
  return `${name} ${/\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0]}`;
});

const columns: (readonly [Configuration, Cells])[] = [];
for (const name of chosen) columns.push([name, await judge(name)]);
const rows = Object.keys(columns[0]?.[1] ?? {});
const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const table = [
  line(["update", ...columns.map(([name]) => name)]),
  `|${"---|".repeat(columns.length + 1)}`,
  ...rows.map((row) => line([row, ...columns.map(([, cells]) => cells[row] ?? "")])),
].join("\n");
const printed = `Measured with ${versions.join(", ")}.\n\n${table}`;
console.log(printed);

if (words.includes("--write")) {
  if (chosen.length < all.length) throw new Error("only a table of all configurations can be written");
  const marks = /(<!-- judged [^\n]*-->\n)[\s\S]*(?=\n<!-- end of judged -->)/;
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace(marks, (_, mark: string) => `${mark}\n${printed}\n`),
  );
}
