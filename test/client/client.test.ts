import { getEventListeners } from "node:events";
import { expect, expectTypeOf, test } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { endpoints } from "../../src/contract/endpoints/index.ts";
import type { Domain } from "../../src/contract/resources/domain.ts";
import { domain, errorOf, fakeSend, json } from "./fake-send.ts";

const page = (data: unknown[]) => ({ data, page: 1, pages: 1, results: data.length });
const record = { type: "A", name: "www", target: "192.0.2.1" } as const;

test.each<[string, (client: Client) => Promise<unknown>, string]>([
  ["a list without input", (c) => c.listDomains(), "GET /v4/domains"],
  ["paging", (c) => c.listDomains({ query: { page: 2, page_size: 500 } }), "GET /v4/domains?page=2&page_size=500"],
  ["an undefined query value is left out", (c) => c.listDomains({ query: { page: undefined } }), "GET /v4/domains"],
  [
    "a filter",
    (c) => c.listRecords({ domainId: 12, filter: { type: "A", "+order_by": "name" } }),
    'GET /v4/domains/12/records X-Filter: {"type":"A","+order_by":"name"}',
  ],
  [
    "a filter beyond ASCII: a header carries bytes",
    (c) => c.listDomains({ filter: { group: "zürich ☃ 🜨" } }),
    'GET /v4/domains X-Filter: {"group":"z\\u00fcrich \\u2603 \\ud83d\\udf28"}',
  ],
  [
    "a body",
    (c) => c.createRecord({ domainId: 12, body: record }),
    'POST /v4/domains/12/records {"type":"A","name":"www","target":"192.0.2.1"}',
  ],
  ["two path parameters", (c) => c.deleteRecord({ domainId: 12, recordId: 7 }), "DELETE /v4/domains/12/records/7"],
  ["an empty body is a body", (c) => c.updateDomain({ domainId: 12, body: {} }), "PUT /v4/domains/12 {}"],
])("request: %s", async (_, call, expected) => {
  const { send, requests } = fakeSend(json({ errors: [] }, 400));
  await errorOf(call(createClient({ baseUrl: "http://api", token: "t", send })));
  const [request] = requests;
  const url = new URL(request?.url ?? "");
  const filter = request?.headers.get("x-filter");
  const parts = [request?.method, url.pathname + url.search, filter && `X-Filter: ${filter}`, await request?.text()];
  expect(parts.filter((part) => part).join(" ")).toBe(expected);
});

test("headers: token, JSON both ways, no content type without a body", async () => {
  const { send, requests } = fakeSend(json({}), json(domain), json(domain));
  const client = createClient({ baseUrl: "http://api", token: "secret-1", send });
  await client.deleteDomain({ domainId: 12 });
  await client.cloneDomain({ domainId: 12, body: { domain: "example.org" } });
  await createClient({ baseUrl: "http://api", send }).getDomain({ domainId: 12 });
  expect(requests.map(({ headers }) => Object.fromEntries(headers))).toEqual([
    { accept: "application/json", authorization: "Bearer secret-1", "user-agent": "zonewright" },
    {
      accept: "application/json",
      authorization: "Bearer secret-1",
      "content-type": "application/json",
      "user-agent": "zonewright",
    },
    { accept: "application/json", "user-agent": "zonewright" },
  ]);
});

test("has one method per endpoint, with the contract's types", () => {
  const client = createClient({ baseUrl: "http://api", token: "t", send: fakeSend().send });
  expect(Object.keys(client)).toEqual(Object.keys(endpoints));
  expectTypeOf(client.getDomain).parameter(0).toExtend<{ domainId: number }>();
  expectTypeOf(client.getDomain).returns.resolves.toEqualTypeOf<Domain>();
  const compiled = () => {
    void client.listDomains();
    // @ts-expect-error a body is missing
    void client.createDomain({});
    // @ts-expect-error only lists filter
    void client.getDomain({ domainId: 1, filter: {} });
  };
  expectTypeOf(compiled).toBeFunction();
});

test("drops unknown keys of a reply and keeps unknown values of open enumerations", async () => {
  const { send } = fakeSend(json(page([{ ...domain, status: "edit_mode", colour: "red" }])));
  expect(await createClient({ baseUrl: "http://api", send }).listDomains()).toEqual(
    page([{ ...domain, status: "edit_mode" }]),
  );
});

test.each([undefined, null, "", ".", ".."])(
  "rejects %j as a path parameter: the call would reach another path",
  async (value) => {
    const { send, requests } = fakeSend(json({}));
    const client = createClient({ baseUrl: "http://api", send });
    const error = await errorOf(client.deleteDomain({ domainId: value as never }));
    expect([error, requests]).toEqual([
      new TypeError(`domainId is ${JSON.stringify(value)}, which cannot be part of a path`),
      [],
    ]);
  },
);

test("encodes path parameters", async () => {
  const { send, requests } = fakeSend(json(domain));
  await createClient({ baseUrl: "http://api", send }).getDomain({ domainId: "a/b?c#d%é" as never });
  expect(requests[0]?.url).toBe("http://api/v4/domains/a%2Fb%3Fc%23d%25%C3%A9");
});

test("an abort before the call sends nothing; a later one rejects at once even if the sender ignores it", async () => {
  const reason = new Error("Ctrl-C");
  const before = fakeSend(json({}));
  const stopped = createClient({ baseUrl: "http://api", send: before.send });
  expect(await errorOf(stopped.deleteDomain({ domainId: 1 }, { signal: AbortSignal.abort(reason) }))).toMatchObject({
    message: "DELETE /v4/domains/1: aborted",
    kind: "aborted",
    outcome: "not-sent",
    cause: reason,
  });
  expect(before.requests).toEqual([]);

  const controller = new AbortController();
  const deaf = createClient({ baseUrl: "http://api", send: () => new Promise(() => controller.abort(reason)) });
  expect(await errorOf(deaf.deleteDomain({ domainId: 1 }, { signal: controller.signal }))).toMatchObject({
    message: "DELETE /v4/domains/1: aborted. It may have taken effect: check before sending it again.",
    kind: "aborted",
    outcome: "ambiguous",
    cause: reason,
  });
});

test("a signal shared by a whole run collects no listeners", async () => {
  const { signal } = new AbortController();
  const client = createClient({ baseUrl: "http://api", send: fakeSend(json(domain)).send });
  for (let call = 0; call < 3; call++) await client.getDomain({ domainId: 12 }, { signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
