import { Monitor } from "../../../src/server/areas/managed/monitor.ts";
import type { ProbeService } from "../../../src/server/areas/managed/probe.ts";
import type { ServerOptions } from "../../../src/server/server.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { start } from "../start.ts";

/** Never resolves but on abort: no probe takes longer than its timeout. */
export const endless = (_: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

/** A server and a monitor of its store at one clock, with targets that are up unless `down` says why not. */
export async function beginMonitor(options: Partial<ServerOptions> & { store?: Store; probe?: ProbeService } = {}) {
  const api = await start(options);
  const down = new Map<string, string>();
  const asked: string[] = [];
  const errors: unknown[] = [];
  const probe: ProbeService = async (service) => {
    asked.push(service.address);
    return down.get(service.address);
  };
  const open = (probing = options.probe ?? probe) =>
    new Monitor({
      store: api.store,
      clock: () => api.clock.now,
      probe: probing,
      sleep: endless,
      onError: (error) => errors.push(error),
    });
  const monitor = open();
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  /** The addresses that are probed when this time has passed. */
  const lookAfter = async (seconds: number): Promise<string[]> => {
    pass(seconds);
    await monitor.runDue();
    return asked.splice(0);
  };
  const add = async (fields: object): Promise<number> => {
    const service = { service_type: "url", label: "Web shop", timeout: 10, ...fields };
    const { status, body } = await api.call("POST", "/managed/services", service);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.id;
  };
  const get = async (path: string) => (await api.call("GET", path)).body;
  const statusOf = async (id = 1): Promise<string> => (await get(`/managed/services/${id}`)).status;
  return { ...api, down, asked, errors, monitor, open, pass, lookAfter, add, get, statusOf };
}
