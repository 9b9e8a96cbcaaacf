import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { guards } from "../../../src/planner/blocks/guards.ts";
import { keyText } from "../../cli/primary-desk.ts";
import { Program } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { key, type UpdateServer, zoneRecords } from "../../updates/servers.ts";
import { edited, masterFile } from "./cuts.ts";
import type { Judge } from "./edits.ts";
import { startUpdateRelay, type UpdateRelay } from "./update-relay.ts";

const zone = "z01.example.";
const allowed = guards.map(({ guard }) => guard).join(",");

const longText = ` "${"x".repeat(250)}"`.repeat(60);
const added = Array.from({ length: 5 }, (_, index) => `t${index} TXT${longText}\n`);
const files = { before: zoneRecords, after: `${edited}${added.join("")}` };

/** The number of changes from one file to the other, each at a name of its own. They take two messages. */
export const changes = added.length + 4;

/**
 * Code that a process loads first: it writes the lines of journals up to a number, and half of the next one if both are
 * written at once, and kills itself.
 */
export const killAtLine = `
import { open } from "node:fs/promises";
const handle = await open(process.execPath);
const { prototype } = handle.constructor;
await handle.close();
const { appendFile } = prototype;
let left = Number(process.env.KILL_AT_LINE || Infinity);
prototype.appendFile = async function (text) {
  if (!text.startsWith('{"kind":')) return appendFile.call(this, text);
  const lines = text.split(/(?<=\\n)/);
  left -= lines.length;
  if (left > 0) return appendFile.call(this, text);
  const [torn = ""] = lines.splice(lines.length + left);
  await appendFile.call(this, lines.join("") + torn.slice(0, torn.length / 2));
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => {});
};
`;

/** The moment of a kill: after a line of the journal, or at an update, before or after the server has it. */
export type Kill = { readonly line: number } | { readonly update: 1 | 2; readonly isServed: boolean };

interface ListedRun {
  readonly id: string;
  readonly state: string;
  readonly written: number;
  readonly without_reply: number;
}

/** A project with one zone of a name server, whose commands are killed. */
export class KillDesk extends Desk {
  readonly #server: UpdateServer;
  readonly #judge: Judge;
  readonly #relay: UpdateRelay;
  /** The commands that ran to their end, and their output. */
  readonly screens: string[] = [];

  private constructor(server: UpdateServer, judge: Judge, relay: UpdateRelay) {
    const target = `{ kind: rfc2136, server: "127.0.0.1:${relay.port}", tsig_key_file: keys/office }`;
    super({
      "zonewright.yaml": `targets: { office: ${target} }\nzones: { path: zones, targets: office }\n`,
      "keys/office": keyText,
      ".gitignore": "keys/\n",
    });
    this.#server = server;
    this.#judge = judge;
    this.#relay = relay;
    this.secrets.push(key.secret);
  }

  static async open(server: UpdateServer, judge: Judge): Promise<KillDesk> {
    await server.untilServed(zone);
    const relay = await startUpdateRelay({ host: "127.0.0.1", port: server.port });
    onTestFinished(() => relay.stop());
    return new KillDesk(server, judge, relay);
  }

  /** The number of changes that the zone has. @throws if it has other records than those of the files. */
  async made(): Promise<number> {
    const { port } = this.#server;
    const othersThan = async (records: string) => {
      const { missing, more, doubled } = await this.#judge.compare({ zone, port, text: masterFile(zone, records) });
      expect(doubled).toEqual([]);
      return new Set([...missing, ...more].map((line) => line.replace(/ .*/, "")));
    };
    const [made, open] = [await othersThan(files.before), await othersThan(files.after)];
    expect([made.size + open.size, new Set([...made, ...open]).size]).toEqual([changes, changes]);
    return made.size;
  }

  /** The runs, the last one first. */
  async runs(): Promise<readonly ListedRun[]> {
    return JSON.parse((await this.#now("runs --report json")).out).runs;
  }

  /** Runs a command to its end; it must not tell of edits by others, because there are none. */
  async must(words: string): Promise<void> {
    const { code, out, talk } = await this.#now(`${words} --yes --allow ${allowed}`);
    const text = `$ zonewright ${words}\n${out}${talk}[${code}]\n`;
    const screen = text
      .replace(/(?: "x{250}")+/g, "")
      .replace(/up to \d+ s/, "up to … s")
      .replace(/\d{8}T\d{6}\.\d{3}Z-\w{6}/g, "RUN")
      .replace(/^note .* the server makes its .*\n/m, "");
    this.screens.push(screen);
    expect(screen).toMatch(/\n\[0\]\n$/);
    expect(screen).not.toMatch(/by someone else|after the run|else may be/);
  }

  /** Makes the zone as before, without runs, then as after the commands. */
  async reset(commands: readonly string[]): Promise<void> {
    this.#writeZone("before");
    await this.must("apply");
    rmSync(join(this.folder, ".zonewright/targets/office/runs"), { recursive: true, force: true });
    this.#writeZone("after");
    for (const command of commands) await this.must(command);
    this.screens.splice(0);
  }

  /** Runs a command of the program, and kills it; false if it ends before. */
  async kill(command: string, at: Kill): Promise<boolean> {
    const env = {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killAtLine)}`,
      KILL_AT_LINE: "line" in at ? String(at.line) : "",
    };
    const program = new Program(this.folder, `${command} --yes --allow ${allowed}`, env);
    let updates = 0;
    this.#relay.onUpdate = async ({ forward, reply, client }) => {
      const isMeant = "update" in at && ++updates === at.update;
      const octets = isMeant && !at.isServed ? undefined : await forward();
      if (!isMeant && octets) return reply(octets);
      program.kill("SIGKILL");
      await program.end();
      client.destroy();
    };
    const { code, out, talk } = await program.end();
    this.#relay.onUpdate = async ({ forward, reply }) => reply(await forward());
    expect(["SIGKILL", 0], `${out}${talk}`).toContain(code);
    return code === "SIGKILL";
  }

  /** Runs a command in this process, at this moment. */
  #now(words: string): ReturnType<Desk["run"]> {
    this.now = new Date();
    this.waited = 0;
    return this.run(words);
  }

  #writeZone(state: keyof typeof files): void {
    this.write("zones/z01.example.zone", `$ORIGIN ${zone}\n$TTL 300\n${files[state]}`);
  }
}
