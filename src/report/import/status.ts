import { inWordsOf } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { ImportProgress } from "../../workflow/import/status.ts";
import { palette, type Style } from "../text/palette.ts";
import { moreFailures, mostAlike } from "./report.ts";

/** The last import: when, how far, its failures, and the command that continues it or tries the failed zones again. */
export function importStatusText(progress: ImportProgress | undefined, style: Style): string {
  if (!progress)
    return inWordsOf(
      "cli",
    )`no import yet: ${{ run: "import axfr" }}, \`import file\` and \`import remote\` are listed here\n`;
  const { begun, ended, command, zones, imported, kept, failed, left } = progress;
  const { red } = palette(style);
  const state = ended === undefined ? "interrupted, or still running" : `ended ${ended}`;
  const parts = [
    `${imported} imported`,
    ...(kept.length > 0 ? [`${kept.length} kept`] : []),
    `${failed.length} failed`,
    `${left} left`,
  ];
  const lines = [
    `import of ${begun}: ${state}`,
    `${count(zones, "zone")}: ${parts.join(", ")}`,
    ...kept.map((file) => inWordsOf("cli")`kept ${escapeControl(file)}: it differs; ${{ set: "yes" }} overwrites it`),
  ];
  const failures = new Map<string, number>();
  for (const { name, reasons } of failed) {
    const reason = escapeControl(reasons.join("; "));
    const already = failures.get(reason) ?? 0;
    failures.set(reason, already + 1);
    if (already < mostAlike) lines.push(`${red("failed")} ${escapeControl(name)}: ${reason}`);
  }
  const more = moreFailures(failures, red("failed"));
  const isOver = ended !== undefined && failed.length + kept.length === 0;
  const next = isOver
    ? []
    : ["", `next: ${ended === undefined ? "continue" : "import the rest"} with`, `  ${escapeControl(command)}`];
  const text = (all: readonly string[]) => all.map((line) => `${line}\n`).join("");
  return text(lines) + more + text(next);
}
