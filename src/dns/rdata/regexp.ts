import { Fault } from "../name/fault.ts";

/**
 * Checks the substitution of a NAPTR: delimiter, expression, delimiter, replacement, delimiter, optional `i` (RFC 3402
 * §3.2). Of the expression, only its groups and brackets are checked.
 * @throws {Fault} `rdata-substitution`
 */
export function checkSubstitution(text: string): string {
  if (text === "") return text;
  const sign = text.charAt(0);
  if (/[0-9\\i\0]/.test(sign)) throw regexpFault(`starts with ${sign}, which cannot be its delimiter`);
  const [expression = "", replacement, flags, ...more] = splitParts(text.slice(1), sign);
  if (replacement === undefined || flags === undefined || more.length > 0)
    throw regexpFault(`does not contain its delimiter ${sign} three times`);
  if (/[^i]/.test(flags)) throw regexpFault("ends with a flag other than i");
  const signs = expression.replace(/\\.|\[\^?\]?[^\]]*\]/gs, "");
  const groups = signs.split("(").length - 1;
  if (isOpen(signs)) throw regexpFault("has an unclosed group");
  if (signs.includes("[")) throw regexpFault("has an unclosed bracket");
  const [missing] = [...replacement.matchAll(/\\(.)/gs)].filter(([, c = ""]) => /\d/.test(c) && !isGroup(c, groups));
  if (missing) throw regexpFault(`refers to group ${missing[1]}, but the expression has ${groups}`);
  return text;
}

/** An unmatched closing parenthesis is literal. */
function isOpen(signs: string): boolean {
  let depth = 0;
  for (const sign of signs) {
    if (sign === "(") depth++;
    else if (sign === ")" && depth > 0) depth--;
  }
  return depth > 0;
}

function isGroup(digit: string, groups: number): boolean {
  return Number(digit) >= 1 && Number(digit) <= groups;
}

/** The parts between delimiters; an escaped delimiter does not separate. */
function splitParts(text: string, sign: string): string[] {
  const found = [""];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === sign) found.push("");
    else found[found.length - 1] += character === "\\" ? text.slice(at, ++at + 1) : character;
  }
  return found;
}

function regexpFault(summary: string): Fault {
  return new Fault(
    "rdata-substitution",
    `the regexp ${summary}`,
    'Write a regexp such as "!^.*$!sip:info@example.com!", or "".',
  );
}
