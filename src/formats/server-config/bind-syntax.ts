import { escapeControl } from "../../diagnostics/escape.ts";
import type { ProblemError } from "../../diagnostics/problem.ts";
import type { ConfigToken } from "../../dns/transfer/key-file.ts";
import { bindStatements } from "../kit/other-format.ts";
import { configFault, placeAt } from "./listed-zone.ts";

export interface FileToken extends ConfigToken {
  readonly file: string;
}

/** Statements that continue after a block, such as `inet … allow { … } keys { … };`. */
const continuing = new Set(["deny-answer-addresses", "deny-answer-aliases", "inet", "response-policy", "unix"]);

/** Statements of a zone with one value. */
const single = new Set(["file", "masterfile-format", "type"]);

/** Statements of a zone that are never a value of another one. */
const neverValue =
  /^(?:allow-[a-z-]+|also-notify|dnssec-policy|file|in-view|inline-signing|journal|key-directory|masterfile-format|masters|notify|primaries|type|update-policy|zone-statistics)$/i;

/**
 * Checks the structure of a configuration: comments, strings, blocks and semicolons. Values are checked only where
 * zones would be lost, because other versions of BIND have other statements.
 * @throws {ProblemError} `server-config-syntax`
 */
export function checkSyntax(tokens: readonly FileToken[]): void {
  const blocks: FileToken[][] = [];
  let words: FileToken[] = [];
  const keywordOf = (statement: readonly FileToken[] | undefined) => statement?.[0]?.text.toLowerCase();
  const isZone = () => keywordOf(blocks.at(-1)) === "zone" && keywordOf(blocks.at(-2)) !== "catalog-zones";
  const continues = () =>
    continuing.has(keywordOf(words) ?? "") ||
    (keywordOf(words) === "zone" && keywordOf(blocks.at(-1)) === "catalog-zones");
  const isTop = () => blocks.length === 0 || keywordOf(blocks.at(-1)) === "view";
  for (const token of tokens) {
    const last = words.at(-1);
    const sign = token.kind === "sign" ? token.text : undefined;
    if (token.kind === "unclosed comment") throw faultAt(token, "the comment is not closed", "Add `*/` at its end.");
    if (token.kind === "unclosed string") throw faultAt(token, "the string is not closed", 'Add `"` at its end.');
    if (sign === "{") {
      if (words.length === 0 && blocks.length === 0)
        throw faultAt(token, "the block belongs to no statement", "Write its keyword before it.");
      if (isClosing(last)) throw missingSemicolon(token, token);
      words.push(token);
      blocks.push(words);
      words = [];
    } else if (sign === "}") {
      const block = blocks.pop();
      if (!block) throw faultAt(token, 'the "}" closes no block', "Remove it, or add the `{` that it closes.");
      if (words.length > 0) throw missingSemicolon(token, token);
      block.push(token);
      words = block;
    } else if (sign === ";") {
      if (!last) throw faultAt(token, 'the statement before ";" is empty', "Remove the semicolon.");
      if (keywordOf(words) === "zone" && isTop() && !isClosing(last))
        throw faultAt(token, "the zone has no block", "Write `{` and its statements before the semicolon.");
      if (isZone() && single.has(keywordOf(words) ?? "") && words.length < 2)
        throw faultAt(token, `"${last.text}" has no value`, "Write its value before the semicolon.");
      words = [];
    } else {
      const isSecond = words.length > 1 && single.has(keywordOf(words) ?? "");
      const isNext = last && (isSecond || (token.kind === "word" && neverValue.test(token.text)));
      if ((isClosing(last) && !continues()) || (isZone() && isNext)) throw missingSemicolon(token, token);
      if (!last && blocks.length === 0 && !bindStatements.has(token.text.toLowerCase()))
        throw faultAt(token, `named.conf has no statement "${escapeControl(token.text)}"`, "Check its spelling.");
      words.push(token);
    }
  }
  const open = blocks.at(-1)?.at(-1);
  if (open) throw faultAt(open, "the block is not closed", "Add `};` at its end.");
  const last = words.at(-1);
  if (last) throw missingSemicolon(last, undefined);
}

function isClosing(token: FileToken | undefined): boolean {
  return token?.kind === "sign" && token.text === "}";
}

/** A statement without its semicolon, before a token or at the end of a file. */
export function missingSemicolon(at: FileToken, next: ConfigToken | undefined): ProblemError {
  const where = next ? `before "${escapeControl(next.text)}"` : "at the end of the file";
  return faultAt(at, `";" is missing ${where}`, "Add the semicolon.");
}

function faultAt({ file, line, column, kind, text }: FileToken, summary: string, fix: string): ProblemError {
  const length = kind === "word" || kind === "sign" ? text.length : 1;
  return configFault(summary, placeAt(file, line, column, length), fix);
}
