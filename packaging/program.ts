import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { licensesOf } from "./licenses.ts";

const root = resolve(import.meta.dirname, "..");
const folder = join(root, "dist/cli");

/**
 * The program in few files: `main.js`, the chunks that commands load when they run, and source maps for stack traces.
 * Node spends half of a start on finding and reading the modules of the sources one by one.
 */
export function bundleProgram() {
  return build({
    absWorkingDir: root,
    entryPoints: ["src/cli/main.ts"],
    outdir: folder,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    external: ["libsql", "pg"], // machine code; a package without the text of its licence
    // Packages in CommonJS load Node's own modules by `require`, which a module does not have; a package may declare
    // `createRequire` itself.
    banner: {
      js: 'import { createRequire as createRequireOfNode } from "node:module";\nconst require = createRequireOfNode(import.meta.url);',
    },
    // V8 reads less text at each start. Names stay, and the source maps lead to the lines.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: "none", // they are in licenses.txt
    charset: "utf8",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
}

/** Writes the bundled program to `dist/cli`, with the licences of the packages in it, and removes what else is there. */
export async function buildProgram(): Promise<void> {
  const { metafile, outputFiles } = await bundleProgram();
  const files = new Map<string, string | Uint8Array>(outputFiles.map(({ path, contents }) => [path, contents]));
  files.set(join(folder, "licenses.txt"), licensesOf(root, metafile));
  for (const [path, contents] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  chmodSync(join(folder, "main.js"), 0o755);
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (!file.isDirectory() && !files.has(path)) rmSync(path);
  }
}
