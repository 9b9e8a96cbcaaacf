import { beforeAll, expect, test } from "vitest";
import { guideSections } from "../../site/navigation.ts";
import type { Page } from "../../site/page.ts";
import { listPages } from "../../site/pages.ts";

let pages: ReadonlyMap<string, Page>;
beforeAll(async () => {
  pages = new Map((await listPages()).map((page) => [page.path, page]));
});

test("the navigation has each guide once", () => {
  const guides = [...pages.keys()].filter((path) => !/^(?:reference|decisions)\//.test(path));
  expect(guideSections.flatMap((section) => Object.keys(section.pages)).sort()).toEqual(guides.sort());
});

test("no two pages have the same path in letters of one case, which some file systems cannot tell apart", () => {
  const paths = [...pages.keys()].map((path) => path.toLowerCase());
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
});

test.each([
  "reference/record-types/CAA",
  "reference/exit-codes/4",
  "reference/guards/G05",
  "reference/rules/target-needs-dot",
  "reference/settings/config-guards",
  "reference/targets/files",
  "reference/commands/set",
])("%s", async (path) => {
  await expect(pages.get(path)?.text).toMatchFileSnapshot(`pages/${path.replaceAll("/", "-")}.md`);
});
