import { reasons } from "../../contract/errors.ts";
import { refusal } from "../kit/api-error.ts";

/**
 * How much a body may hold. The largest that the API has a use for is a domain with three lists of 100 entries; reading
 * many more values, or names of fields that nobody knows, takes longer than everything that is done with them.
 */
export const most = { values: 10_000, depth: 100 };

/**
 * The value of a JSON text.
 * @throws {ApiError} 400 for no JSON, and for JSON with more values or levels than any request needs.
 */
export function readJson(text: string): unknown {
  const { values, depth } = measure(text);
  if (depth > most.depth) throw refusal(`The request body is nested deeper than ${most.depth} levels`);
  if (values > most.values) throw refusal(`The request body has more than ${most.values.toLocaleString("en")} values`);
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(reasons.invalidJson);
  }
}

const [quote, backslash, comma, colon] = ['"', "\\", ",", ":"].map((sign) => sign.charCodeAt(0));
/** `[` and `]` of ASCII with the bit set that makes them `{` and `}`. */
const [opening, closing, curly] = [0x7b, 0x7d, 0x20];

/** Counts what separates values and what nests them, outside of texts, as far as that is not too much already. */
function measure(text: string): { values: number; depth: number } {
  let [values, level, depth] = [1, 0, 0];
  for (let at = 0; at < text.length && values <= most.values && depth <= most.depth; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma || code === colon) values++;
    else if ((code | curly) === opening) depth = Math.max(depth, ++level);
    else if ((code | curly) === closing) level--;
  }
  return { values, depth };
}

/** Where the quote stands that ends the text that begins at `from`. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
    at = end + 1;
  }
}
