import { readPackagedFile } from "../../packaged-file.ts";

export function version(): string {
  return (JSON.parse(readPackagedFile("package.json")) as { version: string }).version;
}
