#!/usr/bin/env node
import { isAbsolute } from "node:path";
import { createRunContext } from "../workflow/project/run-context.ts";
import { cacheCompiledScripts } from "./cache-scripts.ts";
import { exitCode } from "./exit-code.ts";
import { optimizeLate } from "./optimize-late.ts";
import { runProgram } from "./program.ts";
import { createAsk, readAll, styleOf, type Terminal, widthOf } from "./terminal.ts";

const words = process.argv.slice(2);
if (!words.includes("serve")) optimizeLate();
cacheCompiledScripts();

const interruption = new AbortController();
const interrupt = () => interruption.abort();
// Once: a second signal finds no handler and ends the program at once.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, interrupt);

const { env, pid, kill } = process;
const terminal: Terminal = {
  ...createRunContext({ cwd: currentFolder, env, pid, kill }, interruption.signal),
  print: (text) => process.stdout.write(text),
  log: (text) => process.stderr.write(text),
  printStyle: styleOf(process.stdout, process.env),
  logStyle: styleOf(process.stderr, process.env),
  ask: process.stdin.isTTY && process.stderr.isTTY ? createAsk(process.stdin, process.stderr, interrupt) : undefined,
  readInput: () => readAll(process.stdin, interruption.signal),
  printWidth: () => widthOf(process.stdout),
  logWidth: () => widthOf(process.stderr),
};

let isOutputLost = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || isOutputLost) return; // the reader of a pipe may leave early
  isOutputLost = true;
  process.exitCode = exitCode.failed;
  process.stderr.write(`error[output] standard output cannot be written: ${error.message}\n`);
  interrupt();
});
process.stderr.on("error", () => {}); // the error cannot be reported

// Without `await` here: the single executable is a script in CommonJS, which has none outside of functions.
void runProgram(terminal, words).then((code) => {
  process.exitCode = isOutputLost ? exitCode.failed : code;
});

/** The folder of the process; if it was removed, the one that the shell names, in which no file is found. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    const { PWD = "" } = process.env;
    return isAbsolute(PWD) ? PWD : "/";
  }
}
