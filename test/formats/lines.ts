/** Lines as they are written in a test: without the line end at the start and the indentation of the first line. */
export function lines({ raw }: TemplateStringsArray, ...values: unknown[]): string {
  const text = String.raw({ raw }, ...values).replace(/^\n/, "");
  const indentation = /^ */.exec(text)?.[0] ?? "";
  return text.replaceAll(new RegExp(`^${indentation}`, "gm"), "").replace(/ *$/, "");
}
