/** The UTF-8 of a text as octets, one character for each. */
export function toOctets(text: string): string {
  if (isAscii(text)) return text; // nearly every text is, and a Buffer costs more than the look
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Octets as text; invalid UTF-8 becomes U+FFFD. */
export function fromOctets(octets: string): string {
  if (isAscii(octets)) return octets;
  return Buffer.from(octets, "latin1").toString("utf8");
}

/** Whether the octets are UTF-8, so that JSON and YAML can contain them as text. */
export function isUtf8(octets: string): boolean {
  return isAscii(octets) || toOctets(fromOctets(octets)) === octets;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** Splits octets into strings of 255, the last one shorter. Empty input gives one empty string. */
export function splitText(octets: string): string[] {
  const strings = [];
  for (let at = 0; at < octets.length; at += 255) strings.push(octets.slice(at, at + 255));
  return strings.length === 0 ? [""] : strings;
}
