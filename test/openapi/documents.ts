import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "../../src/contract/openapi.ts";
import { openApi30 } from "../../src/contract/openapi-3.0.ts";

/** The server's description of itself, by profile and version of OpenAPI. */
export const documents = [
  ["documented", "3.1"],
  ["documented", "3.0"],
  ["live", "3.1"],
  ["live", "3.0"],
] as const;

/** Writes a document into a folder; its path. */
export function writeDocument(folder: string, [profile, version]: (typeof documents)[number]): string {
  const file = join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(version === "3.0" ? openApi30(profile) : openApi(profile)));
  return file;
}
