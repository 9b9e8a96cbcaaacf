import { Hono, type Context as HonoContext } from "hono";
import type { Endpoint } from "../../contract/endpoint.ts";
import { type EndpointName, endpointsIn } from "../../contract/endpoints/index.ts";
import type { Profile } from "../kit/context.ts";

/** What the transport knows beside the request. */
interface Connection {
  /** The caller's IP address: what a target of `[remote_addr]` stands for. */
  readonly remoteAddress?: string | undefined;
  /** Why there is no request to answer: then the other argument says nothing, and this is what is replied. */
  readonly unread?: Unread;
}

/** A request that the transport cannot read, as who sent it is told. */
export interface Unread {
  readonly status: number;
  readonly reason: string;
}

/** A service: a request in, its reply out, no socket. It does not throw. */
export type Server = (request: Request, connection?: Connection) => Promise<Response>;

/** Where a request goes. `parameters` are those of the path, decoded; `methods` what the path can do. */
export type Destination =
  | { kind: "endpoint"; name: EndpointName; endpoint: Endpoint; parameters: Record<string, string> }
  | { kind: "openapi"; version: "3.0" | "3.1" }
  | { kind: "health" }
  | { kind: "other method"; methods: readonly string[] }
  | { kind: "unknown path" }
  | ({ kind: "unread" } & Unread);

type Answer = (request: Request, connection: Connection, destination: Destination) => Promise<Response>;

interface Bindings {
  Bindings: Connection;
}

/** The endpoints that the profile serves as routes, each under both prefixes (service: Plumbing). */
export function createRouter(profile: Profile, answer: Answer): Server {
  const app = new Hono<Bindings>();
  const to = (destination: Destination) => (c: HonoContext<Bindings>) => answer(c.req.raw, c.env, destination);
  app.get("/healthz", to({ kind: "health" }));
  app.all("/healthz", to({ kind: "other method", methods: ["GET"] }));
  for (const prefix of ["/v4", "/v4beta"]) {
    for (const [file, version] of descriptions) {
      app.get(`${prefix}/${file}`, to({ kind: "openapi", version }));
      app.all(`${prefix}/${file}`, to({ kind: "other method", methods: ["GET"] }));
    }
    for (const [path, group] of groups(profile)) {
      const route = prefix + path.replace(/\{(\w+)\}/g, ":$1");
      for (const [name, endpoint] of group) {
        app.on(endpoint.method, route, (c) =>
          answer(c.req.raw, c.env, { kind: "endpoint", name, endpoint, parameters: c.req.param() }),
        );
      }
      app.all(route, to({ kind: "other method", methods: group.map(([, { method }]) => method) }));
    }
  }
  app.notFound(to({ kind: "unknown path" }));
  app.onError((error) => {
    throw error;
  });
  return async (request, connection = {}) =>
    connection.unread
      ? answer(request, connection, { kind: "unread", ...connection.unread })
      : app.fetch(request, connection);
}

/** The document that describes the API, for readers of OpenAPI 3.1 and for those that know 3.0 only. */
const descriptions = [
  ["openapi.json", "3.1"],
  ["openapi-3.0.json", "3.0"],
] as const;

type Entry = [EndpointName, Endpoint];

/** The entries of each path, paths without parameters first: `/domains/import` is not the domain `import`. */
function groups(profile: Profile): [string, Entry[]][] {
  const paths = new Map<string, Entry[]>();
  for (const entry of endpointsIn(profile)) {
    const group = paths.get(entry[1].path);
    if (group) group.push(entry);
    else paths.set(entry[1].path, [entry]);
  }
  return [...paths].sort(([a], [b]) => Number(a.includes("{")) - Number(b.includes("{")));
}
