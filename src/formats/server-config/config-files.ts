import { Fault } from "../../dns/name/fault.ts";

/** A text file, and its path in messages. */
export interface ListFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Opens the files that a configuration includes. `path` may be a pattern; a relative one is that of the first folder
 * that has such a file. @throws {Fault} `include-read`
 */
export type OpenIncluded = (path: string, folders: readonly string[]) => readonly ListFile[];

const deepest = 16;
/** Files that include others again and again cause any number of reads. */
const mostIncludes = 100_000;

/** The files of a configuration. */
export class ConfigFiles {
  readonly #open: OpenIncluded;
  readonly #begun = new Set<string>();
  readonly #done = new Set<string>();
  #includes = 0;

  constructor(open: OpenIncluded) {
    this.#open = open;
  }

  /**
   * Reads a file that is included in `from`, or each that a pattern means. With `once`, files that were read are
   * skipped: patterns may include them again and again.
   */
  include(
    path: string,
    folders: readonly string[],
    read: (file: ListFile) => void,
    { once }: { readonly once: boolean },
  ): void {
    for (const file of this.#open(path, folders)) {
      if (once && this.#done.has(file.file)) continue;
      if (++this.#includes > mostIncludes)
        throw new Fault("include-count", `it includes more than ${mostIncludes} files`, "Include fewer files.");
      this.read(file, read);
      this.#done.add(file.file);
    }
  }

  read(file: ListFile, read: (file: ListFile) => void): void {
    if (this.#begun.has(file.file))
      throw new Fault("include-loop", `it includes ${file.file} in a loop`, "Remove the loop.");
    if (this.#begun.size > deepest)
      throw new Fault("include-depth", `files are included more than ${deepest} levels deep`, "Remove the loop.");
    this.#begun.add(file.file);
    read(file);
    this.#begun.delete(file.file);
  }
}
