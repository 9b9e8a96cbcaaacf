import type { Server } from "../../src/server/http/router.ts";
import type { Random } from "./random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** The probabilities of the faults of a request, in thousandths. */
const troubles = {
  "dropped before": 25,
  "dropped after": 25,
  "500 before": 15,
  "500 after": 15,
  "502 before": 10,
  "502 after": 10,
  "late commit": 15,
  "429": 15,
  "429 bare": 10,
  refused: 10,
  "no reply": 8,
  slow: 40,
  maintenance: 1,
} as const;

type Trouble = keyof typeof troubles | "none";

/** A write of the run takes at most so long to show once its reply is lost, in milliseconds: less than the patience. */
const latest = 55_000;

/**
 * A faulty network between a client and a server. Everything follows from the seed of `random`. A second editor writes
 * between any two requests, but to no record between its check and its write, nor while a write to it is late: no
 * client can notice that (executor/write/zone-writer.ts).
 */
export class HostileWorld {
  /** Violations of what must always hold. */
  readonly faults: string[] = [];
  isHostile = true;
  hasEditor = true;
  /** While it reads for a plan, the client sees what others wrote, and may then change it. */
  isPlanning = false;
  /** The number of requests after which the client is gone. */
  lifetime = Number.POSITIVE_INFINITY;
  requests = 0;
  readonly #server: Server;
  readonly #token: string;
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #held = new Set<string>();
  readonly #foreign = new Set<string>();
  /** The records that the run has created, by zone and value. */
  readonly #ours = new Map<string, number>();
  #edits = 0;

  constructor(server: Server, token: string, clock: VirtualClock, random: Random) {
    this.#server = server;
    this.#token = token;
    this.#clock = clock;
    this.#random = random;
  }

