#!/usr/bin/env node
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { exitCode } from "./exit-code.ts";
import { runProgram } from "./program.ts";
import { asker, styleOf, type Terminal } from "./terminal.ts";

const interruption = new AbortController();
const interrupt = () => interruption.abort();
// Once: a second signal finds no handler and ends the program at once.
process.once("SIGINT", interrupt);
process.once("SIGTERM", interrupt);

const terminal: Terminal = {
  cwd: process.cwd(),
  env: process.env,
  print: (text) => process.stdout.write(text),
  log: (text) => process.stderr.write(text),
  printStyle: styleOf(process.stdout, process.env),
  logStyle: styleOf(process.stderr, process.env),
  ask: process.stdin.isTTY && process.stderr.isTTY ? asker(process.stdin, process.stderr, interrupt) : undefined,
  signal: interruption.signal,
  now: () => new Date(),
  nonce: () => randomBytes(16).toString("hex"),
  sleep: (ms, signal) => delay(ms, undefined, signal && { signal }).catch(() => {}),
  width: process.stderr.isTTY ? process.stderr.columns : undefined,
  pid: process.pid,
  isAlive: (pid) => {
    try {
      return process.kill(pid, 0); // signal 0 only asks
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  },
};

let isOutputLost = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || isOutputLost) return; // the reader of a pipe may leave early
  isOutputLost = true;
  process.exitCode = exitCode.failed;
  process.stderr.write(`error[output] standard output cannot be written: ${error.message}\n`);
  interrupt();
});
process.stderr.on("error", () => {}); // there is nowhere left to say it

const code = await runProgram(terminal, process.argv.slice(2));
process.exitCode = isOutputLost ? exitCode.failed : code;
