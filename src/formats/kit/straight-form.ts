import { type Problem, ProblemError } from "../../diagnostics/problem.ts";
import type { Name } from "../../dns/name/name.ts";
import { findTypography, replaceTypography, straighten } from "../../dns/name/straight-text.ts";
import { fromOctets, toOctets } from "../../dns/name/text.ts";
import { parseRdata, type RecordType } from "../../dns/rdata/record-type.ts";
import { Scanner } from "./scan.ts";

/**
 * The problem of RDATA, given as octets. If only typographic characters make it invalid, the fix is its plain form.
 * Names have fixes of their own.
 */
export function adviseStraightForm(problem: Problem, type: RecordType, rdata: string, origin: Name): Problem {
  const text = fromOctets(rdata);
  const found = problem.id === "name-unicode" ? undefined : findTypography(text);
  if (found === undefined) return problem;
  const straight = [replaceTypography(text), straighten(text)].find((form) => isRdata(type, form, origin));
  return straight === undefined ? problem : { ...problem, fix: `Write \`${straight}\`, without ${found}.` };
}

function isRdata(type: RecordType, text: string, origin: Name): boolean {
  const scanner = new Scanner(toOctets(text));
  try {
    scanner.next();
    scanner.table.origin = origin;
    parseRdata(type, scanner.table);
    return true;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}
