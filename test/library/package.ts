import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

/** As strict as a project can be; declarations of packages are checked too. */
const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: "es2023",
  lib: ["es2023"],
  types: ["node"],
  outDir: "out",
};

const settings = {
  nodenext: { ...strictest, module: "nodenext" },
  bundler: { ...strictest, module: "preserve", moduleResolution: "bundler", noEmit: true },
};

export type ModuleResolution = keyof typeof settings;

/** A project with zonewright as a dependency, built from this checkout with its types, in a folder of its own. */
export class Consumer {
  readonly folder = mkdtempSync(join(tmpdir(), "zonewright-library-"));
  readonly #messages = new Map<ModuleResolution, string>();

  constructor() {
    const packages = join(this.folder, "node_modules");
    const installed = join(packages, "zonewright");
    mkdirSync(installed, { recursive: true });
    build(join(installed, "dist"));
    cpSync(join(root, "dist/library"), join(installed, "dist/library"), { recursive: true });
    copyFileSync(join(root, "package.json"), join(installed, "package.json"));
    symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));
    symlinkSync(join(root, "node_modules/@types"), join(packages, "@types"));
    writeFileSync(join(this.folder, "package.json"), '{ "type": "module" }\n');
    const own = join(import.meta.dirname, "consumer");
    for (const file of readdirSync(own)) copyFileSync(join(own, file), join(this.folder, file));
    for (const [name, compilerOptions] of Object.entries(settings))
      writeFileSync(this.configFile(name as ModuleResolution), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  }

  configFile(resolution: ModuleResolution): string {
    return join(this.folder, `tsconfig.${resolution}.json`);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Compiles the files of the project once, into `out` with `nodenext`. Returns the compiler's messages. */
  compile(resolution: ModuleResolution): string {
    const args = [tsc, "-p", this.configFile(resolution)];
    const messages = this.#messages.get(resolution) ?? spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
    this.#messages.set(resolution, messages);
    return messages;
  }

  /**
   * The modules that an import of the package loads, without those of Node: paths inside of the package, names of
   * others.
   */
  modulesOf(entry: string): string[] {
    const list = join(this.folder, "loaded.txt");
    const hook = `import { appendFileSync } from "node:fs";
      export const load = (url, context, next) => { appendFileSync(${JSON.stringify(list)}, url + "\\n"); return next(url, context); };`;
    const preload = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(hook))});`;
    writeFileSync(list, "");
    this.run(["--import", dataUrl(preload), "--input-type=module", "--eval", `import ${JSON.stringify(entry)}`]);
    const urls = readFileSync(list, "utf8").split("\n");
    const own = urls.flatMap((url) => /\/zonewright\/dist\/(.+)$/.exec(url)?.[1] ?? []);
    const others = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
    return [...own, ...new Set(others.filter((name) => name !== "zonewright"))];
  }

  /** Runs Node in the folder of the project. Returns what it writes. */
  run(args: readonly string[]): string {
    return execFileSync(process.execPath, args, { cwd: this.folder, encoding: "utf8" });
  }

  /** Runs the program with a hook of module resolution. */
  runProgram(
    line: string,
    hook: string,
    { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  ): { status: number | null; stderr: string } {
    const preload = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(hook))});`;
    const args = ["--import", dataUrl(preload), join(root, "dist/cli/main.js"), ...line.split(" ")];
    return spawnSync(process.execPath, args, {
      cwd,
      encoding: "utf8",
      env: { ...process.env, ...env },
      timeout: 60_000,
    });
  }

  /** The same without blocking this process. */
  async runAsync(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
    const options = { cwd: this.folder, env: { ...process.env, ...env } };
    return (await promisify(execFile)(process.execPath, args, options)).stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function dataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** Builds the package with its declarations. The types of its own code are left to `npm run check`. */
function build(folder: string): void {
  const args = [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", folder, "--noCheck"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the package cannot be built:\n${stdout}`);
}
