/** The UTF-8 of a text as octets, one character for each. */
export function toOctets(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Octets as text; what is no UTF-8 becomes U+FFFD. */
export function fromOctets(octets: string): string {
  return Buffer.from(octets, "latin1").toString("utf8");
}

/** Are the octets UTF-8, so that JSON and YAML can carry them as text? */
export function isUtf8(octets: string): boolean {
  return toOctets(fromOctets(octets)) === octets;
}

/** Octets in strings of 255, the last one shorter: how a long text is rendered. No octets are one empty string. */
export function splitText(octets: string): string[] {
  const strings = [];
  for (let at = 0; at < octets.length; at += 255) strings.push(octets.slice(at, at + 255));
  return strings.length === 0 ? [""] : strings;
}
