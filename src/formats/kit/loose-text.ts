import type { Name } from "../../dns/name/name.ts";
import { findTypography } from "../../dns/name/straight-text.ts";
import { fromOctets, splitText, toOctets } from "../../dns/name/text.ts";
import { straightForm } from "../../dns/policies/kind.ts";
import { quote } from "../../dns/rdata/field.ts";
import type { RecordType } from "../../dns/rdata/record-type.ts";
import { bare, octetsOf, quoted, type TokenTable, withEscape } from "../../dns/rdata/token-table.ts";
import type { Slip } from "../../dns/zone/zone.ts";

/** A text whose meaning in a zone file differs from its appearance, from the token `first` to the token `last`. */
export interface LooseText extends Pick<Slip, "rule" | "summary" | "fix"> {
  readonly first: number;
  readonly last: number;
}

/** The finding for a semicolon that truncates a text. */
export const lostRestSummary = "has an unquoted semicolon, which makes the rest of the text a comment";

/** The fix shows only the start of a longer text. */
const longestShown = 255;

/**
 * Finds text without quotes whose rest is a comment (`v=DKIM1; k=rsa`), or whose blanks vanish because each word is a
 * string of its own (`v=spf1 mx -all`; RFC 1035 §5.1). `data` is the token that the data starts with.
 */
export function findLooseText(
  { owner, type: { fields } }: { readonly owner: Name; readonly type: RecordType },
  table: TokenTable,
  data: number,
): LooseText | undefined {
  const field = fields.findIndex(({ kind }) => kind.json === "text" || kind.json === "texts");
  if (field === -1 || isUnknownForm(table, data)) return undefined;
  const first = data + field;
  const { kind, isList = false } = fields[field] ?? {};
  const isJoined = kind?.json === "texts" && !isList;
  const commented = isJoined ? findCommentedTags(owner, table, first) : undefined;
  if (commented) return commented;
  for (let token = first; token < table.count; token++) {
    if (endsInComment(table, token)) return findLostRest(owner, table, { first, last: token });
    if (isJoined && token > first && areWords(table, token - 1)) return findLostBlanks(owner, table, token - 1);
  }
  return undefined;
}

/** Whether a semicolon at the end of the token starts a comment that looks like the rest of the text. */
function endsInComment({ text, ends, kinds }: TokenTable, token: number): boolean {
  const end = ends[token] ?? 0;
  const isQuoted = ((kinds[token] ?? 0) & quoted) !== 0;
  if (!isQuoted && text[end] === ";") return true;
  const rest = /"?[ \t]*;[ \t]*[a-z][\w-]*[ \t]*=/iy;
  rest.lastIndex = end;
  return rest.test(text) && /(?:^|;)\s*v=\w+;?$/i.test(wordOf(text, end));
}

/** Tags of the policies that begin with a version, by that in lower case. */
const policyTags: ReadonlyMap<string, readonly string[]> = new Map([
  ["dkim1", ["g", "h", "k", "n", "p", "s", "t"]],
  ["dmarc1", ["p", "sp", "np", "pct", "rua", "ruf", "adkim", "aspf", "fo", "rf", "ri", "t"]],
  ["stsv1", ["id"]],
  ["tlsrptv1", ["rua"]],
  ["bimi1", ["l", "a"]],
]);

