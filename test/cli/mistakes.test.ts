import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { NewToken } from "../../src/server/areas/account/tokens-operator.ts";
import { deafPort, httpServer, rawServer, tlsServer } from "../client/sockets.ts";
import { shellWords } from "../docs/page.ts";
import { apiDesk, Desk, noon } from "./run.ts";
import { type Service, TargetDesk, targetDesk } from "./target-desk.ts";

/**
 * Mistakes of newcomers, a page for each area. A case is a heading and, in order: files, each named in backticks above
 * its content; sentences that begin with "Given"; a reply that an API gives to every request; preparing commands;
 * commands with all that they print. `vitest -u` rewrites the output.
 */
const folder = resolve(import.meta.dirname, "../cases/mistakes");

/** Surroundings that no block of a page shows, by the rest of the sentence. */
const surroundings: Readonly<Record<string, (desk: Desk) => Promise<Desk>>> = {
  "an account": (desk) => apiDesk(desk.files()),
  "no server": async (desk) => withApi(desk, await deafPort()),
  "a git repository": async (desk) => {
    commit(desk.folder);
    return desk;
  },
  "a shallow clone": async (desk) => {
    const origin = new Desk();
    commit(origin.folder);
    commit(origin.folder);
    git(desk.folder, "clone", "-q", "--depth", "1", `file://${origin.folder}`, ".");
    return desk;
  },
  "a server that closes every connection": async (desk) => withApi(desk, await rawServer((socket) => socket.destroy())),
  "a server whose certificate is not trusted": async (desk) => withApi(desk, await tlsServer(() => {})),
  "an account and a token that has expired": (desk) => accountWith(desk, { expires: new Date(noon.getTime() - 1000) }),
  "an account and a token that may only read": (desk) => accountWith(desk, { scopes: "domains:read_only" }),
  "a service for each target": async (desk) => {
    const files = Object.entries(desk.files());
    const names = files.flatMap(([, text]) =>
      [...text.matchAll(/url: http:\/\/([a-z]+)/g)].map(([, name = ""]) => name),
    );
    const services = await targetDesk(names, {});
    for (const [file, text] of files) write(services, file, text, undefined);
    return services;
  },
  "the token of public for office too": async (desk) => {
    desk.env.ZONEWRIGHT_OFFICE_TOKEN = desk.env.ZONEWRIGHT_PUBLIC_TOKEN;
    return desk;
  },
  "the token of public without a target": async (desk) => {
    desk.env.ZONEWRIGHT_TOKEN = desk.env.ZONEWRIGHT_PUBLIC_TOKEN;
    return desk;
  },
  "a git repository with these files": async (desk) => {
    git(desk.folder, "init", "-q", "-b", "main");
    git(desk.folder, "add", ".");
    return desk;
  },
  "a server without TLS": async (desk) =>
    withApi(desk, (await httpServer((_, reply) => reply.end())).replace("http:", "https:")),
};

async function accountWith(desk: Desk, token: Partial<NewToken>): Promise<Desk> {
  const account = await apiDesk(desk.files());
  account.env.ZONEWRIGHT_TOKEN = await account.mint(token);
  return account;
}

function commit(folder: string): void {
  git(folder, "init", "-q", "-b", "main");
  git(folder, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "zones");
}

function git(folder: string, ...args: string[]): void {
  execFileSync("git", args, { cwd: folder, stdio: "ignore" });
}

/** Contents that a page cannot show as they are. */
const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  "in UTF-16": (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
  "with a byte order mark": (text) => Buffer.from(`\ufeff${text}`),
  "in Latin-1": (text) => Buffer.from(text, "latin1"),
  "with Windows line ends": (text) => Buffer.from(text.replaceAll("\n", "\r\n")),
  "in hexadecimal": (text) => Buffer.from(text.trim(), "hex"),
};

