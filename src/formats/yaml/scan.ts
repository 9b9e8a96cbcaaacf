import { Lexer } from "yaml";

interface YamlToken {
  readonly text: string;
  readonly at: number;
  /** Is it the content of a scalar without quotes, which may look like a comment? */
  readonly isScalar: boolean;
}

/** The tokens of a YAML text, which they cover without gaps. */
export function* scanYaml(source: string): Generator<YamlToken> {
  let at = 0;
  let isScalar = false;
  for (const text of new Lexer().lex(source)) {
    // Marks of the lexer: start of a document, end of flow after an error, start of a scalar.
    const isMark = text === "\u0002" || text === "\u0018" || text === "\u001f";
    if (!isMark) {
      yield { text, at, isScalar };
      at += text.length;
    }
    isScalar = text === "\u001f";
  }
}