/** A policy in parentheses with tags on lines that start with a semicolon, which makes them comments. */
function findCommentedTags(owner: Name, table: TokenTable, first: number): LooseText | undefined {
  const { text, count } = table;
  const version = /^\s*v\s*=\s*(\w+)/i.exec(text.slice(table.starts[first], table.ends[first]))?.[1]?.toLowerCase();
  const tags = version === undefined ? undefined : policyTags.get(version);
  if (tags === undefined) return undefined;
  let kept = "";
  for (let token = first; token < count; token++) kept += text.slice(table.starts[token], table.ends[token]);
  for (let token = first; token < count; token++) {
    const comments = /(?:[ \t]*(?:;[^\n]*)?\r?\n)+[ \t]*(?:;[^\n]*\n[ \t]*)*/y;
    comments.lastIndex = table.endOf(token);
    const lines = comments.exec(text)?.[0];
    // After the last string, only a ) shows that the entry continued on these lines.
    if (lines === undefined || (token === count - 1 && text[comments.lastIndex] !== ")")) continue;
    const isLost = [...lines.matchAll(/\n[ \t]*;[ \t]*"?([a-z]+)[ \t]*=[ \t]*[^\s"]/gi)].some(([, tag = ""]) => {
      return tags.includes(tag.toLowerCase()) && !new RegExp(`(?:^|;)\\s*${tag}\\s*=`, "i").test(kept);
    });
    if (!isLost) continue;
    const meant = plain(text.slice(table.startOf(first), Math.max(comments.lastIndex, table.endOf(count - 1))));
    return {
      rule: "text-unquoted",
      summary: "has a line that starts with a semicolon, which makes the rest of that line a comment",
      fix: `Put the text in quotes: ${quotedForm(owner, joinTags(meant))}.`,
      first,
      last: token,
    };
  }
  return undefined;
}

/** Joins the lines of a tag list, with one semicolon between two tags. */
function joinTags(lines: string): string {
  return lines.replace(/\s*\n\s*/g, "").replace(/\s*;(?:\s*;)+/g, ";");
}

/** The word that ends at an offset. */
function wordOf(text: string, end: number): string {
  return /[^\s"]*$/.exec(text.slice(Math.max(0, end - 64), end))?.[0] ?? "";
}

function findLostRest(owner: Name, table: TokenTable, { first, last }: Pick<LooseText, "first" | "last">): LooseText {
  const { text } = table;
  const start = table.startOf(first);
  const lineEnd = text.indexOf("\n", table.endOf(last));
  const meant = plain(text.slice(start, lineEnd === -1 ? text.length : lineEnd)).replace(/[\s)]+$/, "");
  return {
    rule: "text-unquoted",
    summary: lostRestSummary,
    fix: `Put the text in quotes: ${quotedForm(owner, meant)}. If a comment is intended, put quotes around the text and a space before the semicolon.`,
    first,
    last,
  };
}

/** Whether this token and the next one are unquoted words on one line. */
function areWords({ text, ends, starts, kinds }: TokenTable, token: number): boolean {
  const isBare = (index: number) => ((kinds[index] ?? 0) & quoted) === 0;
  return isBare(token) && isBare(token + 1) && /^[ \t]+$/.test(text.slice(ends[token], starts[token + 1]));
}

function findLostBlanks(owner: Name, table: TokenTable, first: number): LooseText {
  let last = first + 1;
  while (last + 1 < table.count && areWords(table, last)) last++;
  const meant = plain(table.text.slice(table.startOf(first), table.endOf(last)));
  const strings = [];
  for (let token = first; token <= last; token++) strings.push(quote(octetsOf(table, token)));
  const apart = fromOctets(strings.join(" "));
  const isShown = apart.length <= longestShown && findTypography(fromOctets(meant)) === undefined;
  return {
    rule: "text-unquoted",
    summary: "has text without quotes, so each word becomes a separate string and the spaces between them are lost",
    fix: `Put the text in quotes: ${quotedForm(owner, meant)}.${isShown ? ` If separate strings are meant, quote each: ${apart}.` : ""}`,
    first,
    last,
  };
}

/** The text without quotes and backslashes. */
function plain(written: string): string {
  return written.replace(/(?<!\\)"[ \t]*"|(?<!\\)"/g, "").replace(/\\([^\d])/g, "$1");
}

/** The text in quotes, as strings of up to 255 octets; a policy in plain characters. */
function quotedForm(owner: Name, written: string): string {
  const straight = straightForm(owner, fromOctets(written));
  const text = straight === undefined ? written : toOctets(straight);
  const form = splitText(text).map(quote).join(" ");
  const readable = form.replace(/(?:\\\d{3})+/g, (octets) =>
    fromOctets(octets.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number(code)))),
  );
  if (text.length <= longestShown) return readable;
  return `${readable.slice(0, 60)}…", in strings of at most 255 characters each`;
}

function isUnknownForm({ text, starts, ends, kinds }: TokenTable, token: number): boolean {
  return kinds[token] === (bare | withEscape) && text.slice(starts[token], ends[token]) === "\\#";
}
