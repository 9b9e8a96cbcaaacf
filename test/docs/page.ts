import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Output } from "../cli/process.ts";
import { type ApiDesk, apiDesk, Desk } from "../cli/run.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { isMissing } from "../judges.ts";

export const root = resolve(import.meta.dirname, "../..");

export const readPage = (page: string): string => readFileSync(join(root, page), "utf8");

/** The output at a terminal: both streams, in the order of their writes. */
export class Screen extends Output {
  text = "";

  override addOut(text: string): void {
    super.addOut(text);
    this.text += text;
  }

  override addTalk(text: string): void {
    super.addTalk(text);
    this.text += text;
  }
}

const part = /^<!-- (?<note>.*?) ?-->$|^```(?<kind>\w*)\n(?<body>.*?)^```$/gms;

/** The columns of the terminal on which the pages' commands run. */
const columns = 100;

/**
 * The text of a page with the present output of its consoles. `…` stands for any text there, and a line of it for any
 * lines. Comments that readers do not see prepare the commands: `test: an account`, `test: an account
 * with open records` and `test: a folder` begin with an empty folder, `file: PATH` has the content of a file below it,
 * `run: COMMANDS` runs commands, one per line,
 * `start: COMMAND` starts a server, which `dig` in a console asks at the port of its `--dns`, and `by hand: USER METHOD
 * PATH BODY` changes the account, one call per line. A block whose first line is a comment with a path is that file.
 * The commands of `sh` blocks have to succeed. A block below the comment `not run: REASON` does not run; `unrun` has
 * the first lines of such blocks with the reasons.
 */
