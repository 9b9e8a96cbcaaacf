import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { listen } from "../../src/server/http/node.ts";
import { start } from "../server/start.ts";

/**
 * The service on a port as long as the test, in profile live unless said; `writes` tells what clients changed, and with
 * what success.
 */
export async function serve(options: Parameters<typeof start>[0] = {}) {
  const api = await start({ profile: "live", ...options });
  const writes: string[] = [];
  const listening = await listen(
    async (request, connection) => {
      const response = await api.server(request, connection);
      const path = new URL(request.url).pathname;
      if (request.method !== "GET") writes.push(`${request.method} ${path} ${response.status}`);
      return response;
    },
    { port: 0 },
  );
  onTestFinished(() => listening.close());
  /** The fields of a domain's records that differ from the defaults, as the API shows them. */
  async function records(id: number): Promise<object[]> {
    const { body } = await api.call("GET", `/domains/${id}/records?page_size=500`);
    return body.data.map(({ created, updated, ...fields }: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(fields).filter(([key, value]) => key === "name" || value)),
    );
  }
  return { ...api, url: listening.url, writes, records };
}

/** A folder that goes with the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "zonewright-client-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

export interface Ended {
  readonly code: number | string | null | undefined;
  readonly out: string;
  /** The lines of standard error. */
  readonly talk: string[];
}

/** Runs a program to its end, at home in `cwd`, with nothing of this environment but PATH. */
export function run(
  [program = "", ...args]: string[],
  { cwd, env, input = "" }: { cwd: string; env?: Record<string, string>; input?: string },
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { cwd, env: { PATH: process.env.PATH, HOME: cwd, LC_ALL: "C.UTF-8", ...env } },
      (error, out, talk) => resolve({ code: error ? error.code : 0, out, talk: talk.split("\n").filter(Boolean) }),
    );
    child.stdin?.end(input);
  });
}
