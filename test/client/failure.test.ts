import { expect, test } from "vitest";
import { classify } from "../../src/client/failure.ts";
import { createRedactor } from "../../src/client/secret.ts";
import { SendError } from "../../src/client/transport.ts";

const coded = (code: string, syscall?: string) =>
  Object.assign(new Error("failed"), { code, ...(syscall !== undefined && { syscall }) });
const fetchFailed = (cause: Error) => new TypeError("fetch failed", { cause });
const unconnected = (cause: Error, timeoutMs?: number) => new SendError(false, timeoutMs, cause);
const connected = (cause: Error, timeoutMs?: number) => new SendError(true, timeoutMs, cause);

/** Errors of our sender tell whether it was connected. Of others (Node's fetch) only the code speaks. */
test.each<[string, unknown, string]>([
  ["our sender, refused", unconnected(coded("ECONNREFUSED", "connect")), "refused not-sent: no server listens at O"],
  ["our sender, no code", unconnected(new Error("?")), "connect not-sent: cannot connect to O (Error)"],
  [
    "our sender, handshake reset",
    unconnected(coded("ECONNRESET")),
    "connect not-sent: cannot connect to O (ECONNRESET)",
  ],
  ["our sender, handshake failed", unconnected(coded("EPROTO")), "tls not-sent: cannot establish TLS with O (EPROTO)"],
  [
    "our sender, handshake too slow",
    unconnected(coded("UND_ERR_CONNECT_TIMEOUT"), 10_000),
    "timeout not-sent: cannot connect to O within 10 s",
  ],
  [
    "our sender, reply too slow",
    connected(coded("UND_ERR_BODY_TIMEOUT"), 1_500),
    "timeout ambiguous: no complete reply from O within 1.5 s",
  ],
  [
    "a connect error on an open connection counts as ambiguous",
    connected(coded("ECONNREFUSED", "connect")),
    "failed ambiguous: no reply from O (failed)",
  ],
  [
    "an alert after the handshake (TLS 1.3 refuses a client that late)",
    connected(coded("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED")),
    "reset ambiguous: the connection to O was lost before the reply was complete (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)",
  ],
  ["fetch, refused", fetchFailed(coded("ECONNREFUSED")), "refused not-sent: no server listens at O"],
  [
    "fetch, no such name",
    fetchFailed(coded("ENOTFOUND", "getaddrinfo")),
    "dns not-sent: the name api.example.com does not resolve (ENOTFOUND)",
  ],
  [
    "fetch, name service unavailable",
    fetchFailed(coded("EAI_AGAIN", "getaddrinfo")),
    "dns not-sent: the name api.example.com does not resolve (EAI_AGAIN)",
  ],
  [
    "fetch, no route",
    fetchFailed(coded("EHOSTUNREACH", "connect")),
    "connect not-sent: cannot connect to O (EHOSTUNREACH)",
  ],
  [
    "fetch, expired",
    fetchFailed(coded("CERT_HAS_EXPIRED")),
    "tls not-sent: the TLS certificate of O is not valid today (CERT_HAS_EXPIRED)",
  ],
  [
    "fetch, certificate for another name",
    fetchFailed(coded("ERR_TLS_CERT_ALTNAME_INVALID")),
    "tls not-sent: the TLS certificate of O is for another name (ERR_TLS_CERT_ALTNAME_INVALID)",
  ],
  [
    "fetch, private certificate authority",
    fetchFailed(coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE")),
    "tls not-sent: the TLS certificate of O is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
  ],
  [
    "fetch, reset: perhaps in the handshake, perhaps later",
    fetchFailed(coded("ECONNRESET")),
    "reset ambiguous: the connection to O was lost before the reply was complete (ECONNRESET)",
  ],
  [
    "fetch, TLS broke: perhaps in the handshake, perhaps later",
    fetchFailed(coded("EPROTO")),
    "reset ambiguous: the connection to O was lost before the reply was complete (EPROTO)",
  ],
  [
    "AbortSignal.timeout",
    new DOMException("The operation was aborted due to timeout", "TimeoutError"),
    "timeout ambiguous: no complete reply from O in time",
  ],
  ["no error at all", "boom\u0007", "failed ambiguous: no reply from O (boom\\x07)"],
  ["undefined", undefined, "failed ambiguous: no reply from O (undefined)"],
])("%s", (_, error, expected) => {
  const origin = "https://api.example.com";
  const { kind, outcome, what } = classify(error, origin, createRedactor([]));
  expect(`${kind} ${outcome}: ${what.replaceAll(origin, "O")}`).toBe(expected);
});
