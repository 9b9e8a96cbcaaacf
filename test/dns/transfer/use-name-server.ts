import { onTestFinished } from "vitest";
import { type Program, type Running, type Setup, startNameServer } from "./nameservers.ts";

/** A name server that stops with the test. Benches start it without Vitest. */
export async function useNameServer(program: Program, setup: Setup): Promise<Running> {
  const server = await startNameServer(program, setup);
  onTestFinished(() => server.stop());
  return server;
}

/** The address of a BIND with zones, which stops with the test. */
export async function serveZones(zones: Setup["zones"], more: Partial<Setup> = {}): Promise<string> {
  const { port } = await useNameServer("bind", { zones, ...more });
  return `127.0.0.1:${port}`;
}
