import type { Endpoint } from "../../contract/endpoint.ts";
import { type EndpointName, endpointsIn } from "../../contract/endpoints/index.ts";
import type { RecordsSetting } from "../../contract/resources/open-record.ts";
import { type Translation, translationOf } from "../../contract/translation.ts";
import { addToList } from "../../group-by.ts";
import { type OAuthPath, oauthPaths } from "../areas/oauth/answer.ts";
import { type ConsoleCall, consoleRoutes } from "../console/console.ts";
import type { Profile } from "../entities/context.ts";
import { isLoopback } from "../kit/allowed-networks.ts";
import type { HealthProbe } from "../kit/health.ts";
import { type ApiRequest, pathOf } from "../kit/request.ts";
import { hostedEndpoints, withoutNames } from "./hosted.ts";
import { type HttpReply, toResponse, withoutBody } from "./reply.ts";

/** Facts about a request from its transport. */
export interface Connection {
  /** The caller's IP address, for targets of `[remote_addr]`. */
  readonly remoteAddress?: string | undefined;
  /** Whether the caller's connection is encrypted. */
  readonly isEncrypted?: boolean | undefined;
  /** @internal The time on the monotonic clock at which the request came, if it has waited for its turn. */
  readonly began?: number | undefined;
  /** @internal The hash of the token, if the transport has made it. */
  readonly tokenHash?: string | undefined;
  /** Set if the transport could not read the request: the reply to send. The request then has no content of its own. */
  readonly unread?: UnreadReply;
}

/** The reply to a request that the transport cannot read. */
export interface UnreadReply {
  readonly status: number;
  readonly reason: string;
}

/** A service without sockets: takes a request, resolves to its reply, never rejects. */
export interface Server {
  (request: Request, connection?: Connection): Promise<Response>;
  /** @internal The same without a `Request` and a `Response`, which cost more than most requests. */
  readonly reply?: (request: ApiRequest, connection: Connection) => Promise<HttpReply>;
  /**
   * @internal Calls `begin` when it is the turn of a request's sender, with the time at which it came; without this
   * function, requests begin at once.
   */
  readonly takeTurn?: (
    tokenHash: string | undefined,
    remoteAddress: () => string,
    begin: (began?: number) => void,
  ) => void;
}

/** A request to an endpoint. */
export interface EndpointCall {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  /** The parameters in the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** In profile live, requests may have live words, and replies have them. */
  readonly translation: Translation;
}

export type OpenApiVersion = "3.0" | "3.1";

/** Route of a request; `methods` are those that the path allows. */
export type Destination =
  | ({ kind: "endpoint" } & EndpointCall)
  | { kind: "openapi"; version: OpenApiVersion }
  | { kind: "oauth"; path: OAuthPath }
  | ({ kind: "console" } & ConsoleCall)
  | { kind: "health"; probe: HealthProbe }
  | { kind: "metrics" }
  | { kind: "other method"; methods: readonly string[] }
  | { kind: "not served" }
  | { kind: "unknown path" }
  | ({ kind: "unread" } & UnreadReply);

/** Makes the reply to a request that is routed. */
type Answer = (request: ApiRequest, connection: Connection, destination: Destination) => Promise<HttpReply>;

/** The readers of `/metrics`: none, programs on this machine that ask without a proxy, or all who reach the port. */
export type MetricsReaders = "none" | "local" | "all";

interface RouterOptions {
  readonly profile: Profile;
  readonly records: RecordsSetting;
  /** Whether the web pages at / are served. */
  readonly hasConsole: boolean;
  readonly metricsReaders: MetricsReaders;
}

type Parameters = Readonly<Record<string, string>>;

/** The destinations of a path by their methods; undefined for parameters that no object can have. */
class Route {
  readonly #destinations = new Map<string, (parameters: Parameters) => Destination | undefined>();
  /** Methods that only the hosted service has here. */
  readonly #unserved = new Set<string>();

  add(method: string, destination: (parameters: Parameters) => Destination | undefined): this {
    this.#destinations.set(method, destination);
    return this;
  }

  /** Notes a method of the hosted service, which is served only if it was added. */
  note(method: string): this {
    this.#unserved.add(method);
    return this;
  }

