import type { ApiErrorEntry } from "../../../contract/errors.ts";
import { readServerAddress, type ServerAddress } from "../../../dns-client/server-address.ts";
import { errorEntry } from "../../kit/api-error.ts";
import { isHostname, isIpAddress } from "../../kit/name.ts";

/**
 * A name server to transfer from: host or address with optional port (decisions/service#zone-file); undefined if
 * invalid.
 */
export function readNameserver(text: string): ServerAddress | undefined {
  const address = readServerAddress(text);
  if (address === undefined || address.port === 0) return undefined;
  const host = address.host.replace(/\.$/, "");
  return isHostname(host) || isIpAddress(host) ? { ...address, host } : undefined;
}

export function nameserverErrors(text: string): ApiErrorEntry[] {
  return readNameserver(text) ? [] : [errorEntry("remote_nameserver", `The nameserver '${text}' is not valid.`)];
}
