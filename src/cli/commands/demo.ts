import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listen } from "../../server/http/node.ts";
import { createToken } from "../../server/operator/tokens.ts";
import { createServer } from "../../server/server.ts";
import { openStore } from "../../server/store/store.ts";
import { defineCommand, type Program } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

const examples = fileURLToPath(new URL("../../../zones", import.meta.url));

/** `zonewright demo`: the complete workflow with the example zones, on a temporary server. */
export const command = defineCommand({
  example: "  zonewright demo\n",
  async run(terminal, _, __, program) {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-demo-"));
    const store = await openStore(join(folder, "data", "zonewright.db"));
    try {
      const token = await createToken(store, { username: "demo", now: terminal.now() });
      const { url, close } = await listen(createServer({ store, clock: terminal.now }), { port: 0 });
      try {
        cpSync(examples, join(folder, "zones"), { recursive: true });
        const env = { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: token };
        await new Demo({ ...terminal, cwd: folder, env }, program).run();
        return exitCode.done;
      } finally {
        await close();
      }
    } finally {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

/** A failed step of the demo. */
class DemoError extends Error {}

class Demo {
  readonly #terminal: Terminal;

  readonly #program: Program;

  constructor(terminal: Terminal, program: Program) {
    this.#terminal = terminal;
    this.#program = program;
  }

  async run(): Promise<void> {
    this.#narrate("An empty DNS API runs on this machine. The folder zones/ contains three zones.");
    await this.#show(["plan"], 12);
    await this.#apply();
    this.#narrate("The service renders the zones. This is one of them.");
    await this.#show(["export", "example.net", "--rendered", "--to", "bind"]);
    this.#narrate("A second plan has no changes.");
    await this.#show(["plan", "--detailed-exitcode"]);
    this.#narrate(
      "In zones/example.com.yaml, shop changes from an alias to an address: two types that cannot coexist at one name.",
    );
    this.#edit("zones/example.com.yaml", "CNAME: shops.example.net.", "A: 198.51.100.20");
    await this.#show(["plan"]);
    await this.#apply("--verbose");
    this.#narrate("The API's data is exported as zone files. Reading them back gives the same records.");
    await this.#show(["export", "--live", "--to", "bind", "--out", "exported"]);
    const live = await this.#capture("export", "--live", "--to", "records");
    const exported = await this.#capture("export", "--zones", "exported", "--to", "records");
    if (live !== exported) throw new DemoError("the export differs from the live zones");
    this.#narrate(`${live.split("\n").length - 1} live records, and the same records in the exported files.`);
  }

  #narrate(text: string): void {
    this.#terminal.print(`\n# ${text}\n`);
  }

  /** Runs a command and shows its output, limited to about `most` lines. */
  async #show(argv: string[], most = 1000): Promise<void> {
    this.#terminal.print(`$ zonewright ${argv.join(" ")}\n`);
    const lines = (await this.#capture(...argv)).trimEnd().split("\n");
    const hidden = lines.length - most;
    const shown = hidden > 1 ? [...lines.slice(0, most - 1), `  (${hidden} more lines)`, ...lines.slice(-1)] : lines;
    if (lines.length > 1 || lines[0] !== "") this.#terminal.print(`${shown.join("\n")}\n`);
  }

  /** Runs apply and shows its last line, because the plan was already shown. */
  async #apply(...options: string[]): Promise<void> {
    const argv = ["apply", "--yes", ...options];
    this.#terminal.print(`$ zonewright ${argv.join(" ")}\n`);
    const text = await this.#capture(...argv);
    this.#terminal.print(`${text.trimEnd().split("\n").at(-1)}\n`);
  }

  async #capture(...argv: string[]): Promise<string> {
    const texts: string[] = [];
    await this.#run({ ...this.#terminal, print: (text) => void texts.push(text) }, argv);
    return texts.join("");
  }

  async #run(terminal: Terminal, argv: string[]): Promise<void> {
    const code = await this.#program.run(terminal, argv);
    if (code !== exitCode.done) throw new DemoError(`zonewright ${argv.join(" ")} ended with exit code ${code}`);
  }

  #edit(file: string, before: string, after: string): void {
    const path = join(this.#terminal.cwd, file);
    const text = readFileSync(path, "utf8");
    if (!text.includes(before)) throw new DemoError(`${file} has no ${before}`);
    writeFileSync(path, text.replace(before, after));
  }
}