  destinationOf(method: string, parameters: Parameters): Destination | undefined {
    // A reply to HEAD is one to GET without its body (RFC 9110 §9.3.2).
    const asked = method === "HEAD" ? "GET" : method;
    const destination = this.#destinations.get(asked);
    if (destination) return destination(parameters);
    if (this.#unserved.has(asked)) return { kind: "not served" };
    return this.#destinations.size === 0 && method !== "OPTIONS"
      ? undefined
      : { kind: "other method", methods: [...this.#destinations.keys()] };
  }
}

/** Routes the endpoints of the profile, each under both prefixes, and in profile live also under its live path. */
export function createRouter(options: RouterOptions, answer: Answer): Server {
  const paths = pathsOf(options);
  const reply = async (request: ApiRequest, connection: Connection): Promise<HttpReply> => {
    const { unread } = connection;
    if (unread) return answer(request, connection, { kind: "unread", ...unread });
    const path = withoutSlash(pathOf(request));
    const found = paths.find(path);
    const match = found?.value === metricsRoute && !mayReadMetrics(options, request, connection) ? undefined : found;
    const destination =
      match?.value.destinationOf(request.method, match.parameters) ?? elsewhere(options, request, path);
    const made = await answer(request, connection, destination);
    return request.method === "HEAD" ? withoutBody(made) : made;
  };
  const server = async (request: Request, connection: Connection = {}) => toResponse(await reply(request, connection));
  return Object.assign(server, { reply });
}

const metricsRoute = new Route().add("GET", () => ({ kind: "metrics" }));

/** For others, the path is unknown. A proxy on this machine names its client, also where it is not trusted. */
function mayReadMetrics(
  { metricsReaders }: RouterOptions,
  { headers }: ApiRequest,
  { remoteAddress = "" }: Connection,
): boolean {
  if (metricsReaders !== "local") return metricsReaders === "all";
  const isPassedOn = ["X-Forwarded-For", "Forwarded", "Via"].some((name) => headers.get(name) !== null);
  return isLoopback(remoteAddress) && !isPassedOn;
}

function pathsOf({ profile, records, hasConsole }: RouterOptions): PathTree<Route> {
  const paths = new PathTree<Route>();
  const always = (destination: Destination) => () => destination;
  paths.add("/healthz", new Route().add("GET", always({ kind: "health", probe: "live" })));
  paths.add("/readyz", new Route().add("GET", always({ kind: "health", probe: "ready" })));
  paths.add("/metrics", metricsRoute);
  for (const [path, methods] of oauthPaths) {
    const all = new Route();
    for (const method of methods) all.add(method, always({ kind: "oauth", path }));
    paths.add(path, all);
  }
  for (const route of hasConsole ? consoleRoutes : []) {
    const show = ({ id: numeral }: Parameters): Destination | undefined =>
      numeral === undefined || /^[1-9]\d{0,14}$/.test(numeral)
        ? { kind: "console", route, id: Number(numeral) }
        : undefined;
    paths.add(route, new Route().add("GET", show));
  }
  const served = new Map<string, Route>();
  for (const prefix of ["/v4", "/v4beta"]) {
    for (const [file, version] of descriptions)
      paths.add(`${prefix}/${file}`, new Route().add("GET", always({ kind: "openapi", version })));
    for (const [path, group] of groupByPath(profile, records)) {
      const all = new Route();
      for (const [name, endpoint] of group) {
        const translation = translationOf(endpoint, profile);
        all.add(endpoint.method, (parameters) => ({ kind: "endpoint", name, endpoint, parameters, translation }));
      }
      paths.add(prefix + path, all, (parameter) => idsWithSlash.has(parameter));
      served.set(prefix + withoutNames(path), all);
    }
    for (const { method, path } of profile === "live" ? hostedEndpoints : []) {
      const all = served.get(prefix + path) ?? new Route();
      if (!served.has(prefix + path)) paths.add(prefix + path.replaceAll("{}", "{hosted}"), all);
      served.set(prefix + path, all.note(method));
    }
  }
  return paths;
}

/** A slash at the end of a path of the API means the same resource. */
function withoutSlash(path: string): string {
  return /^\/v4(?:beta)?\/.+\/$/.test(path) ? path.slice(0, -1) : path;
}

/** The destination of a path that is not known. */
function elsewhere({ hasConsole }: RouterOptions, request: ApiRequest, path: string): Destination {
  return hasConsole && isByBrowser(request) && !/^\/v4(?:beta)?(?:\/|$)/.test(path)
    ? { kind: "console", route: undefined, id: Number.NaN }
    : { kind: "unknown path" };
}

/** Whether a person opened the address: programs do not ask for HTML. */
function isByBrowser({ method, headers }: ApiRequest): boolean {
  return method === "GET" && (headers.get("Accept") ?? "").includes("text/html");
}

/** The OpenAPI documents: 3.1, and 3.0 for readers that know no later version. */
const descriptions = [
  ["openapi.json", "3.1"],
  ["openapi-3.0.json", "3.0"],
] as const;

/** Parameters whose values have a slash, such as `node/latest-64bit`; clients escape it or send it as it is. */
const idsWithSlash = new Set(["kernelId", "imageId"]);

type Entry = [EndpointName, Endpoint];

/** The endpoints of each path. */
function groupByPath(profile: Profile, records: RecordsSetting): [string, Entry[]][] {
  const paths = new Map<string, Entry[]>();
  for (const entry of endpointsIn(profile, records)) {
    const [, endpoint] = entry;
    for (const path of new Set([endpoint.path, translationOf(endpoint, profile).path])) addToList(paths, path, entry);
  }
  return [...paths];
}

/** A path with its value, and the names of its parameters. */
interface Leaf<T> {
  readonly names: readonly string[];
  readonly value: T;
}

/** A part of a path, up to a slash. */
interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter?: Node<T>;
  leaf?: Leaf<T>;
  /** The path whose last parameter matches all segments from here on. */
  rest?: Leaf<T>;
}

interface Match<T> {
  readonly value: T;
  /** Decoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Finds paths such as `/domains/{domainId}/records`. A segment matches its literal before a parameter, and a parameter
 * matches one segment that is not empty.
 */
class PathTree<T> {
  readonly #root: Node<T> = { literals: new Map() };

  /** `takesRest` tells whether a parameter, which is the last segment of its path, matches slashes too. */
  add(path: string, value: T, takesRest: (parameter: string) => boolean = () => false): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of segmentsOf(path)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name !== undefined) names.push(name);
      if (name !== undefined && takesRest(name)) {
        node.rest = { names, value };
        return;
      }
      const below = (name === undefined ? node.literals.get(segment) : node.parameter) ?? { literals: new Map() };
      if (name === undefined) node.literals.set(segment, below);
      else node.parameter = below;
      node = below;
    }
    node.leaf = { names, value };
  }

  find(path: string): Match<T> | undefined {
    const values: string[] = [];
    const leaf = findLeaf(this.#root, segmentsOf(path), 0, values);
    if (leaf === undefined) return undefined;
    const parameters: Record<string, string> = {};
    for (const [index, name] of leaf.names.entries()) parameters[name] = values[index] ?? "";
    return { value: leaf.value, parameters };
  }
}

/** The path of the segments from `at` on; its parameters are added to `values`. */
function findLeaf<T>(node: Node<T>, segments: readonly string[], at: number, values: string[]): Leaf<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.leaf;
  const literal = node.literals.get(segment);
  const found = literal && findLeaf(literal, segments, at + 1, values);
  if (found) return found;
  if (node.parameter && segment !== "") {
    values.push(segment);
    const found = findLeaf(node.parameter, segments, at + 1, values);
    if (found) return found;
    values.pop();
  }
  const rest = segments.slice(at).join("/");
  if (node.rest === undefined || rest === "") return undefined;
  values.push(rest);
  return node.rest;
}

/** The decoded segments of a path. */
export function segmentsOf(path: string): string[] {
  const segments = path.slice(1).split("/");
  return path.includes("%") ? segments.map(decode) : segments;
}

/** A segment that cannot be decoded matches as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
