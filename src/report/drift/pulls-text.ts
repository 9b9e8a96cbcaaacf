import { plain } from "../../diagnostics/plain.ts";
import type { DriftPull } from "../../workflow/proposals/pulls.ts";

/** One line for each pull request. */
export function driftPullsText(pulls: readonly DriftPull[]): string {
  return pulls
    .map(({ outcome, number, url, branch }) =>
      outcome === "left"
        ? `pull request #${number} of ${plain(branch)} was not opened by zonewright, and is left as it is: ${plain(url)}\n`
        : `pull request #${number} ${words[outcome]}: ${plain(url)}\n`,
    )
    .join("");
}

const words = { created: "opened", edited: "updated", unchanged: "is up to date" } as const;
