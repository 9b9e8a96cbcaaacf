/** Where a name server listens. */
export interface ServerAddress {
  /** An IPv4 or IPv6 address, or a name that has one. */
  readonly host: string;
  readonly port: number;
}

/** How long a server may take, in milliseconds. */
export interface TimeBounds {
  /** Until the connection stands. */
  readonly connectMs: number;
  /** Between two pieces of its answer. */
  readonly idleMs: number;
  /** In all. */
  readonly totalMs: number;
}

export const timeBounds: TimeBounds = { connectMs: 10_000, idleMs: 30_000, totalMs: 600_000 };
