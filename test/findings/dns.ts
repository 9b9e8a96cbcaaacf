import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../dns/transfer/nameservers.ts";
import type { Case } from "./cases.ts";

export interface Dns {
  readonly port: number;
  /** The secret of the TSIG keys `case-0`, `case-1` and so on: queries with a key get the zones of its case. */
  readonly secret: string;
  close(): Promise<void>;
}

/**
 * A name server on this machine that serves the zones of all cases, by a TSIG key for each. Its root zone is
 * outside.zone, so that no query leaves the machine. A zone that BIND does not load is answered with SERVFAIL.
 */
export async function serveCases(cases: readonly Case[]): Promise<Dns> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-findings-"));
  const port = await freePort();
  const secret = Buffer.from("of this run alone").toString("base64");
  writeFileSync(join(folder, "root.zone"), readFileSync(join(import.meta.dirname, "outside.zone")));
  const views = cases.map(({ zones }, index) => {
    mkdirSync(join(folder, String(index)));
    const blocks = zones.map(({ name, text }) => {
      writeFileSync(join(folder, String(index), name), text);
      return `zone "${name}" { type primary; file "${index}/${name}"; check-names ignore; check-integrity no; };`;
    });
    const root = 'zone "." { type primary; file "root.zone"; };';
    const key = `key "case-${index}" { algorithm hmac-sha256; secret "${secret}"; };`;
    return `${key}\nview "${index}" { match-clients { key "case-${index}"; }; ${root} ${blocks.join(" ")} };`;
  });
  const options = [
    `directory "${folder}"; pid-file none; session-keyfile none; listen-on port ${port} { 127.0.0.1; };`,
    "listen-on-v6 { none; }; dnssec-validation no; minimal-responses yes; empty-zones-enable no; notify no;",
  ];
  // It follows aliases into other zones, and asks no other server.
  const closed = "controls { };\nserver 0.0.0.0/0 { bogus yes; };\nserver ::/0 { bogus yes; };";
  writeFileSync(join(folder, "named.conf"), `options { ${options.join(" ")} };\n${closed}\n${views.join("\n")}\n`);
  const server = spawn("named", ["-g", "-n", "1", "-c", join(folder, "named.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  await untilRunning(server);
  return {
    port,
    secret,
    close: async () => {
      const ended = once(server, "exit");
      server.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilRunning(server: ChildProcess): Promise<void> {
  let log = "";
  server.stderr?.on("data", (chunk) => {
    log = (log + chunk).slice(-10_000);
  });
  for (let ms = 0; ms < 60_000; ms += 100) {
    if (/\brunning$/m.test(log)) return;
    if (server.exitCode !== null) break;
    await wait(100);
  }
  throw new Error(`named did not start:\n${log}`);
}
