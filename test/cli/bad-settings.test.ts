import { expect, test } from "vitest";
import { deafPort, httpServer, tlsServer } from "../client/sockets.ts";
import { apiDesk, lines, type RunOptions } from "./run.ts";

const zones = { "zones/example.com.yaml": "soa_email: hostmaster@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n" };

const rows: { what: string; files?: Record<string, string>; run?: string; env?: RunOptions["env"]; talk: string }[] = [
  {
    what: "no token",
    env: { ZONEWRIGHT_TOKEN: "" },
    talk: lines`
      error[token-missing] no API token is set
        Set ZONEWRIGHT_TOKEN, or ZONEWRIGHT_TOKEN_FILE to a file that contains it. ${"`"}zonewright serve${"`"} prints one at its first start.
    `,
  },
  {
    what: "a token that no header can carry",
    env: { ZONEWRIGHT_TOKEN: "s3cret-in-two words" },
    talk: lines`
      error[client/token] the token is empty, or contains a space, a line break or a character outside ASCII
        The token is from ZONEWRIGHT_TOKEN. Replace it with the token only.
    `,
  },
  {
    what: "a token file that does not exist",
    env: { ZONEWRIGHT_TOKEN: "", ZONEWRIGHT_TOKEN_FILE: "token" },
    talk: lines`
      error[token-missing] the token file token (ZONEWRIGHT_TOKEN_FILE) cannot be read: it does not exist
        Name a file that contains only the token.
    `,
  },
  {
    what: "a token file that is empty",
    files: { token: "\n" },
    run: "apply --yes --token-file token",
    talk: lines`
      error[token-missing] the token file token (--token-file) is empty
        Name a file that contains only the token.
    `,
  },
  {
    what: "a wrong api_url in the config",
    files: { "zonewright.yaml": "api_url: api.example.com\n" },
    talk: lines`
      error[config-value] api_url must be a URL such as https://api.example.com
        zonewright.yaml:1:10
          1 | api_url: api.example.com
            |          ^^^^^^^^^^^^^^^
        Write ${"`"}api_url: https://api.example.com${"`"}.
    `,
  },
  {
    what: "a config under the other ending",
    files: { "zonewright.yml": "zones: elsewhere\n" },
    talk: lines`
      error[config-name] zonewright.yml is ignored: the file must be named zonewright.yaml
        Rename it to zonewright.yaml.
    `,
  },
  {
    what: "configs under both endings",
    files: { "zonewright.yml": "zones: elsewhere\n", "zonewright.yaml": "{}\n" },
    talk: lines`
      error[config-name] zonewright.yml is ignored: the file must be named zonewright.yaml
        Move its settings to zonewright.yaml and remove it.
    `,
  },
  {
    what: "acknowledgements under the other ending",
    files: { "acks.yml": "[]\n" },
    talk: lines`
      error[config-name] acks.yml is ignored: the file must be named acks.yaml
        Rename it to acks.yaml.
    `,
  },
  {
    what: "a password in the api_url of the config",
    files: { "zonewright.yaml": "api_url: https://admin:s3cret-word@api.example.com\n" },
    env: { ZONEWRIGHT_API_URL: "" },
    talk: lines`
      error[client/base-url] the base URL contains a user name or a password
        The base URL is from api_url in zonewright.yaml. Write scheme and host, such as "http://127.0.0.1:4119".
    `,
  },
  {
    what: "a wrong address in the environment",
    env: { ZONEWRIGHT_API_URL: "ftp://api.example.com" },
    talk: lines`
      error[client/base-url] the base URL does not start with http:// or https://
        The base URL is from ZONEWRIGHT_API_URL. Write scheme and host, such as "http://127.0.0.1:4119".
    `,
  },
  {
    what: "unknown words in the environment",
    env: { ZONEWRIGHT_API_WORDS: "hosted" },
    talk: lines`
      error[client/words] ZONEWRIGHT_API_WORDS is "hosted", which is not a set of words
        Set it to documented or live.
    `,
  },
  {
    what: "a wrong address as a flag",
    run: "apply --yes --api-url localhost:4119",
    talk: lines`
      error[client/base-url] the base URL does not start with http:// or https://
        The base URL is from --api-url. Write scheme and host, such as "http://127.0.0.1:4119".
    `,
  },
  {
    what: "a config that does not exist",
    run: "apply --yes --config prod.yaml",
    talk: lines`
      error[config-read] the config prod.yaml cannot be read: it does not exist
        Check the path.
    `,
  },
  {
    what: "a folder in place of the config",
    files: { "zonewright.yaml/notes": "" },
    talk: lines`
      error[config-read] the config zonewright.yaml cannot be read: it is a folder
        Name a regular file, or put one in its place.
    `,
  },
  {
    what: "a time in the config that no TTL can be",
    files: { "zonewright.yaml": "defaults: { ttl_sec: 9999w }\n" },
    talk: lines`
      error[config-value] defaults.ttl_sec in zonewright.yaml: the time is longer than 2147483647 seconds
        Write a shorter time.
    `,
  },
  {
    what: "a secret in the config",
    files: { "zonewright.yaml": "zones: zones\ntoken: s3cret-word\n" },
    talk: lines`
      error[unknown-key] "token" is not a setting
        zonewright.yaml:2:1
          2 | token: …
            | ^^^^^
        Set ZONEWRIGHT_TOKEN, or ZONEWRIGHT_TOKEN_FILE to a file that contains it. Do not keep secrets in the config.
    `,
  },
  {
    what: "a key of a target in the config",
    files: { "zonewright.yaml": "targets: { a: { kind: rfc2136, server: ns1.example.net, tsig_key: s3cret-word } }\n" },
    talk: lines`
      error[unknown-key] "targets.a.tsig_key" is not a setting
        zonewright.yaml:1:57
          1 | targets: { a: { kind: rfc2136, server: ns1.example.net, tsig_key: …
            |                                                         ^^^^^^^^
        Set ZONEWRIGHT_A_TSIG_KEY, or ${"`"}tsig_key_file${"`"} to a file outside of git. Do not keep secrets in the config.
    `,
  },
];

