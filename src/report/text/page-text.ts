import { commandLine } from "../../diagnostics/advice.ts";
import { wrap } from "./columns.ts";
import { type Palette, palette, type Style } from "./palette.ts";

/**
 * A page of the documentation, which is Markdown, as text of at most `width` columns. Examples keep their lines, and
 * comments are left out.
 */
export function pageText(markdown: string, style: Style, width: number): string {
  const colors = palette(style);
  const lines: string[] = [];
  let block: string[] = [];
  let header: string[] | undefined;
  let isCode = false;
  const close = () => {
    if (block.length > 0) lines.push(...paragraph(block, width));
    block = [];
  };
  for (const line of markdown
    .replaceAll(/^<!--.*?-->\n/gms, "")
    .trimEnd()
    .split("\n")) {
    if (line.startsWith("```")) {
      close();
      isCode = !isCode;
    } else if (isCode) lines.push(`    ${line}`.trimEnd());
    else if (line.startsWith("|")) {
      close();
      const cells = line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("\\|", "|"));
      if (!header) header = cells;
      else if (!/^[\s|:-]+$/.test(line)) lines.push(...row(header, cells, colors, width));
      continue;
    } else if (/^#+ /.test(line)) {
      close();
      lines.push(colors.bold(inline(line.replace(/^#+ /, ""))));
    } else if (line.trim() === "") {
      close();
      if (lines.at(-1) !== "") lines.push("");
    } else {
      if (/^\s*(?:[-*]|\d+\.) /.test(line)) close();
      block.push(line);
    }
    header = undefined;
  }
  close();
  return `${lines.join("\n")}\n`;
}

/** Wraps lines of text; list items get a hanging indent. */
function paragraph(block: readonly string[], width: number): string[] {
  const [first = ""] = block;
  const indent = /^\s*(?:(?:[-*]|\d+\.) )?/.exec(first)?.[0].length ?? 0;
  const text = [first.slice(indent), ...block.slice(1).map((line) => line.trim())].join(" ");
  return wrap(first.slice(0, indent) + inline(text), width, indent);
}

/** A row of a table: its first cell, and below it the other cells with their column names. */
function row(
  header: readonly string[],
  [first = "", ...rest]: readonly string[],
  colors: Palette,
  width: number,
): string[] {
  const cells = rest.flatMap((cell, index) => {
    const name = header[index + 1] ? `${header[index + 1]}: ` : "";
    return cell === "" ? [] : wrap(`    ${inline(name + cell)}`, width, 4);
  });
  return [...wrap(inline(first), width).map(colors.bold), ...cells];
}

/** Text without Markdown; a link to another page becomes the command that shows that page. */
function inline(text: string): string {
  return text
    .replaceAll(/\*\*([^*]+)\*\*/g, "$1")
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, label: string, link: string) => {
      const [, page] = /^(?:docs\/|\.\/)?([\w-]+)\.md/.exec(link) ?? [];
      if (page !== undefined) return `${label} (\`${commandLine({ run: "help", args: [`${page}.md`] })}\`)`;
      return label === link ? label : `${label} (${link})`;
    });
}
