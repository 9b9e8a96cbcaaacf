import { setTimeout as delay } from "node:timers/promises";
import { Monitor } from "./areas/managed/monitor.ts";
import { createProbe } from "./areas/managed/probe.ts";
import { createReach } from "./areas/managed/reach.ts";
import { allowProbes, type Network } from "./kit/allowed-networks.ts";
import { FairLimiter } from "./kit/fair-limiter.ts";
import type { ServerOptions } from "./server.ts";

const lookEveryMs = 1000;
/** Maximum number of concurrent transactions of probes. */
const mostTransactions = 2;

/** Probes the monitored services of the store, at public addresses and in these networks, until it is closed. */
export function startProbes(
  { store, clock, onError = console.error }: Pick<ServerOptions, "store" | "clock" | "onError">,
  networks: readonly Network[],
): { close(): Promise<void> } {
  const sleep = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });
  const monitor = new Monitor({
    store: new FairLimiter(mostTransactions).limitStore(store),
    clock,
    probe: createProbe(createReach(allowProbes(networks))),
    sleep,
    onError,
  });
  return monitor.start((signal) => sleep(lookEveryMs, signal));
}
