import type { Store } from "../../../src/server/store/store.ts";
import { type Answer, noon, refused } from "../start.ts";

/**
 * A request below `/v4`. `{id}` and `{token}` in its path are those of the last reply that has one. The header `as` is
 * a token, or one of `callers`.
 */
export type ApiRequest = [method: string, path: string, body?: unknown, headers?: Record<string, string>];

/**
 * A request whose answer is 200, one that is refused, time that passes, a user of a browser who signs in, or an
 * operator's work; managed monitoring is such work.
 */
type Step =
  | ApiRequest
  | { readonly refused: ApiRequest }
  | { readonly seconds: number }
  | { readonly signsIn: "admin" }
  | { readonly managed: "on" | "off" }
  | { readonly operator: (store: Store, now: Date) => Promise<unknown> };

/** A sentence of the documents or of the decisions, the requests, the last status and body, the profile. */
export type Sentence = [sentence: string, asked: Step[], expected: Answer, profile?: "live"];

/** Sentences by the section that they are in. */
export type Sections = Readonly<Record<string, readonly Sentence[]>>;

/** Time that passes. */
export const days = (count: number) => ({ seconds: count * 86_400 });

/** Users that a sentence can ask as, besides the first, who made everything. Grants are on domain 1. */
export const callers = ["colleague", "restricted", "read_only", "read_write", "stranger"] as const;

/** The requests of a sentence; its expectation is about the last. */
export function requestsOf([, asked]: Sentence): ApiRequest[] {
  return asked.flatMap((step) => (Array.isArray(step) ? [step] : "refused" in step ? [step.refused] : []));
}

/** The same request by this caller. */
export function by(caller: (typeof callers)[number] | "", [method, path, body, headers]: ApiRequest): ApiRequest {
  return [method, path, body, { ...headers, as: caller }];
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function errorAnswer(status: number, reason: string): Answer {
  return { ...refused([reason]), status };
}

/** The domain 1 as it is, but for these. */
export function domainWith(fields: object = {}): object {
  const times = { ttl_sec: 0, refresh_sec: 0, retry_sec: 0, expire_sec: 0 };
  const lists = { master_ips: [], axfr_ips: [], tags: [] };
  const names = { description: "", group: "", soa_email: "hostmaster@example.com" };
  const moments = { created: noon, updated: noon };
  const head = { id: 1, type: "master", domain: "example.com", status: "active" };
  return { ...head, ...names, ...times, ...lists, ...moments, ...fields };
}

/** A record as it is, but for these; the second unless said. */
export function recordWith(fields: object = {}): object {
  const numbers = { priority: 0, weight: 0, port: 0, ttl_sec: 0 };
  const words = { service: null, protocol: null, tag: null };
  return {
    id: 2,
    type: "A",
    name: "",
    target: "192.0.2.1",
    ...numbers,
    ...words,
    created: noon,
    updated: noon,
    ...fields,
  };
}

/** An empty node as it is, but for these; the first unless said. */
export function nodeWith(fields: object = {}): object {
  return {
    id: 1,
    label: "node1",
    group: "",
    status: "offline",
    created: noon,
    updated: noon,
    type: "g6-nanode-1",
    ipv4: ["198.18.0.2"],
    ipv6: "2001:db8::f03c:91ff:fe00:1/128",
    image: null,
    region: "us-east",
    specs: { disk: 25600, memory: 1024, vcpus: 1, transfer: 1000 },
    alerts: { cpu: 90, network_in: 10, network_out: 10, transfer_quota: 80, io: 10000 },
    backups: { enabled: false, schedule: { day: null, window: null }, last_successful: null },
    hypervisor: "kvm",
    watchdog_enabled: true,
    tags: [],
    ...fields,
  };
}

export function page(data: object[], of: object = {}): object {
  return { data, page: 1, pages: 1, results: data.length, ...of };
}

export const www = recordWith({ id: 1, name: "www" });
export const records = "/domains/1/records";
export const master = { domain: "example.org", type: "master", soa_email: "hostmaster@example.org" };

/** Headers with this filter. */
export const filter = (value: unknown) => ({ "X-Filter": JSON.stringify(value) });
/** The refusal of a filter on this attribute. */
export const unfilterable = (attribute: string) => refused([`Cannot filter on ${attribute}`, "X-Filter"]);
/** The refusal of a text of another length. */
export const wrongLength = (bounds: string, field: string) => refused([`Length must be ${bounds} characters`, field]);
export const unauthorized = errorAnswer(403, "Unauthorized");
export const notFound = errorAnswer(404, "Not found");
