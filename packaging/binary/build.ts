import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { loadBuiltinsLazily } from "../lazy-builtins.ts";
import { bundleLazyPackages } from "../lazy-packages.ts";
import { licensesOf } from "../licenses.ts";

const root = resolve(import.meta.dirname, "../..");

/** The modules of the sources that depend on files beside the program, and those in place of them. */
const replaced: Readonly<Record<string, string>> = {
  "src/cli/cache-scripts.ts": "packaging/binary/cache-scripts.ts",
  "src/packaged-file.ts": "packaging/binary/packaged-file.ts",
  "src/server/store/sqlite/libsql.ts": "packaging/binary/sqlite.ts",
};

/** The files of the package that the program reads, by folder. */
const assetFolders: Readonly<Record<string, string>> = {
  docs: ".md",
  "docs/server": ".md",
  "examples/github": ".yml",
  schemas: ".schema.json",
  templates: "",
  zones: "",
};

/**
 * Makes a single executable, Node with the program in it, that needs no other file
 * (nodejs.org/api/single-executable-applications.html). The licences of what it contains lie beside it, and in it.
 *
 * @param folder gets the executable, `zonewright`, and `licenses.txt`
 * @param node the Node 24 to put the program into; by default that of packaging/binary/package-lock.json, which is
 *   installed where it is missing
 */
export async function buildBinary(folder: string, node = installedNode()): Promise<void> {
  const parts = join(folder, "parts");
  mkdirSync(parts, { recursive: true });
  try {
    const metafile = await bundleProgram(join(parts, "program.cjs"));
    const licenses = join(folder, "licenses.txt");
    writeFileSync(licenses, `${licenseOfNode(node)}\n${licensesOf(root, metafile)}`);
    writeFileSync(join(parts, "commit"), commitOfSources());
    const blob = join(parts, "program.blob");
    const config = join(parts, "config.json");
    const assets = { ...assetsOfPackage(), "dist/commit": join(parts, "commit"), "dist/cli/licenses.txt": licenses };
    const options = { disableExperimentalSEAWarning: true, useCodeCache: true };
    writeFileSync(config, JSON.stringify({ main: join(parts, "program.cjs"), output: blob, ...options, assets }));
    run(node, "--experimental-sea-config", config);
    putInto(node, blob, join(folder, process.platform === "win32" ? "zonewright.exe" : "zonewright"));
  } finally {
    rmSync(parts, { recursive: true });
  }
}

function installedNode(): string {
  const { platform, arch } = process;
  const node = join(import.meta.dirname, "node_modules", `node-${platform}-${arch}`, "bin", "node");
  if (!existsSync(node))
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", import.meta.dirname);
  if (!existsSync(node)) throw new Error(`no package has Node for ${platform}-${arch}: name one with --node`);
  return node;
}

/** One script in CommonJS: a single executable takes no module, and no second file. */
async function bundleProgram(outfile: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/cli/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    external: ["pg-native"], // machine code
    minifyWhitespace: true, // names stay, for stack traces
    minifySyntax: true,
    plugins: [replaceModules, bundleLazyPackages, loadBuiltinsLazily],
    legalComments: "none", // they are in licenses.txt
    charset: "utf8",
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
}

/** Fails if a file that is replaced has moved. */
const replaceModules: Plugin = {
  name: "replace-modules",
  setup: ({ onLoad, onEnd }) => {
    const left = new Set(Object.keys(replaced));
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const name = relative(root, path).replaceAll("\\", "/");
      const other = replaced[name];
      if (other === undefined) return undefined;
      left.delete(name);
      return { contents: `export * from "./${other}";`, resolveDir: root };
    });
    onEnd(() => ({ errors: [...left].map((name) => ({ text: `packaging/binary/build.ts: ${name} has moved` })) }));
  },
};

function assetsOfPackage(): Record<string, string> {
  const names = Object.entries(assetFolders).flatMap(([folder, ending]) =>
    readdirSync(join(root, folder)).flatMap((name) => (name.endsWith(ending) ? `${folder}/${name}` : [])),
  );
  const files = names.filter((name) => /\.[a-z]+$/.test(name));
  return Object.fromEntries(["package.json", ...files].map((name) => [name, join(root, name)]));
}

/** The commit, from which `init --ci` pins what it refers to; empty outside of a repository. */
function commitOfSources(): string {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}

/** The licences of Node and of the libraries in it: beside the program on Windows, else above its folder. */
function licenseOfNode(node: string): string {
  const file = [dirname(node), dirname(dirname(node))].map((folder) => join(folder, "LICENSE")).find(existsSync);
  if (file === undefined) throw new Error(`${node} has no file LICENSE beside it, which the executable has to contain`);
  return `Node.js\n\n${readFileSync(file, "utf8").trim()}\n`;
}

/** Writes a copy of Node that contains the blob. On macOS it gets a signature of no one, without which it cannot run. */
function putInto(node: string, blob: string, program: string): void {
  const isMac = process.platform === "darwin";
  rmSync(program, { force: true }); // it may be running
  copyFileSync(node, program);
  chmodSync(program, 0o755);
  if (isMac) run("codesign", "--remove-signature", program);
  const postject = join(import.meta.dirname, "node_modules", "postject", "dist", "cli.js");
  const fuse = ["--sentinel-fuse", "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"];
  const segment = isMac ? ["--macho-segment-name", "NODE_SEA"] : [];
  run(process.execPath, postject, program, "NODE_SEA_BLOB", blob, ...fuse, ...segment);
  if (isMac) run("codesign", "--sign", "-", program);
}

/** Runs a program, and shows what it says only if it fails: postject warns of sections that it does not change. */
function run(program: string, ...words: string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${[program, ...words].join(" ")} failed\n${error?.message ?? stdout + stderr}`);
}
