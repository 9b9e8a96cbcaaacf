import { expect, test } from "vitest";
import { cacheFolder } from "../../src/cli/cache-scripts.ts";

test.each<[string | undefined, string, string | undefined]>([
  [undefined, "/home/a", "/home/a/.cache/zonewright"],
  ["/var/cache", "/home/a", "/var/cache/zonewright"],
  ["/var/cache", "", "/var/cache/zonewright"],
  ["", "/home/a", "/home/a/.cache/zonewright"],
  ["cache", "/home/a", "/home/a/.cache/zonewright"],
  ["cache", "", undefined],
  [undefined, "", undefined],
  [undefined, "home", undefined],
])("the cache with XDG_CACHE_HOME=%s and the home %j: %s", (XDG_CACHE_HOME, home, folder) => {
  expect(cacheFolder({ XDG_CACHE_HOME }, home)).toBe(folder);
});
