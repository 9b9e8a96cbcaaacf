import type { ApiErrorEntry } from "../../contract/errors.ts";
import type { ServerAddress } from "../../dns-client/server-address.ts";
import { errorEntry } from "../kit/api-error.ts";
import { isHostname } from "./name.ts";
import { isAddress } from "./target.ts";

const dnsPort = 53;

/** A name server to transfer from: host or address with optional port (service: Zone file); undefined if invalid. */
export function readNameserver(text: string): ServerAddress | undefined {
  if (isAddress(text)) return { host: text, port: dnsPort };
  const [, bracketed, plain = "", port = dnsPort] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain.replace(/\.$/, "");
  const isHost = bracketed === undefined ? isHostname(host) : isAddress(host, 6);
  const isPort = Number(port) > 0 && Number(port) <= 65535;
  return isHost && isPort ? { host, port: Number(port) } : undefined;
}

export function nameserverErrors(text: string): ApiErrorEntry[] {
  return readNameserver(text) ? [] : [errorEntry("remote_nameserver", `The nameserver '${text}' is not valid.`)];
}
