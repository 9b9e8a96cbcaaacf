import { codeOf, type SourceFile } from "./files.ts";

/** Exported names that stand for different things: each is declared and exported in several files. */
export function namesWithSeveralMeanings(files: readonly SourceFile[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const declaration =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  for (const { path, text } of files)
    for (const [, name = ""] of codeOf(text).matchAll(declaration)) {
      const paths = found.get(name) ?? [];
      if (!paths.includes(path)) found.set(name, [...paths, path]);
    }
  return new Map([...found].filter(([, paths]) => paths.length > 1));
}

/** Declarations and uses of variables of CSS. */
const css = /var\(--[\w-]+\)|--[\w-]+:/g;
/** Command lines of other programs. */
const otherPrograms = /\b(?:git|npm|dnscontrol|dig|named-compilezone) [^`]*/g;
/** A literal that is an argument of a program, such as `--quiet`. */
const argument = /^--[a-z-]+(?:=.*)?$/;

/** Texts in code that name a flag or a command of zonewright, such as "with --allow" or "`zonewright plan`". */
export function advisedFlags(
  files: readonly SourceFile[],
  commands: readonly string[],
): readonly { readonly path: string; readonly line: number; readonly text: string }[] {
  const command = new RegExp(`\\bzonewright (?:${commands.join("|")})\\b|\`zonewright \\0`);
  return files.flatMap(({ path, text }) => {
    const runsGit = /\b(?:runGit|tryGit|git)\(/.test(text);
    return literalsOf(text).flatMap(({ literal, line }) => {
      if (runsGit && argument.test(literal)) return [];
      const own = literal.replace(css, "").replace(otherPrograms, "");
      return command.test(own) || /(?:^|[\s`(>])--[a-z]/.test(own) ? [{ path, line, text: literal }] : [];
    });
  });
}

/** The texts of strings and templates, without what templates insert; regular expressions and comments have none. */
export function literalsOf(text: string): readonly { readonly literal: string; readonly line: number }[] {
  const found: { literal: string; line: number }[] = [];
  const lineAt = (at: number) => text.slice(0, at).split("\n").length;
  let before = ""; // the last character or word of code, which tells a regular expression from a division
  const skipTo = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text) === null ? text.length : pattern.lastIndex;
  };
  /** Reads code up to the brace that closes it; returns the index behind it. */
  function readCode(at: number): number {
    while (at < text.length) {
      const rest = text.slice(at, at + 2);
      const [character = ""] = rest;
      if (rest === "//") at = skipTo(/\n|$/g, at);
      else if (rest === "/*") at = skipTo(/\*\//g, at);
      else if (character === "/" && /^(?:|[([{,;=:!&|?+>~]|return|typeof|case)$/.test(before)) {
        at = skipTo(/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])*\//y, at + 1);
        before = ")";
      } else if (character === '"' || character === "'") at = readString(at, character);
      else if (character === "`") at = readTemplate(at);
      else if (character === "{") [at, before] = [readCode(at + 1), "}"];
      else if (character === "}") return at + 1;
      else {
        const [word = character] = /^\w+/.exec(text.slice(at, at + 40)) ?? [];
        if (word.trim() !== "") before = word;
        at += word.length;
        continue;
      }
      if (character !== "/" && character !== "{") before = ")";
    }
    return at;
  }
  function readString(at: number, quote: string): number {
    const end = skipTo(new RegExp(`(?:\\\\.|[^${quote}\\\\])*${quote}`, "y"), at + 1);
    found.push({ literal: text.slice(at + 1, end - 1), line: lineAt(at) });
    return end;
  }
  function readTemplate(at: number): number {
    const line = lineAt(at);
    let literal = "";
    for (at++; at < text.length && text[at] !== "`"; ) {
      if (text.startsWith("${", at)) {
        before = "{";
        at = readCode(at + 2);
        literal += "\0";
      } else {
        const step = text[at] === "\\" ? 2 : 1;
        literal += text.slice(at, at + step).replace(/^\\`$/, "`");
        at += step;
      }
    }
    found.push({ literal, line });
    return at + 1;
  }
  for (let at = 0; at < text.length; ) at = readCode(at);
  return found;
}
