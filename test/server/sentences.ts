import { expect, test } from "vitest";
import { type Answer, noon, refused, start } from "./start.ts";

/** A request below `/v4`. */
export type ApiRequest = [method: string, path: string, body?: unknown, headers?: Record<string, string>];

/** A sentence of the specification or of service.md, the requests, the last status and body, the profile. */
export type Sentence = [sentence: string, asked: ApiRequest[], expected: Answer, profile?: "live"];

/**
 * One test for each sentence. The server holds the domain 1, `example.com`, and in it the record 1, the host `www`.
 * Each request's answer but the last is 200.
 */
export function testSentences(sentences: readonly Sentence[]): void {
  test.each(sentences)("%s", async (_, asked, expected, profile = "documented" as "live") => {
    const { call, domain } = await start({ profile });
    await domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
    for (const request of asked.slice(0, -1)) {
      expect((await call(...request)).status, JSON.stringify(request)).toBe(200);
    }
    expect(await call(...(asked.at(-1) ?? ["", ""]))).toEqual(expected);
  });
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

export function page(data: object[], of: object = {}): object {
  return { data, page: 1, pages: 1, results: data.length, ...of };
}

export const www = recordWith({ id: 1, name: "www" });
export const records = "/domains/1/records";
export const master = { domain: "example.org", type: "master", soa_email: "hostmaster@example.org" };
