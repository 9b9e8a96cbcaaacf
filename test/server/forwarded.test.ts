import { expect, test } from "vitest";
import { readCaller } from "../../src/server/http/node.ts";
import { readNetwork } from "../../src/server/kit/allowed-networks.ts";

const proxies = ["10.0.0.0/8", "2001:db8::1"].map((text) => readNetwork(text) ?? expect.fail(text));

test.each<[string, string | undefined, string | undefined, string | undefined]>([
  ["nobody in between", "192.0.2.1", undefined, "192.0.2.1"],
  ["a stranger's claim", "192.0.2.1", "198.51.100.7", "192.0.2.1"],
  ["a proxy", "10.0.0.2", "198.51.100.7", "198.51.100.7"],
  ["a proxy on a socket of both families", "::ffff:10.0.0.2", "198.51.100.7", "198.51.100.7"],
  ["a proxy of IPv6, a caller of IPv6", "2001:db8::1", "2001:DB8:0::7", "2001:db8::7"],
  ["two proxies", "10.0.0.2", "198.51.100.7, 10.9.9.9", "198.51.100.7"],
  ["the caller's own claim is ignored", "10.0.0.2", "203.0.113.9, 198.51.100.7,10.9.9.9", "198.51.100.7"],
  ["a caller in the proxies' network", "10.0.0.2", "10.1.1.1", "10.1.1.1"],
  ["a proxy without the header", "10.0.0.2", undefined, "10.0.0.2"],
  ["a proxy that reports an unknown client", "10.0.0.2", "198.51.100.7, unknown", "10.0.0.2"],
  ["a claim that is not an address", "10.0.0.2", "x, 10.1.1.1", "10.1.1.1"],
  ["a closed connection", undefined, "198.51.100.7", undefined],
])("%s", (_, peer, said, caller) => {
  expect(readCaller(proxies)(peer, said)).toBe(caller);
});
