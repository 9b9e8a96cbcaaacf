import { describe, expect, inject, test } from "vitest";
import { isPublicSuffix } from "../../src/dns/name/public-suffix.ts";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { openStore } from "../../src/server/store/store.ts";
import { refused, start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

const master = { type: "master", soa_email: "hostmaster@example.org" };
const below = refused(["The domain lies below a domain of another account.", "domain"]);
const around = refused(["A domain of another account lies below this domain.", "domain"]);
const taken = refused(["DNS zone already exists.", "domain"]);
const suffix = refused(["The domain is a public suffix.", "domain"]);
const unauthorized = { status: 403, body: { errors: [{ reason: "Unauthorized" }] } };
const transfers = refused(["Zone transfers are not configured on this server.", "remote_nameserver"]);

type Api = Awaited<ReturnType<typeof start>>;

/** The outcomes of creating, cloning, importing and renaming to a domain: one if all are equal, otherwise each. */
async function takeInEveryWay(api: Api, as: string, domain: string): Promise<unknown> {
  const own = await api.call("POST", "/domains", { ...master, domain: "own.example.net" }, { as });
  expect(own.status).toBe(200);
  const ask = async (method: string, path: string, body: object) => {
    const answer = await api.call(method, path, body, { as });
    if (answer.status === 200 && method === "POST")
      await api.call("DELETE", `/domains/${answer.body.id}`, undefined, { as });
    return answer.status === 200 || JSON.stringify(answer) === JSON.stringify(transfers) ? "ok" : answer;
  };
  const outcomes = [
    await ask("POST", "/domains", { ...master, domain }),
    await ask("POST", `/domains/${own.body.id}/clone`, { domain }),
    await ask("POST", "/domains/import", { domain, remote_nameserver: "192.0.2.1" }),
    await ask("PUT", `/domains/${own.body.id}`, { domain }),
  ];
  const [first, ...others] = outcomes.map((outcome) => JSON.stringify(outcome));
  return others.every((outcome) => outcome === first) ? outcomes[0] : outcomes;
}

describe("another account has shop.example.com", () => {
  test.each<[string, string, unknown]>([
    ["www.shop.example.com", "stranger", below],
    ["A.B.Shop.Example.COM", "stranger", below],
    ["*.shop.example.com", "stranger", below],
    ["_acme-challenge.shop.example.com", "stranger", below],
    ["SHOP.example.com", "stranger", taken],
    ["example.com", "stranger", around],
    ["EXAMPLE.COM", "stranger", around],
    ["myshop.example.com", "stranger", "ok"],
    ["shop-2.example.com", "stranger", "ok"],
    ["shop.example.com.example", "stranger", "ok"],
    ["p.example.com", "stranger", "ok"],
    ["www.shop.example.com", "colleague", "ok"],
    ["example.com", "colleague", "ok"],
    ["example.com", "admin", "ok"],
  ])("%s for %s", async (domain, username, expected) => {
    const api = await start();
    await api.domain("shop.example.com");
    const as = await api.mint({ username, account: username === "stranger" ? "strange" : "admin" });
    expect(await takeInEveryWay(api, as, domain)).toEqual(expected);
  });
});

describe("a restricted user who may add domains needs read_write on the domains above and below", () => {
  const api = async (grants: Record<string, "read_only" | "read_write">) => {
    const api = await start();
    for (const name of ["example.com", "deep.sub.example.com"]) await api.domain(name);
    await addUser(api.store, {
      ...{ username: "ci", account: "admin", restricted: true, addDomains: true },
      now: api.clock.now,
    });
    for (const [domain, permissions] of Object.entries(grants))
      await setGrant(api.store, "ci", domain, permissions, api.clock.now);
    return { ...api, as: await api.mint({ username: "ci" }) };
  };
  test.each<[string, Record<string, "read_only" | "read_write">, unknown]>([
    ["_acme-challenge.example.com", {}, unauthorized],
    ["_ACME-challenge.Example.Com", {}, unauthorized],
    ["_acme-challenge.example.com", { "example.com": "read_only" }, unauthorized],
    ["_acme-challenge.example.com", { "deep.sub.example.com": "read_write" }, unauthorized],
    ["_acme-challenge.example.com", { "example.com": "read_write" }, "ok"],
    ["a.b.c.example.com", {}, unauthorized],
    ["*.example.com", {}, unauthorized],
    // The nearest domain around it is what it takes names from.
    ["www.deep.sub.example.com", { "example.com": "read_write" }, unauthorized],
    ["www.deep.sub.example.com", { "deep.sub.example.com": "read_write" }, "ok"],
    // It would take names from the domain around it, and a wildcard certificate for it would cover the one below.
    ["sub.example.com", { "example.com": "read_write" }, unauthorized],
    ["sub.example.com", { "example.com": "read_write", "deep.sub.example.com": "read_write" }, "ok"],
    ["example.org", {}, "ok"],
    ["notexample.com", {}, "ok"],
  ])("%s with %j", async (domain, grants, expected) => {
    const { as, ...rest } = await api(grants);
    expect(await takeInEveryWay(rest, as, domain)).toEqual(expected);
  });

  test("a domain that keeps its name can be changed", async () => {
    const { as, call } = await api({ "deep.sub.example.com": "read_write" });
    const { body } = await call("GET", "/domains", undefined, { as });
    const path = `/domains/${body.data[0].id}`;
    expect((await call("PUT", path, { group: "shops", domain: "Deep.sub.example.com" }, { as })).status).toBe(200);
    expect(await call("PUT", path, { domain: "sub.example.com" }, { as })).toEqual(unauthorized);
  });
});

test("nested domains stored before this rule can be changed as long as they keep their names", async () => {
  const api = await start();
  const id = await api.domain("www.example.com");
  const stranger = await api.mint({ username: "stranger" });
  const other = await api.call("POST", "/domains", { ...master, domain: "example.net" }, { as: stranger });
  await api.store.write((db) =>
    db
      .updateTable("domains")
      .set({ domain: "example.com", domain_key: "example.com", tree_key: "com.example." })
      .where("id", "=", other.body.id)
      .execute(),
  );
  const renamed = await api.call("PUT", `/domains/${id}`, { domain: "WWW.example.com", group: "shops" });
  expect(renamed.body).toMatchObject({ domain: "WWW.example.com", group: "shops" });
  expect(await api.call("PUT", `/domains/${id}`, { domain: "a.example.com" })).toEqual(below);
});

describe("public suffixes", () => {
  test.each([
    ...["co.uk", "CO.UK", "com.au", "github.io", "in-addr.arpa", "IP6.arpa", "e164.arpa", "foo.ck", "*.co.uk"],
    ...["xn--55qx5d.cn", "s3.amazonaws.com"],
  ])("%s is a public suffix and is refused", async (domain) => {
    const api = await start();
    expect(await takeInEveryWay(api, api.token, domain)).toEqual(suffix);
  });

  test.each([
    ...["example.co.uk", "www.ck", "example.github.io", "2.0.192.in-addr.arpa", "8.b.d.0.1.0.0.2.ip6.arpa"],
    ...["0/25.2.0.192.in-addr.arpa", "corp.internal", "example.test", "_dmarc.example.com", "*.example.com"],
  ])("%s is not a public suffix", (domain) => {
    expect(isPublicSuffix(domain)).toBe(false);
  });

  test("a server that allows public suffixes", async () => {
    const api = await start({ allowsPublicSuffixes: true });
    expect(await takeInEveryWay(api, api.token, "co.uk")).toBe("ok");
  });
});

test("two accounts create a domain and one below it at the same moment: one succeeds", async () => {
  const place = inject("postgres") === undefined ? ":memory:" : await emptyPlace();
  const store = await openStore(place);
  const second = inject("postgres") === undefined ? store : await openStore(place);
  const [one, two] = [await start({ store }), await start({ store: second })];
  const as = await two.mint({ username: "stranger" });
  const clash = await two.call("POST", "/domains", { ...master, domain: "clash.example.net" }, { as });
  for (let round = 0; round < 30; round++) {
    const name = `r${round}.example`;
    // A name of a longer chain, and a rename on one side, must not slip through either.
    const outcomes = await Promise.all([
      one.call("POST", "/domains", { ...master, domain: round % 2 ? name : `a.b.${name}` }),
      round % 3 === 0
        ? two.call("PUT", `/domains/${clash.body.id}`, { domain: round % 2 ? `a.b.${name}` : name }, { as })
        : two.call("POST", "/domains", { ...master, domain: round % 2 ? `a.b.${name}` : name }, { as }),
    ]);
    expect(outcomes.map(({ status }) => status).sort(), name).toEqual([200, 400]);
  }
  if (second !== store) await second.close();
  await store.close();
});
