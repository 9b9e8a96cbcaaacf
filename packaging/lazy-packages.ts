import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** The packages that `src/lazy-packages.ts` loads. */
export const lazyPackages = ["tldts", "yaml"] as const;

/** Lets esbuild see the `require` of `src/lazy-packages.ts`, so that the packages become part of the bundle. */
export const bundleLazyPackages: Plugin = {
  name: "lazy-packages",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]src[\\/]lazy-packages\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/^import .*\n\nconst require = .*$/m, ""),
      loader: "ts",
    })),
};
