import { createRunContext } from "../workflow/project/run-context.ts";
import { runHook } from "./hook.ts";
import { runAction } from "./run-action.ts";

const interruption = new AbortController();
// A runner that cancels a job sends SIGINT, some seconds later SIGTERM, then it kills the process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => interruption.abort());

const context = createRunContext(process, interruption.signal);
const write = (text: string) => {
  process.stdout.write(text);
};
// pre-commit names a hook and its options; a runner gives no arguments.
const words = process.argv.slice(2);
process.exitCode = await (words.length === 0 ? runAction(context, write) : runHook(context, words, write));
