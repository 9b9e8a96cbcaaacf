import { readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { Fault } from "../dns/name/fault.ts";
import { statIfPresent } from "../file-system.ts";
import { type IncludedFile, type Includer, largestFile } from "./kit/source.ts";

/** A folder, and its name in messages. */
export interface Folder {
  readonly path: string;
  readonly file: string;
}

/**
 * Opens the files that a zone file includes, and keeps the distinct ones. Paths are relative to the including file. A
 * path outside the root, also through a symbolic link, is rejected before anything is read.
 */
export class FolderIncluder implements Includer {
  readonly #root: Folder;
  readonly #zoneFile: string;
  #identity: string | undefined = undefined;
  #included: Map<string, IncludedFile> | undefined = undefined;

  constructor(root: Folder, zoneFile: string) {
    this.#root = root;
    this.#zoneFile = zoneFile;
  }

  get identity(): string {
    this.#identity ??= realpathSync(this.#zoneFile); // only files that include others need it
    return this.#identity;
  }

  /** The distinct files that were opened. */
  get included(): readonly IncludedFile[] {
    return this.#included ? [...this.#included.values()] : [];
  }

  open(written: string, from: string): IncludedFile {
    const { path, file } = this.find(written, from);
    const found = attempt(written, () => {
      const { size } = checkStats(path, written);
      if (size > largestFile)
        throw new Fault("include-read", `"${written}" has more than ${largestFile} bytes`, "Split it.");
      return { file, bytes: readFileSync(path), identity: path };
    });
    this.#included ??= new Map();
    this.#included.set(file, found);
    return found;
  }

  /** The file of an `$INCLUDE` in the file `from`, with its real path. @throws {Fault} */
  protected find(written: string, from: string): Folder {
    const root = this.#root;
    const path = resolve(root.path, relative(root.file, dirname(from)), written);
    const real = attempt(written, () => realpathSync(path), isBelow(root.path, path));
    const top = realpathSync(root.path);
    if (!isBelow(top, real) || isOfGit(relative(top, real))) throw outsideFault(written);
    return { file: join(root.file, relative(root.path, path)), path: real };
  }
}

/** How a name server finds the files that a zone file includes. All paths are absolute. */
export interface IncludeRule {
  readonly server: string;
  /** The zone file, as the server names it. */
  readonly zoneFile: string;
  /** The folder of relative paths; absent if that is the folder of the including file. */
  readonly directory: string | undefined;
  /** Finds a file of the server on this machine. */
  readonly locate: (path: string) => Folder;
  /** Whether a file of this machine may be read. */
  readonly mayRead: (path: string) => boolean;
}

/** Opens the files that a name server would open, anywhere on this machine unless the rule forbids it. */
export class ServerIncluder extends FolderIncluder {
  readonly #rule: IncludeRule;
  /** The paths of included files as the server names them, by their names in messages. */
  readonly #named = new Map<string, string>();

  constructor(rule: IncludeRule) {
    const { path, file } = rule.locate(rule.zoneFile);
    super({ path: dirname(path), file: dirname(file) }, path);
    this.#rule = rule;
  }

  protected override find(written: string, from: string): Folder {
    const { server, zoneFile, directory, locate, mayRead } = this.#rule;
    const named = resolve(directory ?? dirname(this.#named.get(from) ?? zoneFile), written);
    const { path, file } = locate(named);
    this.#named.set(file, named);
    if (!mayRead(path)) {
      const fix = "In CI, a configuration reads only files of its repository: move the file into it.";
      throw new Fault("include-outside", `"${written}" is outside the repository`, fix);
    }
    if (!statIfPresent(path)) {
      const fix = `${server} reads it as ${named}${path === named ? "" : `: copy it to ${file}`}.`;
      throw new Fault("include-read", `"${written}" does not exist`, fix);
    }
    const real = attempt(written, () => realpathSync(path));
    if (isOfGit(real))
      throw new Fault("include-outside", `"${written}" is a file of git`, "Move it to another folder.");
    return { path: real, file };
  }
}

/** Whether a path is that of a file of git itself: its config may contain the token that fetched the repository. */
export function isOfGit(path: string): boolean {
  return path.split(sep).some((part) => part.toLowerCase() === ".git");
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function checkStats(path: string, written: string): Stats {
  const stats = statSync(path);
  if (stats.isFile()) return stats;
  throw new Fault("include-read", `"${written}" is not a file`, "Write the path of a file.");
}

/** Converts errors of the file system. For files outside the folder, not even their existence is reported. */
function attempt<T>(written: string, action: () => T, isInside = true): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (!isInside) throw outsideFault(written);
    throw new Fault("include-read", `"${written}" cannot be read`, "Write a path relative to this file.");
  }
}

function outsideFault(written: string): Fault {
  return new Fault("include-outside", `"${written}" is outside the zones folder`, "Move it into the zones folder.");
}
