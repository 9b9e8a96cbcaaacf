import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Place } from "../diagnostics/diagnostic.ts";
import { SourceText } from "../diagnostics/source-text.ts";

/** Gives the line of a place, for the frame around a fault; each file is read once. */
export function lineOfFile(cwd: string): (place: Place) => string | undefined {
  const texts = new Map<string, SourceText | undefined>();
  return ({ file, line }) => {
    if (!texts.has(file)) texts.set(file, read(resolve(cwd, file), file));
    return texts.get(file)?.line(line);
  };
}

function read(path: string, file: string): SourceText | undefined {
  try {
    return new SourceText(file, readFileSync(path, "latin1"), "latin1");
  } catch {
    return undefined; // the finding stands without its frame
  }
}
