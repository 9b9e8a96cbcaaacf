import { advise, type Fix } from "../diagnostics/advice.ts";
import type { HttpProxy } from "./proxy.ts";
import type { Redactor } from "./secret.ts";
import { TooLongError } from "./send.ts";
import { ProxyRefusal, SendError } from "./transport.ts";

export type TransportErrorKind =
  | "refused"
  | "dns"
  | "tls"
  | "connect"
  | "proxy"
  | "timeout"
  | "reset"
  | "reply"
  | "too-long"
  | "aborted"
  | "failed";

/** The reason why a call has no usable reply. */
export interface Failure {
  kind: TransportErrorKind;
  /** `not-sent`: the service received nothing. `ambiguous`: the call may have taken effect. */
  outcome: "not-sent" | "ambiguous";
  /** A continuation of "POST /v4/domains: …", without a full stop. */
  what: string;
  /** The fix, in sentences. */
  fix?: Fix;
  /** The status of a reply that does not match the contract. */
  status?: number;
}

/**
 * Classifies the error of sending a request to `origin`. The first rule that matches a code of the error or of its
 * causes wins, so errors of other senders (Node's fetch) are classified, too.
 */
export function classify(error: unknown, origin: string, redactor: Redactor): Failure {
  const chain = causes(error);
  const sending = chain.find((cause) => cause instanceof SendError);
  const connecting = chain.some((cause) => "syscall" in cause && cause.syscall === "connect");
  const connected = sending?.connected ?? (connecting ? false : undefined);
  const codes = chain.flatMap((cause) => ("code" in cause ? [String(cause.code)] : []));
  const words = [...codes, ...chain.map(({ name }) => name).reverse()];
  const limit = sending?.timeoutMs === undefined ? "in time" : `within ${sending.timeoutMs / 1000} s`;
  if (sending?.proxy) return proxyFailure(sending.proxy, { origin, chain, codes, limit });
  const most = chain.find((cause) => cause instanceof TooLongError)?.maxBytes ?? 0;

  for (const { when, only, kind, outcome, what, fix } of rules) {
    const code = words.find((word) => when.test(word));
    const fits = connected === undefined ? only === undefined : connected === (outcome === "ambiguous");
    if (code === undefined || !fits) continue;
    return { kind, outcome, what: what({ origin, code, limit, most }), ...(fix !== undefined && { fix }) };
  }
  const reason = redactor.quote(chain.at(-1)?.message ?? String(error));
  return { kind: "failed", outcome: "ambiguous", what: `no reply from ${origin} (${reason})` };
}

interface Rule {
  when: RegExp;
  /** Known to be a failure to connect by its origin, not by its code. */
  only?: "connecting";
  kind: TransportErrorKind;
  outcome: Failure["outcome"];
  what(facts: { origin: string; code: string; limit: string; most: number }): string;
  fix?: Fix;
}

const reach = "Check the base URL, the network and any firewall in between.";

