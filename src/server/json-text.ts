import { nextTurn, Pace } from "./turns.ts";

/** Cost of a character, in nanoseconds. */
const character = 8;

/** A list of so many entries or more is written in steps. */
const long = 1000;

/** `JSON.stringify` of a body; the event loop turns while a long list of texts is written. */
export async function jsonText(body: unknown): Promise<string> {
  if (typeof body !== "object" || body === null || !Object.values(body).some(isLong)) return JSON.stringify(body);
  const pace = new Pace();
  const parts: string[] = [];
  for (const [key, value] of Object.entries(body)) {
    parts.push(parts.length === 0 ? "{" : ",", JSON.stringify(key), ":");
    if (!isLong(value)) {
      parts.push(JSON.stringify(value));
      continue;
    }
    for (const [index, entry] of value.entries()) {
      const text = JSON.stringify(entry);
      parts.push(index === 0 ? "[" : ",", text);
      if (pace.isSpent(text.length * character)) await nextTurn();
    }
    parts.push("]");
  }
  return `${parts.join("")}}`;
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length >= long;
}
