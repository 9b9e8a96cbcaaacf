import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { problemsText } from "../../report/findings/findings.ts";
import { problemsMarkdown } from "../../report/findings/markdown.ts";
import { patchText } from "../../report/format/patch.ts";
import { countImport, importText, noImports } from "../../report/import/report.ts";
import { connectToRead } from "../../workflow/connect/connect.ts";
import { readFileSource } from "../../workflow/import/file.ts";
import { importZones as readLiveZones, writeImported } from "../../workflow/import/import.ts";
import { importInto } from "../../workflow/import/zones.ts";
import { type ExitCode, exitCode } from "../../workflow/project/exit-code.ts";
import { lineOfFile } from "../../workflow/project/source-lines.ts";
import { annotateProblems } from "../findings.ts";
import { type ActionResult, apiOptions, type Job, logStyle } from "../job.ts";
import type { Result } from "../outputs.ts";

/** Numbers of zone files that an import wrote, left as they were because they are equal, or could not write. */
interface Counts {
  readonly written: number;
  readonly same: number;
  readonly left: number;
}

/**
 * Writes zones into the zone files of the checkout: those of the account, or those of files of any supported format.
 * Existing files are changed where they differ; git has what they were.
 */
export async function importStep(job: Job): Promise<ActionResult> {
  const { inputs } = job;
  const isLive = inputs.source.length === 0 || inputs.source.join(" ") === "api";
  const { counts, problems } = isLive ? await importLive(job) : await importFiles(job);
  job.runner.log(`${countsText(counts)}\n`);
  job.runner.log(problemsText(problems, lineOfFile(job.context.cwd), logStyle));
  annotateProblems(job.runner, inputs, problems);
  const [result, code] = resultOfImport(counts);
  return {
    result,
    code,
    outputs: { zones: `${counts.written}` },
    summary: (budget) => problemsMarkdown(`### Import of zones\n\n${countsText(counts)}\n`, problems, budget),
  };
}

function countsText({ written, same, left }: Counts): string {
  return `${count(written, "zone file")} written, ${same} unchanged, ${left} left to edit by hand or failed`;
}

function resultOfImport({ written, same, left }: Counts): readonly [Result, ExitCode] {
  if (left > 0) return written + same > 0 ? ["partial", exitCode.partly] : ["failed", exitCode.failed];
  return [written > 0 ? "imported" : "in-sync", exitCode.done];
}

interface Imported {
  readonly counts: Counts;
  readonly problems: readonly Problem[];
}

async function importLive(job: Job): Promise<Imported> {
  const { context, inputs, project, runner } = job;
  const zones = await connectToRead(context, project, apiOptions(job), ({ target }) =>
    readLiveZones(project, target, inputs.zones, { to: "yaml", signal: context.signal }),
  );
  const counts = { written: 0, same: 0, left: 0 };
  const problems: Problem[] = [];
  for await (const zone of zones) {
    for (const note of zone.notes) runner.log(`note  ${escapeControl(note)}\n`);
    if ("problems" in zone) problems.push(...zone.problems);
    if (zone.state === "same") counts.same++;
    else if ("text" in zone) {
      if (zone.state === "changed")
        runner.log(patchText(`git/${zone.file}`, `live/${zone.file}`, zone.before, zone.text));
      await writeImported(project, zone);
      runner.log(`wrote ${escapeControl(zone.file)}\n`);
      counts.written++;
    } else {
      counts.left++;
      if (zone.state === "read-only") problems.push(readOnlyProblem(zone.file, zone.format));
    }
  }
  return { counts, problems };
}

function readOnlyProblem(file: string, format: string): Problem {
  const fix = "Edit it by hand, or export its zone as YAML or as a BIND zone file.";
  return problem("rewrite-format", `${file} differs from the live zone, and ${format} files are not written`, { fix });
}

async function importFiles({ context, inputs, project, runner }: Job): Promise<Imported> {
  const { source, skipped } = await readFileSource(project, { paths: inputs.source });
  for (const { path, reason } of skipped) runner.log(`skipped ${escapeControl(path)}: ${reason}\n`);
  const request = { source, to: "yaml", isRestart: true, command: "the same step" } as const;
  const report = importText(logStyle);
  const counts = { written: 0, same: 0, left: 0 };
  const problems: Problem[] = [];
  let seen = noImports;
  for await (const zone of importInto(context, project, request, {
    confirm: async ({ file, before, text }) => {
      runner.log(patchText(`git/${file}`, `imported/${file}`, before, text));
      return true;
    },
    onUnreadable: (found) => problems.push(...found),
  })) {
    runner.log(report.zone(zone, seen === noImports));
    seen = countImport(seen, zone);
    problems.push(...zone.problems);
    if (zone.state === "failed" || zone.state === "kept") counts.left++;
    else if (zone.state === "same") counts.same++;
    else counts.written++;
  }
  runner.log(report.end(seen));
  return { counts, problems };
}
