import type { ApiErrorEntry } from "../../contract/errors.ts";
import { problem } from "../api-error.ts";
import { isHostname } from "./name.ts";
import { isAddress } from "./target.ts";

/** What is wrong with a name server to transfer from: a host or an address, with a port or without (service: Zone file). */
export function nameserverProblems(text: string): ApiErrorEntry[] {
  const [, bracketed, plain = "", port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isHost = bracketed === undefined ? isHostname(plain.replace(/\.$/, "")) : isAddress(bracketed, 6);
  const isPort = port === undefined || (Number(port) > 0 && Number(port) <= 65535);
  if (isAddress(text) || (isHost && isPort)) return [];
  return [problem("remote_nameserver", `The nameserver '${text}' is not valid.`)];
}
