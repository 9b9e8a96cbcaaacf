import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Answer } from "../server/start.ts";

/**
 * The words that run the program. It is built before the tests (test/build.ts), as users of npm have it;
 * `ZONEWRIGHT_TEST_PROGRAM` names another one, such as the single executable (test/packaging).
 */
export const programWords: readonly [string, ...string[]] = process.env.ZONEWRIGHT_TEST_PROGRAM
  ? [process.env.ZONEWRIGHT_TEST_PROGRAM]
  : [process.execPath, fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))];

/** The output of a command while it runs. */
export class Output {
  #out = "";
  #talk = "";
  #onText = () => {};

  addOut(text: string): void {
    this.#out += text;
    this.#onText();
  }

  addTalk(text: string): void {
    this.#talk += text;
    this.#onText();
  }

  get out(): string {
    return this.#out;
  }

  get talk(): string {
    return this.#talk;
  }

  /** Waits for text; fails when the command ends without it. */
  async find(pattern: RegExp, ended: Promise<unknown>): Promise<RegExpExecArray> {
    for (let isOver = false; ; ) {
      const found = pattern.exec(this.#talk) ?? pattern.exec(this.#out);
      if (found) return found;
      if (isOver) throw new Error(`ended without ${pattern}:\n${this.#out}${this.#talk}`);
      const more = new Promise<void>((resolve) => {
        this.#onText = resolve;
      });
      await Promise.race([
        more,
        ended.then(() => {
          isOver = true;
        }),
      ]);
    }
  }
}

/** The program in a process of its own, which ends with the test. Its output is complete only at its end. */
export class Program {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | string>;
  readonly #output = new Output();

  /** `before` are the words of a command that runs the program, in front of it. */
  constructor(folder: string, command: string, env: Record<string, string | undefined> = {}, before: string[] = []) {
    const { PATH, HOME } = process.env;
    const words = [...before, ...programWords, ...command.split(" ").filter(Boolean)];
    this.#child = spawn(words[0] ?? "", words.slice(1), { cwd: folder, env: { PATH, HOME, ...env } });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#output.addOut(text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#output.addTalk(text));
    this.#ended = new Promise((resolve) => this.#child.once("close", (code, signal) => resolve(code ?? signal ?? "")));
    onTestFinished(async () => {
      this.#child.kill("SIGKILL");
      await this.#ended;
    });
  }

  /** Waits for text of the program; fails when it ends without. */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#output.find(pattern, this.#ended);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Its end: the exit code, or the signal that ended it. */
  async end(): Promise<{ code: number | string; out: string; talk: string }> {
    const code = await this.#ended;
    return { code, out: this.#output.out, talk: this.#output.talk };
  }
}

/** The API of a running `serve`: the address that it prints, and requests with a token. */
export async function apiOf(serving: Pick<Program, "says">, token = "secret-for-tests") {
  const [, url = ""] = await serving.says(/^(http:\/\/\S+)\n/);
  const call = async (method: string, path: string, body?: object, as = token): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${as}` };
    const reply = await fetch(`${url}/v4${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
    return { status: reply.status, body: await reply.json() };
  };
  return { url, call };
}
