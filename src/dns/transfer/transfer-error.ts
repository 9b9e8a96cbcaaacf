import type { Fix } from "../../diagnostics/advice.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { rcode, rcodeName } from "./codes.ts";

/** A failed query to a name server. The server distinguishes it from its own failures by this class. */
export class TransferError extends ProblemError {
  constructor(id: ProblemId, summary: string, fix?: Fix) {
    super(problem(id, summary, { fix }));
    this.name = "TransferError";
  }
}

/** The meaning of a name server's error rcode. */
export function rcodeError(code: number): TransferError {
  switch (code) {
    case rcode.REFUSED:
      return new TransferError(
        "transfer/refused",
        "the server refused the request (REFUSED)",
        "Allow this address or this TSIG key to transfer the zone on the server.",
      );
    case rcode.NOTAUTH:
      return new TransferError(
        "transfer/notauth",
        "the server is not authoritative for the zone, or rejected the TSIG key (NOTAUTH)",
        "Use a server that is authoritative for the zone, and a key that it knows.",
      );
    case rcode.SERVFAIL:
      return new TransferError(
        "transfer/servfail",
        "the server failed (SERVFAIL), often because it has not loaded the zone",
        "Check the log of the server, or use another one.",
      );
    default:
      return new TransferError(
        "transfer/rcode",
        `the server replied ${rcodeName(code)}`,
        "Use another server of the zone.",
      );
  }
}

export function abortedError(): TransferError {
  return new TransferError("transfer/aborted", "the query was aborted");
}
