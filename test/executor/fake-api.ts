import { createClient } from "../../src/client/client.ts";
import { reasons } from "../../src/contract/errors.ts";
import type { Domain, DomainUpdate, NewDomain } from "../../src/contract/resources/domain.ts";
import type { ApiRecord, NewRecord, RecordUpdate } from "../../src/contract/resources/record.ts";
import { apiTarget } from "../../src/targets/api/target.ts";

/** The fault of the service for a request; undefined for a usual answer. */
export type Trouble = (line: string) => Reply | Error | undefined;

interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** Carried out all the same: the reply lies, or comes too late. */
  afterwards?: boolean;
}

/**
 * One account in memory with the rules that a plan has to respect (decisions/service#domains,
 * decisions/service#records). `log` holds every write.
 */
export class FakeApi {
  readonly domains = new Map<number, Domain>();
  readonly records = new Map<number, Map<number, ApiRecord>>();
  readonly log: string[] = [];
  trouble: Trouble = () => undefined;
  /** The delay of each request. */
  pace: () => Promise<void> = async () => undefined;
  /** Waits take no time, but the clock advances. */
  readonly clock = {
    now: () => this.#time,
    sleep: async (ms: number) => {
      this.#time += ms;
    },
  };
  #time = Date.parse("2026-03-04T12:00:00Z");
  #nextId = 1;

  /** Every call goes through `send`, so also what the client makes of it is tested. A retry takes no time. */
  readonly client = createClient({
    baseUrl: "http://api",
    token: "t",
    send: (request) => this.send(request),
    sleep: async () => undefined,
    random: () => 0,
  });
  readonly target = apiTarget(this.client);

