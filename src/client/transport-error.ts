import type { Call } from "./call.ts";
import { ClientError } from "./client-error.ts";
import type { Failure, TransportErrorKind } from "./failure.ts";

/**
 * A call without a usable reply: none came, or one that is not the contract's (kind `reply`, with `status`).
 * `message` says what happened and what to do; it never holds the token. A write that is `ambiguous` must not be sent
 * again before somebody has looked (plan-apply: Ambiguous outcomes); for a GET it only means that there is nothing to
 * use.
 */
export class TransportError extends ClientError {
  /** Method and path, like `POST /v4/domains/12/records`. */
  readonly request: string;
  readonly kind: TransportErrorKind;
  /** `not-sent`: the service has seen nothing of it. `ambiguous`: it may have been carried out. */
  readonly outcome: "not-sent" | "ambiguous";
  readonly status: number | undefined;

  /** @internal */
  constructor({ line, endpoint }: Call, { kind, outcome, what, fix, status }: Failure, cause?: unknown) {
    const open = outcome === "ambiguous" && endpoint.method !== "GET";
    const advice = [fix, open ? lookFirst : undefined].filter((part) => part !== undefined).join(" ");
    super(`transport/${kind}`, `${line}: ${what}`, advice || undefined, cause);
    this.name = "TransportError";
    this.request = line;
    this.kind = kind;
    this.outcome = outcome;
    this.status = status;
  }
}

/** Advice for a write with an ambiguous outcome. */
export const lookFirst = "It may have taken effect: check before sending it again.";
