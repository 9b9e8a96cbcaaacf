// @suite long

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { programWords } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import {
  type Consumer,
  type ConsumerName,
  consumers,
  startConsumer,
  untilServes,
} from "../dns/transfer/catalog-consumers.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { findProgram, isMissing } from "../judges.ts";
import { serialIn } from "../targets/files/fleet.ts";
import { readPage, root, Screen, shellWords } from "./page.ts";

const path = "docs/publish.md";
const zones = ["example.com", "example.net"];
const minute = 60_000;

/** The machines of the page: the primary with its repository, and the secondaries, by their addresses on the page. */
class Machines {
  readonly desk = new Desk();
  readonly #folder = mkdtempSync(join(tmpdir(), "zonewright-publish-"));
  readonly #zones = join(this.#folder, "zones");
  readonly #secondaries = new Map<string, Consumer>();
  readonly #env: Record<string, string | undefined>;
  #port = 0;
  #named: { readonly child: ChildProcess; readonly closed: Promise<unknown> } | undefined;

  constructor() {
    for (const folder of ["zones", "bind", "bin"]) mkdirSync(join(this.#folder, folder));
    const PATH = `${join(this.#folder, "bin")}:${process.env.PATH}`;
    const person = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@example.com" };
    const committer = { GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@example.com" };
    // Variables of the test run are none of the program, which warns of them.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("ZONEWRIGHT_"));
    this.#env = { ...Object.fromEntries(own), ...person, ...committer, PATH };
    this.desk.env.PATH = PATH;
    this.desk.width = 100;
    this.desk.shown.push([this.#folder, "/srv"]);
    const program = `#!/bin/sh\nexec ${programWords.join(" ")} "$@"\n`;
    writeFileSync(join(this.#folder, "bin/zonewright"), program, { mode: 0o755 }); // for hooks of git
    // The clock of the program stands still while it waits for a server.
    this.desk.sleep = async (ms) => {
      this.desk.waited -= ms;
      await wait(ms);
    };
    onTestFinished(async () => {
      await this.#stop();
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  /** Prepares the primary with the lines of the page, and starts the secondaries. */
  async prepare(lines: string): Promise<void> {
    const control = await freePort();
    this.#port = await freePort();
    const bind = join(this.#folder, "bind");
    const key = join(bind, "rndc.key");
    const secret = Buffer.from("a secret of this test").toString("base64");
    writeFileSync(key, `key "rndc-key" { algorithm hmac-sha256; secret "${secret}"; };\n`);
    const rndc = `#!/bin/sh\nexec ${findProgram("rndc")} -s 127.0.0.1 -p ${control} -k ${key} "$@"\n`;
    writeFileSync(join(this.#folder, "bin/rndc"), rndc, { mode: 0o755 });
    const own = `options {
  listen-on port ${this.#port} { 127.0.0.1; }; listen-on-v6 { none; };
  pid-file none; session-keyfile none; lock-file none; dnssec-validation no; notify-delay 0;`;
    const addresses = /192\.0\.2\.61; 192\.0\.2\.62; 192\.0\.2\.63;/;
    const controls = `include "${key}";\ncontrols { inet 127.0.0.1 port ${control} allow { 127.0.0.1; } keys { "rndc-key"; }; };\n`;
    this.desk.shown.push([`127.0.0.1#${control}`, "127.0.0.1#953"], [`127.0.0.1:${this.#port}`, "127.0.0.1"]);
    for (const [index, name] of (Object.keys(consumers) as ConsumerName[]).entries()) {
      const secondary = { port: await freePort(), primary: this.#port, catalog: "catalog.example" };
      const address = `192.0.2.${61 + index}`;
      this.#secondaries.set(address, startConsumer(name, secondary));
      this.desk.shown.push([`127.0.0.1:${secondary.port}`, `${address}:53`]);
    }
    const notified = [...this.#secondaries.values()].map(({ port }) => `127.0.0.1 port ${port};`).join(" ");
    const config = lines
      .replace("options {", own)
      .replace("/var/cache/bind", bind)
      .replace("/etc/bind", bind)
      .replace(addresses, notified)
      .replace(addresses, "127.0.0.1;");
    writeFileSync(join(bind, "named.conf"), controls + config);
  }

  /** A file of the repository, as the page has it. */
  write(file: string, text: string): void {
    const local = this.#localized(text);
    this.desk.write(file, local.replace("verify_at: 127.0.0.1", `verify_at: 127.0.0.1:${this.#port}`));
  }

  /** A program of the page. */
  writeProgram(path: string, text: string): void {
    writeFileSync(this.#localized(path), this.#localized(text), { mode: 0o755 });
  }

  /** The folders of the page are in one of this test. */
  #localized(text: string): string {
    return text.replaceAll("/srv/", `${this.#folder}/`).replaceAll("/etc/bind", join(this.#folder, "bind"));
  }

  /** The text on the terminal after a command of the page. */
  async run(command: string): Promise<string> {
    const [, action = ""] = /^systemctl (\w+) named$/.exec(command) ?? [];
    if (action !== "") {
      if (action !== "start") await this.#stop();
      if (action !== "stop") await this.#start();
      return "";
    }
    if (/^(?:dig|zonewright verify) /.test(command)) await this.#untilTransferred();
    const local = this.#localized(command);
    const [, words = "", file] = /^zonewright (.*?)(?: > (\S+))?$/.exec(this.#withPorts(local)) ?? [];
    const screen = new Screen();
    if (words === "") screen.addOut(this.#runShell(this.#withPorts(local)));
    else {
      const { out, talk } = await this.desk.run(shellWords(words), { output: screen });
      this.desk.now = new Date(this.desk.now.getTime() + minute);
      if (file !== undefined) writeFileSync(file, screen.out);
      if (file !== undefined) return talk;
      expect(out + talk).not.toContain("internal error");
    }
    const constant = screen.text.replaceAll(/(\d{8}T\d{6}\.\d{3}Z)-[0-9a-f]{6}/g, "$1-7c90a1"); // the id of a run
    return this.desk.shown.reduce((text, [varying, word]) => text.replaceAll(varying, word), constant);
  }

  /** Another machine in place of the primary, with the repository, BIND, its list, and no zone files or runs. */
  async replacePrimary(): Promise<void> {
    await this.#stop();
    for (const folder of [this.#zones, join(this.desk.folder, ".zonewright")]) rmSync(folder, { recursive: true });
    mkdirSync(this.#zones);
    await this.#start();
  }

  /** The command with the ports of the secondaries. */
  #withPorts(command: string): string {
    const ports = [...this.#secondaries].map(([address, { port }]) => [address, port] as const);
    return ports.reduce(
      (text, [address, port]) =>
        text.replaceAll(`@${address}`, `@127.0.0.1 -p ${port}`).replaceAll(` ${address}`, ` 127.0.0.1:${port}`),
      command,
    );
  }

  #runShell(command: string): string {
    if (command.startsWith("git push")) return this.#push(command);
    return execFileSync("sh", ["-ec", command], { cwd: this.desk.folder, env: this.#env, encoding: "utf8" });
  }

  /** A push can be rejected, and shows what hooks print, padded. */
  #push(command: string): string {
    const options = { cwd: this.desk.folder, env: this.#env, encoding: "utf8" } as const;
    return spawnSync("sh", ["-c", command], options).stderr.replaceAll(/ +$/gm, "");
  }

  async #start(): Promise<void> {
    const cwd = join(this.#folder, "bind");
    const child = spawn("named", ["-g", "-n", "1", "-c", "named.conf"], { cwd, stdio: "ignore" });
    this.#named = { child, closed: once(child, "close") };
    for (let asked = 0; child.exitCode === null && asked < 500; asked++) {
      if (/running/.test(this.#runShell("rndc status 2>&1 || true"))) return;
      await wait(20);
    }
    throw new Error("named does not start");
  }

  async #stop(): Promise<void> {
    this.#named?.child.kill();
    await this.#named?.closed;
    this.#named = undefined;
  }

  /** Waits until each secondary has the zones of the primary, and no others. */
  async #untilTransferred(): Promise<void> {
    const files = readdirSync(this.#zones).filter((file) => /^example.*\.zone$/.test(file));
    const serials = files.map((file) => [file.slice(0, -5), serialIn(readFileSync(join(this.#zones, file), "latin1"))]);
    for (const secondary of this.#secondaries.values())
      await untilServes(secondary, zones, Object.fromEntries(serials));
  }
}

test.skipIf(isMissing("named", "knotd", "pdns_server", "pdns-backend-sqlite3", "dig"))(
  "docs/publish.md: a primary and three secondaries, from an empty folder",
  async () => {
    const page = readPage(path);
    const warnings: Error[] = [];
    const warn = (warning: Error) => void warnings.push(warning);
    process.on("warning", warn);
    onTestFinished(() => void process.off("warning", warn));
    const machines = new Machines();
    const [, lines = ""] = /^```text\n# named\.conf, of the primary\n(.*?)^```$/ms.exec(page) ?? [];
    await machines.prepare(lines);
    let shown = "";
    let at = 0;
    const part = /^<!-- (?<note>new machine) -->$|^```(?<kind>console|yaml|sh)\n(?<body>.*?)^```$/gms;
    for (const { 0: all, index, groups: { note, kind, body = "" } = {} } of page.matchAll(part)) {
      shown += page.slice(at, index);
      at = index + all.length;
      if (note !== undefined) await machines.replacePrimary();
      const [, file] = /^# (\S+\.yaml)$/m.exec(kind === "yaml" ? body : "") ?? [];
      if (file !== undefined) machines.write(file, body);
      const [, hook] = /^# (\/srv\/\S+)$/m.exec(kind === "sh" ? body : "") ?? [];
      if (hook !== undefined) machines.writeProgram(hook, body);
      if (kind !== "console") {
        shown += all;
        continue;
      }
      shown += "```console\n";
      for (const [, command = ""] of body.matchAll(/^\$ (.+)$/gm))
        shown += `$ ${command}\n${await machines.run(command)}`;
      shown += "```";
    }
    expect(warnings).toEqual([]);
    await expect(shown + page.slice(at)).toMatchFileSnapshot(join(root, path));
  },
  120_000,
);
