import type { Outcome } from "./respond.ts";

/** One request, for a log: no query, no header, no body, so no secret. */
export interface Access {
  /** When the request came, ISO 8601 in UTC. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly username: string | null;
  readonly address: string | null;
}

export function accessOf(
  request: Request,
  status: number,
  { caller }: Outcome,
  { came, went, remoteAddress }: { came: Date; went: Date; remoteAddress: string | undefined },
): Access {
  return {
    time: came.toISOString(),
    method: request.method,
    path: new URL(request.url).pathname,
    status,
    milliseconds: went.getTime() - came.getTime(),
    username: caller?.username ?? null,
    address: remoteAddress ?? null,
  };
}
