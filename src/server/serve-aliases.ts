import { getServers } from "node:dns";
import { setTimeout as delay } from "node:timers/promises";
import { readServerAddress, type ServerAddress } from "../dns-client/server-address.ts";
import { AliasKeeper } from "./areas/aliases/alias-keeper.ts";
import { countUnresolvedAliases } from "./areas/aliases/aliases-rows.ts";
import { allowAddresses, type Network } from "./kit/allowed-networks.ts";
import { FairLimiter } from "./kit/fair-limiter.ts";
import { readServerSettings, type ServerOptions } from "./server.ts";

const lookEveryMs = 1000;
/** Maximum number of concurrent transactions of looks. */
const mostTransactions = 2;

export interface AliasOptions {
  /** The resolvers that are asked, in this order; those of the system by default. */
  readonly resolvers?: readonly ServerAddress[] | undefined;
  /** Private networks whose addresses are served, too; none by default. */
  readonly networks?: readonly Network[] | undefined;
}

/** Keeps the addresses of the ALIAS records of the store until it is closed. */
export function startAliases(
  options: ServerOptions,
  { resolvers = systemResolvers(), networks = [] }: AliasOptions,
): { close(): Promise<void>; countUnresolved(): Promise<number> } {
  const { clock, onError = console.error } = options;
  const store = new FairLimiter(mostTransactions).limitStore(options.store);
  const isAllowed = allowAddresses(networks);
  const keeper = new AliasKeeper({
    settings: readServerSettings({ ...options, store }),
    clock,
    resolvers: { servers: resolvers, isAllowed: (address) => isAllowed(address) },
    onError,
  });
  const running = keeper.start((signal) => delay(lookEveryMs, undefined, { signal }));
  return {
    close: running.close,
    countUnresolved: () => options.store.read(countUnresolvedAliases, { isSingle: true }),
  };
}

function systemResolvers(): ServerAddress[] {
  return getServers().flatMap((text) => readServerAddress(text) ?? []);
}
