import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guardIds } from "../../src/planner/blocks/guards.ts";
import { isMissing } from "../judges.ts";
import { nodeModules } from "../openapi/installed.ts";

const root = resolve(import.meta.dirname, "../..");

/** The language server of editors, as far as the test talks to it (Language Server Protocol 3.17 over pipes). */
class Editor {
  readonly #server: ChildProcess;
  readonly #folder: string;
  readonly #waiting = new Map<string, (value: unknown) => void>();
  #received = Buffer.alloc(0);
  #requests = 0;

  constructor(folder: string) {
    this.#folder = folder;
    const program = join(nodeModules, "yaml-language-server/bin/yaml-language-server");
    this.#server = spawn(process.execPath, [program, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    this.#server.stdout?.on("data", (data: Buffer) => this.#read(data));
  }

  async start(): Promise<void> {
    const capabilities = { textDocument: { completion: { completionItem: { documentationFormat: ["markdown"] } } } };
    await this.request("initialize", { processId: process.pid, rootUri: null, capabilities });
    this.#send({ method: "initialized", params: {} });
  }

  close(): void {
    this.#server.kill();
  }

  /** Opens a file with this text, and resolves to what the server finds in it: the line, from 1, and the message. */
  async open(file: string, text: string): Promise<string[]> {
    const path = join(this.#folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    const uri = this.uri(file);
    const found = this.#wait(uri);
    this.#send({
      method: "textDocument/didOpen",
      params: { textDocument: { uri, languageId: "yaml", version: 1, text } },
    });
    const { diagnostics } = (await found) as { diagnostics: { range: { start: { line: number } }; message: string }[] };
    return diagnostics.map(({ range, message }) => `${range.start.line + 1}: ${message}`);
  }

  uri(file: string): string {
    return pathToFileURL(join(this.#folder, file)).href;
  }

  request(method: string, params: object): Promise<unknown> {
    const id = ++this.#requests;
    const reply = this.#wait(String(id));
    this.#send({ id, method, params });
    return reply;
  }

  #wait(key: string): Promise<unknown> {
    return new Promise((resolve) => this.#waiting.set(key, resolve));
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#server.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #read(data: Buffer): void {
    this.#received = Buffer.concat([this.#received, data]);
    for (;;) {
      const head = this.#received.indexOf("\r\n\r\n");
      const length = Number(
        /Content-Length: (\d+)/.exec(this.#received.subarray(0, Math.max(head, 0)).toString())?.[1],
      );
      if (head < 0 || this.#received.length < head + 4 + length) return;
      const message = JSON.parse(this.#received.subarray(head + 4, head + 4 + length).toString());
      this.#received = this.#received.subarray(head + 4 + length);
      if (message.method === "textDocument/publishDiagnostics") this.#end(message.params.uri, message.params);
      // It asks for its settings, and has none.
      else if (message.method !== undefined && message.id !== undefined)
        this.#send({ id: message.id, result: message.params?.items?.map(() => null) ?? null });
      else if (message.id !== undefined) this.#end(String(message.id), message.result);
    }
  }

  #end(key: string, value: unknown): void {
    this.#waiting.get(key)?.(value);
    this.#waiting.delete(key);
  }
}

const line = (schema: string) =>
  `# yaml-language-server: $schema=../node_modules/zonewright/schemas/${schema}.schema.json\n`;

describe.skipIf(isMissing("yaml-language-server"))("editors with yaml-language-server", () => {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-editor-"));
  let editor: Editor;

  beforeAll(async () => {
    cpSync(join(root, "schemas"), join(folder, "node_modules/zonewright/schemas"), { recursive: true });
    editor = new Editor(folder);
    await editor.start();
  });

  afterAll(() => {
    editor.close();
    rmSync(folder, { recursive: true });
  });

  test.each<[file: string, schema: string, text: string, found: string[]]>([
    ["zones/good.yaml", "zone", "soa_email: a@example.com\nrecords: { www: { A: 192.0.2.1 } }\n", []],
    ["zones/key.yaml", "zone", "soa_email: a@example.com\nrecordz: {}\n", ["3: Property recordz is not allowed."]],
    ["zones/type.yaml", "zone", "records:\n  www:\n    AA: 192.0.2.1\n", ["4: Property AA is not allowed."]],
    ["zones/two.yaml", "zone", "records:\n  www: { A: 192.0.2.1 }\n  www: {}\n", ["4: Map keys must be unique"]],
    ["templates/good.yaml", "template", "parameters: { host: hostname }\nrecords: { '@': { MX: 10 $(host) } }\n", []],
    ["templates/key.yaml", "template", "record: {}\n", ["2: Property record is not allowed."]],
    ["config/good.yaml", "config", "zones: zones\nrules: { private-address: off }\n", []],
    [
      "config/rule.yaml",
      "config",
      "zones: zones\nrules:\n  no-such-rule: off\n",
      ["4: Property no-such-rule is not allowed."],
    ],
    ["acks/good.yaml", "acks", ack(), []],
    ["acks/script.yaml", "acks", ack("the shop moved to another host", "доставка"), []],
    [
      "acks/blank.yaml",
      "acks",
      ack("the shop moved to another host", "…"),
      ['5: String does not match the pattern of "[\\p{L}\\p{N}]".'],
    ],
    ["acks/former.yaml", "acks", ack("guard: G01", "guard: G02"), []],
    ["acks/empty.yaml", "acks", "\n", []],
    [
      "acks/guard.yaml",
      "acks",
      ack("guard: G01", "guard: G99"),
      [
        `2: Value must be ${[...guardIds, "G02", "G14"]
          .sort()
          .map((id) => `"${id}"`)
          .join(" | ")}.`,
      ],
    ],
    [
      "acks/effects.yaml",
      "acks",
      ack('"fe1a14ae90b1c2d3"', "fe1a"),
      ['4: String does not match the pattern of "^[0-9a-f]{16,64}$".'],
    ],
    ["acks/missing.yaml", "acks", ack("  until: 2027-01-31\n", ""), ['2: Missing property "until".']],
  ])("find in %s what is wrong, at its line", async (file, schema, text, found) => {
    expect(await editor.open(file, line(schema) + text)).toEqual(found);
  });

  test.each<[schema: string, text: string, position: [number, number], wanted: Record<string, string>]>([
    ["zone", "soa\n", [1, 3], { soa_email: "Contact address of the zone" }],
    ["zone", "records:\n  www:\n    CA\n", [3, 6], { CAA: "", TLSA: "", HTTPS: "" }],
    ["config", "pol\n", [1, 3], { api_url: "Scheme and host of the API; /v4 is added" }],
    ["template", "soa\n", [1, 3], { soa_email: "Contact address of the zone" }],
    ["acks", "- gu\n", [1, 4], { guard: "the id of the guard that blocks the change" }],
    ["acks", "- guard: G0\n", [1, 11], { G01: "many deletions", G36: "ALIAS without answer" }],
  ])("complete keys and values of %s, with their meaning: %j", async (schema, text, [at, character], wanted) => {
    const file = `${schema}/complete-${at}-${character}.yaml`;
    await editor.open(file, line(schema) + text);
    const position = { line: at, character };
    const reply = await editor.request("textDocument/completion", {
      textDocument: { uri: editor.uri(file) },
      position,
    });
    const { items } = reply as { items: { label: string; documentation?: string | { value: string } }[] };
    expect(Object.fromEntries(items.map(({ label, documentation = "" }) => [label, documentation]))).toMatchObject(
      wanted,
    );
  });

  test.each<[schema: string, text: string, position: [number, number], wanted: string]>([
    ["zone", "soa_email: a@example.com\n", [1, 3], "Contact address of the zone"],
    ["zone", "records:\n  www:\n    CAA: 0 issue ca.example.net\n", [3, 5], "The CAA records"],
    ["config", "policy:\n  strict: true\n", [2, 4], "A TTL that the API would round is an error"],
    ["template", "records: {}\n", [1, 3], "Names relative to the zone that uses the template; @ is the zone itself"],
    ["acks", ack(), [4, 4], "why the change is intended"],
  ])("show what a key of %s means: %j", async (schema, text, [at, character], wanted) => {
    const file = `${schema}/hover-${at}-${character}.yaml`;
    await editor.open(file, line(schema) + text);
    const position = { line: at, character };
    const reply = await editor.request("textDocument/hover", { textDocument: { uri: editor.uri(file) }, position });
    const { contents } = reply as { contents: { value: string } };
    expect(contents.value.split(/\n+/)[1]).toBe(wanted); // after the title of the schema
  });
});

/** An approval, with one of its texts replaced. */
function ack(text = "", other = ""): string {
  return `- guard: G01
  zone: example.com
  effects: "fe1a14ae90b1c2d3"
  reason: the shop moved to another host
  until: 2027-01-31
`.replace(text, other);
}
