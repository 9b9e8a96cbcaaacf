/** The deepest nesting that is read; plan files have less than ten levels. */
const deepest = 32;

/**
 * Parses JSON that every reader understands in the same way, so that nothing is approved in one reading and applied in
 * another. Returns a text with the reason for other JSON: a key that is repeated in its object (RFC 8259 §4), the key
 * `__proto__`, or nesting too deep for readers that recurse.
 * @throws {SyntaxError} for text that is not JSON
 */
export function parseStrictJson(text: string): { readonly value: unknown } | { readonly fault: string } {
  const value: unknown = JSON.parse(text);
  const fault = findFault(text);
  return fault === undefined ? { value } : { fault };
}

/** Scans valid JSON. Each open object has the set of its keys, each open array has none. */
function findFault(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(undefined);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      const fault = isKey(text, end) ? addKey(open.at(-1), JSON.parse(text.slice(at, end))) : undefined;
      if (fault !== undefined) return fault;
      at = end - 1;
    }
    if (open.length > deepest) return `it is nested more than ${deepest} levels deep`;
  }
  return undefined;
}

/** Adds a key of an object; returns its fault, if any. */
function addKey(keys: Set<string> | undefined, key: string): string | undefined {
  if (keys?.has(key)) return `it has the key "${key}" twice in one object`;
  if (key === "__proto__") return `it has the key "${key}"`;
  keys?.add(key);
  return undefined;
}

/** The offset after the closing quote of the string that begins at an offset. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === "\\") at++;
  }
}

/** Whether a colon follows the string that ends at an offset. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (" \t\r\n".includes(text[at] ?? "x")) at++;
  return text[at] === ":";
}
