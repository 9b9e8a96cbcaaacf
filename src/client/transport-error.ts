import { advise } from "../diagnostics/advice.ts";
import type { Call } from "./call.ts";
import { ClientError } from "./client-error.ts";
import type { Failure, TransportErrorKind } from "./failure.ts";

/**
 * A call without a usable reply: no reply, or one that does not match the contract (kind `reply`, with `status`).
 * `message` contains the failure and the fix, but never the token. An `ambiguous` write must not be sent again before
 * its outcome is checked (decisions/plan-apply#ambiguous-outcomes); for a GET it only means that no result is
 * available.
 */
export class TransportError extends ClientError {
  /** Method and path, such as `POST /v4/domains/12/records`. */
  readonly request: string;
  readonly kind: TransportErrorKind;
  /** `not-sent`: the service received nothing. `ambiguous`: the call may have taken effect. */
  readonly outcome: "not-sent" | "ambiguous";
  readonly status: number | undefined;

  /** @internal */
  constructor({ line, endpoint }: Call, { kind, outcome, what, fix, status }: Failure, cause?: unknown) {
    const open = outcome === "ambiguous" && endpoint.method !== "GET";
    const next = open ? lookFirst : undefined;
    const advice = fix !== undefined && next !== undefined ? advise`${fix} ${next}` : (fix ?? next);
    super(`transport/${kind}`, `${line}: ${what}`, advice, cause);
    this.name = "TransportError";
    this.request = line;
    this.kind = kind;
    this.outcome = outcome;
    this.status = status;
  }
}

/** Whether the caller aborted the call. */
export function isAborted(error: unknown): boolean {
  return error instanceof TransportError && error.kind === "aborted";
}

/** The fix for a write with an ambiguous outcome. */
export const lookFirst = "It may have taken effect: check before sending it again.";
