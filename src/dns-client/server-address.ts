/** The address of a name server. */
export interface ServerAddress {
  /** An IPv4 or IPv6 address, or a host name. */
  readonly host: string;
  readonly port: number;
}

/** Time limits for a server, in milliseconds. */
export interface TimeBounds {
  /** Limit for establishing the connection. */
  readonly connectMs: number;
  /** Limit between two chunks of the response. */
  readonly idleMs: number;
  /** Limit for the whole exchange. */
  readonly totalMs: number;
}

export const timeBounds: TimeBounds = { connectMs: 10_000, idleMs: 30_000, totalMs: 600_000 };