  readonly send = async (request: Request): Promise<Response> => {
    this.requests++;
    if (this.requests > this.lifetime) return new Promise(() => {});
    const text = await request.text();
    if (this.hasEditor && this.isHostile && this.#random.below(100) < 12) await this.#edit();
    const trouble = this.isHostile ? this.#trouble() : "none";
    const carryOut = () => this.#clock.busy(() => this.#carryOut(request, text));
    switch (trouble) {
      case "dropped before":
        throw reset();
      case "dropped after":
        await carryOut();
        throw reset();
      case "500 before":
        return json({ errors: [{ reason: "Internal error" }] }, 500);
      case "500 after":
        await carryOut();
        return json({ errors: [{ reason: "Internal error" }] }, 500);
      case "502 before":
        return new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "Content-Type": "text/html" } });
      case "502 after":
        await carryOut();
        return new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "Content-Type": "text/html" } });
      case "late commit": {
        if (request.method === "GET") throw reset();
        const path = new URL(request.url).pathname;
        this.#held.add(path);
        this.#clock.sleep(this.#random.below(latest)).then(carryOut);
        throw reset();
      }
      case "429":
        return json({ errors: [{ reason: "Too many requests" }] }, 429, {
          "Retry-After": String(this.#random.below(20)),
        });
      case "429 bare":
        return new Response("", { status: 429 });
      case "refused":
        throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", syscall: "connect" });
      case "no reply":
        if (this.#random.below(2) === 0) await carryOut();
        await this.#clock.sleep(30_000);
        throw Object.assign(new Error("timeout"), { code: "UND_ERR_HEADERS_TIMEOUT" });
      case "slow": {
        await this.#clock.sleep(this.#random.below(3_000));
        const reply = await carryOut();
        await this.#clock.sleep(this.#random.below(3_000));
        return reply;
      }
      case "maintenance":
        return new Response("", { status: 503, headers: { "X-Maintenance-Mode": "1" } });
      case "none":
        return carryOut();
    }
  };

  #trouble(): Trouble {
    let dice = this.#random.below(1000);
    for (const [name, weight] of Object.entries(troubles)) {
      dice -= weight;
      if (dice < 0) return name as Trouble;
    }
    return "none";
  }

  /** A request of the client arrives at the service. */
  async #carryOut(request: Request, text: string): Promise<Response> {
    const { pathname } = new URL(request.url);
    const isRecord = /\/records\/\d+$/.test(pathname);
    if (isRecord && request.method === "GET") this.#held.add(pathname);
    if (isRecord && request.method !== "GET" && this.#foreign.has(pathname))
      this.faults.push(`${request.method} ${pathname} overwrites what somebody else has written`);
    const { method, headers } = request;
    const body = text === "" ? null : text;
    const reply = await this.#server(new Request(request.url, { method, headers, body }));
    const read = JSON.parse(await reply.clone().text());
    if (method === "GET" && pathname.endsWith("/records") && this.isPlanning)
      for (const { id } of read.data ?? []) this.#foreign.delete(`${pathname}/${id}`);
    if (method === "POST" && reply.ok) await this.#created(pathname, text, read.id);
    if (method === "DELETE" && reply.ok) this.#deleted(pathname);
    return reply;
  }

  async #created(pathname: string, text: string, id: number): Promise<void> {
    const key = `${pathname} ${text}`;
    const before = this.#ours.get(key);
    if (before !== undefined && pathname.endsWith("/records")) {
      const { ok, body } = await this.#ask("GET", `${pathname}/${before}`);
      const isStill = ok && Object.entries(JSON.parse(text)).every(([field, value]) => body[field] === value);
      if (isStill && !this.#foreign.has(`${pathname}/${before}`)) this.faults.push(`created twice: ${text}`);
    }
    this.#ours.set(key, id);
  }

  #deleted(pathname: string): void {
    for (const [key, id] of this.#ours) if (pathname.endsWith(`/records/${id}`)) this.#ours.delete(key);
  }

  /** Another client creates, changes or deletes a record. */
  async #edit(): Promise<void> {
    await this.#clock.busy(async () => {
      const { data: domains } = await this.#get("/v4/domains?page_size=500");
      const domain = domains[this.#random.below(Math.max(1, domains.length))];
      if (!domain) return;
      const path = `/v4/domains/${domain.id}/records`;
      const { data: records } = await this.#get(`${path}?page_size=500`);
      const target = `198.51.100.${this.#edits++ % 250}`;
      const free = records.filter(({ id }: { id: number }) => !this.#held.has(`${path}/${id}`));
      const record = free[this.#random.below(Math.max(1, free.length))];
      const dice = this.#random.below(3);
      if (dice === 0 || !record) {
        const name = `editor-${this.#edits}`;
        const { ok, body } = await this.#ask("POST", path, { type: "A", name, target });
        if (ok) this.#foreign.add(`${path}/${body.id}`);
      } else if (dice === 1) {
        const change = record.type === "A" ? { target } : { ttl_sec: 604800 };
        const isNews = record.type === "A" || record.ttl_sec !== change.ttl_sec;
        const { ok } = await this.#ask("PUT", `${path}/${record.id}`, change);
        // A check may have come before this write arrived, so no client can notice it.
        const isSeen = !this.#held.has(`${path}/${record.id}`);
        if (ok && isNews && isSeen) this.#foreign.add(`${path}/${record.id}`);
      } else {
        await this.#ask("DELETE", `${path}/${record.id}`);
        this.#deleted(`${path}/${record.id}`);
      }
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: what the API answers.
  async #get(path: string): Promise<any> {
    return (await this.#ask("GET", path)).body;
  }

  // biome-ignore lint/suspicious/noExplicitAny: what the API answers.
  async #ask(method: string, path: string, body?: object): Promise<{ ok: boolean; body: any }> {
    const headers = { Authorization: `Bearer ${this.#token}` };
    const request = new Request(`http://api${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
    const reply = await this.#server(request);
    return { ok: reply.ok, body: await reply.json() };
  }
}

function reset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

function json(body: unknown, status: number, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
}
