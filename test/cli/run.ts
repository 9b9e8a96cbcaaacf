import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { ExitCode } from "../../src/cli/exit-code.ts";
import { runProgram } from "../../src/cli/program.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import { createToken, type NewToken } from "../../src/server/areas/account/tokens-operator.ts";
import { listen } from "../../src/server/http/node.ts";
import type { Server } from "../../src/server/http/router.ts";
import { createServer, type ServerOptions } from "../../src/server/server.ts";
import type { Store } from "../../src/server/store/store.ts";
import { emptyStore } from "../server/stores.ts";
import { Output } from "./process.ts";

/** The moment at which every test stands. */
export const noon = new Date("2026-03-04T12:00:00Z");

/** The output and exit code of one run of the program. */
export interface Result {
  code: ExitCode;
  /** Data, standard output. */
  out: string;
  /** Talk, standard error. */
  talk: string;
}

export interface RunOptions {
  env?: Record<string, string | undefined>;
  /**
   * Answers at the terminal, one for all questions or one for each, or "Ctrl-C"; or what happens until a person
   * answers. Without them there is no terminal.
   */
  answer?: string | readonly string[] | (() => string);
  output?: Output;
  interruption?: AbortController;
}

export interface Running {
  /** Waits for text of the program; fails when it ends without. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Interrupts it, and waits for its end. */
  end(): Promise<Result>;
}