export async function runPage(text: string): Promise<{ shown: string; unrun: Record<string, string> }> {
  const unrun: Record<string, string> = {};
  let desk: Desk | undefined;
  let shown = "";
  let at = 0;
  let reason = "";
  for (const found of text.matchAll(part)) {
    const { note = "", kind, body = "" } = found.groups ?? {};
    const [, word, rest = ""] = /^(test|file|run|start|by hand|not run): (.*)$/s.exec(note) ?? [];
    shown += text.slice(at, found.index);
    at = found.index + found[0].length;
    if (word === "test") desk = await openDesk(rest);
    else if (word === "not run") reason = rest;
    else if (word === "file") desk?.write(...(rest.split(/\n(.*)/s) as [string, string]));
    else if (word === "run") await prepare(desk, rest);
    else if (word === "by hand" && desk) await changeByHand(desk, rest);
    else if (word === "start" && desk) await startServer(desk, rest);
    const isCommands = kind === "console" || kind === "sh";
    if (isCommands && reason !== "") unrun[body.split("\n")[0] ?? ""] = reason;
    else if (kind === "sh") await runScript(desk, body);
    else if (kind !== undefined) {
      const [, path] = /^[#;] (\S+\/\S+|\S+\.yaml)$/.exec(body.split("\n")[0] ?? "") ?? [];
      if (path !== undefined) desk?.write(path, body);
    }
    const isRun = kind === "console" && reason === "";
    shown += isRun ? `\`\`\`console\n${await runCommands(desk, body)}\`\`\`` : found[0];
    if (isCommands) reason = "";
  }
  return { shown: shown + text.slice(at), unrun };
}

async function newDesk(kind: string): Promise<Desk> {
  if (kind === "an account with open records") return apiDesk({}, undefined, { records: "open" });
  return kind === "an account" ? apiDesk() : new Desk();
}

/** A terminal in an empty folder where the package is installed, with or without an account. */
async function openDesk(kind: string): Promise<Desk> {
  const desk = await newDesk(kind);
  mkdirSync(join(desk.folder, "node_modules"));
  symlinkSync(root, join(desk.folder, "node_modules/zonewright"));
  desk.width = columns;
  return desk;
}

/**
 * Runs a script line by line: `zonewright` in this process, everything else by a shell. A line marked as a placeholder
 * needs the reader's own values, so it is not run.
 */
async function runScript(desk: Desk | undefined, text: string): Promise<void> {
  if (!desk) throw new Error(`no folder for ${text}`);
  for (const line of text.split("\n")) {
    const [, command = "", comment = ""] = /^(.*?)\s*(?:# (.*))?$/.exec(line) ?? [];
    const [, words] = /^(?:npx )?zonewright (.*)$/.exec(command) ?? [];
    if (command === "" || comment.startsWith("placeholder")) continue;
    if (words === undefined) execFileSync("sh", ["-ec", command], { cwd: desk.folder });
    else if (words.startsWith("serve")) await startAndEnd(desk, words);
    else await prepare(desk, words);
  }
}

/** Starts a server at free ports instead of those of the page. */
async function startAndEnd(desk: Desk, words: string): Promise<void> {
  const free = words.replace(/ --dns \S+/, ` --dns 127.0.0.1:${await freePort()}`);
  const server = desk.start(free.includes("--port") ? free : `${free} --port 0`);
  await server.says(/^http:\S+/m);
  await server.end();
}

/** Lets a minute pass, so that runs have times of their own. */
function passMinute(desk: Desk): void {
  desk.now = new Date(desk.now.getTime() + 60_000);
}

/** Calls the API as other users of the account. */
async function changeByHand(desk: Desk, calls: string): Promise<void> {
  const { url, mint } = desk as ApiDesk;
  for (const [, user = "", method = "", path = "", body] of calls.matchAll(/^(\w+) (\w+) (\S+)(?: (.*))?$/gm)) {
    const headers = { Authorization: `Bearer ${await mint({ username: user, account: "admin" })}` };
    const reply = await fetch(`${url}/v4${path}`, { method, headers, ...(body !== undefined && { body }) });
    if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`);
  }
}

/** The port of a desk's name server that the page shows, and the free one in its place. */
const dnsPorts = new WeakMap<Desk, { readonly shown: string; readonly free: string }>();

/** Starts a server that later commands use; its token is among its options. */
async function startServer(desk: Desk, command: string): Promise<void> {
  const [, shown = ""] = / --dns 127\.0\.0\.1:(\d+)/.exec(command) ?? [];
  if (shown !== "") dnsPorts.set(desk, { shown, free: `${await freePort()}` });
  const free = command.replace(/^zonewright /, "").replace(shown, () => dnsPorts.get(desk)?.free ?? "");
  const [url] = await desk.start(free).says(/^http:\S+/m);
  const [, token = ""] = /--token (\S+)/.exec(command) ?? [];
  Object.assign(desk.env, { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: token });
}

/** Runs commands whose output is of no interest, one per line. */
async function prepare(desk: Desk | undefined, text: string): Promise<void> {
  if (!desk) throw new Error(`no folder for ${text}`);
  for (const line of text.split("\n")) {
    const { code, out, talk } = await desk.run(shellWords(line.replace(/^zonewright /, "")));
    if (code !== 0) throw new Error(`${line}: exit code ${code}\n${out}${talk}`);
    passMinute(desk);
  }
}

/**
 * The words of a command as a shell splits them. Refuses what a shell would interpret, such as an unquoted `>`, which
 * writes a file.
 */
export function shellWords(command: string): string[] {
  const word = /(?:'[^']*'|"[^"$`\\]*"|[^\s'"`$\\<>|&;()*?[\]])+/g;
  if (command.replaceAll(word, "").trim() !== "") throw new Error(`a shell does not take this literally: ${command}`);
  return (command.match(word) ?? []).map((text) => text.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** A console with its present output. `export` sets a variable, `echo $?` shows the exit code. */
async function runCommands(desk: Desk | undefined, text: string): Promise<string> {
  if (!desk) throw new Error(`no folder for ${text}`);
  let shown = "";
  let code: number | undefined;
  for (const [, command = "", output = ""] of text.matchAll(/^\$ (.+)\n((?:(?!\$ ).*\n)*)/gm)) {
    const [, name, value = ""] = /^export (\w+)=(.*)$/.exec(command) ?? [];
    const screen = new Screen();
    if (name !== undefined) Object.assign(desk.env, { [name]: value });
    else if (command === "echo $?") screen.addOut(`${code}\n`);
    else if (command.startsWith("dig ")) screen.addOut(isMissing("dig") ? output : await runDig(desk, command));
    else code = (await desk.run(shellWords(command.replace(/^zonewright ?/, "")), { output: screen })).code;
    const constant = desk.shown.reduce((all, [varying, word]) => all.replaceAll(varying, word), screen.text);
    shown += `$ ${command}\n${elide(constant, output)}`;
    passMinute(desk);
  }
  return shown;
}

/** Asks the desk's name server. */
async function runDig(desk: Desk, command: string): Promise<string> {
  const { shown = "", free = "" } = dnsPorts.get(desk) ?? {};
  const words = shellWords(command.replace(` -p ${shown} `, ` -p ${free} `)).slice(1);
  return (await promisify(execFile)("dig", ["-r", ...words])).stdout;
}

/** The text as the page shows it, if it matches, else as it is. */
function elide(text: string, page: string): string {
  const pattern = page
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(/^…\n/gm, "(?:.*\\n)*?")
    .replaceAll("…", ".*");
  return new RegExp(`^${pattern}$`).test(text) ? page : text;
}

/**
 * The text of a page with the present messages of its cases: a comment `case: PAGE: HEADING` names a case of
 * test/cases/mistakes, and the block below it is the first command there with what it prints.
 */
export function quoteCases(text: string): string {
  return text.replaceAll(
    /^<!-- case: (\w+\.md): ([^\n]*) -->\n\n```text\n.*?^```$/gms,
    (_, page: string, heading: string) => {
      const cases = readPage(`test/cases/mistakes/${page}`).split(/^## /m);
      const found = cases.find((one) => one.startsWith(`${heading}\n`)) ?? "";
      const [, command = `no case "${heading}" in ${page}\n`] = /^```console\n(.*?)^exit code/ms.exec(found) ?? [];
      return `<!-- case: ${page}: ${heading} -->\n\n\`\`\`text\n${command}\`\`\``;
    },
  );
}

/** Anchors of the headings of a level, by default of all, as GitHub makes them. */
export function headingsOf(text: string, level = "#+"): string[] {
  return [...text.matchAll(new RegExp(`^${level} (.*)$`, "gm"))].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
