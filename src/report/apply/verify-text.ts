import { adviceText } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import type { Check } from "../../executor/verify/verify.ts";
import { palette, type Style } from "../text/palette.ts";

/** One line per check. */
export function verifyText(checks: readonly Check[], style: Style): string {
  const { blue, red, yellow, door } = palette(style);
  const paint = { pass: blue, fail: red, inconclusive: yellow };
  return checks
    .map(
      ({ zone, where, verdict, text }) =>
        `${paint[verdict](verdict.padEnd(12))}  ${escapeControl(zone.slice(0, -1))}  ${escapeControl(where)}: ${escapeControl(adviceText(text, door))}\n`,
    )
    .join("");
}
