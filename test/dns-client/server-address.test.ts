import { expect, test } from "vitest";
import { readServerAddress, serverText } from "../../src/dns-client/server-address.ts";

test.each<[text: string, host: string, port: number, shown: string]>([
  ["ns.example.net", "ns.example.net", 53, "ns.example.net"],
  ["ns.example.net:5300", "ns.example.net", 5300, "ns.example.net:5300"],
  ["192.0.2.53", "192.0.2.53", 53, "192.0.2.53"],
  ["192.0.2.53:53", "192.0.2.53", 53, "192.0.2.53"],
  ["::1", "::1", 53, "::1"],
  ["[::1]", "::1", 53, "::1"],
  ["[::1]:5300", "::1", 5300, "[::1]:5300"],
  ["2001:db8::53", "2001:db8::53", 53, "2001:db8::53"],
])("the server %s is %s, port %i", (text, host, port, shown) => {
  expect(readServerAddress(text)).toEqual({ host, port });
  expect(serverText({ host, port })).toBe(shown);
});

test.each(["", ":53", "ns.example.net:", "ns.example.net:65536", "[192.0.2.53]:53", "[::1", "ns.example.net:x"])(
  '"%s" is no server',
  (text) => {
    expect(readServerAddress(text)).toBeUndefined();
  },
);
