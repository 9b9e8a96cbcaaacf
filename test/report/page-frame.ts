import { createHash } from "node:crypto";
import { expect } from "vitest";

/** The parts that are the same in every page of HTML; each is kept once, in test/cases/reports. */
const parts = [
  { file: "page.css", pattern: /(?<=<style>).*?(?=<\/style>)/gs },
  { file: "page.js", pattern: /(?<=<script>).*?(?=<\/script>)/gs },
];

/**
 * The page with the names of files in the place of its style, its script and their hashes in the policy. Each must
 * occur once, and equal its file.
 */
export async function withoutFrame(html: string): Promise<string> {
  let rest = html;
  for (const { file, pattern } of parts) {
    const found = html.match(pattern) ?? [];
    const text = found.join("");
    const hash = createHash("sha256").update(text).digest("base64");
    expect([file, found.length, rest.split(hash).length - 1]).toEqual([file, 1, 1]);
    await expect(text).toMatchFileSnapshot(`../cases/reports/${file}`);
    rest = rest.replace(text, () => `[${file}]`).replace(hash, () => `[${file}]`);
  }
  return rest;
}
