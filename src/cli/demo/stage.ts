import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { problemError } from "../../diagnostics/problem.ts";
import { shellWord } from "../../diagnostics/shell-word.ts";
import type { Name } from "../../dns/name/name.ts";
import { dnsClass } from "../../dns/transfer/codes.ts";
import { canonical } from "../../dns/zone/zone.ts";
import { ask } from "../../dns-client/ask.ts";
import type { Program } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printText, type Terminal } from "../terminal.ts";

/** A failed step of a demo. */
export class DemoError extends Error {}

/** A text that a command writes to one of its two outputs. */
interface OutputPart {
  readonly text: string;
  readonly isMessage: boolean;
}

/** A folder in which a demo runs commands, and shows them with their output. */
export class DemoStage {
  readonly #terminal: Terminal;

  readonly #program: Program;

  constructor(terminal: Terminal, program: Program) {
    this.#terminal = terminal;
    this.#program = program;
  }

  narrate(text: string): void {
    printText(this.#terminal, `\n# ${text}\n`);
  }

  /** Runs a command and shows its output and messages in their order, limited to about `most` lines. */
  async show(argv: string[], most = 1000): Promise<void> {
    this.#showCall("zonewright", argv);
    const parts = await this.#run(argv);
    this.#showOutput(parts.map(({ text }) => text).join(""), most);
  }

  /** Runs apply and shows its messages and its last line, because the plan was already shown. */
  async apply(...options: string[]): Promise<void> {
    const argv = ["apply", "--yes", ...options];
    this.#showCall("zonewright", argv);
    const parts = await this.#run(argv);
    const plan = parts.findIndex(({ isMessage }) => !isMessage);
    this.#showOutput(parts.map(({ text }, index) => (index === plan ? "" : text)).join(""));
  }

  /** Runs a command and returns its output. */
  async capture(...argv: string[]): Promise<string> {
    const parts = await this.#run(argv);
    return parts.map(({ text, isMessage }) => (isMessage ? "" : text)).join("");
  }

  /** Runs a command and returns its output in the order of the writes. If it fails, the output is shown. */
  async #run(argv: readonly string[]): Promise<OutputPart[]> {
    const parts: OutputPart[] = [];
    const write = (isMessage: boolean) => (text: string) => void parts.push({ text, isMessage });
    const env = { ...this.#terminal.env, TERM: "dumb" }; // no bar among the texts
    const terminal = { ...this.#terminal, env, print: write(false), log: write(true) };
    const code = await this.#program.run(terminal, argv);
    if (code === exitCode.done) return parts;
    this.#showOutput(parts.map(({ text }) => text).join(""));
    throw new DemoError(`zonewright ${argv.join(" ")} ended with exit code ${code}`);
  }

  /** Runs git and shows its output. */
  showGit(...argv: string[]): void {
    this.#showCall("git", argv);
    this.#showOutput(this.git(...argv));
  }

  /** Runs git, independent of the user's settings, and returns its output. */
  git(...argv: string[]): string {
    const { status, stdout, stderr, error } = spawnSync("git", argv, {
      cwd: this.#terminal.cwd,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
    });
    if (error !== undefined)
      throw problemError("git-missing", `git cannot be run: ${error.message}`, { fix: "Install git." });
    if (status !== 0) throw new DemoError(`git ${argv.join(" ")}: ${stderr.trim()}`);
    return stdout;
  }

  /** Asks the name service on this port, with dig if it is installed, and shows the data of the answer. */
  async showDig(port: number, name: Name, type: string): Promise<void> {
    const argv = ["+short", "@127.0.0.1", "-p", String(port), name, type];
    this.#showCall("dig", argv);
    this.#showOutput((await runDig(argv)) ?? (await askFor(port, name, type)));
  }

  /** Shows a file. */
  showFile(file: string): void {
    this.#showCall("cat", [file]);
    this.#showOutput(this.#read(file));
  }

  #read(file: string): string {
    return readFileSync(join(this.#terminal.cwd, file), "utf8");
  }

  /** Replaces a text of a file. */
  edit(file: string, before: string, after: string): void {
    const text = this.#read(file);
    if (!text.includes(before)) throw new DemoError(`${file} has no ${before}`);
    writeFileSync(join(this.#terminal.cwd, file), text.replace(before, after));
  }

  #showCall(program: string, argv: readonly string[]): void {
    printText(this.#terminal, `$ ${[program, ...argv.map(shellWord)].join(" ")}\n`);
  }

  #showOutput(text: string, most = 1000): void {
    const lines = text.trimEnd().split("\n");
    const hidden = lines.length - most;
    const shown = hidden > 1 ? [...lines.slice(0, most - 1), `  (${hidden} more lines)`, ...lines.slice(-1)] : lines;
    if (lines.length > 1 || lines[0] !== "") this.#terminal.print(`${shown.join("\n")}\n`);
  }
}

/** The output of dig; undefined if it is not installed. */
async function runDig(argv: readonly string[]): Promise<string | undefined> {
  try {
    return (await promisify(execFile)("dig", argv)).stdout;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The data of the answer, as `dig +short` prints it. */
async function askFor(port: number, name: Name, type: string): Promise<string> {
  const { answers } = await ask({ host: "127.0.0.1", port }, { question: { name, type, class: dnsClass.in } });
  return answers.map((record) => `${canonical(record)}\n`).join("");
}
