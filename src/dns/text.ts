/** The UTF-8 of a text as octets, one character for each. */
export function toOctets(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Octets as text; invalid UTF-8 becomes U+FFFD. */
export function fromOctets(octets: string): string {
  return Buffer.from(octets, "latin1").toString("utf8");
}

/** Whether the octets are UTF-8, so that JSON and YAML can contain them as text. */
export function isUtf8(octets: string): boolean {
  return toOctets(fromOctets(octets)) === octets;
}

/** Splits octets into strings of 255, the last one shorter. Empty input gives one empty string. */
export function splitText(octets: string): string[] {
  const strings = [];
  for (let at = 0; at < octets.length; at += 255) strings.push(octets.slice(at, at + 255));
  return strings.length === 0 ? [""] : strings;
}
