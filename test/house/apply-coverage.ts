import { writeFileSync } from "node:fs";
import { runProgram } from "../../src/cli/program.ts";
import { createRunContext } from "../../src/workflow/project/run-context.ts";
import { startCoverage } from "./coverage.ts";

/** Applies one record, and prints the files in which a function ran: `apply-coverage.ts URL`, in an empty folder. */
const [url = ""] = process.argv.slice(2);
const { env, pid, kill } = process;
const context = createRunContext({ cwd: () => process.cwd(), env, pid, kill }, new AbortController().signal);
const terminal = {
  ...context,
  print: () => {},
  log: (text: string) => process.stderr.write(text),
  printStyle: { color: false, unicode: false },
  logStyle: { color: false, unicode: false },
  ask: undefined,
  readInput: async () => "",
  printWidth: () => undefined,
  logWidth: () => undefined,
};
const apply = async (owner: string) => {
  const zone = "soa_email: hostmaster@example.com\nrecords:\n  www: { A: 192.0.2.1 }\n  warm: { A: 192.0.2.1 }\n";
  writeFileSync("example.com.yaml", `${zone}  ${owner}: { A: 192.0.2.1 }\n`);
  const code = await runProgram(terminal, ["apply", "--zones", ".", "--yes", "--quiet", "--api-url", url]);
  if (code !== 0) throw new Error(`apply ended with ${code}`);
};
// The first run loads what is loaded at its first use.
await apply("first");
const end = await startCoverage();
await apply("second");
console.log(JSON.stringify(await end()));
