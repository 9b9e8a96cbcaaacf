import { adviceText } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { flagName } from "../../diagnostics/shell-word.ts";
import { jsonText } from "../../report/format/json-text.ts";
import { palette } from "../../report/text/palette.ts";
import { examineCi } from "../../workflow/ci-checks/examine-ci.ts";
import { type Examination, examine } from "../../workflow/start/doctor.ts";
import { apiFlags, choice, defineCommand, flag, projectFlags, verifyFlags } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printText, type Terminal } from "../terminal.ts";

/** `zonewright doctor`: checks everything that the other commands need, and writes nothing. */
export const doctorCommand = defineCommand({
  example: `  zonewright doctor                          a line for each part
  zonewright doctor --report json
  zonewright doctor --ci                     workflows, and settings on GitHub
`,
  flags: {
    ...projectFlags,
    ...apiFlags,
    nameserver: verifyFlags.nameserver,
    ci: flag("check the CI of this repository instead; needs no API token"),
    report: choice("<format>", ["text", "json"], "output format", "text"),
  },
  interruption: "nothing was changed",
  async run(terminal, _, options) {
    const node = process.version;
    for (const name of ["zones", "apiUrl", "tokenFile", "nameserver"] as const)
      if (options.ci && options[name] !== undefined)
        throw usageError(`--ci checks files and settings of the repository only: leave out ${flagName(name)}.`);
    const checks = await (options.ci ? examineCi(terminal, { node }) : examine(terminal, { ...options, node }));
    const isFailed = checks.some(({ state }) => state === "fail");
    if (options.report === "json") terminal.print(jsonText({ ok: !isFailed, checks }));
    else printText(terminal, checksText(terminal, checks));
    if (!isFailed) return exitCode.done;
    return terminal.signal.aborted ? exitCode.interrupted : exitCode.failed;
  },
});

function checksText({ printStyle }: Terminal, checks: readonly Examination[]): string {
  const { blue, yellow, red } = palette(printStyle);
  const colors = { ok: blue, warn: yellow, fail: red };
  const width = Math.max(...checks.map(({ subject }) => subject.length));
  return checks
    .map(({ subject, state, text, next }) => {
      const line = `${colors[state](state.padEnd(4))}  ${subject.padEnd(width)}  ${escapeControl(adviceText(text, "cli"))}\n`;
      return next === undefined ? line : `${line}${" ".repeat(width + 8)}${escapeControl(adviceText(next, "cli"))}\n`;
    })
    .join("");
}
