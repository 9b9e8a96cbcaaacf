import { expect, test } from "vitest";
import { findProxies, proxyFor } from "../../src/client/proxy.ts";
import { ProblemError } from "../../src/diagnostics/problem.ts";

const http = "http://plain.test:3128";
const https = "http://secure.test:3128";
const both = { HTTP_PROXY: http, HTTPS_PROXY: https };

test.each<[env: Record<string, string>, url: string, proxy: string | undefined]>([
  [{}, "https://api.test/", undefined],
  [both, "https://api.test/", https],
  [both, "http://api.test/", http],
  [{ HTTP_PROXY: http }, "https://api.test/", undefined],
  [{ ...both, https_proxy: "https://lower.test" }, "https://api.test/", "https://lower.test"],
  [{ ...both, https_proxy: "" }, "https://api.test/", https],
  [{ HTTPS_PROXY: "proxy.test:8080" }, "https://api.test/", "http://proxy.test:8080"],
  [{ HTTPS_PROXY: " http://u:p@proxy.test/ " }, "https://api.test/", "http://proxy.test"],
  [both, "http://localhost:4119/", undefined],
  [both, "http://api.localhost/", undefined],
  [both, "http://127.0.0.1:4119/", undefined],
  [both, "http://127.9.9.9/", undefined],
  [both, "http://[::1]:4119/", undefined],
  [{ ...both, NO_PROXY: "*" }, "https://api.test/", undefined],
  [{ ...both, NO_PROXY: "other.test,api.test" }, "https://api.test/", undefined],
  [{ ...both, no_proxy: "other.test api.test" }, "https://api.test/", undefined],
  [{ ...both, NO_PROXY: "API.Test" }, "https://api.test/", undefined],
  [{ ...both, NO_PROXY: "api.test." }, "https://api.test/", undefined],
  [{ ...both, NO_PROXY: "api.test" }, "https://api.test./", undefined],
  [{ ...both, NO_PROXY: "test" }, "https://api.test/", undefined],
  [{ ...both, NO_PROXY: ".test" }, "https://api.test/", undefined],
  [{ ...both, NO_PROXY: "*.test" }, "https://api.test/", undefined],
  [{ ...both, NO_PROXY: "pi.test" }, "https://api.test/", https],
  [{ ...both, NO_PROXY: "a.api.test" }, "https://api.test/", https],
  [{ ...both, NO_PROXY: "api.test:443" }, "https://api.test/", undefined],
  [{ ...both, NO_PROXY: "api.test:444" }, "https://api.test/", https],
  [{ ...both, NO_PROXY: "api.test:444" }, "https://api.test:444/", undefined],
  [{ ...both, NO_PROXY: "192.0.2.1" }, "http://192.0.2.1/", undefined],
  [{ ...both, NO_PROXY: "192.0.2.1:8081" }, "http://192.0.2.1/", http],
  [{ ...both, NO_PROXY: "192.0.2.1:8081" }, "http://192.0.2.1:8081/", undefined],
  [{ ...both, NO_PROXY: "192.0.2.0/24" }, "http://192.0.2.1/", undefined],
  [{ ...both, NO_PROXY: "192.0.2.0/24" }, "http://192.0.3.1/", http],
  [{ ...both, NO_PROXY: "192.0.2.0/33" }, "http://192.0.2.0/", http],
  [{ ...both, NO_PROXY: "2001:db8::1" }, "http://[2001:db8::1]/", undefined],
  [{ ...both, NO_PROXY: "[2001:DB8:0::1]" }, "http://[2001:db8::1]/", undefined],
  [{ ...both, NO_PROXY: "[2001:db8::1]:81" }, "http://[2001:db8::1]/", http],
  [{ ...both, NO_PROXY: "2001:db8::/32" }, "http://[2001:db8::1]/", undefined],
  [{ ...both, NO_PROXY: "2.1" }, "http://192.0.2.1/", http],
  [{ ...both, NO_PROXY: ", ,:80,[" }, "http://api.test/", http],
])("%j: the proxy for %s is %s", (env, url, proxy) => {
  expect(proxyFor(findProxies(env), new URL(url))?.origin).toBe(proxy);
});

test.each([
  ["http://proxy.test", undefined],
  ["http://me:secret@proxy.test", "me:secret"],
  ["http://me@proxy.test", "me:"],
  ["http://me:%40%2F%25@proxy.test", "me:@/%"],
  ["http://me:50%@proxy.test", "me:50%"],
])("%s has the credentials %s", (address, credentials) => {
  const { authorization } = proxyFor(findProxies({ HTTPS_PROXY: address }), new URL("https://api.test")) ?? {};
  expect(authorization).toBe(credentials && `Basic ${Buffer.from(credentials).toString("base64")}`);
});

test.each(["socks5://me:secret@proxy.test", "http://", "http://me:secret@proxy.test:port", "://", "ftp://a"])(
  "%s is no proxy, and is not shown",
  (address) => {
    expect(proxyFor(findProxies({ HTTPS_PROXY: address }), new URL("https://localhost"))).toBeUndefined();
    let error: unknown;
    try {
      proxyFor(findProxies({ HTTPS_PROXY: address }), new URL("https://api.test"));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ProblemError);
    expect((error as ProblemError).problem).toMatchObject({
      id: "client/proxy",
      summary: "HTTPS_PROXY is not the address of an HTTP proxy",
    });
  },
);
