import { BlockList, isIP } from "node:net";
import { problemError } from "../diagnostics/problem.ts";

/** A proxy that requests pass through. */
export interface HttpProxy {
  /** Its address, such as `http://proxy.example.net:3128`, without user and password. */
  readonly origin: string;
  /** The header `Proxy-Authorization`, if the address has a user. */
  readonly authorization?: string;
  /** The variable that names it. */
  readonly from: string;
}

/** A variable that names a proxy, with its value, which may contain a password. */
export interface ProxyVariable {
  readonly from: string;
  readonly value: string;
}

/** The proxies of an environment, by the scheme of the address to reach. */
export interface Proxies {
  readonly http: ProxyVariable | undefined;
  readonly https: ProxyVariable | undefined;
  /** The value of `NO_PROXY`: hosts that are reached without a proxy. */
  readonly except: string;
}

/**
 * Finds `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, or the same names in lower case, which come first, as in curl.
 * Their values are read only for requests that pass through them.
 */
export function findProxies(env: Readonly<Record<string, string | undefined>>): Proxies {
  const { http_proxy, https_proxy, no_proxy } = env;
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = env;
  return {
    http: firstOf({ http_proxy, HTTP_PROXY }),
    https: firstOf({ https_proxy, HTTPS_PROXY }),
    except: no_proxy?.trim() || NO_PROXY?.trim() || "",
  };
}

function firstOf(variables: Readonly<Record<string, string | undefined>>): ProxyVariable | undefined {
  for (const [from, value = ""] of Object.entries(variables))
    if (value.trim() !== "") return { from, value: value.trim() };
  return undefined;
}

/** @throws {ProblemError} `client/proxy`; the value is not quoted, because it may contain a password */
export function readProxy({ from, value }: ProxyVariable): HttpProxy {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.hostname === "" || !/^https?:$/.test(url.protocol)) {
    const summary = `${from} is not the address of an HTTP proxy`;
    const fix =
      "Write it as http://HOST:PORT or https://HOST:PORT, or unset it. Other kinds of proxies are not supported.";
    throw problemError("client/proxy", summary, { fix });
  }
  const { origin, username, password } = url;
  if (username === "" && password === "") return { origin, from };
  const credentials = `${unescapeUrl(username)}:${unescapeUrl(password)}`;
  return { origin, authorization: `Basic ${Buffer.from(credentials).toString("base64")}`, from };
}

function unescapeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The proxy for a URL; undefined for a direct connection. This machine is never reached through a proxy. `NO_PROXY` has
 * host names, which include those below them, addresses and networks (`10.0.0.0/8`), each with a port or without; `*`
 * stands for all. @throws {ProblemError} `client/proxy`
 */
export function proxyFor({ http, https, except }: Proxies, url: URL): HttpProxy | undefined {
  const variable = url.protocol === "https:" ? https : http;
  if (variable === undefined) return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  if (isOfThisMachine(host)) return undefined;
  const entries = except.split(/[\s,]+/).filter((entry) => entry !== "");
  return entries.some((entry) => matches(entry.toLowerCase(), host, port)) ? undefined : readProxy(variable);
}

function isOfThisMachine(host: string): boolean {
  return /(?:^|\.)localhost$/.test(host) || (isIP(host) !== 0 && isIn("127.0.0.0/8", host)) || host === "::1";
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (isIn(entry, host)) return true;
  const [, bracketed, plain = "", ofPort = port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const named = isIP(entry) === 6 ? entry : (bracketed ?? plain);
  if (named === "" || ofPort !== port) return false;
  if (isIP(host) !== 0) return isIP(named) !== 0 && isIn(`${named}/${isIP(named) === 4 ? 32 : 128}`, host);
  const name = named.replace(/^\*?\.|\.$/g, "");
  return host === name || host.endsWith(`.${name}`);
}

/** Whether an address is in a network, such as `10.0.0.0/8`; false if either is none. */
function isIn(network: string, host: string): boolean {
  const [, address = "", length = ""] = /^([\da-f.:]+)\/(\d{1,3})$/.exec(network) ?? [];
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || Number(length) > (family === 4 ? 32 : 128)) return false;
  const kind = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(address, Number(length), kind);
  return list.check(host, kind);
}
