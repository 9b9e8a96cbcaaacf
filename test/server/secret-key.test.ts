import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { parseSecretKey, readSecretKeyFile } from "../../src/server/areas/managed/secret-key.ts";

const octets = Uint8Array.from({ length: 32 }, (_, index) => index * 8);
const hex = Buffer.from(octets).toString("hex");

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.each([
  ["hexadecimal", hex],
  ["hexadecimal in capitals", hex.toUpperCase()],
  ["with a line end", `${hex}\n`],
  ["Base64", Buffer.from(octets).toString("base64")],
  ["Base64 without padding", Buffer.from(octets).toString("base64").replace("=", "")],
  ["base64url", Buffer.from(octets).toString("base64url")],
])("a key is read: %s", (_, text) => {
  expect(Uint8Array.from(parseSecretKey(text, "the key"))).toEqual(octets);
});

test.each([
  ["nothing", ""],
  ["63 digits", hex.slice(1)],
  ["65 digits", `${hex}0`],
  ["other letters", hex.replace("0", "g")],
  ["16 octets in Base64", "AAAAAAAAAAAAAAAAAAAAAA=="],
  ["a sentence", "correct horse battery staple"],
])("no key is read, and the text is not repeated: %s", (_, text) => {
  const refusal = () => parseSecretKey(text, "ZONEWRIGHT_SECRET_KEY");
  expect(refusal).toThrow(new ProblemError({ ...expectedProblem, summary: "ZONEWRIGHT_SECRET_KEY is not a key" }));
});

const expectedProblem = {
  id: "secret-key",
  kind: "failed",
  severity: "error",
  summary: "",
  fix: "A key is 64 hexadecimal digits, as printed by `openssl rand -hex 32`, or Base64 of 32 octets.",
} as const;

test("a key file is created once, for this user alone, with nothing beside it", () => {
  const folder = temporaryFolder();
  const path = join(folder, "secret.key");
  const key = readSecretKeyFile(path);
  expect(readFileSync(path, "utf8")).toBe(`${Buffer.from(key).toString("hex")}\n`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readSecretKeyFile(path)).toEqual(key);
  expect(readdirSync(folder)).toEqual(["secret.key"]);
  expect(readSecretKeyFile(join(folder, "other.key"))).not.toEqual(key);
});

test("a key file that others could read becomes private", () => {
  const path = join(temporaryFolder(), "secret.key");
  writeFileSync(path, hex);
  chmodSync(path, 0o644);
  expect(Uint8Array.from(readSecretKeyFile(path))).toEqual(octets);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a link to a key is followed", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "mounted"), hex, { mode: 0o600 });
  symlinkSync("mounted", join(folder, "secret.key"));
  expect(Uint8Array.from(readSecretKeyFile(join(folder, "secret.key")))).toEqual(octets);
});

test("a damaged key file is reported and kept", () => {
  const path = join(temporaryFolder(), "secret.key");
  writeFileSync(path, "damaged");
  expect(() => readSecretKeyFile(path)).toThrow(`${path} is not a key`);
  expect(readFileSync(path, "utf8")).toBe("damaged");
});

test("a key file that cannot be created is reported", () => {
  const path = join(temporaryFolder(), "missing", "secret.key");
  expect(() => readSecretKeyFile(path)).toThrow(`the key ${path} cannot be read or created`);
});

test("servers that need the key at the same moment read the same", async () => {
  const path = join(temporaryFolder(), "secret.key");
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    const { flag, module, path } = workerData;
    import(module).then(({ readSecretKeyFile }) => {
      parentPort.postMessage("ready");
      Atomics.wait(flag, 0, 0);
      parentPort.postMessage(Buffer.from(readSecretKeyFile(path)).toString("hex"));
    });`;
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const file = join(temporaryFolder(), "secret-key.mjs");
  const source = join(import.meta.dirname, "../../src/server/areas/managed/secret-key.ts");
  await build({ entryPoints: [source], outfile: file, bundle: true, platform: "node", format: "esm" });
  const module = pathToFileURL(file).href;
  const workers = Array.from({ length: 4 }, () => new Worker(code, { eval: true, workerData: { flag, module, path } }));
  const message = (worker: Worker) => new Promise((resolve) => worker.once("message", resolve));
  await Promise.all(workers.map(message));
  const keys = workers.map(message);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
  expect(new Set(await Promise.all(keys))).toEqual(new Set([readFileSync(path, "utf8").trim()]));
  await Promise.all(workers.map((worker) => worker.terminate()));
});
