import type { Agent, buildConnector } from "undici";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import { type HttpProxy, type Proxies, proxyFor } from "./proxy.ts";

type Undici = typeof import("undici").default;

/** The reason why a request has no reply. If not `connected`, nothing of the request left this machine. */
export class SendError extends ProblemError {
  readonly connected: boolean;
  /** The exceeded time limit, in milliseconds. */
  readonly timeoutMs: number | undefined;
  /** The proxy that was not reached, or that did not connect. */
  readonly proxy: HttpProxy | undefined;

  constructor(connected: boolean, timeoutMs: number | undefined, cause: unknown, proxy?: HttpProxy) {
    super(connected ? problem("transport/failed", "no reply") : problem("transport/connect", "no connection"), {
      cause,
    });
    this.name = "SendError";
    this.connected = connected;
    this.timeoutMs = timeoutMs;
    this.proxy = proxy;
  }
}

/** The reply of a proxy that does not connect to a host. */
export class ProxyRefusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the proxy replied with status ${status}`);
    this.status = status;
  }
}

export interface TransportLimits {
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  /** To one host, at the same time. */
  readonly connections: number;
}

/** The way of a request: the connections that it uses, and its address as their other end reads it. */
export interface Way {
  readonly agent: Agent;
  readonly origin: string;
  readonly path: string;
  /** The proxy that gets the request itself, and its headers for it. */
  readonly proxy?: HttpProxy;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Connections to hosts, direct or through proxies. */
export interface HttpTransport {
  readonly undici: Undici;
  wayTo(url: URL): Way;
  close(): Promise<void>;
}

/** Opens connections through undici, which takes longer to load than the whole client: only at the first request. */
export async function openTransport(limits: TransportLimits, proxies: Proxies | undefined): Promise<HttpTransport> {
  const { timeoutMs, connections } = limits;
  const { default: undici } = await import("undici"); // in CommonJS: its names are properties of the default
  const times = { connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const agents = new Map<"direct" | "forwarded" | "tunneled", Agent>();
  const agentOf = (kind: "direct" | "forwarded" | "tunneled", connect: () => buildConnector.connector) => {
    const agent = agents.get(kind) ?? new undici.Agent({ ...times, connect: connect() });
    agents.set(kind, agent);
    return agent;
  };
  return {
    undici,
    wayTo: (url) => {
      const [path, proxy] = [url.pathname + url.search, proxies && proxyFor(proxies, url)];
      if (proxy === undefined) {
        const agent = agentOf("direct", () => connector(undici, limits));
        return { agent, origin: url.origin, path };
      }
      if (url.protocol === "https:") {
        const agent = agentOf("tunneled", () => tunnelConnector(undici, limits, proxy));
        return { agent, origin: url.origin, path };
      }
      const agent = agentOf("forwarded", () => connector(undici, limits, proxy));
      // Plain HTTP needs no tunnel, which many proxies open to port 443 only (RFC 9112 §3.2.2).
      const headers = { host: url.host, ...authorizationOf(proxy) };
      return { agent, origin: proxy.origin, path: url.origin + path, proxy, headers };
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
    },
  };
}

function authorizationOf({ authorization }: HttpProxy): Record<string, string> {
  return authorization === undefined ? {} : { "proxy-authorization": authorization };
}

/**
 * Connects to hosts, or to a proxy. A code such as ECONNRESET does not distinguish a handshake from a sent request; the
 * origin of the error does.
 */
function connector(undici: Undici, { connectTimeoutMs }: TransportLimits, proxy?: HttpProxy): buildConnector.connector {
  const connect = undici.buildConnector({ timeout: connectTimeoutMs });
  return (target, done) =>
    connect(target, (...[error, socket]) => {
      if (!error) return done(null, socket);
      const isTimeout = error instanceof undici.errors.ConnectTimeoutError;
      done(new SendError(false, isTimeout ? connectTimeoutMs : undefined, error, proxy), null);
    });
}

/** Connects through a tunnel that a proxy opens (RFC 9110 §9.3.6). */
function tunnelConnector(undici: Undici, limits: TransportLimits, proxy: HttpProxy): buildConnector.connector {
  const { connectTimeoutMs, connections } = limits;
  const connect = connector(undici, limits);
  const times = { headersTimeout: connectTimeoutMs, bodyTimeout: connectTimeoutMs };
  const pool = new undici.Pool(proxy.origin, { connections, ...times, connect: connector(undici, limits, proxy) });
  return (target, done) => {
    const { hostname, host = hostname, port } = target;
    const path = port ? host : `${host}:443`;
    const fail = (error: unknown) => {
      if (error instanceof SendError) return done(error, null);
      const isTimeout = error instanceof undici.errors.HeadersTimeoutError;
      done(new SendError(false, isTimeout ? connectTimeoutMs : undefined, error, proxy), null);
    };
    pool.connect({ path, headers: { host: path, ...authorizationOf(proxy) } }).then(({ socket, statusCode }) => {
      // A socket without a listener would end the program with its error.
      socket.on("error", () => {});
      if (statusCode === 200) return connect({ ...target, httpSocket: socket as never }, done);
      socket.destroy();
      fail(new ProxyRefusal(statusCode));
    }, fail);
  };
}
