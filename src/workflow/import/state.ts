import { createHash } from "node:crypto";
import { appendFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "../../diagnostics/problem.ts";
import { inCommandLineWords, problemError } from "../../diagnostics/problem.ts";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import { makeFolder, readRegularFile, removeParts } from "../../file-system.ts";
import { fileErrorReason } from "../../formats/files.ts";
import type { UnreadEntry } from "../../formats/kit/source.ts";
import { writeFiles } from "../project/files.ts";
import type { Project } from "../project/project.ts";
import { stateFolder } from "../project/state-folder.ts";
import type { ParentDs } from "../zones/parent-ds.ts";
import type { CompletenessEvidence } from "./build-zone.ts";

/** A zone whose file was written, or equal already. */
export interface ImportedLine {
  readonly zone: Name;
  readonly file: string;
  readonly from: string;
  readonly serial?: number;
  /** The digest of the copy of its records; absent if the same command can read the source again. */
  readonly copy?: string;
  /** Records that are not in the copy, because their data is invalid. */
  readonly unread?: readonly UnreadEntry[];
  /** The DS records at the parent. */
  readonly ds?: ParentDs;
  readonly evidence?: CompletenessEvidence;
}

interface BeginLine {
  readonly request: string;
  readonly zones: number;
  /** The command that continues it, for a shell. */
  readonly command: string;
}

interface FailedLine {
  /** Absent for a source whose zones are unknown. */
  readonly zone?: Name;
  readonly from?: string;
  readonly problems: readonly Problem[];
}

type Line = { readonly at: string } & (
  | ({ readonly event: "begin" } & BeginLine)
  | ({ readonly event: "imported" } & ImportedLine)
  | ({ readonly event: "failed" } & FailedLine)
  /** The file differs and was not overwritten. */
  | { readonly event: "kept"; readonly zone: Name; readonly file: string }
  /** The service was asked to create the zone, or refused to. */
  | { readonly event: "requested"; readonly zone: Name }
  | { readonly event: "refused"; readonly zone: Name }
  | { readonly event: "end" }
);

/** The last import of a project, as far as it went. */
export interface ImportStatus extends BeginLine {
  readonly begun: string;
  /** Absent if it was interrupted. */
  readonly ended?: string;
  readonly imported: ReadonlyMap<NameKey, ImportedLine>;
  /** Zones that the service may have created, although their files were not written. */
  readonly requested: ReadonlySet<NameKey>;
  /** The failures, by zone or source. */
  readonly failed: ReadonlyMap<string, FailedLine>;
  /** The files that were kept, by zone. */
  readonly kept: ReadonlyMap<NameKey, string>;
}

/** The progress of an import on the disk, so that an interrupted one can be continued. */
export class ImportState {
  readonly #project: Project;
  readonly #folder: string;
  readonly #now: () => Date;

  constructor(project: Project, now: () => Date) {
    this.#project = project;
    this.#folder = join(stateFolder(project), "import");
    this.#now = now;
  }

  /** The last import; undefined if there is none. A line that a crash cut short is ignored. */
  read(): ImportStatus | undefined {
    if (!existsSync(this.#file)) return undefined;
    const imported = new Map<NameKey, ImportedLine>();
    const requested = new Set<NameKey>();
    const failed = new Map<string, FailedLine>();
    const kept = new Map<NameKey, string>();
    let begin: Extract<Line, { event: "begin" }> | undefined;
    let ended: string | undefined;
    for (const line of readLines(this.#file)) {
      if (line.event === "begin") begin = line;
      else if (line.event === "end") ended = line.at;
      else if (line.event === "requested") requested.add(nameKey(line.zone));
      else if (line.event === "refused") requested.delete(nameKey(line.zone));
      else {
        const zone = line.zone && nameKey(line.zone);
        if (zone !== undefined) for (const results of [imported, failed, kept]) results.delete(zone);
        if (line.event === "failed") failed.set(zone ?? line.from ?? "", line);
        else if (line.event === "kept") kept.set(nameKey(line.zone), line.file);
        else imported.set(nameKey(line.zone), line);
      }
    }
    if (!begin) return undefined;
    const { request, zones, command, at } = begin;
    return { request, zones, command, begun: at, imported, requested, failed, kept, ...(ended && { ended }) };
  }

  begin(line: BeginLine): void {
    makeFolder(this.#folder, 0o700);
    removeParts(this.#copies);
    rmSync(this.#file, { force: true });
    this.#append({ event: "begin", ...line });
  }

  /** Ends a line that a crash cut short, so that the next one can be read. */
  resume(): void {
    removeParts(this.#copies);
    this.#write("\n");
  }

  imported(line: ImportedLine): void {
    this.#append({ event: "imported", ...line });
  }

  failed(line: FailedLine): void {
    this.#append({ event: "failed", ...line });
  }

  kept(line: { readonly zone: Name; readonly file: string }): void {
    this.#append({ event: "kept", ...line });
  }

  requested(zone: Name): void {
    this.#append({ event: "requested", zone });
  }

  refused(zone: Name): void {
    this.#append({ event: "refused", zone });
  }

  end(): void {
    this.#append({ event: "end" });
  }

  /** Keeps the text of an acquired zone, and returns its digest. */
  async keep(text: string): Promise<string> {
    const digest = hashOf(text);
    const { signal } = this.#project;
    const file = this.#copyFile(digest);
    if (!existsSync(file)) await writeFiles({ cwd: "/", signal }, [{ file, text, isCache: true }], "Make room there.");
    return digest;
  }

  /** The text of a kept copy; undefined if it is gone or damaged. */
  readCopy(digest: string): string | undefined {
    const file = this.#copyFile(digest);
    const text = existsSync(file) ? readText(file) : undefined;
    return text !== undefined && hashOf(text) === digest ? text : undefined;
  }

  #copyFile(digest: string): string {
    return join(this.#copies, `${digest}.zone`);
  }

  get #copies(): string {
    return join(this.#folder, "zones");
  }

  get #file(): string {
    return join(this.#folder, "import.jsonl");
  }

  #append(line: Line extends infer L ? (L extends Line ? Omit<L, "at"> : never) : never): void {
    this.#write(`${JSON.stringify({ at: this.#now().toISOString(), ...line }, inCommandLineWords)}\n`);
  }

  #write(text: string): void {
    try {
      // Not forced to the disk: a zone whose line a power failure takes is transferred again.
      appendFileSync(this.#file, text, { mode: 0o600 });
    } catch (error) {
      const fix = "Make room there, then run the command again: it continues.";
      throw problemError("file-write", `${this.#file} cannot be written: ${fileErrorReason(error)}`, { fix });
    }
  }
}

/** SHA-256, in hexadecimal. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function readLines(file: string): Line[] {
  const lines = readText(file).split("\n");
  return lines.flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}

function readText(file: string): string {
  try {
    return readRegularFile(file).toString();
  } catch (error) {
    const fix = "Make it a regular file that this user may read, or remove it.";
    throw problemError("file-read", `${file} cannot be read: ${fileErrorReason(error)}`, { fix });
  }
}
