import { randomBytes } from "node:crypto";
import { appendFileSync, statSync } from "node:fs";
import { type Annotation, annotationCommand } from "../report/format/workflow-command.ts";

/** The runner of a CI that starts the action: its log, its commands and its files. */
export class Runner {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #write: (text: string) => void;
  readonly #secrets: string[] = [];

  constructor(env: Readonly<Record<string, string | undefined>>, write: (text: string) => void) {
    this.#env = env;
    this.#write = write;
  }

  /** Keeps a secret out of the log, the outputs and the summary, line by line; the runner does so in later steps. */
  mask(secret: string): void {
    for (const line of secret.split(/\r?\n/).map((line) => line.trim())) {
      if (line === "") continue;
      if (line.length >= shortestSecret) this.#secrets.push(line);
      this.#write(`::add-mask::${line.replaceAll("%", "%25")}\n`);
    }
  }

  #masked(text: string): string {
    return this.#secrets.reduce((text, secret) => text.replaceAll(secret, "***"), text);
  }

  /**
   * Writes lines to the log. The runner obeys none of them: it looks for commands again after a line that cannot be
   * guessed.
   */
  log(text: string): void {
    if (text === "") return;
    const token = randomToken();
    this.#write(`::stop-commands::${token}\n${this.#masked(text).replace(/\n?$/, "\n")}::${token}::\n`);
  }

  /**
   * Shows annotations, the first ones if there are too many: the runner keeps ten of each level of a step, so the tenth
   * counts the others. Give them in the order of their weight.
   */
  annotate(annotations: readonly Annotation[]): void {
    for (const level of ["error", "warning", "notice"] as const) {
      const all = annotations.filter((one) => one.level === level);
      const shown = all.length > mostOfLevel ? all.slice(0, mostOfLevel - 1) : all;
      for (const one of shown) this.#write(this.#masked(annotationCommand(one)));
      const left = all.length - shown.length;
      const message = `${left} more like these: see the summary of the job, or the log of this step.`;
      if (left > 0) this.#write(annotationCommand({ level, title: "zonewright", message }));
    }
  }

  /** Writes outputs. A random delimiter ends each value, so that no value can add another output. */
  setOutputs(outputs: Readonly<Record<string, string | undefined>>): void {
    const file = this.#env.GITHUB_OUTPUT;
    if (!file) return;
    const lines = Object.entries(outputs).map(([name, value = ""]) => {
      const delimiter = randomToken();
      return `${name}<<${delimiter}\n${this.#masked(value)}\n${delimiter}\n`;
    });
    appendFileSync(file, lines.join(""));
  }

  /** Adds to the summary of the job; `format` gets the number of octets that are left. */
  addSummary(format: (budget: number) => string): void {
    const file = this.#env.GITHUB_STEP_SUMMARY;
    if (!file) return;
    const used = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const budget = mostSummary - used;
    const text = this.#masked(format(budget));
    if (Buffer.byteLength(text) <= budget) appendFileSync(file, text);
  }
}

/** Removing shorter ones, which occur in tests only, would break words. */
const shortestSecret = 8;

/** The runner keeps ten issues of each level (`_maxIssueCount`). */
const mostOfLevel = 10;

/** The upload of a larger summary than 1 MiB fails; secrets that the runner masks may make it longer. */
const mostSummary = 1_000_000;

/** 128 random bits in hexadecimal. */
function randomToken(): string {
  return randomBytes(16).toString("hex");
}
