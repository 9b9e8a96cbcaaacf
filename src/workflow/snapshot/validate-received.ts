import { type Problem, problem } from "../../diagnostics/problem.ts";
import { isSameName, type Name, shownName, withoutDot } from "../../dns/name/name.ts";
import { isType } from "../../dns/zone/zone.ts";
import { readers } from "../../formats/readers.ts";
import { filesKind } from "../../targets/files/kind.ts";
import { type Project, toName } from "../project/project.ts";
import { checkFile } from "../zones/zones.ts";

/** A zone as a name server has it: the text of a master file, signed or not. */
export interface ReceivedZone {
  readonly name: string;
  readonly text: string;
}

/**
 * The errors of a zone that a name server is about to serve, with the severities of the config. The limits of an API do
 * not count, and neither does what a server adds when it signs.
 * @throws {ProblemError} `zone-name`
 */
export function validateReceived(project: Project, { name, text }: ReceivedZone): readonly Problem[] {
  const origin = toName(name);
  const read = readers.bind.read({ file: "standard input", bytes: Buffer.from(text), origin, settings: [] });
  if (read.zone.records.length > 0 && !isSameName(read.zone.name, origin))
    return [otherZoneProblem(read.zone.name, origin)];
  const errors = checkFile({ ...project, target: filesKind, selected: [] }, read).filter(
    ({ severity }) => severity === "error",
  );
  if (errors.length > 0 || read.zone.records.some((record) => isType(record, "SOA"))) return errors;
  // A transfer that was cut, or another kind of file.
  return [problem("transfer/soa", `${shown(origin)} has no SOA record`)];
}

function otherZoneProblem(found: Name, wanted: Name): Problem {
  return problem("soa-owner", `the SOA record is that of ${shown(found)}, not of ${shown(wanted)}`);
}

function shown(name: Name): string {
  return shownName(withoutDot(name));
}
