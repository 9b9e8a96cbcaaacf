import { plain } from "../../diagnostics/plain.ts";
import { jsonText } from "../../report/json-text.ts";
import { palette } from "../../report/palette.ts";
import { type Examination, examine } from "../../workflow/doctor.ts";
import { apiFlags, choice, defineCommand, projectFlags, verifyFlags } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printText, type Terminal } from "../terminal.ts";

/** `zonewright doctor`: checks everything that the other commands need, and writes nothing. */
export const command = defineCommand({
  example: `  zonewright doctor                          a line for each part
  zonewright doctor --report json
`,
  flags: {
    ...projectFlags,
    ...apiFlags,
    nameserver: verifyFlags.nameserver,
    report: choice("<format>", ["text", "json"], "output format", "text"),
  },
  interruption: "nothing was changed",
  async run(terminal, _, options) {
    const checks = await examine(terminal, { ...options, node: process.version });
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
      const line = `${colors[state](state.padEnd(4))}  ${subject.padEnd(width)}  ${plain(text)}\n`;
      return next === undefined ? line : `${line}${" ".repeat(width + 8)}${plain(next)}\n`;
    })
    .join("");
}
