// @suite nightly

import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { folder, run, serve } from "../clients/run.ts";
import { isMissing } from "../judges.ts";
import { isNightly } from "../properties.ts";
import { bodies, populate } from "../server/populated.ts";
import { documents, writeDocument } from "./documents.ts";
import { nodeModules, runJudge } from "./installed.ts";

/**
 * Each program creates a record with a client that was generated from the document, reads it back by a list, is refused
 * a second one, calls every operation without path parameters, and prints what it understood.
 */
const understood = [
  { id: 2, name: "www", target: "192.0.2.1", created: "2026-03-04T12:00:10", tag: null },
  { results: 1, names: ["www"] },
  { status: 400, reason: "Invalid IPv4 or IPv6 address", field: "target" },
];

/** An operation without path parameters, as the programs call it. */
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

interface Reply {
  readonly id: string;
  readonly status: number;
  /** The body as the server sent it. */
  readonly reply: unknown;
  /** The body as the client understood it. */
  readonly understood: unknown;
}

/** Reads come before writes, and the account is closed last. */
function operationsOf(file: string): Operation[] {
  const { paths } = JSON.parse(readFileSync(file, "utf8")) as { paths: Record<string, Record<string, object>> };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const body = bodies[`${method.toUpperCase()} ${path}`]?.();
      return "operationId" in operation && !path.includes("{")
        ? [{ id: String(operation.operationId), method, path, ...(body !== undefined && { body }) }]
        : [];
    }),
  );
  const turn = ({ id, method }: Operation) => (method === "get" ? 0 : id === "cancelAccount" ? 2 : 1);
  return operations.sort((a, b) => turn(a) - turn(b));
}

/**
 * Replies that are not a 200: only restricted users have grants; no import without a client for transfers; the domain
 * is offered already.
 */
const otherStatuses: Readonly<Record<string, number>> = {
  getGrants: 204,
  importDomain: 400,
  createServiceTransfer: 400,
};

/** Keys and values of a reply, whatever the spelling of keys; without keys that are null or absent. */
function fold(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fold);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(entries.map(([key, part]) => [key.replaceAll("_", "").toLowerCase(), fold(part)]));
}

function done({ code, text }: ReturnType<typeof runJudge>): void {
  expect(code, text).toBe(0);
}

/** Checks the types of a program with its generated client, and compiles both. */
function compile(cwd: string, file: string): void {
  const compilerOptions = {
    strict: true,
    target: "es2022",
    lib: ["es2022", "dom"],
    types: [],
    module: "commonjs",
    moduleResolution: "node10",
    outDir: "out",
    rootDir: ".",
    skipLibCheck: true,
  };
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  done(runJudge(["tsc", "-p", "."], cwd));
}

/** Checks that the replies, and the bodies of the requests, have the types that the document gives them. */
function checkTypes(cwd: string, replies: readonly Reply[]): void {
  const json = (value: unknown) => JSON.stringify(value);
  const constants = operationsOf(join(cwd, "openapi.json")).flatMap(({ id, method, path, body }, index) => {
    const { status, reply } = replies[index] ?? expect.fail();
    const type = `paths[${json(path)}][${json(method)}]`;
    const replyType = `${type}["responses"][${status}]["content"]["application/json"]`;
    return [
      ...(body === undefined ? [] : [`export const ${id}Body: Body<${type}> = ${json(body)};`]),
      ...(status === 204 ? [] : [`export const ${id}Reply: ${replyType} = ${json(reply)};`]),
    ];
  });
  const head = [
    'import type { paths } from "./api";',
    'type Body<O> = O extends { requestBody?: { content: { "application/json": infer B } } } ? B : never;',
  ];
  writeFileSync(join(cwd, "replies.ts"), [...head, ...constants].join("\n"));
  compile(cwd, "replies.ts");
}

/** Runs the program against a server, and compares its output; returns the replies to the operations. */
async function judge(profile: (typeof documents)[number][0], cwd: string, command: string[]): Promise<Reply[]> {
  const operations = operationsOf(join(cwd, "openapi.json"));
  writeFileSync(join(cwd, "operations.json"), JSON.stringify(operations));
  const { api } = await populate(serve({ profile, jobDriver: simulatedDriver(0) }));
  const domain = await api.domain("example.net");
  const { code, out, talk } = await run([...command, api.url, api.token, String(domain)], { cwd });
  expect({ code, talk }).toEqual({ code: 0, talk: [] });
  const lines = out.trim().split("\n");
  const printed = lines.map((line) => JSON.parse(line));
  expect(printed.slice(0, understood.length)).toEqual(understood);
  const replies: Reply[] = printed.slice(understood.length);
  expect(replies.map(({ id, status }) => `${status} ${id}`)).toEqual(
    operations.map(({ id }) => `${otherStatuses[id] ?? 200} ${id}`),
  );
  return replies;
}

// The profiles differ by an endpoint and a field: one of them is enough here.
const versions = documents.filter(([profile]) => profile === "documented");

describe.each(versions)("generates a client of profile %s from OpenAPI %s", (...document) => {
  const [profile, version] = document;
  function generate(words: (file: string) => string[], ...programs: string[]): string {
    const cwd = folder();
    done(runJudge(words(writeDocument(cwd, document)), cwd));
    for (const name of programs) cpSync(fileURLToPath(new URL(`programs/${name}`, import.meta.url)), join(cwd, name));
    return cwd;
  }

  test.skipIf(isMissing("openapi-typescript"))("by openapi-typescript, for openapi-fetch", async () => {
    const cwd = generate((file) => ["openapi-typescript", file, "--output", "api.ts"], "fetch.ts");
    symlinkSync(nodeModules, join(cwd, "node_modules"));
    compile(cwd, "fetch.ts");
    const replies = await judge(profile, cwd, ["node", "out/fetch.js"]);
    expect(replies.map(({ understood }) => understood)).toEqual(replies.map(({ reply }) => reply));
    checkTypes(cwd, replies);
  });

  // The first of them brings the compiler. It takes long, so CI has it for one version.
  const generator = ["openapi-typescript", "openapi-generator-cli"] as const;
  const isLong = version === "3.1" && !isNightly;
  test.skipIf(isLong || isMissing(...generator))("by openapi-generator, typescript-fetch", async () => {
    const words = ["openapi-generator-cli", "generate", "-g", "typescript-fetch", "-o", "api", "-i"];
    const cwd = generate((file) => [...words, file], "generator.ts");
    symlinkSync(nodeModules, join(cwd, "node_modules"));
    compile(cwd, "generator.ts");
    const replies = await judge(profile, cwd, ["node", "out/generator.js"]);
    expect(replies.map(({ id, understood }) => [id, fold(understood)])).toEqual(
      replies.map(({ id, reply }) => [id, fold(reply)]),
    );
  });

  test.skipIf(isMissing("openapi-python-client"))("by openapi-python-client", async () => {
    const words = ["generate", "--fail-on-warning", "--meta", "none", "--output-path", "api", "--path"];
    const cwd = generate((file) => ["openapi-python-client", ...words, file], "client.py");
    const python = join(nodeModules, "..", "venv", "bin", "python3");
    const replies = await judge(profile, cwd, [python, "client.py"]);
    expect(replies.map(({ id, understood }) => [id, understood])).toEqual(replies.map(({ id, reply }) => [id, reply]));
  });
});
