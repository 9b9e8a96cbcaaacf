import { isIP } from "node:net";
import { plainAddress } from "../../dns/address.ts";
import { inside, type Network } from "../kit/allowed-networks.ts";

/**
 * Who asks, behind proxies that say so in `X-Forwarded-For`: each adds whom it has the request from at the right, so what
 * stands left of the first address that is none of the proxies' is only a claim. What is no address ends the search too.
 */
export function callerBehind(proxies: readonly Network[]) {
  const isProxy = inside(proxies);
  return (peer: string | undefined, forwardedFor: string | string[] | undefined): string | undefined => {
    if (peer === undefined) return undefined;
    let caller = plainAddress(peer);
    const said = String(forwardedFor ?? "").split(",");
    for (const address of said.map((part) => part.trim()).reverse()) {
      if (!isProxy(caller) || isIP(address) === 0) break;
      caller = plainAddress(address);
    }
    return caller;
  };
}
