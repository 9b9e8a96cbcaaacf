import type { IncomingMessage } from "node:http";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readRequest } from "../../src/server/http/client-connection.ts";
import { pathOf } from "../../src/server/kit/request.ts";
import { samples } from "../properties.ts";

const textOf = (...parts: string[]) =>
  fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 6 }).map((chosen) => chosen.join(""));
const hosts = textOf(
  ...["a", "api", ".", "-", "_", "xn--", "0", "1", "08", "127.0.0.1", "256", "0x7f", "%41", "[::1]"],
  ...[":", ":80", ":65535", ":65536", "/", "?", "#", "@", "\\", " "],
);
const targets = textOf(
  ...["/", "/v4", "//", "/.", "/..", "/%2e", "/.%2E", ".", "..", "%2f", "%", "%zz", "a", "'", ";", "@", ":", "\\"],
  ...["?", "?a=1", "?a='", "#", "[", "|", '"', "<", "{"],
);

/** Node's own reading (WHATWG URL); undefined for what is no URL, or leaves the host or the path that it began with. */
function pathByUrl(host: string, target: string): string | undefined {
  const url = `http://${host}${target}`;
  if (!target.startsWith("/") || /[/?#@\\]/.test(host) || !URL.canParse(url)) return undefined;
  return new URL(url).pathname;
}

test("a request has the path that a URL has, and each invalid host and target is refused", () => {
  fc.assert(
    fc.property(hosts, targets, (host, target) => {
      const incoming = { httpVersion: "1.1", headers: { host }, rawHeaders: ["Host", host], url: target };
      const request = readRequest(incoming as unknown as IncomingMessage, "none", new AbortController().signal);
      const url = typeof request === "string" ? undefined : request.url;
      expect(url === undefined ? undefined : pathOf({ url })).toBe(pathByUrl(host, target));
      if (url !== undefined) expect(URL.canParse(url)).toBe(true);
    }),
    samples(10_000),
  );
});
