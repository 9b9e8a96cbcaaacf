import { ProblemError, problem } from "../../diagnostics/problem.ts";

/** Why nobody can be heard at an address. `what` is, for example, `cannot listen on 127.0.0.1 port 53`. */
export function cannotListen(what: string, error: unknown): ProblemError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const detail = reasons[code] ?? (error instanceof Error ? error.message : String(error));
  const fix = "Stop what holds it, or choose another port or address.";
  return new ProblemError(problem("listen", what, { detail: `${detail}.`, fix }));
}

const reasons: Record<string, string> = {
  EADDRINUSE: "Another program listens there",
  EACCES: "This user may not use a port that low",
  EADDRNOTAVAIL: "This machine has no such address",
  ENOTFOUND: "The address has no such name",
};
