/** A page of the site. */
export interface Page {
  /** Below the root of the site, without ".md": `reference/guards/G05`. */
  readonly path: string;
  readonly title: string;
  /** Markdown, with its title. */
  readonly text: string;
}

/** Text of the program in Markdown, neither HTML nor a variable of the generator; `code` stays. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/[<>{}|*_[\]]/g, (sign) => `&#${sign.charCodeAt(0)};`),
    )
    .join("");
}

/** A block of text that is shown as it is. */
export function block(text: string, language = "text"): string {
  const fence = text.includes("```") ? "````" : "```";
  return `${fence}${language}\n${text.replace(/\n+$/, "")}\n${fence}`;
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("\n", " ")).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}
