import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";
import { all } from "../../src/client/pages.ts";
import { programWords } from "../cli/process.ts";

const approved = ["apply", "--yes", "--allow", "G01,G02,G13,G14,G33,G34"];
const token = "secret-for-tests";
const names = Array.from({ length: 200 }, (_, index) => `n${String(index).padStart(3, "0")}`);

/**
 * A zone of names that are created, changed, deleted or go from alias to address and back: 200 writes from one to the
 * other.
 */
const zones = {
  before: zoneOf((index) => [undefined, "A: 192.0.2.1", "A: 192.0.2.3", "CNAME: other.example.net."][index % 4]),
  after: zoneOf((index) => ["A: 192.0.2.1", "A: 192.0.2.2", undefined, "A: 192.0.2.9"][index % 4]),
};

function zoneOf(recordOf: (index: number) => string | undefined): string {
  const records = names.slice(0, 160).flatMap((name, index) => {
    const record = recordOf(index);
    return record === undefined ? [] : [`  ${name}:\n    ${record}\n`];
  });
  return `soa_email: hostmaster@example.com\nrecords:\n${records.join("")}`;
}

export interface Killed {
  /** The number of complete lines in the journal after the kill; undefined if the program ended before. */
  readonly lines: number | undefined;
  readonly faults: readonly string[];
}

/**
 * The real program and the real server, in separate processes: the program is killed once its journal has a number of
 * lines, then run again. Before that, the times in the journal are set back by a minute: a write to a server on this
 * machine has arrived or is lost by then.
 */
export class Killing {
  readonly #folder = mkdtempSync(join(tmpdir(), "zonewright-kill-"));
  #server: ChildProcess | undefined;
  #url = "";

  async start(): Promise<void> {
    this.#server = this.#spawn(["serve", "--port", "0", "--ephemeral", "--token", token, "--rate-limit", "0"]);
    let said = "";
    for await (const chunk of this.#server.stdout ?? []) {
      said += chunk;
      const [, url] = /^(http:\S+)\n/.exec(said) ?? [];
      if (url === undefined) continue;
      this.#url = url;
      break;
    }
    this.#server.stdout?.resume();
  }

  async stop(): Promise<void> {
    this.#server?.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async at(line: number): Promise<Killed> {
    const faults: string[] = [];
    await this.#runToEnd(zones.before, faults);
    this.#writeZone(zones.after);
    rmSync(this.#runs, { recursive: true, force: true });
    const child = this.#spawn(approved);
    const ended = once(child, "exit");
    let isOver = false;
    ended.then(() => {
      isOver = true;
    });
    while (!isOver && this.#lines() < line)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    child.kill("SIGKILL");
    const [code] = await ended;
    const lines = this.#lines();
    this.#age();
    // The approvals of the killed run are in its journal.
    const isUnfinished = lines > 0 && !this.#journals().some((file) => /"kind":"end"/.test(readFileSync(file, "utf8")));
    await this.#runToEnd(zones.after, faults, isUnfinished ? ["apply", "--yes", "--resume"] : approved);
    faults.push(...(await this.#compare()));
    return { lines: code === 0 ? undefined : lines, faults };
  }

  get #runs(): string {
    return join(this.#folder, ".zonewright", "runs");
  }

  #spawn(args: string[]): ChildProcess {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, ZONEWRIGHT_API_URL: this.#url, ZONEWRIGHT_TOKEN: token };
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const [program, ...before] = programWords;
    return spawn(program, [...before, ...args], { cwd: this.#folder, env, stdio: [...stdio] });
  }

  #writeZone(text: string): void {
    mkdirSync(join(this.#folder, "zones"), { recursive: true });
    writeFileSync(join(this.#folder, "zones", "example.com.yaml"), text);
  }

  async #runToEnd(text: string, faults: string[], command = approved): Promise<void> {
    this.#writeZone(text);
    const child = this.#spawn(command);
    let talk = "";
    child.stderr?.on("data", (chunk) => {
      talk += chunk;
    });
    child.stdout?.resume();
    const [code] = await once(child, "close");
    if (code !== 0) faults.push(`apply ended with ${code}: ${talk}`);
  }

  #journals(): string[] {
    try {
      return readdirSync(this.#runs).map((id) => join(this.#runs, id, "journal.jsonl"));
    } catch {
      return [];
    }
  }

  #lines(): number {
    const [file] = this.#journals();
    try {
      return file === undefined ? 0 : readFileSync(file, "latin1").split("\n").length - 1;
    } catch {
      return 0; // the folder is there, the file not yet
    }
  }

  #age(): void {
    for (const file of this.#journals()) {
      const earlier = (_: string, at: string) => `"at":"${new Date(Date.parse(at) - 61_000).toISOString()}"`;
      writeFileSync(file, readFileSync(file, "utf8").replace(/"at":"([^"]+)"/g, earlier));
    }
  }

  /** The differences between the live zone and the file, as text. */
  async #compare(): Promise<string[]> {
    const client = createClient({ baseUrl: this.#url, token });
    const [domain] = await all(client.listDomains, {});
    const records = await all(client.listRecords, { domainId: domain?.id ?? 0 });
    const stored = records.map(({ name, type, target }) => `${name} ${type} ${target}`).sort();
    const wanted = [...zones.after.matchAll(/ {2}(n\d+):\n {4}(\w+): (\S+)/g)]
      .map(([, name, type, target]) => `${name} ${type} ${target?.replace(/\.$/, "")}`)
      .sort();
    const isEqual = JSON.stringify(stored) === JSON.stringify(wanted) && domain?.status === "active";
    return isEqual ? [] : [`live differs from desired: ${stored.length} records, ${wanted.length} wanted`];
  }
}
