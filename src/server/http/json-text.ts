import { TimeSlice, yieldToEventLoop } from "../store/event-loop.ts";

/** Cost of writing an entry, and of each of its characters, in nanoseconds. */
const cost = { entry: 300, character: 16 };

/** From either of these on, a list is written in steps. */
const long = { entries: 1000, characters: 2 ** 18 };

/** `JSON.stringify` of a body. One with a long list is written in steps and returned in pieces of about 256 KiB. */
export function stringifyBody(body: unknown): string | Promise<readonly Uint8Array[]> {
  const isShort = typeof body !== "object" || body === null || !Object.values(body).some(isLong);
  return isShort ? JSON.stringify(body) : jsonPieces(body);
}

async function jsonPieces(body: object): Promise<readonly Uint8Array[]> {
  const budget = new TimeSlice();
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
      if (budget.isSpent(cost.entry + text.length * cost.character)) await yieldToEventLoop();
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
  let characters = 0;
  for (const entry of value) characters += textIn(entry);
  return characters >= long.characters;
}

/** Characters of text in an entry of a list. */
function textIn(entry: unknown): number {
  if (typeof entry === "string") return entry.length;
  if (typeof entry !== "object" || entry === null) return 0;
  let characters = 0;
  // A list of the values of each entry would take a twentieth of the time of a request.
  for (const key in entry) {
    const value = (entry as Record<string, unknown>)[key];
    if (typeof value === "string") characters += value.length;
  }
  return characters;
}