const part =
  /(?:^`(?<file>[^`\n]+)`(?<encoding> [^:\n]+)?:\n\n)?^```(?<kind>\w*)\n(?<body>.*?)^```$|^Given (?<given>[^\n]+)\.$/gms;

const pages = readdirSync(folder).sort();

test.each(pages)("%s", async (page) => {
  const path = join(folder, page);
  const cases = readFileSync(path, "utf8").split(/^(?=## )/m);
  const shown: string[] = [];
  for (const text of cases) shown.push(await runCase(text));
  await expect(shown.join("")).toMatchFileSnapshot(path);
});

test("answers name only commands and options that exist", async () => {
  const answers = pages.flatMap(
    (page) => readFileSync(join(folder, page), "utf8").match(/^ {2}\S.*`zonewright .*$/gm) ?? [],
  );
  const advised = new Set(
    answers.flatMap((line) => [...line.matchAll(/`zonewright ([^`]+)`/g)].map(([, words = ""]) => words)),
  );
  expect(advised.size).toBeGreaterThan(10);
  for (const words of advised) {
    const [options, names] = [/--[a-z-]+/g, /^(?:(?:api|import|token|user) )?[a-z]+(?:-[a-z]+)*/].map(
      (pattern) => words.match(pattern) ?? [],
    );
    const { out } = await new Desk().run(`${names?.[0] ?? ""} --help`);
    expect([words, out.includes(`Usage: zonewright ${names?.[0] ?? ""}`)]).toEqual([words, true]);
    for (const option of options ?? []) expect([words, option, out.includes(option)]).toEqual([words, option, true]);
  }
});

/** The text of a case with the present output of its commands. */
async function runCase(text: string): Promise<string> {
  let desk = new Desk();
  let shown = "";
  let at = 0;
  for (const found of text.matchAll(part)) {
    const { file, encoding, kind, body = "", given } = found.groups ?? {};
    shown += text.slice(at, found.index);
    at = found.index + found[0].length;
    if (given !== undefined) {
      const change = surroundings[given];
      if (!change) throw new Error(`Given ${given}: one of ${Object.keys(surroundings).join("; ")}`);
      desk = await change(desk);
    } else if (kind === "http") desk = withApi(desk, await serverWith(body));
    else if (kind === "sh") await prepare(desk, body);
    else if (file !== undefined) write(desk, file, body, encoding?.trim());
    shown += kind === "console" ? `\`\`\`console\n${await runCommands(desk, body)}\`\`\`` : found[0];
  }
  return shown + text.slice(at);
}

/** Writes a file of a page, in which the service of a target is `http://` and its name. */
function write(desk: Desk, file: string, text: string, encoding: string | undefined): void {
  const services = desk instanceof TargetDesk ? Object.entries<Service>(desk.services) : [];
  desk.write(
    file,
    services.reduce((shown, [name, { url }]) => shown.replaceAll(`http://${name}`, url), text),
  );
  if (encoding === undefined) return;
  const encode = encodings[encoding];
  if (!encode) throw new Error(`${encoding}: one of ${Object.keys(encodings).join("; ")}`);
  writeFileSync(join(desk.folder, file), encode(text));
}

/** Runs commands that succeed, and whose output is of no interest. */
async function prepare(desk: Desk, text: string): Promise<void> {
  for (const [command, args = ""] of text.matchAll(/^zonewright (.+)$/gm))
    expect([command, (await desk.run(args)).code]).toEqual([command, 0]);
}

/** The commands of a console with all that they print, and their exit codes. */
async function runCommands(desk: Desk, text: string): Promise<string> {
  let shown = "";
  for (const [line = "", command = ""] of text.matchAll(/^\$ (.+)$/gm)) {
    const [, assignments = "", args = "", silence] =
      /^((?:\w+=(?:'[^']*'|\S*) )*)zonewright ?(.*?)( >\/dev\/null)?$/.exec(command) ?? [];
    const env = [...assignments.matchAll(/(\w+)=(?:'([^']*)'|(\S*)) /g)].map(([, name = "", quoted, word]) => [
      name,
      (quoted ?? word ?? "").replaceAll("\\n", "\n"),
    ]);
    const { code, out, talk } = await desk.run(shellWords(args), { env: Object.fromEntries(env) });
    // Ids, and moments after waits of a random length, vary.
    const printed = `${silence ? "" : out}${talk}`
      .replaceAll(/(?<=Z-)[0-9a-f]{6}\b/gm, "…")
      .replaceAll(/(?<=the account )[-0-9a-f]{36}/g, "…")
      .replaceAll(/(?<= seconds, at )[-\d]+ [:\d]+(?= UTC)/g, "…");
    shown += `${line}\n${printed}exit code ${code}\n`;
  }
  return shown;
}

function withApi(desk: Desk, url: string): Desk {
  desk.shown.push([url, url.replace(/127\.0\.0\.1:\d+/, "api")]);
  Object.assign(desk.env, { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: "0123456789abcdef" });
  return desk;
}

/** A server that answers every request with a reply: a status line, headers, a blank line and the body. */
function serverWith(reply: string): Promise<string> {
  const [head = "", body = ""] = reply.split(/\n\n(.*)/s);
  const [status = "", ...headers] = head.trimEnd().split("\n");
  return httpServer((_, response) => {
    for (const header of headers) response.setHeader(...(header.split(/: (.*)/s).slice(0, 2) as [string, string]));
    response.writeHead(Number(status.split(" ")[1])).end(body);
  });
}
