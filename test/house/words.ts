import { codeOf, type SourceFile, withoutComments } from "./files.ts";

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

/** Flags that belong to others: an argument of a program such as git, and variables of CSS. */
const ofOthers = /^--[a-z-]+(?:=[^ ]*)?$|var\(--|^\s*--[a-z-]+:/;
/** Command lines of other programs. */
const otherPrograms = /\b(?:git|npm|dnscontrol|dig|named-compilezone) [^`]*/g;

/** Texts in code that name a flag or a command of zonewright, such as "with --allow" or "`zonewright plan`". */
export function advisedFlags(
  files: readonly SourceFile[],
  commands: readonly string[],
): readonly { readonly path: string; readonly line: number; readonly text: string }[] {
  const command = new RegExp(`\\bzonewright (?:${commands.join("|")})\\b`);
  return files.flatMap(({ path, text }) =>
    withoutComments(text)
      .split("\n")
      .flatMap((line, index) => {
        const literals = line.match(/"(?:\\.|[^"\\])*"|`[^`]*`?|[^`]*`/g) ?? [];
        const advice = literals
          .map((literal) => literal.replace(/^["`]|["`]$/g, "").replace(otherPrograms, ""))
          .find(
            (literal) => command.test(literal) || (/(?:^|[\s`(>])--[a-z]/.test(literal) && !ofOthers.test(literal)),
          );
        return advice === undefined ? [] : [{ path, line: index + 1, text: advice }];
      }),
  );
}
