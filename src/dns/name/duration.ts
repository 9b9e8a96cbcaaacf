import { Fault } from "./fault.ts";

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 };
const longest = 2 ** 31 - 1;

/**
 * Seconds of `300`, `30m`, `1h30m`, `2W` (BIND's TTL units), 0 to 2147483647 (RFC 2181 §8).
 * @throws {Fault} `ttl-syntax`
 */
export function readDuration(text: string): number {
  if (!isDuration(text)) {
    throw new Fault(
      "ttl-syntax",
      "not a time",
      'Write seconds such as "3600", or a duration such as "30m", "1h", "2d", "1w" or "1h30m".',
    );
  }
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : [...text.matchAll(/(\d+)([smhdw])/gi)].reduce(
        (sum, [, count, unit]) => sum + Number(count) * (units[(unit ?? "").toLowerCase()] ?? 0),
        0,
      );
  if (seconds > longest)
    throw new Fault("ttl-syntax", "the time is longer than 2147483647 seconds", "Write a shorter time.");
  return seconds;
}

/** The shortest exact spelling with one unit: 3600 → `1h`, 5400 → `90m`, 301 → `301`. */
export function formatDuration(seconds: number): string {
  const unit = ["w", "d", "h", "m"].find((unit) => seconds > 0 && seconds % (units[unit] ?? 1) === 0);
  return unit === undefined ? String(seconds) : `${seconds / (units[unit] ?? 1)}${unit}`;
}

/** Whether the text looks like a time: digits, optionally followed by units. */
function isDuration(text: string): boolean {
  return /^(?:\d+|(?:\d+[smhdw])+)$/i.test(text);
}
