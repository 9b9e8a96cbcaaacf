import { type ApiRequest, pathOf } from "../kit/request.ts";
import type { RequestFacts } from "./reply.ts";
import { segmentsOf } from "./router.ts";

/** A request in the access log, without query, headers, body and tokens of transfers, which may be secrets. */
export interface Access {
  /** Arrival, ISO 8601 in UTC. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly username: string | null;
  readonly address: string | null;
  /** Keys of the body that the hosted service knows and this server does not; absent if there are none. */
  readonly ignored?: readonly string[];
}

export function describeAccess(
  request: ApiRequest,
  status: number,
  { caller, ignored }: RequestFacts,
  { started, took, remoteAddress }: { started: Date; took: number; remoteAddress: string | undefined },
): Access {
  return {
    time: started.toISOString(),
    method: request.method,
    path: hideToken(pathOf(request)),
    status,
    milliseconds: Math.round(took),
    username: caller?.username ?? null,
    address: remoteAddress ?? null,
    ...(ignored.length > 0 && { ignored }),
  };
}

/** The path without the token of a transfer, decoded as routes read it: they accept a token below an encoded name. */
function hideToken(path: string): string {
  const decoded = `/${segmentsOf(path).join("/")}`;
  const hidden = decoded.replace(/(-transfers\/+)[^/]+/, "$1{token}");
  return hidden === decoded ? path : hidden;
}
