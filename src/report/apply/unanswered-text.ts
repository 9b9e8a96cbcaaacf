import { count } from "../../diagnostics/quantities.ts";

/** Why an apply waits before its first write: `ms` is the longest time. */
export function unansweredText(ms: number, writes: readonly string[]): string {
  const more = writes.length > 3 ? ` and ${writes.length - 3} more` : "";
  const named = `${writes.slice(0, 3).join(", ")}${more}`;
  const they = writes.length === 1 ? "it" : "they";
  return `the last run got no reply to ${count(writes.length, "write")}: ${named}; waiting for up to ${Math.ceil(ms / 1000)} s until it is known whether ${they} took effect\n`;
}
