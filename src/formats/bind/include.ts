import { Fault } from "../../dns/fault.ts";
import type { Name } from "../../dns/name.ts";
import { largestFile } from "../kit/source.ts";
import type { Reading } from "./reading.ts";

const deepestInclude = 16;
/** A few files that include each other can ask for any number of readings. */
const mostIncludes = 10_000;

/**
 * Goes on with the file that the `$INCLUDE` at hand names.
 * @throws {Fault} where it cannot be opened, is being read already, or is too much.
 */
export function include(reading: Reading, written: string, origin: Name): void {
  const outer = reading.open;
  if (!reading.includer)
    throw new Fault("include-read", "nothing can be included here", "Write the records themselves.");
  const { table } = outer.scanner;
  const tokens = table.next;
  table.next = 2; // what is wrong now is wrong with the file, not with the origin behind it
  const { file, bytes, identity } = reading.includer.open(written, outer.source.file);
  if (outer.isReading(identity))
    throw new Fault("include-loop", `${written} is being read already`, "Remove one of the two $INCLUDEs.");
  if (outer.via.length >= deepestInclude) {
    const summary = `files include each other more than ${deepestInclude} deep`;
    throw new Fault("include-depth", summary, "Include less deeply.");
  }
  reading.includedBytes += bytes.length;
  if (++reading.includes > mostIncludes || reading.includedBytes > largestFile) {
    const summary = `a zone includes more than ${mostIncludes} files, or more than ${largestFile} bytes`;
    throw new Fault("include-count", summary, "Include less.");
  }
  table.next = tokens;
  reading.include({ file, bytes, origin, identity, via: [outer.place(1), ...outer.via], outer });
}
