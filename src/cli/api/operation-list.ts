import { columns, pad, wrap } from "../../report/text/columns.ts";
import { palette, type Style } from "../../report/text/palette.ts";
import { operations, summaryOf } from "./operation.ts";

/**
 * All operations, grouped by tag: name, request and summary. In a pipe each is a line; on a terminal the summary has a
 * line of its own if it does not fit, and so has a long request.
 */
export function operationList(style: Style, width: number | undefined): string {
  const { bold } = palette(style);
  const rows = operations.map(({ name, endpoint }) => {
    const { method, path, tag } = endpoint;
    return { tag, name, request: `${method.padEnd(6)} ${path}`, summary: summaryOf(endpoint) };
  });
  const names = Math.max(...rows.map(({ name }) => columns(name)));
  const requests = Math.max(...rows.map(({ request }) => columns(request)));
  const tags = [...new Set(rows.map(({ tag }) => tag))];
  const blocks = tags.map((tag) => {
    const lines = rows
      .filter((row) => row.tag === tag)
      .flatMap(({ name, request, summary }) => {
        const start = `  ${pad(name, names)}  `;
        const line = `${start}${pad(request, requests)}  ${summary}`;
        if (width === undefined || columns(line) <= width) return [line];
        const head = columns(start + request) <= width ? [start + request] : [start.trimEnd(), `    ${request}`];
        return [...head, ...wrap(`${" ".repeat(columns(start))}${summary}`, width, columns(start))];
      });
    return `${[bold(tag), ...lines].join("\n")}\n`;
  });
  return blocks.join("\n");
}
