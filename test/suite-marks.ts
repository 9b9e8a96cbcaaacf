import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The words of a suite's first line, `// @suite WORD…`, and where it runs by them; test/README.md shows them. */
export const marks = {
  long: "starts many programs, plays many histories or moves megabytes: in CI, nightly, and if a call names test files",
  nightly: "takes a minute or longer on a slow machine: nightly, and if a call names test files",
  postgres: "tests the promises of a store: also on PostgreSQL",
  "only-postgres": "on PostgreSQL only",
  "nightly-postgres": "in the nightly run also on PostgreSQL",
} as const;

export type Mark = keyof typeof marks;

/** The marks of every suite, by its path, such as `test/server/kill.test.ts`. @throws {Error} for another word */
export function readMarks(): ReadonlyMap<string, readonly Mark[]> {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const suites = files.filter((file) => file.endsWith(".test.ts"));
  return new Map(suites.map((file) => [`test/${file}`, marksOf(join(import.meta.dirname, file))]));
}

function marksOf(path: string): readonly Mark[] {
  const [, words = ""] = /^\/\/ @suite (.*)\n/.exec(readFileSync(path, "utf8")) ?? [];
  return words.split(" ").filter((word): word is Mark => {
    if (word !== "" && !(word in marks)) throw new Error(`${path}: @suite ${word} is none of ${Object.keys(marks)}`);
    return word !== "";
  });
}

/** The suites that have one of these marks. */
export function suitesMarked(...wanted: readonly Mark[]): string[] {
  return [...readMarks()].flatMap(([file, own]) => (own.some((mark) => wanted.includes(mark)) ? [file] : []));
}
