import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SecondaryForm } from "../../src/formats/server-config/secondaries.ts";
import type { Judge } from "../judges.ts";

export const tsigName = "transfer";
const secret = Buffer.from("what two servers share").toString("base64");

/** The server of a list of zones: the program that checks its configuration, before and after the file. */
interface ListServer {
  readonly judge: Judge;
  readonly check: (file: string) => readonly [program: string, ...words: string[]];
  /** A configuration of the operator that defines the key, and has the list at its end. */
  readonly start: string;
}

export const listServers: Readonly<Record<SecondaryForm, ListServer>> = {
  "named.conf": {
    judge: "named-checkconf",
    check: (file) => ["named-checkconf", file],
    start: `options { directory "/tmp"; };\nkey "${tsigName}" { algorithm hmac-sha256; secret "${secret}"; };\n`,
  },
  "knot.conf": {
    judge: "knotd",
    check: (file) => ["knotc", "-c", file, "conf-check"],
    start: `server:\n    listen: 127.0.0.1@5300\nkey:\n  - id: ${tsigName}\n    algorithm: hmac-sha256\n    secret: "${secret}"\n`,
  },
  "nsd.conf": {
    judge: "nsd",
    check: (file) => ["nsd-checkconf", file],
    start: `server:\n  ip-address: 127.0.0.1@5300\nkey:\n  name: ${tsigName}\n  algorithm: hmac-sha256\n  secret: "${secret}"\n`,
  },
};

/** The complaint of the server's own checker about a configuration; empty if it accepts it. */
export function complaint(form: SecondaryForm, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-list-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, form);
  writeFileSync(file, text);
  const [program, ...words] = listServers[form].check(file);
  try {
    execFileSync(program, words, { stdio: "pipe" });
    return "";
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: Buffer; stdout?: Buffer };
    return String(stderr) || String(stdout) || String(error);
  }
}
