import { posix } from "node:path";

/** The path of a file of the working folder for a code host, which knows files by their paths in the repository. */
export function repositoryPath(file: string, folder = ""): string {
  if (folder === "" || posix.isAbsolute(file)) return file.replace(/^(?:\.\/+)+/, "");
  return posix.join(folder, file);
}
