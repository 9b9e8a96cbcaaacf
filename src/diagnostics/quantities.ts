/** `1 zone`, `2 zones`. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** The first of some texts, and the number of the others: "a, b, c and 2 more". */
export function listFirst(texts: readonly string[], most = 3): string {
  const others = texts.length - most;
  return `${texts.slice(0, most).join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

/** Whether the text is a calendar day in the form YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Exactly, in words: 3600 → `1 hour`, 5400 → `1 hour 30 minutes`, 0 → `0 seconds`. */
export function durationInWords(seconds: number): string {
  const parts: string[] = [];
  let left = seconds;
  for (const [size, word] of words) {
    const number = Math.floor(left / size);
    left %= size;
    if (number > 0) parts.push(count(number, word));
  }
  return parts.join(" ") || "0 seconds";
}

const words = [
  [604800, "week"],
  [86400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

/** The latest moment of a `Date`. */
const last = 8.64e15;

/** A moment, in milliseconds since 1970: `2026-03-04 12:00:00 UTC`. */
export function momentText(ms: number): string {
  return `${new Date(Math.min(ms, last))
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "")} UTC`;
}
