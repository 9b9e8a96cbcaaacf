import { Hono, type Context as HonoContext } from "hono";
import type { Endpoint } from "../../contract/endpoint.ts";
import { type EndpointName, endpointsIn } from "../../contract/endpoints/index.ts";
import { type Translation, translationOf } from "../../contract/translation.ts";
import { type ConsoleCall, consoleRoutes } from "../console/console.ts";
import type { Profile } from "../kit/context.ts";
import { type OAuthPath, oauthPaths } from "../oauth/answer.ts";

/** Facts about a request from its transport. */
export interface Connection {
  /** The caller's IP address, for targets of `[remote_addr]`. */
  readonly remoteAddress?: string | undefined;
  /** Whether the caller's connection is encrypted. */
  readonly isEncrypted?: boolean | undefined;
  /** Set if the transport could not read the request: the reply to send. The request then has no content of its own. */
  readonly unread?: UnreadReply;
}

/** The reply to a request that the transport cannot read. */
export interface UnreadReply {
  readonly status: number;
  readonly reason: string;
}

/** A service without sockets: takes a request, resolves to its reply, never rejects. */
export type Server = (request: Request, connection?: Connection) => Promise<Response>;

/** A request to an endpoint. */
export interface EndpointCall {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  /** Those of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** In profile live, requests may have live words, and replies have them. */
  readonly translation: Translation;
}

/** Route of a request; `methods` are those that the path allows. */
export type Destination =
  | ({ kind: "endpoint" } & EndpointCall)
  | { kind: "openapi"; version: "3.0" | "3.1" }
  | { kind: "oauth"; path: OAuthPath }
  | ({ kind: "console" } & ConsoleCall)
  | { kind: "health" }
  | { kind: "other method"; methods: readonly string[] }
  | { kind: "unknown path" }
  | ({ kind: "unread" } & UnreadReply);

type Answer = (request: Request, connection: Connection, destination: Destination) => Promise<Response>;

interface Bindings {
  Bindings: Connection;
}

interface RouterOptions {
  readonly profile: Profile;
  /** Whether the web pages at / are served. */
  readonly hasConsole: boolean;
}

/** Routes the endpoints of the profile, each under both prefixes, and in profile live also under its live path. */
export function createRouter({ profile, hasConsole }: RouterOptions, answer: Answer): Server {
  const app = new Hono<Bindings>();
  const answerWith = (destination: Destination) => (c: HonoContext<Bindings>) => answer(c.req.raw, c.env, destination);
  app.get("/healthz", answerWith({ kind: "health" }));
  app.all("/healthz", answerWith({ kind: "other method", methods: ["GET"] }));
  for (const [path, methods] of oauthPaths) {
    app.on([...methods], path, answerWith({ kind: "oauth", path }));
    app.all(path, answerWith({ kind: "other method", methods }));
  }
  for (const route of hasConsole ? consoleRoutes : []) {
    app.get(route, (c) => answer(c.req.raw, c.env, { kind: "console", route, id: Number(c.req.param("id")) }));
    app.all(route, answerWith({ kind: "other method", methods: ["GET"] }));
  }
  for (const prefix of ["/v4", "/v4beta"]) {
    for (const [file, version] of descriptions) {
      app.get(`${prefix}/${file}`, answerWith({ kind: "openapi", version }));
      app.all(`${prefix}/${file}`, answerWith({ kind: "other method", methods: ["GET"] }));
    }
    for (const [path, group] of groupByPath(profile)) {
      const route = prefix + path.replace(/\{(\w+)\}/g, (_, name) => `:${name}${idsWithSlash.has(name) ? "{.+}" : ""}`);
      for (const [name, endpoint] of group) {
        const translation = translationOf(endpoint, profile);
        app.on(endpoint.method, route, (c) =>
          answer(c.req.raw, c.env, { kind: "endpoint", name, endpoint, parameters: c.req.param(), translation }),
        );
      }
      app.all(route, answerWith({ kind: "other method", methods: group.map(([, { method }]) => method) }));
    }
  }
  app.notFound((c) => {
    const { raw, path } = c.req;
    return hasConsole && isByBrowser(raw) && !/^\/v4(?:beta)?(?:\/|$)/.test(path)
      ? answer(raw, c.env, { kind: "console", route: undefined, id: Number.NaN })
      : answer(raw, c.env, { kind: "unknown path" });
  });
  app.onError((error) => {
    throw error;
  });
  return async (request, connection = {}) =>
    connection.unread
      ? answer(request, connection, { kind: "unread", ...connection.unread })
      : app.fetch(request, connection);
}

/** Whether a person opened the address: programs do not ask for HTML. */
function isByBrowser({ method, headers }: Request): boolean {
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

/** The endpoints of each path, paths without parameters first: `/domains/import` is not the domain `import`. */
function groupByPath(profile: Profile): [string, Entry[]][] {
  const paths = new Map<string, Entry[]>();
  for (const entry of endpointsIn(profile)) {
    const [, endpoint] = entry;
    for (const path of new Set([endpoint.path, translationOf(endpoint, profile).path])) {
      const group = paths.get(path);
      if (group) group.push(entry);
      else paths.set(path, [entry]);
    }
  }
  return [...paths].sort(([a], [b]) => Number(a.includes("{")) - Number(b.includes("{")));
}
