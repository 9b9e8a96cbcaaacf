import { randomBytes } from "node:crypto";
import type { RunContext } from "../../src/workflow/project/run-context.ts";
import { type Desk, noon } from "../cli/run.ts";

/** A run in the folder of a desk, at noon. */
export function contextOf(desk: Desk): RunContext {
  return {
    cwd: desk.folder,
    env: desk.env,
    signal: new AbortController().signal,
    now: () => noon,
    nonce: () => randomBytes(16).toString("hex"),
    sleep: async () => {},
    pid: 4711,
    repeat: () => () => {},
    isAlive: () => false,
    resolvers: () => [],
  };
}
