import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Place } from "../../diagnostics/problem.ts";
import { SourceText } from "../../diagnostics/source-text.ts";

/** Finds the line of a place, for the frame around a problem; each file is read once, and secrets are hidden. */
export function lineOfFile(cwd: string): (place: Place) => string | undefined {
  const texts = new Map<string, SourceText | undefined>();
  return ({ file, line }) => {
    if (!texts.has(file)) texts.set(file, read(resolve(cwd, file), file));
    return texts.get(file)?.line(line).replace(secret, "$1…").replace(password, "$1…@");
  };
}

/** `token: …` or `tsig_key: …` has no meaning in any file that zonewright reads, but people try it. */
const secret = /(\b\w*(?:token|secret|password|_key)["']?\s*:\s*)\S.*/i;

/** As in `https://user:password@api.example.com`. */
const password = /(:\/\/)[^/\s@]*@/g;

function read(path: string, file: string): SourceText | undefined {
  try {
    // A pipe, such as a shell passes for <(command), cannot be read twice.
    return statSync(path).isFile() ? new SourceText(file, readFileSync(path, "latin1"), "latin1") : undefined;
  } catch {
    return undefined; // the problem is shown without its frame
  }
}
