import { execFile } from "node:child_process";
import type { Case } from "./cases.ts";

/** What a program says about a case: its messages, none if it finds nothing; undefined if it is not asked. */
export type Verdict = readonly string[] | undefined;

/** A program that is asked about every case. */
export interface Program {
  readonly name: string;
  readonly version: string;
  /** The verdict on each case, in their order. */
  ask(cases: readonly Case[]): Promise<readonly Verdict[]>;
}

/** The output of a program, both streams in one. Whatever its exit code, it is an answer. */
export function run(words: readonly string[], options: { cwd?: string; input?: string } = {}): Promise<string> {
  const [program = "", ...args] = words;
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { cwd: options.cwd, maxBuffer: 1e8 }, (error, out, talk) => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve(out + talk);
    });
    child.stdin?.end(options.input ?? "");
  });
}

/** Classes whose records are policies in texts, which name servers store without a look at them. */
const textClasses = ["unread", "spf", "spf-tree", "dkim", "dmarc"];

/** Whether a case is about the contents of texts alone, which name servers do not look at. */
export function isAboutTexts({ class: name, records }: Case): boolean {
  const types = new Set(records.filter(({ isFaulty }) => isFaulty).map(({ type }) => type));
  return (textClasses.includes(name) || name === "mail") && [...types].every((type) => type === "TXT");
}
