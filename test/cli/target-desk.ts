import { onTestFinished } from "vitest";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { listen } from "../../src/server/http/node.ts";
import type { Server } from "../../src/server/http/router.ts";
import { createServer } from "../../src/server/server.ts";
import type { Store } from "../../src/server/store/store.ts";
import { emptyStore } from "../server/stores.ts";
import { Desk, noon } from "./run.ts";

/** A service with an account of its own. */
export interface Service {
  readonly url: string;
  readonly store: Store;
  /** The requests that it got, such as `GET /v4/domains`. */
  readonly requests: string[];
  /** Replaces its replies, for an outage. */
  between: ((server: Server) => Server) | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests take from it what they need.
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** The records of a zone, such as `www A 192.0.2.1`; undefined if there is no such zone. */
  records(zone: string): Promise<string[] | undefined>;
}

/** A folder with a project, and a service for each of its targets. In output they are `http://NAME`. */
export class TargetDesk<Name extends string = string> extends Desk {
  readonly services = {} as Record<Name, Service>;
}

/** A desk with a service for each name, and the token of each in its variable. `TARGETS` in files is `targets:`. */
export async function targetDesk<const Name extends string>(
  names: readonly Name[],
  files: Record<string, string>,
): Promise<TargetDesk<Name>> {
  const desk = new TargetDesk<Name>();
  for (const name of names) {
    const { service, token } = await startService(desk);
    desk.services[name] = service;
    desk.secrets.push(token);
    desk.shown.push([service.url, `http://${name}`]);
    desk.env[`ZONEWRIGHT_${name.toUpperCase().replaceAll("-", "_")}_TOKEN`] = token;
  }
  const lines = names.map((name) => `  ${name}: { kind: api, url: "${desk.services[name].url}" }\n`);
  const targets = `targets:\n${lines.join("")}`;
  for (const [file, text] of Object.entries(files)) desk.write(file, text.replace("TARGETS\n", targets));
  return desk;
}

async function startService(desk: Desk): Promise<{ service: Service; token: string }> {
  const store = await emptyStore();
  const server = createServer({ store, clock: () => new Date(noon.getTime() + desk.waited) });
  const requests: string[] = [];
  const { url, close } = await listen(
    (request, connection) => {
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return (service.between?.(server) ?? server)(request, connection);
    },
    { port: 0 },
  );
  onTestFinished(close);
  const token = await createToken(store, { username: "admin", now: noon });
  const call = async (method: string, path: string, body?: unknown) => {
    const init = {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    const reply = await server(new Request(`http://api/v4${path}`, init), { remoteAddress: "192.0.2.99" });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  const records = async (zone: string) => {
    const { data } = await call("GET", "/domains");
    const found = data.find(({ domain }: { domain: string }) => domain === zone);
    if (!found) return undefined;
    const list = await call("GET", `/domains/${found.id}/records`);
    return list.data.map((one: Record<string, string>) => `${one.name || "@"} ${one.type} ${one.target}`).sort();
  };
  const service: Service = { url, store, requests, between: undefined, call, records };
  return { service, token };
}