const rules: readonly Rule[] = [
  {
    when: /^ECONNREFUSED$/,
    kind: "refused",
    outcome: "not-sent",
    what: ({ origin }) => `no server listens at ${origin}`,
    fix: advise`Start the server (${{ run: "serve" }}), or correct the base URL.`,
  },
  {
    when: /^(ENOTFOUND|EAI_\w+)$/,
    kind: "dns",
    outcome: "not-sent",
    what: ({ origin, code }) => `the name ${new URL(origin).hostname} does not resolve (${code})`,
    fix: "Correct the base URL, or check the DNS settings of this machine.",
  },
  {
    when: /^UND_ERR_CONNECT_TIMEOUT$/,
    kind: "timeout",
    outcome: "not-sent",
    what: ({ origin, limit }) => `cannot connect to ${origin} ${limit}`,
    fix: reach,
  },
  {
    when: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    kind: "tls",
    outcome: "not-sent",
    what: ({ origin, code }) => `the TLS certificate of ${origin} is not valid today (${code})`,
    fix: "Renew the server's certificate, or set this machine's clock.",
  },
  {
    when: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    kind: "tls",
    outcome: "not-sent",
    what: ({ origin, code }) => `the TLS certificate of ${origin} is for another name (${code})`,
    fix: "Use the name in the certificate as the host of the base URL.",
  },
  {
    when: /^(CERT|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)(_|$)/,
    kind: "tls",
    outcome: "not-sent",
    what: ({ origin, code }) => `the TLS certificate of ${origin} is not trusted (${code})`,
    fix: "If you run the certificate authority yourself, set NODE_EXTRA_CA_CERTS to the file of its certificate.",
  },
  {
    when: /^(ERR_SSL_\w+|EPROTO)$/,
    only: "connecting",
    kind: "tls",
    outcome: "not-sent",
    what: ({ origin, code }) => `cannot establish TLS with ${origin} (${code})`,
    fix: 'If the server uses plain HTTP, start the base URL with "http://".',
  },
  {
    when: /./,
    only: "connecting",
    kind: "connect",
    outcome: "not-sent",
    what: ({ origin, code }) => `cannot connect to ${origin} (${code})`,
    fix: reach,
  },
  {
    when: /^(UND_ERR_(HEADERS|BODY)_TIMEOUT|ETIMEDOUT|TimeoutError)$/,
    kind: "timeout",
    outcome: "ambiguous",
    what: ({ origin, limit }) => `no complete reply from ${origin} ${limit}`,
  },
  {
    when: /^ERR_REPLY_TOO_LONG$/,
    kind: "too-long",
    outcome: "ambiguous",
    what: ({ origin, most }) => `the reply of ${origin} is longer than ${most.toLocaleString("en")} octets`,
    fix: "Check that the base URL is that of the service, and not of a page or a file.",
  },
  {
    when: /^(HPE_\w+|HTTPParserError)$/,
    kind: "reply",
    outcome: "ambiguous",
    what: ({ origin }) => `the reply from ${origin} is incomplete or not HTTP`,
    fix: "If this persists, another program is listening there: correct the base URL.",
  },
  {
    when: /^(UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ECONNRESET|ECONNABORTED|EPIPE|EPROTO|ERR_SSL_\w+)$/,
    kind: "reset",
    outcome: "ambiguous",
    what: ({ origin, code }) => `the connection to ${origin} was lost before the reply was complete (${code})`,
  },
];

interface ProxyFacts {
  readonly origin: string;
  readonly chain: readonly Error[];
  readonly codes: readonly string[];
  readonly limit: string;
}

/** The failure to reach a proxy, or to connect through it: the service received nothing. */
function proxyFailure({ origin: proxy, from }: HttpProxy, { origin, chain, codes, limit }: ProxyFacts): Failure {
  const { host, hostname } = new URL(origin);
  const direct = `If ${hostname} is reached without it, add the name to NO_PROXY.`;
  const status = chain.find((cause) => cause instanceof ProxyRefusal)?.status;
  const failed = { kind: "proxy", outcome: "not-sent" } as const;
  if (status === 401 || status === 407) {
    const fix = `Write user and password into ${from}: http://USER:PASSWORD@HOST:PORT, with %XX for characters such as @ and /.`;
    return { ...failed, what: `the proxy ${proxy} wants a user and password, or others (${status})`, fix };
  }
  if (status !== undefined) {
    const why = status >= 500 ? "cannot connect" : "refuses to connect";
    const fix = `Have it allow ${host}. ${direct}`;
    return { ...failed, what: `the proxy ${proxy} ${why} to ${host} (${status})`, fix };
  }
  const code = codes.find((one) => one !== "transport/connect");
  const why = code?.startsWith("UND_ERR_") ? limit : `(${code ?? "no reply"})`;
  return { ...failed, what: `cannot reach the proxy ${proxy} ${why}`, fix: `Correct ${from}. ${direct}` };
}

/** An error and its causes, the outermost first. */
function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && !chain.includes(next); next = next.cause) chain.push(next);
  return chain;
}
