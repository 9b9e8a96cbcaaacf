import { yamlLibrary } from "../lazy-packages.ts";

/**
 * Calls `visit` with the tokens of a YAML text, which cover it without gaps, until it returns true. `isScalar` is true
 * for the content of a scalar without quotes, which may look like a comment.
 */
export function scanYaml(source: string, visit: (token: string, at: number, isScalar: boolean) => boolean): void {
  const { Lexer } = yamlLibrary();
  let at = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(source)) {
    // Marks of the lexer: start of a document, end of flow after an error, start of a scalar.
    if (token !== "\u0002" && token !== "\u0018" && token !== "\u001f") {
      if (visit(token, at, isScalar)) return;
      at += token.length;
    }
    isScalar = token === "\u001f";
  }
}
