import { randomBytes } from "node:crypto";
import { getServers } from "node:dns";
import { setTimeout as delay } from "node:timers/promises";
import type { Problem } from "../../diagnostics/problem.ts";
import type { OnProgress } from "./progress.ts";

/** The environment of one run: folder, variables, clock, and other processes. */
export interface RunContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user wants to stop. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** 32 random hexadecimal digits. */
  readonly nonce: () => string;
  /** Waits, in milliseconds; ends early when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls `action` every `ms` milliseconds while the program runs. Returns the function that ends this. */
  readonly repeat: (ms: number, action: () => void) => () => void;
  /** This process, and whether another one of this machine still runs. */
  readonly pid: number;
  readonly isAlive: (pid: number) => boolean;
  /** Ends the processes of a group at once; without it, only the program that was started ends at its time limit. */
  readonly endGroup?: (group: number) => void;
  /** The addresses of the resolvers of this machine. */
  readonly resolvers: () => readonly string[];
  /** Called during long tasks. */
  readonly onProgress?: OnProgress;
  /** Called with the reason and the seconds of each wait that the service asks for. */
  readonly onWait?: (why: string | undefined, seconds: number) => void;
  /** Called with a note on the service itself, once for each connection. */
  readonly onNote?: (note: Problem) => void;
  /** Called when a service has not replied for some seconds, and again while it does not. */
  readonly onSilence?: (origin: string, seconds: number) => void;
}

/** Reports each note once, by its summary. */
export function reportOnce(report: (note: Problem) => void): (note: Problem) => void {
  const reported = new Set<string>();
  return (note) => {
    if (reported.has(note.summary)) return;
    reported.add(note.summary);
    report(note);
  };
}

/** The context of runs in a program, given its `process`; without a signal, runs are not interrupted. */
export function createRunContext(
  { cwd, env, pid, kill }: Pick<NodeJS.Process, "cwd" | "env" | "pid" | "kill">,
  signal: AbortSignal = new AbortController().signal,
): RunContext {
  return {
    cwd: cwd(),
    env,
    signal,
    now: () => new Date(),
    nonce: () => randomBytes(16).toString("hex"),
    sleep: (ms, signal) => delay(ms, undefined, signal && { signal }).catch(() => {}),
    repeat: (ms, action) => {
      const timer = setInterval(action, ms).unref();
      return () => clearInterval(timer);
    },
    resolvers: getServers,
    pid,
    isAlive: (pid) => {
      try {
        return kill(pid, 0); // signal 0 only asks
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
      }
    },
    endGroup: (group) => {
      try {
        kill(-group, "SIGKILL");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    },
  };
}
