import { expect, test } from "vitest";
import { ResponseLimit, type Treatment } from "../../../src/server/nameserver/response-limit.ts";

const [yes, tc, no]: Treatment[] = ["answer", "truncate", "drop"];

test.each<[string, [ms: number, peer: string, expected: Treatment | undefined][]]>([
  [
    "over the limit every other query is answered truncated; a second later queries are answered again",
    [
      [0, "192.0.2.1", yes],
      [0, "192.0.2.1", yes],
      [0, "192.0.2.1", tc],
      [0, "192.0.2.1", no],
      [0, "192.0.2.1", tc],
      [499, "192.0.2.1", no],
      [500, "192.0.2.1", yes],
      [500, "192.0.2.1", tc],
      [60_000, "192.0.2.1", yes],
      [60_000, "192.0.2.1", yes],
      [60_000, "192.0.2.1", no],
    ],
  ],
  [
    "an IPv4 network is a /24",
    [
      [0, "192.0.2.1", yes],
      [0, "192.0.2.254", yes],
      [0, "192.0.2.7", tc],
      [0, "192.0.3.7", yes],
    ],
  ],
  [
    "an IPv6 network is a /56",
    [
      [0, "2001:db8:0:1200::1", yes],
      [0, "2001:db8:0:12ff:ffff::2", yes],
      [0, "2001:db8:0:1234::3", tc],
      [0, "2001:db8:0:1300::1", yes],
    ],
  ],
])("%s", (_, questions) => {
  let ms = 0;
  const limit = new ResponseLimit({ perSecond: 2, now: () => ms });
  const verdicts = questions.map(([at, peer]) => {
    ms = at;
    return limit.decide(peer);
  });
  expect(verdicts).toEqual(questions.map(([, , expected]) => expected));
});

test("over the limit on networks, the least recently active one is dropped", () => {
  const limit = new ResponseLimit({ perSecond: 1, now: () => 0 });
  expect(limit.decide("198.51.100.1")).toBe("answer");
  for (let n = 0; n < 65_535; n++) limit.decide(`10.${n >> 8}.${n & 255}.1`);
  expect(limit.decide("198.51.100.1")).toBe("truncate");
  for (let n = 0; n < 65_536; n++) limit.decide(`11.${n >> 8}.${n & 255}.1`);
  expect(limit.decide("198.51.100.1")).toBe("answer");
});
