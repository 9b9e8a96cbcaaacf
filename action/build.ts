import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./bundle.ts";

/** The names of the files that differ from those in `action/`. */
async function findDifferences(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-action-"));
  try {
    await bundle(folder);
    return readdirSync(folder).filter((name) => !isSame(join(folder, name), join(import.meta.dirname, name)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isSame(one: string, other: string): boolean {
  try {
    return readFileSync(one).equals(readFileSync(other));
  } catch {
    return false;
  }
}

if (process.argv[2] !== "--check") await bundle(import.meta.dirname);
else {
  const different = await findDifferences();
  if (different.length > 0) {
    const files = different.map((name) => `action/${name}`).join(" and ");
    console.error(`${files} differ from their sources. Run \`npm ci && npm run build:action\`, and commit the result.`);
    process.exitCode = 1;
  }
}
