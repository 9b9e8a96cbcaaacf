import { escapeControl } from "../../diagnostics/escape.ts";
import { durationInWords, listFirst } from "../../diagnostics/quantities.ts";
import { nameKey, withoutDot } from "../../dns/name/name.ts";
import { groupBy } from "../../group-by.ts";
import type { AwaitedServer } from "../../workflow/apply/two-passes.ts";

/** Why an apply waits before it adds name servers: `ms` is the longest time. */
export function waitingText(ms: number, awaited: readonly AwaitedServer[]): string {
  const servers = [...groupBy(awaited, ({ server }) => nameKey(server))].map(([server, all]) => {
    const targets = [...new Set(all.map(({ target }) => target))];
    return `${escapeControl(withoutDot(server))} (on ${targets.join(", ")})`;
  });
  return `waiting up to ${durationInWords(Math.ceil(ms / 1000))} for ${listFirst(servers)}\n`;
}
