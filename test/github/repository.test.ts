import { expect, test } from "vitest";
import { readRepository } from "../../src/github/repository.ts";

test("reads the owner and the name of a repository", () => {
  expect(readRepository("octo-org/zones.example")).toEqual({ owner: "octo-org", name: "zones.example" });
});

test.each([
  "zones",
  "octo-org/",
  "/zones",
  "a/b/c",
  "../zones",
  "octo-org/..",
  "a b/c",
  "octo-org/zo\nnes",
  "a/%2e%2e",
])("does not accept %j as a repository", (text) => {
  const message = `"${text}" is not the name of a repository`;
  expect(() => readRepository(text)).toThrow(expect.objectContaining({ message }));
});

test("says that the repository is not set", () => {
  expect(() => readRepository("")).toThrow(expect.objectContaining({ message: "GITHUB_REPOSITORY is not set" }));
});
