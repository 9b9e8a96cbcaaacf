import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { optimizeLate } from "../../src/cli/optimize-late.ts";
import { SourceText } from "../../src/diagnostics/source-text.ts";
import { originOf } from "../../src/formats/files.ts";
import { readTree } from "../../src/formats/yaml/tree.ts";
import { readOctodns, readYaml } from "../formats/api.ts";

/** Reads the files of a folder several times: prints the processor time of the first, and the best of the others. */
optimizeLate(); // as the program does
const [folder = "", format, what, reader] = process.argv.slice(2);
const files = readdirSync(folder).map((file) => {
  const text = readFileSync(join(folder, file), "utf8");
  // A line separator in a comment leaves the same file to the library.
  const bytes = Buffer.from(reader === "library" ? `${text}# \u2028\n` : text);
  return { file, bytes, origin: originOf(file) };
});
const times = Array.from({ length: 6 }, () => {
  const before = process.cpuUsage();
  for (const file of files) {
    if (what === "tree") readTree(new SourceText(file.file, file.bytes.toString()), () => {});
    else (format === "yaml" ? readYaml : readOctodns)(file);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
});
const [cold = 0, ...warm] = times;
console.log(JSON.stringify({ cold, warm: Math.min(...warm) }));
