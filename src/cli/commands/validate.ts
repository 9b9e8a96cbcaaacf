import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { findingsJson, findingsText } from "../../report/findings.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { openProject, type ProjectOptions } from "../project.ts";
import { lineOfFile } from "../source-lines.ts";
import { judge, readZones } from "../zones.ts";

export interface ValidateOptions extends ProjectOptions {
  readonly report: "text" | "json";
}

/** `zonewright validate`: what there is to say about zone files. */
export async function validate(context: Context, args: readonly string[], options: ValidateOptions): Promise<ExitCode> {
  const strict = options.strict ?? openProject(context, options).config.policy.strict;
  const read = readZones(context, options, args);
  const { diagnostics } = judge(read, strict);
  const findings = {
    diagnostics,
    zones: read.zones.length,
    records: read.zones.reduce((sum, { zone }) => sum + zone.records.length, 0),
    lineOf: lineOfFile(context.cwd),
  };
  context.out(options.report === "json" ? findingsJson(findings) : findingsText(findings, context.outStyle));
  return hasErrors(diagnostics) ? exitCode.invalid : exitCode.done;
}
