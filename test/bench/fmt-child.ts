import { readFileSync } from "node:fs";
import { type ApiFile, formatCanonical, formatFile, readBind, readYaml } from "../formats/api.ts";
import { domainName } from "../names.ts";

/**
 * Runs one task with one zone file `times` times, in its own process: prints the CPU time of each in milliseconds,
 * garbage collection included.
 */
const [task = "", path = "", times = "1"] = process.argv.slice(2);
const form = path.endsWith(".yaml") ? "yaml" : "bind";
const file: ApiFile = { file: path, bytes: readFileSync(path), origin: domainName("example.com.") };
const other = form === "yaml" ? "bind" : "yaml";

const tasks: Record<string, () => unknown> = {
  // The reader of master files decodes the data of a record on first use; the rules of `validate` use all.
  read: () => (form === "yaml" ? readYaml(file) : readBind(file)).zone.records.map(({ data }) => data),
  fmt: () => formatFile(file, form),
  sort: () => formatCanonical(file, form, form, {}),
  convert: () => formatCanonical(file, form, other, {}),
};
const run = tasks[task];
if (!run) throw new Error(`unknown task "${task}"`);

const ms = Array.from({ length: Number(times) }, () => {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
});
console.log(JSON.stringify(ms));