  async send(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.replace("/v4", "");
    const text = await request.text();
    const line = [request.method, path, text].filter((part) => part !== "").join(" ");
    if (request.method !== "GET") this.log.push(line);
    await this.pace();
    const trouble = this.trouble(line);
    if (trouble === undefined || (!(trouble instanceof Error) && trouble.afterwards)) {
      const reply = this.#reply(
        request.method,
        path.split("/").slice(1),
        text === "" ? {} : JSON.parse(text),
        url,
        request,
      );
      return response((trouble as Reply | undefined) ?? reply);
    }
    if (trouble instanceof Error) throw trouble;
    return response(trouble);
  }

  /** A stored domain with records as `type name target`. */
  add(domain: string, records: readonly string[] = [], settings: Partial<Domain> = {}): number {
    const stored = this.#addDomain({ domain, type: "master", soa_email: "ops@example.com" });
    Object.assign(stored, settings);
    for (const line of records) {
      const [type = "", name = "", ...target] = line.split(" ");
      this.#addRecord(stored.id, { type: type as "A", name: name.replace("@", ""), target: target.join(" ") });
    }
    return stored.id;
  }

  /** The records of a zone as `type name target`, in the order of the ids. */
  show(domainId: number): string[] {
    return [...(this.records.get(domainId)?.values() ?? [])].map(
      ({ type, name, target }) => `${type} ${name || "@"} ${target}`,
    );
  }

  #reply(method: string, [, id, , recordId]: string[], body: unknown, url: URL, request: Request): Reply {
    const filter = JSON.parse(request.headers.get("X-Filter") ?? "{}");
    const domain = this.domains.get(Number(id));
    const records = this.records.get(Number(id));
    if (url.pathname.endsWith("/domains")) {
      return method === "GET"
        ? paged(filtered([...this.domains.values()], filter), url)
        : (this.#taken(body as NewDomain) ?? ok(this.#addDomain(body as NewDomain)));
    }
    if (!domain || !records) return notFound;
    if (!url.pathname.includes("/records")) {
      if (method === "DELETE") {
        this.domains.delete(domain.id);
        this.records.delete(domain.id);
        return ok({});
      }
      if (method === "PUT") this.#changeDomain(domain, body as DomainUpdate);
      return ok(domain);
    }
    if (method === "GET" && recordId === undefined) return paged(filtered([...records.values()], filter), url);
    if (domain.type === "slave")
      return refused("Zones must be set to the master type to update resource records using the API.");
    if (method === "POST")
      return this.#conflict(domain.id, body as NewRecord) ?? ok(this.#addRecord(domain.id, body as NewRecord));
    const record = records.get(Number(recordId));
    if (!record) return notFound;
    if (method === "GET") return ok(record);
    if (method === "PUT") {
      const conflict = this.#conflict(domain.id, { ...record, ...(body as object) } as NewRecord, record.id);
      return conflict ?? ok(Object.assign(record, defined(body as RecordUpdate)));
    }
    records.delete(record.id);
    return ok({});
  }

  #taken({ domain }: NewDomain): Reply | undefined {
    const isTaken = [...this.domains.values()].some((other) => other.domain === domain);
    return isTaken ? refused(reasons.zoneExists, "domain") : undefined;
  }

  #addDomain(body: NewDomain): Domain {
    const id = this.#nextId++;
    const blank = {
      status: "active",
      description: "",
      group: "",
      soa_email: "",
      master_ips: [],
      axfr_ips: [],
      tags: [],
    };
    const times = { ttl_sec: 0, refresh_sec: 0, retry_sec: 0, expire_sec: 0 };
    const domain = { id, domain: body.domain, type: body.type, ...blank, ...times, ...defined(body) } as Domain;
    this.domains.set(id, domain);
    this.records.set(id, new Map());
    return domain;
  }

  #changeDomain(domain: Domain, body: DomainUpdate): void {
    Object.assign(domain, defined(body));
  }

  #addRecord(domainId: number, body: NewRecord): ApiRecord {
    const blank = {
      name: "",
      target: "",
      priority: 0,
      weight: 0,
      port: 0,
      service: null,
      protocol: null,
      ttl_sec: 0,
      tag: null,
    };
    const moment = "2026-01-01T00:00:00";
    const record = { id: this.#nextId++, ...blank, ...defined(body), created: moment, updated: moment } as ApiRecord;
    this.records.get(domainId)?.set(record.id, record);
    return record;
  }

  #conflict(domainId: number, { type, name = "", target = "" }: NewRecord, except?: number): Reply | undefined {
    const others = [...(this.records.get(domainId)?.values() ?? [])].filter(
      (other) => other.id !== except && other.name.toLowerCase() === (name ?? "").toLowerCase(),
    );
    if (others.some((other) => type === "CNAME" || other.type === "CNAME"))
      return refused("Record conflict - CNAMES must be unique", "name");
    const mx = others.filter((other) => type === "MX" && other.type === "MX");
    return mx.some((other) => target === "" || other.target === "")
      ? refused("Cannot add a new MX record for a domain that already advertises a null MX record.", "type")
      : undefined;
  }
}

export function refused(reason: string, field?: string): Reply {
  return { status: 400, body: { errors: [{ reason, ...(field !== undefined && { field }) }] } };
}

export const broken: Reply = { status: 500, body: { errors: [{ reason: "Internal error" }] } };

const notFound: Reply = { status: 404, body: { errors: [{ reason: "Not found" }] } };

function ok(body: unknown): Reply {
  return { status: 200, body };
}

function filtered<T extends object>(items: T[], filter: object): T[] {
  return items.filter((item) => Object.entries(filter).every(([key, value]) => item[key as keyof T] === value));
}

function paged(items: readonly unknown[], url: URL): Reply {
  const page = Number(url.searchParams.get("page") ?? 1);
  const size = Number(url.searchParams.get("page_size") ?? 100);
  const data = items.slice((page - 1) * size, page * size);
  return ok({ data, page, pages: Math.max(1, Math.ceil(items.length / size)), results: items.length });
}

function response({ status, body, headers }: Reply): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
}

/** Null and undefined mean "not given". */
function defined(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null));
}
