import { decodeText } from "../diagnostics/decode.ts";
import { type Problem, ProblemError } from "../diagnostics/problem.ts";
import { isRoot, type Name, nameKey, readName } from "../dns/name.ts";
import { toOctets } from "../dns/text.ts";
import { isZoneName, type ReadZone } from "../formats/files.ts";

/** A zone with the errors of its file. */
export interface InvalidZone {
  readonly read: ReadZone;
  readonly errors: readonly Problem[];
}

/** The errors of zone files, and the zones that have them. */
export class InvalidZonesError extends ProblemError {
  readonly invalid: readonly InvalidZone[];
  /** The number of zones without errors. */
  readonly valid: number;

  constructor(problems: readonly Problem[], { invalid, valid }: Pick<InvalidZonesError, "invalid" | "valid">) {
    super(problems);
    this.invalid = invalid;
    this.valid = valid;
  }

  /** Whether the other zones can be used alone: every error belongs to a zone whose name is known. */
  get canSkip(): boolean {
    const known = new Set(this.invalid.flatMap(({ errors }) => errors.map(({ summary }) => summary)));
    const isOfZone = ({ severity, summary }: Problem) => severity !== "error" || known.has(summary);
    return this.valid > 0 && this.problems.every(isOfZone) && this.invalid.every(({ read }) => isNamed(read));
  }
}

/** The name of a zone, also if nothing else of its file could be read. */
export function nameOf(read: ReadZone): Name {
  return (isUnread(read) && findName(read)) || read.zone.name;
}

/** Whether the name of the zone is certain: a file that cannot be read says it at least in its own name. */
function isNamed(read: ReadZone): boolean {
  if (isUnread(read) && findName(read) === undefined) return isZoneName(nameKey(read.zone.name));
  return !isRoot(nameOf(read));
}

function isUnread({ problems }: ReadZone): boolean {
  return problems.some(({ id }) => id === "yaml-syntax" || id === "file-read");
}

function findName({ bytes }: ReadZone): Name | undefined {
  const [, written] = /^zone:[ \t]*["']?([^\s"'#]+)/m.exec(decodeText(bytes).text) ?? [];
  try {
    return written === undefined ? undefined : nameKey(readName(toOctets(written)));
  } catch {
    return undefined;
  }
}