test.each(rows)("$what: sends no request to the API", async ({ files = {}, run = "apply --yes", env = {}, talk }) => {
  const desk = await apiDesk({ ...zones, ...files });
  desk.secrets.push("s3cret-in-two words", "s3cret-word");
  const before = desk.files();
  expect(await desk.run(run, { env })).toEqual({ code: 3, out: "", talk });
  expect(desk.writes).toEqual([]);
  expect(desk.files()).toEqual(before);
});

interface Failure {
  what: string;
  env: () => Promise<Record<string, string>>;
  code?: number;
  talk: string;
}

const failures: Failure[] = [
  {
    what: "the server is down",
    env: async () => ({ ZONEWRIGHT_API_URL: await deafPort() }),
    talk: lines`
      error[transport/refused] GET /v4/domains: no server listens at http://127.0.0.1:PORT
        The base URL is from ZONEWRIGHT_API_URL. Start the server (${"`"}zonewright serve${"`"}), or correct the base URL.
    `,
  },
  {
    what: "an untrusted server certificate",
    env: async () => ({ ZONEWRIGHT_API_URL: await tlsServer(() => {}) }),
    talk: lines`
      error[transport/tls] GET /v4/domains: the TLS certificate of https://127.0.0.1:PORT is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)
        The base URL is from ZONEWRIGHT_API_URL. If you run the certificate authority yourself, set NODE_EXTRA_CA_CERTS to the file of its certificate.
    `,
  },
  {
    what: "a server without TLS",
    env: async () => ({
      ZONEWRIGHT_API_URL: (await httpServer((_, reply) => reply.end())).replace("http:", "https:"),
    }),
    talk: lines`
      error[transport/tls] GET /v4/domains: cannot establish TLS with https://127.0.0.1:PORT (ERR_SSL_WRONG_VERSION_NUMBER)
        The base URL is from ZONEWRIGHT_API_URL. If the server uses plain HTTP, start the base URL with "http://".
    `,
  },
  {
    what: "a website answers there",
    env: async () => ({
      ZONEWRIGHT_API_URL: await httpServer((_, reply) =>
        reply.writeHead(404, { "Content-Type": "text/html" }).end("<h1>Not here</h1>"),
      ),
    }),
    talk: lines`
      error[transport/reply] GET /v4/domains: 404 with a body (text/html) that is not the API's: <h1>Not here</h1>
        The base URL is from ZONEWRIGHT_API_URL. Check the base URL http://127.0.0.1:PORT, and any proxy between.
    `,
  },
  {
    what: "the service is under maintenance",
    env: async () => ({
      ZONEWRIGHT_API_URL: await httpServer((_, reply) => reply.writeHead(503, { "X-Maintenance-Mode": "all" }).end()),
    }),
    code: 8,
    talk: lines`
      error[api/maintenance] GET /v4/domains: 503 Under maintenance
        Nothing was changed. Try again later.
    `,
  },
];

test.for(failures)("$what", async ({ env, code = 1, talk }) => {
  const desk = await apiDesk(zones);
  const { out, ...result } = await desk.run("apply --yes", { env: await env() });
  expect(out).toBe("");
  expect(result).toEqual({ code, talk: expect.any(String) });
  expect(result.talk.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:PORT")).toBe(talk);
  expect(desk.writes).toEqual([]);
});
