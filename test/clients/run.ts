import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { listen } from "../../src/server/http/node.ts";
import { cleanEnv, runProgram } from "../run-program.ts";
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

/** Runs a program to its end, at home in `cwd`, with nothing of this environment but PATH. */
export async function run(
  words: readonly string[],
  { cwd, env, input }: { cwd: string; env?: Record<string, string>; input?: string },
) {
  const { code, out, talk } = await runProgram(words, {
    cwd,
    env: { ...cleanEnv(cwd), ...env },
    ...(input !== undefined && { input }),
  });
  return { code, out, talk: talk.split("\n").filter(Boolean) };
}
