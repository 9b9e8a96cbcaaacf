import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { rcode, rcodeName } from "./codes.ts";

/** Why a name server was asked in vain. `rule` tells the outcomes apart. */
export class TransferRefusal extends ProblemError {
  readonly rule: ProblemId;

  constructor(rule: ProblemId, summary: string, fix?: string) {
    super([problem(rule, summary, { fix })]);
    this.name = "TransferRefusal";
    this.rule = rule;
  }
}

export function refusal(rule: ProblemId, summary: string, fix?: string): TransferRefusal {
  return new TransferRefusal(rule, summary, fix);
}

/** What a name server says with an rcode that is not 0. */
export function refusedBy(code: number): TransferRefusal {
  switch (code) {
    case rcode.REFUSED:
      return refusal(
        "transfer/refused",
        "the server refuses (REFUSED)",
        "Allow this address or this TSIG key to transfer the zone there.",
      );
    case rcode.NOTAUTH:
      return refusal(
        "transfer/notauth",
        "the server is not authoritative for the zone, or does not accept the TSIG key (NOTAUTH)",
        "Ask a server that holds the zone, with the key that it knows.",
      );
    case rcode.SERVFAIL:
      return refusal(
        "transfer/servfail",
        "the server has failed (SERVFAIL): often it knows the zone, but has not loaded it",
        "Look at the server's log, or ask another one.",
      );
    default:
      return refusal("transfer/rcode", `the server answers ${rcodeName(code)}`, "Ask another server of the zone.");
  }
}

export function aborted(): TransferRefusal {
  return refusal("transfer/aborted", "the question was given up");
}
