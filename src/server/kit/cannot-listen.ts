import { type ProblemError, problemError } from "../../diagnostics/problem.ts";

/** `listen`: a socket that cannot be opened. `summary` is, for example, `cannot listen on 127.0.0.1 port 53`. */
export function cannotListen(summary: string, error: unknown): ProblemError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const detail = details[code] ?? (error instanceof Error ? error.message : String(error));
  const fix = "Stop the other program, or choose another port or address.";
  return problemError("listen", summary, { detail: `${detail}.`, fix });
}

const details: Record<string, string> = {
  EADDRINUSE: "Another program already uses this port",
  EACCES: "This user may not open a port below 1024",
  EADDRNOTAVAIL: "This machine does not have this address",
  ENOTFOUND: "The host name does not resolve to an address",
};
