import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { fileErrorReason } from "../../formats/files.ts";
import type { JournalLine } from "./journal-line.ts";

/** Journal of a run: a line before and after each write. */
export interface Journal {
  /** Resolves once the line is flushed to disk. After one failure, every line is refused. */
  note(line: JournalLine): Promise<void>;
  readonly failure: ProblemError | undefined;
}

/** For callers that keep no journal, such as programs that use the library. */
export const noJournal: Journal = { note: async () => undefined, failure: undefined };

/** A file whose appended text is on the disk once `append` resolves. */
export interface Appender {
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * A journal as a file of JSON lines. Lines that are written at the same moment share one fsync; each caller waits until
 * its own line is on the disk.
 */
export class FileJournal implements Journal {
  readonly #file: Appender;
  readonly #shown: string;
  #lines: { text: string; resolve: () => void; reject: (error: ProblemError) => void }[] = [];
  #writing: Promise<void> | undefined;
  #failure: ProblemError | undefined;

  /** `shown` is the path for messages. */
  constructor(file: Appender, shown: string) {
    this.#file = file;
    this.#shown = shown;
  }

  get failure(): ProblemError | undefined {
    return this.#failure;
  }

  note(line: JournalLine): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      this.#lines.push({ text: `${JSON.stringify(line)}\n`, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  /** Waits for pending writes, then closes the file. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  async #write(): Promise<void> {
    await undefined; // collects the lines of the same moment
    while (this.#lines.length > 0) {
      const lines = this.#lines;
      this.#lines = [];
      try {
        await this.#file.append(lines.map(({ text }) => text).join(""));
        for (const { resolve } of lines) resolve();
      } catch (error) {
        this.#failure = journalProblem(this.#shown, error);
        for (const { reject } of [...lines, ...this.#lines]) reject(this.#failure);
        this.#lines = [];
      }
    }
    this.#writing = undefined;
  }
}

export function journalProblem(file: string, error: unknown): ProblemError {
  const summary = `${file} cannot be written: ${fileErrorReason(error)}`;
  const { code = "" } = error as NodeJS.ErrnoException;
  const first = /^(?:ENOSPC|EDQUOT)$/.test(code) ? "Make room there" : "Allow this user to write there";
  const fix = `Writes that the journal cannot record are not sent. ${first}, then run the same command again.`;
  return new ProblemError(problem("journal-write", summary, { fix }), { cause: error });
}
