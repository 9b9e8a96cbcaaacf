import { readFileSync } from "node:fs";
import { packagedFile } from "../../packaged-file.ts";

export function version(): string {
  const text = readFileSync(packagedFile("package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
