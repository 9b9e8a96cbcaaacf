import { reasons } from "../../contract/errors.ts";
import { badRequest, Refusal } from "../kit/api-error.ts";
import { type ApiRequest, readBodyOctets } from "../kit/request.ts";

/**
 * Limits of a body. The largest useful bodies are a domain with three lists of 100 entries and a TXT record of 65,535
 * characters in any JSON spelling; reading many more values, or unknown field names, takes longer than the request.
 */
export const bodyLimits = { octets: 1024 * 1024, values: 10_000, depth: 100 };

/**
 * Reads the body of a request as JSON; an empty one is an object without fields, unless a body `isRequired`.
 * @throws {Refusal} 413 over 1 MiB; 400 if it is not UTF-8, incomplete or not JSON, or exceeds the other limits.
 */
export async function parseBody(request: ApiRequest, isRequired: boolean): Promise<unknown> {
  const text = await readText(request);
  if (text === "" && !isRequired) return {};
  const { values, depth } = measure(text);
  if (depth > bodyLimits.depth) throw badRequest(`The request body is nested deeper than ${bodyLimits.depth} levels`);
  if (values > bodyLimits.values)
    throw badRequest(`The request body has more than ${bodyLimits.values.toLocaleString("en")} values`);
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(reasons.invalidJson);
  }
}

/** The body as text. */
async function readText(request: ApiRequest): Promise<string> {
  const octets = await readBodyOctets(request, bodyLimits.octets, {
    tooLarge: () => new Refusal(413, [{ reason: "The request body is larger than 1 MiB" }]),
    incomplete: () => badRequest(reasons.invalidJson),
  });
  try {
    return utf8.decode(octets);
  } catch {
    throw badRequest(reasons.invalidJson);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

const [quote, backslash, comma, colon] = ['"', "\\", ",", ":"].map((sign) => sign.charCodeAt(0));
/** In ASCII, `[` and `]` with this bit set are `{` and `}`. */
const [opening, closing, curly] = [0x7b, 0x7d, 0x20];

/** Counts values and nesting outside of strings, stopping at the limits. */
function measure(text: string): { values: number; depth: number } {
  let [values, level, depth] = [1, 0, 0];
  for (let at = 0; at < text.length && values <= bodyLimits.values && depth <= bodyLimits.depth; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma || code === colon) values++;
    else if ((code | curly) === opening) depth = Math.max(depth, ++level);
    else if ((code | curly) === closing) level--;
  }
  return { values, depth };
}

/** Index of the quote that ends the string that begins at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
    at = end + 1;
  }
}
