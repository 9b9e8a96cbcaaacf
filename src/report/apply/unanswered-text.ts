import { count, listFirst } from "../../diagnostics/quantities.ts";

/** Why an apply waits before its first write: `ms` is the longest time. */
export function unansweredText(ms: number, writes: readonly string[]): string {
  const they = writes.length === 1 ? "it" : "they";
  return `the last run got no reply to ${count(writes.length, "write")}: ${listFirst(writes)}; waiting for up to ${Math.ceil(ms / 1000)} s until it is known whether ${they} took effect\n`;
}
