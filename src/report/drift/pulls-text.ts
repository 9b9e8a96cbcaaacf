import { escapeControl } from "../../diagnostics/escape.ts";
import type { DriftPull } from "../../workflow/proposals/pulls.ts";

/** One line for each pull request. */
export function driftPullsText(pulls: readonly DriftPull[]): string {
  return pulls
    .map(({ outcome, number, url, branch }) =>
      outcome === "left"
        ? `pull request #${number} of ${escapeControl(branch)} was not opened by zonewright, and is left as it is: ${escapeControl(url)}\n`
        : `pull request #${number} ${words[outcome]}: ${escapeControl(url)}\n`,
    )
    .join("");
}

const words = { created: "opened", edited: "updated", unchanged: "is up to date" } as const;
