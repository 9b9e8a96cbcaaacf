import { expect, test } from "vitest";
import { allows, parseScopes } from "../../src/contract/scopes.ts";

test.each([
  ["*", "domains:read_write", true],
  ["domains:read_write", "domains:read_only", true],
  ["domains:read_only", "domains:read_only", true],
  ["domains:read_only", "domains:read_write", false],
  ["nodes:read_write", "domains:read_only", false],
  ["domains:*", "domains:read_write", true],
  ["nodes:read_only, domains:read_write", "domains:read_write", true],
  ["", "domains:read_only", false],
] as const)("%s opens %s: %s", (granted, needed, opens) => {
  expect(allows(parseScopes(granted), needed)).toBe(opens);
});
