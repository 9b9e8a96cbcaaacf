import { reasons } from "../../contract/errors.ts";
import { ApiError } from "../kit/api-error.ts";
import type { Remote } from "../kit/remote.ts";

/** How many zones one server process transfers for imports at once: each may take memory and half a minute. */
export const mostImports = 8;

/**
 * The same remote, but for who asks for one transfer more than may be under way.
 * @throws {ApiError} 429 from `transfer`
 */
export function boundImports(remote: Remote): Remote {
  let underWay = 0;
  return {
    soa: (zone, server, signal) => remote.soa(zone, server, signal),
    async transfer(zone, server, signal) {
      if (underWay === mostImports) throw new ApiError(429, [{ reason: reasons.tooManyRequests }]);
      underWay++;
      try {
        return await remote.transfer(zone, server, signal);
      } finally {
        underWay--;
      }
    },
  };
}
