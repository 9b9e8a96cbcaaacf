import { runProgram } from "../run-program.ts";
import { absolute, type Case, type CaseRecord } from "./cases.ts";

/** The messages of a program about a case, none if it finds nothing; undefined if it is not asked. */
export type Verdict = readonly string[] | undefined;

/** A program that is asked about every case. */
export interface Program {
  readonly name: string;
  readonly version: string;
  /** The verdict on each case, in their order. */
  ask(cases: readonly Case[]): Promise<readonly Verdict[]>;
}

/** The output of a program, both streams in one. Whatever its exit code, it is an answer. */
export async function run(
  words: readonly string[],
  options: Pick<NonNullable<Parameters<typeof runProgram>[1]>, "cwd" | "input"> = {},
): Promise<string> {
  const { code, out, talk } = await runProgram(words, options);
  if (typeof code !== "number") throw new Error(`${words[0]} did not run: ${code}`);
  return out + talk;
}

/** The position of the name in RDATA. */
const targets: Record<string, number> = {
  MX: 1,
  NS: 0,
  CNAME: 0,
  DNAME: 0,
  PTR: 0,
  SRV: 3,
  HTTPS: 1,
  SVCB: 1,
  NAPTR: 5,
};

/**
 * RDATA for programs that read only full names: a relative name is completed, as their users write it. Where the
 * missing dot is the mistake, a name of several labels stays as it is.
 */
export function withFullName({ type, data, zone, isFaulty }: CaseRecord, each: Case): string {
  const words = data.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
  const position = targets[type];
  const name = position === undefined ? undefined : words[position];
  if (position === undefined || name === undefined || name.endsWith(".") || /^[\d.]+$/.test(name)) return data;
  if (each.class === "dot" && isFaulty && name.includes(".")) return data;
  return words.map((word, index) => (index === position ? absolute(name, zone) : word)).join(" ");
}

/** Classes whose records are policies in texts, which name servers store without a look at them. */
const textClasses = ["unread", "spf", "spf-tree", "dkim", "dmarc", "mail"];

/** Whether a case is about the contents of texts alone, which name servers do not look at. */
export function isAboutTexts({ class: name, records }: Case): boolean {
  const faulty = records.filter(({ isFaulty }) => isFaulty);
  const isText = (faulty.length > 0 ? faulty : records).every(({ type }) => type === "TXT");
  return isText && textClasses.includes(name);
}
