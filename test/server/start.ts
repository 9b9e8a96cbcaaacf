import { createToken, type NewToken } from "../../src/server/areas/account/tokens-operator.ts";
import { createServer, type ServerOptions } from "../../src/server/server.ts";
import type { Store } from "../../src/server/store/store.ts";
import { emptyStore } from "./stores.ts";

/** The moment at which every test server stands until its `clock` is moved. */
export const noon = "2026-03-04T12:00:00";

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it whole.
  body: any;
}

/**
 * A server in memory with one user who may do everything, and `call` to ask it. `clock.now` can be moved; by default
 * the monotonic clock follows it. An exception that is unexpected fails the test instead of becoming a 500.
 */
export async function start(options: Partial<ServerOptions> & { store?: Store } = {}) {
  const store = options.store ?? (await emptyStore());
  const clock = { now: new Date(`${noon}Z`) };
  const onError = (error: unknown) => {
    throw error;
  };
  const clocks = { clock: () => clock.now, monotonic: () => clock.now.getTime() };
  const server = createServer({ ...clocks, nameservers: ["ns1.example.net"], onError, ...options, store });
  const mint = (wanted: Partial<NewToken> = {}) => createToken(store, { username: "admin", now: clock.now, ...wanted });
  const token = await mint();

  /** `body` is sent as JSON, a string or a form as it is. `as` is another token, the other headers are sent. */
  function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const { as = token, ...rest } = headers;
    const request = new Request(`http://api${path}`, {
      method,
      headers: { Authorization: `Bearer ${as}`, ...rest },
      ...(body !== undefined && {
        body: typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body),
      }),
    });
    return server(request, { remoteAddress: "192.0.2.99" });
  }

  /** The same below `/v4`, answered with status and body. */
  async function call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    const response = await ask(method, `/v4${path}`, body, headers);
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  /** A master domain with these records; its id. */
  async function domain(name: string, records: object[] = []): Promise<number> {
    const created = await call("POST", "/domains", { domain: name, type: "master", soa_email: `hostmaster@${name}` });
    for (const record of records) {
      const { status, body } = await call("POST", `/domains/${created.body.id}/records`, record);
      if (status !== 200) throw new Error(JSON.stringify(body));
    }
    return created.body.id;
  }

  return { store, server, clock, clocks, token, mint, ask, call, domain };
}

/** An error body with these entries: a reason, and the field that it is about. */
export function refused(...entries: [reason: string, field?: string][]) {
  return {
    status: 400,
    body: { errors: entries.map(([reason, field]) => (field === undefined ? { reason } : { reason, field })) },
  };
}
