import { isIPv6 } from "node:net";
import { advise, type Fix } from "../diagnostics/advice.ts";
import { escapeControl } from "../diagnostics/escape.ts";
import { usageError } from "../diagnostics/problem.ts";

/** The address of a name server. */
export interface ServerAddress {
  /** An IPv4 or IPv6 address, or a host name. */
  readonly host: string;
  readonly port: number;
}

export const dnsPort = 53;

/** Reads `ns.example.net`, `192.0.2.53:5300`, `[2001:db8::53]:5300` or `2001:db8::53`; the host is not checked. */
export function readServerAddress(text: string): ServerAddress | undefined {
  if (isIPv6(text)) return { host: text, port: dnsPort };
  const [, bracketed, bare, port = dnsPort] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? bare;
  if (host === undefined || Number(port) > 65535 || (bracketed !== undefined && !isIPv6(bracketed))) return undefined;
  return { host, port: Number(port) };
}

/**
 * Reads the value of a setting as `readServerAddress` does; `setting` is its name in the message.
 * @throws {ProblemError} `usage`
 */
export function readServer(text: string, setting: Fix): ServerAddress {
  const server = readServerAddress(text);
  if (server) return server;
  throw usageError(
    advise`${setting} needs an address or a name, with or without a port, such as 192.0.2.53:5300; not "${escapeControl(text)}".`,
  );
}

/** The server as `readServerAddress` reads it; the usual port is omitted. */
export function serverText({ host, port }: ServerAddress): string {
  if (port === dnsPort) return host;
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Time limits for a server, in milliseconds. */
export interface TimeBounds {
  /** Limit for establishing the connection. */
  readonly connectMs: number;
  /** Limit on the time without a new record of the response. */
  readonly idleMs: number;
  /** Limit for the whole exchange. */
  readonly totalMs: number;
}

export const timeBounds: TimeBounds = { connectMs: 10_000, idleMs: 30_000, totalMs: 600_000 };
