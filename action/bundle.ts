import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { bundleLazyPackages } from "../packaging/lazy-packages.ts";
import { licensesOf } from "../packaging/licenses.ts";

const root = resolve(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

/**
 * The bundle lies in another folder than the sources, so it cannot find package.json by its own place. Fails if the file
 * that it replaces has moved: plan files without a version would be refused.
 */
const versionPlugin: Plugin = {
  name: "version",
  setup: ({ onLoad, onEnd }) => {
    let isReplaced = false;
    onLoad({ filter: /[\\/]src[\\/]workflow[\\/]project[\\/]version\.ts$/ }, () => {
      isReplaced = true;
      return { contents: `export const version = () => ${JSON.stringify(version)};`, loader: "ts" };
    });
    onEnd(() => (isReplaced ? {} : { errors: [{ text: "action/bundle.ts: the file with the version has moved" }] }));
  },
};

/**
 * Bundles the action into `folder`: one file that runs on Node 20 and later without `npm install`, and the licences of
 * the packages in it. The same sources and packages give the same bytes, in any folder and on any version of Node.
 */
export async function bundle(folder: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/action/main.ts"],
    outfile: join(folder, "index.js"),
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // pre-commit runs the file as a program. Packages in CommonJS load Node's own modules by `require`, which a module
    // does not have; a package may declare `createRequire` itself.
    banner: {
      js: '#!/usr/bin/env node\nimport { createRequire as createRequireOfNode } from "node:module";\nconst require = createRequireOfNode(import.meta.url);',
    },
    legalComments: "none", // they are in licenses.txt
    charset: "utf8",
    metafile: true,
    plugins: [versionPlugin, bundleLazyPackages],
    logLevel: "warning",
  });
  chmodSync(join(folder, "index.js"), 0o755);
  writeFileSync(join(folder, "licenses.txt"), licensesOf(root, metafile));
}
