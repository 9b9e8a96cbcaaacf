import { spawnSync } from "node:child_process";
import { expect } from "vitest";

const extensions = ["table", "autolink", "strikethrough", "tasklist"].flatMap((name) => ["-e", name]);

/** Markdown as GitHub's own renderer (cmark-gfm) renders it, without the filter that removes elements afterwards. */
export function renderGfm(markdown: string): string {
  const { stdout, stderr } = spawnSync("cmark-gfm", [...extensions, "--unsafe"], { input: markdown, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout;
}

/**
 * The same for many documents in one process. A paragraph separates them: one that a document does not end before
 * reaches into the next one, and what a document defines, such as a link, the others would use.
 */
export function renderEach(documents: readonly string[]): string[] {
  const border = "the next document";
  const rendered = renderGfm(documents.join(`\n\n${border}\n\n`)).split(`<p>${border}</p>\n`);
  expect(rendered.length).toBe(documents.length);
  return rendered;
}
