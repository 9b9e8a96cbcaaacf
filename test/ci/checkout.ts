import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { programWords } from "../cli/process.ts";

/** A folder for one test, with programs in front of PATH: `zonewright` is this program. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), "zonewright-ci-"));
  readonly bin = join(this.folder, "bin");

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(this.bin);
    this.addProgram("zonewright", `exec ${programWords.map((word) => `'${word}'`).join(" ")} "$@"`);
  }

  get path(): string {
    return `${this.bin}${delimiter}${process.env.PATH}`;
  }

  addProgram(name: string, script: string): void {
    writeFileSync(join(this.bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.bin, name), 0o755);
  }
}

/** A git repository. */
export class Repository {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static createBare(folder: string): Repository {
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", folder]);
    return new Repository(folder);
  }

  static create(folder: string): Repository {
    execFileSync("git", ["init", "--quiet", "--initial-branch=main", folder]);
    return new Repository(folder);
  }

  /** A checkout of a branch of another repository, with full history. */
  static clone(origin: string, folder: string): Repository {
    execFileSync("git", ["clone", "--quiet", origin, folder], { stdio: "pipe" });
    return new Repository(folder);
  }

  /** The output of a git command, without the final line end. */
  git(...words: string[]): string {
    const identity = ["-c", "user.name=An author", "-c", "user.email=author@example.com"];
    const options = { cwd: this.folder, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", [...identity, ...words], options).trimEnd();
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) {
      const path = join(this.folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  /** Commits files, and returns the commit. */
  commit(subject: string, files: Readonly<Record<string, string>>): string {
    this.write(files);
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", subject);
    return this.git("rev-parse", "HEAD");
  }

  /** The refs below a prefix, of this repository. */
  refs(prefix: string): string[] {
    return this.git("for-each-ref", "--format=%(refname)", prefix).split("\n").filter(Boolean);
  }
}
