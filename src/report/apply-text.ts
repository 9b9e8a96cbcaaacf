import { Refusal } from "../diagnostics/diagnostic.ts";
import { plain } from "../diagnostics/plain.ts";
import type { ApplyEvent } from "../executor/event.ts";
import { count } from "./findings.ts";
import { palette, type Style } from "./palette.ts";

/** What happens during apply, as lines: one for each zone, and one for each write that changes how a name answers. */
export function applyText(event: ApplyEvent, style: Style): string {
  const { green, red, yellow } = palette(style);
  const zone = plain(event.zone.slice(0, -1));
  switch (event.kind) {
    case "zone-begun":
      return `${zone}: ${count(event.writes, "write")}\n`;
    case "zone-done":
      return event.left ? `${yellow("differs")} ${zone}\n` : `${green("done")} ${zone}\n`;
    case "zone-failed":
      return `${red("stopped")} ${zone} after ${event.written} of ${count(event.writes, "write")}: ${reason(event.error)}\n`;
    default:
      return "";
  }
}

function reason(error: unknown): string {
  if (error instanceof Refusal)
    return error.diagnostics.map(({ summary, fix }) => plain([summary, fix].filter(Boolean).join(" "))).join("\n  ");
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
