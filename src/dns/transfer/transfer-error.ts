import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { rcode, rcodeName } from "./codes.ts";

/** A question to a name server that failed. The server tells it from its own failures by its class. */
export class TransferError extends ProblemError {
  constructor(id: ProblemId, summary: string, fix?: string) {
    super(problem(id, summary, { fix }));
    this.name = "TransferError";
  }
}

/** The meaning of a name server's error rcode. */
export function refusedBy(code: number): TransferError {
  switch (code) {
    case rcode.REFUSED:
      return new TransferError(
        "transfer/refused",
        "the server refuses (REFUSED)",
        "Allow this address or this TSIG key to transfer the zone there.",
      );
    case rcode.NOTAUTH:
      return new TransferError(
        "transfer/notauth",
        "the server is not authoritative for the zone, or does not accept the TSIG key (NOTAUTH)",
        "Ask a server that holds the zone, with the key that it knows.",
      );
    case rcode.SERVFAIL:
      return new TransferError(
        "transfer/servfail",
        "the server has failed (SERVFAIL): often it knows the zone, but has not loaded it",
        "Look at the server's log, or ask another one.",
      );
    default:
      return new TransferError(
        "transfer/rcode",
        `the server answers ${rcodeName(code)}`,
        "Ask another server of the zone.",
      );
  }
}

export function aborted(): TransferError {
  return new TransferError("transfer/aborted", "the question was given up");
}
