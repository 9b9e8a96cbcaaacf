import { expect, test } from "vitest";
import { readPage } from "./docs/page.ts";

const readme = readPage("README.md");
const manifest = JSON.parse(readPage("package.json")) as { engines: { node: string } };

test("is short, and names the required Node version", () => {
  expect(readme.split("\n").length).toBeLessThan(200);
  expect(readme).toContain(`Node ${manifest.engines.node.replace(">=", "")} or newer`);
});

test("its first paragraph names the service: the API, a client of it, and the server of the package", () => {
  const [, first = ""] = readme.split("\n\n");
  for (const word of ["`/v4/domains`", "`linode`", "`zonewright serve`"]) expect(first).toContain(word);
});
