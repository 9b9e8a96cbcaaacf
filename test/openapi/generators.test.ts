import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Ended, folder, run, serve } from "../clients/run.ts";
import { isMissing } from "../judges.ts";
import { isNightly } from "../properties.ts";
import { documents, writeDocument } from "./documents.ts";
import { nodeModules, runJudge } from "./installed.ts";

/**
 * Each program creates the record 1 of the domain 1 with a client that was generated from the document, reads it back
 * by a list, is refused a second one, and prints what it understood.
 */
const understood = [
  { id: 1, name: "www", target: "192.0.2.1", created: "2026-03-04T12:00:00", tag: null },
  { results: 1, names: ["www"] },
  { status: 400, reason: "Invalid IPv4 or IPv6 address", field: "target" },
];

const stored = [{ id: 1, type: "A", name: "www", target: "192.0.2.1" }];

function program(name: string, cwd: string): void {
  cpSync(fileURLToPath(new URL(`programs/${name}`, import.meta.url)), join(cwd, name));
}

function done({ code, text }: ReturnType<typeof runJudge>): void {
  expect(code, text).toBe(0);
}

/** Checks the types of a program with its generated client, and compiles both. */
function compile(cwd: string, file: string): void {
  symlinkSync(nodeModules, join(cwd, "node_modules"));
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

/** Runs the program against a server, and compares its output and the stored zones. */
async function judge(api: Awaited<ReturnType<typeof serve>>, cwd: string, command: string[]): Promise<void> {
  const { code, out, talk }: Ended = await run([...command, api.url, api.token], { cwd });
  expect({ code, talk }).toEqual({ code: 0, talk: [] });
  expect(
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(understood);
  expect(await api.records(1)).toEqual(stored);
}

// The profiles differ by an endpoint and a field: one of them is enough here. The version for older programs is derived
// from the other (test/openapi/lint.test.ts judges all): the nightly run generates clients from it, too.
const versions = documents.filter(([profile, version]) => profile === "documented" && (isNightly || version === "3.1"));

describe.each(versions)("generates a client of profile %s from OpenAPI %s", (...document) => {
  async function begin(generate: (file: string) => string[]) {
    const cwd = folder();
    done(runJudge(generate(writeDocument(cwd, document)), cwd));
    const api = await serve();
    await api.domain("example.com");
    return { api, cwd };
  }

  test.skipIf(isMissing("openapi-typescript"))("by openapi-typescript, for openapi-fetch", async () => {
    const { api, cwd } = await begin((file) => ["openapi-typescript", file, "--output", "api.ts"]);
    program("fetch.ts", cwd);
    compile(cwd, "fetch.ts");
    await judge(api, cwd, ["node", "out/fetch.js"]);
  });

  // The first of them brings the compiler.
  const generator = ["openapi-typescript", "openapi-generator-cli"] as const;
  test.skipIf(!isNightly || isMissing(...generator))("by openapi-generator, typescript-fetch", async () => {
    const words = ["openapi-generator-cli", "generate", "-g", "typescript-fetch", "-o", "api", "-i"];
    const { api, cwd } = await begin((file) => [...words, file]);
    program("generator.ts", cwd);
    compile(cwd, "generator.ts");
    await judge(api, cwd, ["node", "out/generator.js"]);
  });

  test.skipIf(isMissing("openapi-python-client"))("by openapi-python-client", async () => {
    const words = [
      "openapi-python-client",
      "generate",
      "--fail-on-warning",
      "--meta",
      "none",
      "--output-path",
      "api",
      "--path",
    ];
    const { api, cwd } = await begin((file) => [...words, file]);
    mkdirSync(join(cwd, "cache"));
    program("client.py", cwd);
    const python = join(nodeModules, "..", "venv", "bin", "python3");
    await judge(api, cwd, [python, "client.py"]);
  });
});
