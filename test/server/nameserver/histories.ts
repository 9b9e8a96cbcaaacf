import fc from "fast-check";

/** A request of a history of changes of one domain; `at` counts its records. */
export type HistoryStep =
  | { readonly verb: "create"; readonly body: object }
  | { readonly verb: "change"; readonly at: number; readonly body: object }
  | { readonly verb: "delete"; readonly at: number }
  | { readonly verb: "settings"; readonly body: object };

/** Names that meet: at, above and below each other, in two spellings, and as wildcards. */
const name = fc.constantFrom("", "a", "A", "b.a", "c.b.a", "*", "*.b", "sub", "ns.sub", "x.sub");
const octet = fc.nat(5);
const target = fc.constantFrom("a.example.com", "ns.sub.example.com", "NS.sub.example.com", "b.example.net");
const data = fc.oneof(
  octet.map((octet) => ({ type: "A", target: `192.0.2.${octet}` })),
  octet.map((octet) => ({ type: "AAAA", target: `2001:db8::${octet}` })),
  octet.map((octet) => ({ type: "TXT", target: `text ${octet}` })),
  fc.tuple(fc.nat(2), target).map(([priority, target]) => ({ type: "MX", priority, target })),
  target.map((target) => ({ type: "NS", target })),
  target.map((target) => ({ type: "CNAME", target })),
);
const ttl = fc.constantFrom(0, 300, 3600);
const settings = fc.oneof(
  fc.constantFrom("hostmaster@example.com", "h.m@example.net").map((soa_email) => ({ soa_email })),
  ttl.map((refresh_sec) => ({ refresh_sec })),
  ttl.map((ttl_sec) => ({ ttl_sec })),
  fc.constantFrom("example.com", "Example.com").map((domain) => ({ domain })),
);
const step: fc.Arbitrary<HistoryStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      verb: fc.constant("create" as const),
      body: fc.tuple(name, data, ttl).map(([name, data, ttl_sec]) => ({ name, ...data, ttl_sec })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant("change" as const),
      at: fc.nat(),
      body: fc.oneof(
        name.map((name) => ({ name })),
        ttl.map((ttl_sec) => ({ ttl_sec })),
        target.map((target) => ({ target })),
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant("delete" as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("settings" as const), body: settings }) },
);

/** Changes between two versions of a zone: none, one, or several. */
export const history = fc.array(fc.array(step, { maxLength: 3 }), { minLength: 1, maxLength: 8 });

type Call = (method: string, path: string, body?: unknown) => Promise<{ body: { data?: { id: number }[] } }>;

/** Sends a step; the API refuses some, such as a second CNAME record of a name. */
export async function takeStep(call: Call, domain: number, step: HistoryStep): Promise<void> {
  const path = `/domains/${domain}`;
  if (step.verb === "create") await call("POST", `${path}/records`, step.body);
  else if (step.verb === "settings") await call("PUT", path, step.body);
  else {
    const ids = (await call("GET", `${path}/records`)).body.data ?? [];
    const id = ids[step.at % ids.length]?.id;
    if (id === undefined) return;
    if (step.verb === "delete") await call("DELETE", `${path}/records/${id}`);
    else await call("PUT", `${path}/records/${id}`, step.body);
  }
}
