import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { joinChunks } from "./join-chunks.ts";
import { loadBuiltinsLazily } from "./lazy-builtins.ts";
import { bundleLazyPackages, lazyPackages } from "./lazy-packages.ts";
import { licensesOf } from "./licenses.ts";

const root = resolve(import.meta.dirname, "..");

const doors = ["client", "dns", "index", "server", "testing"].map((door) => `src/library/${door}.ts`);

/**
 * The folders of the package that run: the sources that each begins with, the place of its chunks, and the entries
 * that load no module more than they need.
 */
const products = {
  "dist/cli": {
    sources: ["src/cli/main.ts"],
    chunks: "chunks/",
    strict: [
      "src/cli/main.ts",
      "src/cli/commands/validate.ts",
      "src/cli/commands/plan.ts",
      "src/cli/progress-display.ts", // which most commands load
    ],
  },
  // Beside the entries, which import packages from where the chunks are.
  "dist/library": { sources: doors, chunks: "", strict: doors },
};
type Product = keyof typeof products;

/**
 * A product in few files: its entries, the chunks that they load, and source maps for stack traces. Node spends half of
 * a start on finding and reading the modules of the sources one by one, and the library uses a tenth of zod.
 */
export async function bundle(product: Product) {
  const parts = await Promise.all([
    bundleSources(product),
    ...lazyPackages.map((name) => bundlePackage(product, name)),
  ]);
  const outputFiles = parts.flatMap(({ outputFiles }) => outputFiles);
  const inputs = Object.assign({}, ...parts.map(({ metafile }) => metafile.inputs));
  const outputs = Object.assign({}, ...parts.map(({ metafile }) => metafile.outputs));
  return { outputFiles, metafile: { inputs, outputs } as Metafile };
}

/** Packages that npm may leave out: machine code, and the driver of PostgreSQL. */
const optional = ["libsql", "pg"];

const options = {
  absWorkingDir: root,
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

async function bundleSources(product: Product) {
  const options = sourceOptions(product);
  const { metafile } = await build({ ...options, sourcemap: false });
  const joined = joinChunks(metafile, root, { strict: products[product].strict, optional });
  return build({ ...options, plugins: [joined, ...options.plugins] });
}

function sourceOptions(product: Product) {
  return {
    ...options,
    outdir: product,
    entryPoints: products[product].sources,
    chunkNames: `${products[product].chunks}[name]-[hash]`,
    splitting: true,
    format: "esm",
    external: [...optional],
    plugins: [bundleLazyPackages, loadBuiltinsLazily, packagesBeside],
    // Packages in CommonJS load Node's own modules by `require`, which a module does not have; a package may declare
    // `createRequire` itself.
    banner: {
      js: 'import { createRequire as createRequireOfNode } from "node:module";\nconst require = createRequireOfNode(import.meta.url);',
    },
  } as const satisfies BuildOptions;
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
function bundlePackage(product: Product, name: string) {
  const names = Object.keys(createRequire(import.meta.url)(name)).join(", ");
  return build({
    ...options,
    outdir: product,
    stdin: { contents: `export { ${names} } from "${name}";`, resolveDir: root },
    entryNames: `${products[product].chunks}${name}`,
    outExtension: { ".js": ".cjs" },
    format: "cjs",
  });
}

/** Writes a product, with the licences of the packages in it, and removes what else runs from its folder. */
export async function buildProduct(product: Product): Promise<void> {
  const folder = join(root, product);
  const { metafile, outputFiles } = await bundle(product);
  const files = new Map<string, string | Uint8Array>(outputFiles.map(({ path, contents }) => [path, contents]));
  files.set(join(folder, "licenses.txt"), licensesOf(root, metafile));
  for (const [path, contents] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  if (product === "dist/cli") chmodSync(join(folder, "main.js"), 0o755);
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (!file.isDirectory() && !files.has(path) && !path.endsWith(".d.ts")) rmSync(path);
  }
}
