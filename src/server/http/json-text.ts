import { nextTurn, Pace } from "../store/event-loop.ts";

/** Cost of a character, in nanoseconds. */
const character = 16;

/** A list of so many entries or more, or with so many characters of text, is written in steps. */
const long = { entries: 1000, characters: 2 ** 18 };

/** `JSON.stringify` of a body. One with a long list is written in steps, and stands in pieces of about 256 KiB each. */
export async function jsonText(body: unknown): Promise<string | readonly Uint8Array[]> {
  if (typeof body !== "object" || body === null || !Object.values(body).some(isLong)) return JSON.stringify(body);
  const pace = new Pace();
  const pieces: Uint8Array[] = [];
  let parts: string[] = [];
  let length = 0;
  const write = (...texts: string[]) => {
    for (const text of texts) {
      parts.push(text);
      length += text.length;
    }
    if (length >= long.characters) flush();
  };
  const flush = () => {
    pieces.push(Buffer.from(parts.join("")));
    parts = [];
    length = 0;
  };
  for (const [index, [key, value]] of Object.entries(body).entries()) {
    write(index === 0 ? "{" : ",", JSON.stringify(key), ":");
    if (!isLong(value)) {
      write(JSON.stringify(value));
      continue;
    }
    for (const [index, entry] of value.entries()) {
      const text = JSON.stringify(entry);
      write(index === 0 ? "[" : ",", text);
      if (pace.isSpent(text.length * character)) await nextTurn();
    }
    write("]");
  }
  write("}");
  flush();
  return pieces;
}

function isLong(value: unknown): value is unknown[] {
  if (!Array.isArray(value)) return false;
  if (value.length >= long.entries) return true;
  return value.reduce<number>((sum, entry) => sum + textIn(entry), 0) >= long.characters;
}

/** How many characters of text an entry of a list has. */
function textIn(entry: unknown): number {
  if (typeof entry === "string") return entry.length;
  if (typeof entry !== "object" || entry === null) return 0;
  return Object.values(entry).reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);
}
