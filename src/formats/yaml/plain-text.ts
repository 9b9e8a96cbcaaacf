/**
 * A value as block YAML, its further lines indented, as the library writes it. Undefined if a string in it needs quotes
 * or might: then the library has to write the value.
 */
export function printPlain(value: unknown, indent: string): string | undefined {
  if (typeof value === "string") return special.test(value) ? undefined : value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  const inner = `${indent}  `;
  const lines: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) {
      const text = printPlain(item, inner);
      if (text === undefined) return undefined;
      lines.push(`- ${text}`);
    }
  } else {
    for (const [key, item] of value instanceof Map ? value : Object.entries(value)) {
      const text = printPlain(item, inner);
      if (text === undefined || special.test(key)) return undefined;
      lines.push(typeof item === "object" ? `${key}:\n${inner}${text}` : `${key}: ${text}`);
    }
  }
  return lines.length === 0 ? undefined : lines.join(`\n${indent}`);
}

/**
 * Strings that may need quotes: those that start with anything but a letter, digit or underscore, that contain `#` or
 * others than printable ASCII, or a space or colon that could end the string; and all words that are values of another
 * kind (YAML 1.2 §10.3).
 */
const special =
  /^\W|[^ !"$-~]| (?![!"$-9;-~])|:(?![!"$-~])|^(?:|null|true|false|0o[0-7]+|0x[0-9a-f]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?)$/i;
