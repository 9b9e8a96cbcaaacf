import fc from "fast-check";
import { expect, test } from "vitest";
import { countAddedAddresses, type Rank, ranksOver, sendersOf } from "../../src/planner/risk/spf-senders.ts";

/** Networks of 10.0.0.0/28, so that each of its addresses can be tried. */
const term = fc.record({
  qualifier: fc.constantFrom("+", "?", "~", "-"),
  first: fc.nat(15),
  prefix: fc.integer({ min: 28, max: 32 }),
});
const policy = fc.record({
  terms: fc.array(term, { maxLength: 8 }),
  all: fc.constantFrom("-all", "~all", "?all", "+all", ""),
});
type Policy = typeof policy extends fc.Arbitrary<infer T> ? T : never;

function textOf({ terms, all }: Policy): string {
  const words = terms.map(({ qualifier, first, prefix }) => `${qualifier}ip4:10.0.0.${first}/${prefix}`);
  return ["v=spf1", ...words, all].join(" ").trim();
}

/** The first mechanism that matches decides (RFC 7208 §4.6.2); none is neutral (§4.7). Written without ranges. */
function judge({ terms, all }: Policy, host: number): Rank {
  const rank = (qualifier: string) => "+?~-".indexOf(qualifier) as Rank;
  const hit = terms.find(({ first, prefix }) => first >> (32 - prefix) === host >> (32 - prefix));
  return rank(hit?.qualifier ?? (all === "" ? "?" : all.charAt(0)));
}

const hosts = Array.from({ length: 16 }, (_, host) => host);
const nobody = () => undefined;

test("judges each address by the policy's first matching term", () => {
  fc.assert(
    fc.property(policy, (policy) => {
      const senders = sendersOf(textOf(policy), nobody);
      for (const host of hosts) {
        const from = 0x0a000000n + BigInt(host);
        const range = { from, to: from + 1n, rank: 0 as Rank, term: "" };
        expect([host, ranksOver(senders, 4, range)]).toEqual([host, [judge(policy, host)]]);
      }
    }),
  );
});

test("counts each address that a policy adds", () => {
  fc.assert(
    fc.property(policy, policy, fc.constantFrom<Rank>(0, 1, 2), (before, after, rank) => {
      const strict = { all: "-all" } as const;
      const [old, next] = [
        { ...before, ...strict },
        { ...after, ...strict },
      ];
      const added = countAddedAddresses(sendersOf(textOf(next), nobody), sendersOf(textOf(old), nobody), 4, rank);
      const expected = hosts.filter((host) => judge(next, host) <= rank && judge(old, host) > rank).length;
      expect(added).toBe(BigInt(expected));
    }),
  );
});

test("follows policies of other names, also in a circle", () => {
  const policies: Record<string, string> = {
    "a.example.": "v=spf1 ip4:192.0.2.1 ?ip4:192.0.2.2 -all",
    "loop.example.": "v=spf1 include:loop.example -all",
    "r.example.": "v=spf1 redirect=a.example",
  };
  const read = (text: string) => {
    const { rest, ranges, facts } = sendersOf(text, (name) => policies[name]);
    return { rest, ranges: ranges[4].map(({ from, rank }) => `${from & 255n}:${rank}`), facts: facts.length };
  };
  expect(read("v=spf1 include:A.example. ~all")).toEqual({ rest: 2, ranges: ["1:0"], facts: 1 });
  expect(read("v=spf1 ~include:a.example -all")).toEqual({ rest: 3, ranges: ["1:2"], facts: 1 });
  expect(read("v=spf1 redirect=r.example")).toEqual({ rest: 3, ranges: ["1:0", "2:1"], facts: 2 });
  expect(read("v=spf1 redirect=r.example ?all")).toEqual({ rest: 1, ranges: [], facts: 0 });
  expect(read("v=spf1 redirect=elsewhere.example")).toEqual({ rest: undefined, ranges: [], facts: 0 });
  expect(read("v=spf1 include:loop.example ~all").rest).toBe(2);
});
