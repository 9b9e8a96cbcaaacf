import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { buildProduct } from "../packaging/program.ts";

const root = resolve(import.meta.dirname, "..");
const products = ["dist/cli", "dist/library"] as const;

/** Vitest calls this for each project, and for the whole: one build of what tests run is enough. */
export default async function setup(project: TestProject): Promise<void> {
  if (!project.isRootProject()) return;
  const changed = lastChange(["src", "packaging", "package.json", "package-lock.json"]);
  await Promise.all(products.map((product) => (isBuiltAfter(changed, product) ? undefined : buildProduct(product))));
}

/** The time of the last change of files, and of the files in folders, in milliseconds. */
function lastChange(paths: readonly string[]): number {
  const all = paths.flatMap((path) => [path, ...filesIn(path)]);
  return Math.max(...all.map((path) => statSync(join(root, path)).mtimeMs));
}

/** Files and folders below a path: a folder changes when a file is added or deleted. */
function filesIn(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [];
  return readdirSync(join(root, path), { recursive: true, encoding: "utf8" }).map((file) => join(path, file));
}

/** Whether a product was built since; its licences are written last. */
function isBuiltAfter(changed: number, product: string): boolean {
  const last = statSync(join(root, product, "licenses.txt"), { throwIfNoEntry: false });
  return last !== undefined && last.mtimeMs > changed;
}
