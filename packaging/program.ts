import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { loadBuiltinsLazily } from "./lazy-builtins.ts";
import { bundleLazyPackages, lazyPackages } from "./lazy-packages.ts";
import { licensesOf } from "./licenses.ts";

const root = resolve(import.meta.dirname, "..");
const folder = join(root, "dist/cli");

/**
 * The program in few files: `main.js`, the chunks that commands load when they run, and source maps for stack traces.
 * Node spends half of a start on finding and reading the modules of the sources one by one.
 */
export async function bundleProgram() {
  const parts = await Promise.all([bundleSources(), ...lazyPackages.map(bundlePackage)]);
  const outputFiles = parts.flatMap(({ outputFiles }) => outputFiles);
  const inputs = Object.assign({}, ...parts.map(({ metafile }) => metafile.inputs));
  const outputs = Object.assign({}, ...parts.map(({ metafile }) => metafile.outputs));
  return { outputFiles, metafile: { inputs, outputs } as Metafile };
}

const options = {
  absWorkingDir: root,
  outdir: folder,
  bundle: true,
  platform: "node",
  target: "node20.19",
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
} as const satisfies BuildOptions;

function bundleSources() {
  return build({
    ...options,
    entryPoints: ["src/cli/main.ts"],
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
    format: "esm",
    external: ["libsql", "pg"], // machine code; a package without the text of its licence
    plugins: [bundleLazyPackages, loadBuiltinsLazily, packagesBeside],
    // Packages in CommonJS load Node's own modules by `require`, which a module does not have; a package may declare
    // `createRequire` itself.
    banner: {
      js: 'import { createRequire as createRequireOfNode } from "node:module";\nconst require = createRequireOfNode(import.meta.url);',
    },
  });
}

/** Imports lazy packages from their files beside the chunks. */
const packagesBeside: Plugin = {
  name: "packages-beside",
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^(?:${lazyPackages.join("|")})$`) }, ({ path }) => ({
      path: `./${path}.cjs`,
      external: true,
    })),
};

/** A package as one file, which can be loaded in the middle of a function: `require` of a module would warn. */
function bundlePackage(name: string) {
  const names = Object.keys(createRequire(import.meta.url)(name)).join(", ");
  return build({
    ...options,
    stdin: { contents: `export { ${names} } from "${name}";`, resolveDir: root },
    entryNames: `chunks/${name}`,
    outExtension: { ".js": ".cjs" },
    format: "cjs",
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