/** A folder with files that lives as long as the test, and the program run in it. */
export class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), "zonewright-test-"));
  readonly env: Record<string, string | undefined> = {};
  /** Texts that no output may contain. */
  readonly secrets: string[] = [];
  /** Texts that vary, and their replacements. */
  readonly shown: [string, string][] = [[this.folder, "/desk"]];
  /** The moment at which the program runs. */
  now = noon;
  #nonces = 0;
  /** The advance of the clock at each reading, in milliseconds. */
  tick = 0;
  /** The sum of the program's waits, in milliseconds; they take no time. */
  waited = 0;
  /** Waits in real time as well; only a server that is a program of its own needs it. */
  sleep: ((ms: number) => Promise<void>) | undefined;
  /** Actions of the program for every second. */
  readonly ticks = new Set<() => void>();
  /** Whether the other processes that it asks about are alive. */
  isAlive = false;
  /** The resolvers of the machine. */
  resolvers: string[] = [];
  /** Whether it may write colours. */
  obeys = false;
  /** Columns of the terminal; undefined in a pipe. */
  width: number | undefined;
  /** The text that commands read from standard input. */
  input = "";
  /** The questions at the terminal. */
  readonly questions: string[] = [];

  constructor(files: Record<string, string> = {}) {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    for (const [file, text] of Object.entries(files)) this.write(file, text);
  }

  write(file: string, text: string | Uint8Array): void {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  /** Every file and its text. */
  files(): Record<string, string> {
    const entries = readdirSync(this.folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return Object.fromEntries(
      paths.sort().map((path) => [path.slice(this.folder.length + 1), readFileSync(path, "utf8")]),
    );
  }

  /**
   * Runs the program with words, of a text those separated by spaces, and asserts that its output contains no secret
   * and nothing that a terminal or a CI obeys.
   */
  async run(command: string | readonly string[], options: RunOptions = {}): Promise<Result> {
    const { env = {}, answer, output = new Output(), interruption = new AbortController() } = options;
    const words = typeof command === "string" ? command.split(" ").filter(Boolean) : command;
    const answers = typeof answer === "object" ? answer.values() : undefined;
    const style = { color: false, unicode: true };
    const terminal: Terminal = {
      cwd: this.folder,
      env: { ...this.env, ...env },
      print: (text) => output.addOut(text),
      log: (text) => output.addTalk(text),
      printStyle: style,
      logStyle: style,
      ask:
        answer === undefined
          ? undefined
          : async (question) => {
              this.questions.push(question);
              const word = answers
                ? String(answers.next().value)
                : typeof answer === "function"
                  ? answer()
                  : String(answer);
              if (word !== "Ctrl-C") return word;
              interruption.abort();
              return "";
            },
      signal: interruption.signal,
      nonce: () => (++this.#nonces).toString(16).padStart(32, "0"),
      now: () => {
        this.waited += this.tick;
        return new Date(this.now.getTime() + this.waited);
      },
      sleep: async (ms) => {
        this.waited += ms;
        await this.sleep?.(ms);
      },
      readInput: async () => this.input,
      repeat: (_, action) => {
        this.ticks.add(action);
        return () => void this.ticks.delete(action);
      },
      printWidth: () => this.width,
      logWidth: () => this.width,
      pid: 4711,
      isAlive: () => this.isAlive,
      resolvers: () => this.resolvers,
    };
    const code = await runProgram(terminal, words);
    const { out, talk } = output;
    for (const text of [out, talk]) {
      for (const secret of this.secrets) expect(text).not.toContain(secret);
      if (!this.obeys) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(text).not.toMatch(/##(?:vso)?\[/i);
      if (!words.join(" ").includes("--report github")) expect(text).not.toMatch(/^\s*::/m);
    }
    return { code, out: this.#constant(out), talk: this.#constant(talk) };
  }

  /** Starts a command that runs until it is interrupted, such as `serve`. It ends with the test. */
  start(command: string, env: RunOptions["env"] = {}): Running {
    const output = new Output();
    const interruption = new AbortController();
    const ended = this.run(command, { env, output, interruption });
    const end = () => {
      interruption.abort();
      return ended;
    };
    onTestFinished(async () => {
      await end();
    });
    return { says: (pattern) => output.find(pattern, ended), end };
  }

  #constant(text: string): string {
    return this.shown.reduce((text, [varying, constant]) => text.replaceAll(varying, constant), text);
  }
}

export interface ApiDesk extends Desk {
  readonly url: string;
  /** The store of the API. */
  readonly store: Store;
  readonly token: string;
  /** The requests that were to change something, like `POST /v4/domains`. */
  readonly writes: string[];
  /** Makes another token; `account` gives its user an account of its own. */
  mint(wanted: Partial<NewToken>): Promise<string>;
  /** Asks the API, with the token of the desk or another one; the reply's body. Fails the test when it refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: tests take from it what they need.
  call(method: string, path: string, body?: unknown, as?: string): Promise<any>;
}

/**
 * A desk with a server that listens, and with the settings that lead to it. `between` stands before the server;
 * `remote` of its options transfers zones for it.
 */
export async function apiDesk(
  files: Record<string, string> = {},
  between: (server: Server) => Server = (server) => server,
  options: Pick<ServerOptions, "remote" | "records" | "nameservers"> = {},
): Promise<ApiDesk> {
  const store = await emptyStore();
  const writes: string[] = [];
  const desk = new Desk(files);
  // The service's time passes with the waits of the program.
  const clock = () => new Date(noon.getTime() + desk.waited);
  const server = createServer({ store, clock, ...options });
  const watched: Server = (request, connection) => {
    if (request.method !== "GET") writes.push(`${request.method} ${new URL(request.url).pathname}`);
    return between(server)(request, connection);
  };
  const { url, close } = await listen(watched, { port: 0 });
  onTestFinished(close);
  const mint = async (wanted: Partial<NewToken>) => {
    const token = await createToken(store, { username: "admin", now: noon, ...wanted });
    desk.secrets.push(token);
    return token;
  };
  const token = await mint({});
  desk.shown.push([url, "http://api"]);
  Object.assign(desk.env, { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: token });
  const call = async (method: string, path: string, body?: unknown, as = token) => {
    const headers = { Authorization: `Bearer ${as}` };
    const request = new Request(`http://api/v4${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const reply = await server(request, { remoteAddress: "192.0.2.99" });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  return Object.assign(desk, { url, store, token, writes, mint, call });
}

/** Lines as they are written in a test: without the line end at the start and the indentation of the first line. */
export function lines({ raw }: TemplateStringsArray, ...values: unknown[]): string {
  const text = String.raw({ raw }, ...values).replace(/^\n/, "");
  const indentation = /^ */.exec(text)?.[0] ?? "";
  return text.replaceAll(new RegExp(`^${indentation}`, "gm"), "").replace(/ *$/, "");
}
