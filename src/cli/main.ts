#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import type { Style } from "../report/palette.ts";
import type { Context } from "./context.ts";
import { runProgram } from "./program.ts";

const interrupt = new AbortController();
process.once("SIGINT", () => interrupt.abort());
process.once("SIGTERM", () => interrupt.abort());
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error; // the reader of a pipe may leave early
  });
}

const context: Context = {
  cwd: process.cwd(),
  env: process.env,
  out: (text) => process.stdout.write(text),
  talk: (text) => process.stderr.write(text),
  outStyle: styleOf(process.stdout),
  talkStyle: styleOf(process.stderr),
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  signal: interrupt.signal,
  now: () => new Date(),
};

process.exitCode = await runProgram(context, process.argv.slice(2));

function styleOf(stream: NodeJS.WriteStream): Style {
  const { NO_COLOR, FORCE_COLOR, TERM, LC_ALL } = process.env;
  const wanted = FORCE_COLOR ? FORCE_COLOR !== "0" : stream.isTTY === true && TERM !== "dumb";
  return { color: wanted && !NO_COLOR, unicode: LC_ALL !== "C" && LC_ALL !== "POSIX" && TERM !== "linux" };
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question, { signal: interrupt.signal });
  } finally {
    terminal.close();
  }
}
