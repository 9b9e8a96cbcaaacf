/** Part of a policy text; offsets count its characters, `end` is exclusive. */
export interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A `name=value` of a tag list. `text` is the whole tag without the blanks around it. */
export interface PolicyTag extends Span {
  /** As written: DKIM and DMARC tags are case-sensitive (RFC 6376 §3.2). */
  readonly name: string;
  /** As written, without the blanks around it; may be empty. */
  readonly value: string;
  readonly valueStart: number;
}

export interface TagList {
  readonly tags: readonly PolicyTag[];
  /** Parts that are not `name=value`, and empty parts between two semicolons. */
  readonly malformed: readonly Span[];
}

/**
 * Reads a tag list such as `v=DMARC1; p=none` (RFC 6376 §3.2; DMARC, MTA-STS, TLSRPT and BIMI use it too). Never
 * throws: malformed parts are listed separately, and a repeated tag appears each time.
 */
export function parseTags(text: string): TagList {
  const tags: PolicyTag[] = [];
  const malformed: Span[] = [];
  let start = 0;
  while (start <= text.length) {
    const semicolon = text.indexOf(";", start);
    const end = semicolon === -1 ? text.length : semicolon;
    const part = trimSpan(text, start, end);
    const isLast = semicolon === -1;
    if (part.text !== "") {
      const tag = tagOf(part);
      if (tag) tags.push(tag);
      else malformed.push(part);
    } else if (!isLast) malformed.push(part); // only the last semicolon may end the list
    if (isLast) break;
    start = end + 1;
  }
  return { tags, malformed };
}

/** The values of a tag, in order; the name is compared without regard to case. */
export function valuesOf({ tags }: TagList, name: string): string[] {
  return tags.filter((tag) => tag.name.toLowerCase() === name).map(({ value }) => value);
}

function tagOf(part: Span): PolicyTag | undefined {
  const equals = part.text.indexOf("=");
  const name = part.text.slice(0, Math.max(0, equals)).trimEnd();
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) return undefined;
  const value = trimSpan(part.text, equals + 1, part.text.length);
  return { ...part, name, value: value.text, valueStart: part.start + value.start };
}

function trimSpan(text: string, from: number, to: number): Span {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return { text: text.slice(start, end), start, end };
}

/** Space, tab, CR and LF: folding white space of a tag list. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 10;
}
