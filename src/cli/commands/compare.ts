import { usageError } from "../../diagnostics/problem.ts";
import { readServer } from "../../dns-client/server-address.ts";
import { comparisonsJson } from "../../report/compare/json.ts";
import { compareMarkdown } from "../../report/compare/markdown.ts";
import { compareText } from "../../report/compare/text.ts";
import { jsonText } from "../../report/format/json-text.ts";
import type { Style } from "../../report/text/palette.ts";
import { type CompareRequest, type Comparison, compare } from "../../workflow/compare/compare.ts";
import { openProject, type Project } from "../../workflow/project/project.ts";
import { isOfSeveral } from "../../workflow/project/targets.ts";
import { divideNames } from "../../workflow/zones/divide-names.ts";
import { onEachTarget } from "../../workflow/zones/each-target.ts";
import { apiFlags, choice, defineCommand, flag, projectFlags, text } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { readNumber } from "../read-number.ts";
import { printFailed, refuseSharedOptions, targetHeading } from "../targets.ts";
import type { Terminal } from "../terminal.ts";
import { readKey } from "../tsig-key.ts";

const words = ["text", "json", "markdown"] as const;

const formats: Readonly<
  Record<(typeof words)[number], (comparison: Comparison, style: Style, width?: number) => string>
> = { text: compareText, json: jsonText, markdown: compareMarkdown };

const { config, quiet } = projectFlags;

/** `zonewright compare`: the records and answers that differ between two versions of zones. */
export const compareCommand = defineCommand({
  example: `  zonewright compare zones @ns1.example.net  the files, and a name server
  zonewright compare @192.0.2.53 @198.51.100.53 example.com --ttl
  zonewright compare live rendered
  zonewright compare live:inside live:outside example.com
`,
  notes: `A and B are each a zone file or a folder of zone files, "live" (the zones of the
account), "rendered" (the zone files that the service makes of them), either
with the name of a target (live:NAME), a name server (@HOST or @HOST:PORT), or a
file of \`zonewright snapshot\`. For --ttl, A is the old side and B the new one.
`,
  arguments: {
    "<a>": "the old zones: files, live, rendered, @server or a snapshot",
    "<b>": "the new zones",
    "[zones...]": "zones to compare; all that A or B lists if none is given",
  },
  flags: {
    config,
    quiet,
    ...apiFlags,
    ttl: flag("show how long resolvers keep old answers, and when to change the delegation"),
    parent: text("<server>", "with --ttl: name server of the parent zone (HOST or HOST:PORT)"),
    tsigKey: text("<file>", "file with a TSIG key for transfers, as tsig-keygen writes it"),
    jobs: text("<number>", "maximum number of questions to a server at the same time", "16"),
    report: choice("<format>", words, "output format", "text"),
  },
  interruption: "nothing was changed",
  async run(terminal, { a, b, zones }, options) {
    const { ttl = false, parent, report } = options;
    if (parent !== undefined && !ttl) throw usageError("--parent needs --ttl.");
    const request = {
      ...options,
      a,
      b,
      zones,
      ttl,
      parent: parent === undefined ? undefined : readServer(parent, "--parent"),
      key: readKey(terminal, options.tsigKey),
      jobs: readNumber("--jobs", options.jobs, 1),
    };
    const project = openProject(terminal, options);
    const asksService = [a, b].some((side) => side === "live" || side === "rendered");
    if (asksService && isOfSeveral(project)) return compareOnTargets(terminal, project, { ...request, report });
    const comparison = await compare(terminal, project, request);
    terminal.print(formats[report](comparison, terminal.printStyle, terminal.printWidth()));
    return codeOf(comparison);
  },
});

/** Compares with the live zones of one target after another. */
async function compareOnTargets(
  terminal: Terminal,
  project: Project,
  { report, ...request }: CompareRequest & { readonly report: (typeof words)[number] },
): Promise<ExitCode> {
  refuseSharedOptions(project, { ...request }, ["apiUrl", "tokenFile"]);
  const parts = await divideNames(project, request.zones);
  const results = await onEachTarget(terminal, parts, ({ view, names }) =>
    compare(terminal, view, { ...request, zones: names }),
  );
  const { done } = results;
  if (report === "json") terminal.print(comparisonsJson(results));
  else {
    const heading = (target: string) =>
      report === "markdown" ? `### On ${target}\n\n` : targetHeading(terminal, target);
    const texts = done.map(
      ({ target, value }) => `${heading(target)}${formats[report](value, terminal.printStyle, terminal.printWidth())}`,
    );
    terminal.print(texts.join("\n"));
  }
  const codes = done.map(({ value }) => codeOf(value));
  const worst = [exitCode.differences, exitCode.partly].find((code) => codes.includes(code));
  return printFailed(terminal, results, worst ?? exitCode.done);
}

function codeOf({ zones }: Comparison): ExitCode {
  if (zones.some(({ verdict }) => verdict === "differs")) return exitCode.differences;
  return zones.some(({ verdict }) => verdict === "unanswered") ? exitCode.partly : exitCode.done;
}
