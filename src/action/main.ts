import { createRunContext } from "../workflow/run-context.ts";
import { runAction } from "./run-action.ts";

const interruption = new AbortController();
// A runner that cancels a job sends SIGINT, some seconds later SIGTERM, then it kills the process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());

process.exitCode = await runAction(createRunContext(process, interruption.signal), (text) => {
  process.stdout.write(text);
});
