import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Access } from "../../../src/server/http/access-log.ts";
import { findProgram, judgesFolder } from "../../judges.ts";
import * as programs from "../../run-program.ts";

export interface Outcome {
  readonly test: string;
  readonly result: "passed" | "failed" | "skipped";
  readonly output: string;
  /** Requests of the test, if it had a server of its own. */
  readonly requests?: readonly Access[];
}

/** A cause of failed tests that is known. */
export interface Reason {
  /** In the output of a failed test. */
  readonly found: RegExp;
  readonly reason: string;
}

/** Tests of one program, and how they are run. */
export interface Suite {
  /** Name in the table. */
  readonly client: string;
  /** Whose tests these are, and of what. */
  readonly tests: string;
  /** Why it cannot run here, such as a missing program; undefined if it can. */
  missing(): string | undefined;
  version(): Promise<string>;
  run(): Promise<readonly Outcome[]>;
  readonly reasons?: readonly Reason[];
}

/** How the server of a suite holds records. With open records, only the tests of DNS run: nothing else differs. */
export type Records = "documented" | "open";

export const recordsSettings: readonly Records[] = ["documented", "open"];

/** Words of `zonewright serve`. */
export const recordsOptions = (records: Records): readonly string[] => ["--records", records];

/** Whose tests these are, in one of the settings. */
export const testsOf = (records: Records, whose: string, ofWhat = ""): string =>
  records === "open" ? `${whose} of domains and records, with \`--records open\`` : `${whose}${ofWhat}`;

/** Programs, tests and sources of clients; those that no package registry has are put there by hand. */
export const clientsFolder = join(judgesFolder, "clients");

/** Names the files that a suite needs and that are not in the folder of clients. */
export function findMissingFiles(...files: string[]): string | undefined {
  const missing = files.filter((file) => !existsSync(join(clientsFolder, file)));
  return missing.length === 0 ? undefined : missing.map((file) => `.judges/clients/${file}`).join(", ");
}

/** A program of the folder of clients or of PATH. */
export function clientProgram(name: string): string {
  const own = join(clientsFolder, "bin", name);
  return existsSync(own) ? own : (findProgram(name) ?? own);
}

/** The version of a program that does not tell it, from the file `version` in its folder. */
export function readVersion(folder: string): string {
  return readFileSync(join(clientsFolder, folder, "version"), "utf8").trim();
}

export interface Ended extends Pick<programs.Ended, "code"> {
  /** Standard output and standard error. */
  readonly text: string;
}

/** Runs a program to its end, or for at most `seconds`. */
export async function runProgram(
  words: readonly string[],
  { cwd, env, seconds = 600 }: { cwd: string; env?: Record<string, string>; seconds?: number },
): Promise<Ended> {
  const { code, out, talk } = await programs.runProgram(words, {
    cwd,
    env: { ...programs.cleanEnv(cwd), ...env },
    seconds,
  });
  return { code, text: out + talk };
}

/** The first version number in the output of a program, such as "1.2.3". */
export async function versionOf(command: readonly string[], cwd: string): Promise<string> {
  const { text } = await runProgram(command, { cwd, env: { CHECKPOINT_DISABLE: "1" } });
  return /\d+\.\d+(?:\.\d+)*/.exec(text)?.[0] ?? "unknown";
}
