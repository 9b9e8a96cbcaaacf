import { count } from "../../diagnostics/quantities.ts";
import { verifyText } from "../../report/apply/verify-text.ts";
import { exitCodeOfVerified } from "../../workflow/apply/outcome.ts";
import { readVerifyingOptions, type Verified, verifyZones, zonesToVerify } from "../../workflow/apply/verify.ts";
import { connectToRead } from "../../workflow/connect/connect.ts";
import type { ApiOptions, ReadingConnection } from "../../workflow/connect/connection.ts";
import { openProject, type Project } from "../../workflow/project/project.ts";
import { shownTarget } from "../../workflow/project/targets.ts";
import { apiFlags, defineCommand, projectFlags, strict, verifyFlags } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { logUnfinishedRun } from "../log-unfinished-run.ts";
import { printText, type Terminal } from "../terminal.ts";

export const verifyCommand = defineCommand({
  example: `  zonewright verify                          every zone, at all its name servers
  zonewright verify example.com --nameserver 127.0.0.1:5300
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags: { ...projectFlags, ...apiFlags, ...verifyFlags, strict },
  interruption: "nothing was changed",
  async run(terminal, { zones }, options) {
    readVerifyingOptions(options);
    const project = openProject(terminal, options);
    const verify = async (view: Project, names: readonly string[], apiOptions: ApiOptions) => {
      await logUnfinishedRun(terminal, view);
      return connectToRead(terminal, view, apiOptions, async ({ target }) => {
        const all = await zonesToVerify(view, names, target);
        const verified = await verifyZones(terminal, target, all, { ...options, project: view });
        return printVerified(terminal, { target, project: view }, verified);
      });
    };
    if (project.view || project.selected.length === 0) return verify(project, zones, options);
    const { refuseSharedOptions, runOnTargets } = await import("../targets.ts"); // most projects have one
    const { divideNames } = await import("../../workflow/zones/divide-names.ts");
    refuseSharedOptions(project, options, ["apiUrl", "tokenFile", "nameserver"]);
    return runOnTargets(terminal, await divideNames(project, zones), ({ view, names }) => verify(view, names, {}));
  },
});

function serverAdvice(project: Project): string {
  const name = shownTarget(project);
  if (name === undefined) return "Name a server to ask with `--nameserver HOST:PORT`.";
  return `Name a server to ask in \`nameservers\` of ${name}, or with \`--target ${name} --nameserver HOST:PORT\`.`;
}

const ofOwnServer = " `zonewright serve --dns 127.0.0.1:5300` answers for its zones.";

/** Prints the results of a verification; to standard error if standard output is for programs. */
export function printVerified(
  terminal: Terminal,
  { target, project }: Pick<ReadingConnection, "target"> & { readonly project: Project },
  { checks, left }: Verified,
  isDataPrinted = false,
): ExitCode {
  const { log, printStyle, signal } = terminal;
  const text = verifyText(checks, printStyle);
  if (isDataPrinted) log(text);
  else printText(terminal, text);
  if (left > 0) log(`${count(left, "zone")} skipped: disabled, or a slave\n`);
  const code = exitCodeOfVerified({ checks, left }, signal.aborted);
  if (code !== exitCode.done && checks.some(({ where }) => where === "servers"))
    log(`${serverAdvice(project)}${target.capabilities.apex === "ours" ? "" : ofOwnServer}\n`);
  return code;
}
