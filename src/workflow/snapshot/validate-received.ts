import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { asName, isSameName, type Name, shownName, withLabel, withoutDot } from "../../dns/name/name.ts";
import { readCatalogZone } from "../../dns/zone/catalog-zone.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
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
  const found = checkFile({ ...project, target: filesKind, selected: [] }, read).filter(
    ({ severity }) => severity === "error",
  );
  const records = [...read.zone.records];
  const errors = isCatalog(origin, records) ? ofCatalog(origin, records, found) : found;
  if (errors.length > 0 || records.some((record) => isType(record, "SOA"))) return errors;
  // A transfer that was cut, or another kind of file.
  return [problem("transfer/soa", `${showName(origin)} has no SOA record`)];
}

/** Whether a zone has a version and the name server of a catalog zone (RFC 9432 §4.1 and §4.2.1). */
function isCatalog(origin: Name, records: readonly ZoneRecord[]): boolean {
  const version = withLabel("version", origin);
  const servers = records.filter((record) => isType(record, "NS") && isSameName(record.owner, origin));
  return (
    records.some((record) => isType(record, "TXT") && isSameName(record.owner, version)) &&
    servers.every((record) => isType(record, "NS") && isSameName(record.data.nsdname, asName("invalid.")))
  );
}

/** The name server `invalid.` is right in a catalog zone, whose members count instead. */
function ofCatalog(origin: Name, records: readonly ZoneRecord[], found: readonly Problem[]): readonly Problem[] {
  const others = found.filter(({ id }) => id !== "target-one-label");
  try {
    readCatalogZone(origin, records);
    return others;
  } catch (error) {
    if (error instanceof ProblemError) return [...others, ...error.problems];
    throw error;
  }
}

function otherZoneProblem(found: Name, wanted: Name): Problem {
  return problem("soa-owner", `the SOA record is that of ${showName(found)}, not of ${showName(wanted)}`);
}

function showName(name: Name): string {
  return shownName(withoutDot(name));
}
