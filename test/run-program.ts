import { execFile } from "node:child_process";

/** A program that has ended: its exit code, or the name of the error that kept it from running. */
export interface Ended {
  readonly code: number | string | null | undefined;
  readonly out: string;
  /** Standard error. */
  readonly talk: string;
}

interface Options {
  readonly cwd?: string;
  /** By default that of the tests. */
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly encoding?: BufferEncoding;
  /** The program is killed after that; by default never. */
  readonly seconds?: number;
}

/** Runs a program to its end. Whatever its exit code, it is an answer. */
export function runProgram(
  [program = "", ...words]: readonly string[],
  { cwd, env, input = "", encoding = "utf8", seconds = 0 }: Options = {},
): Promise<Ended> {
  const limits = { timeout: seconds * 1000, killSignal: "SIGKILL", maxBuffer: 2 ** 28 } as const;
  return new Promise((resolve) => {
    const child = execFile(program, words, { cwd, ...(env && { env }), encoding, ...limits }, (error, out, talk) =>
      resolve({ code: error ? error.code : 0, out, talk }),
    );
    // A program that reads no input may have ended before it gets any.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/** Nothing of the environment of the tests but PATH, with `home` as the home. */
export function cleanEnv(home: string): Record<string, string | undefined> {
  return { PATH: process.env.PATH, HOME: home, LC_ALL: "C.UTF-8" };
}
