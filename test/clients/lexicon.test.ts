// @suite nightly

import { test as always, expect } from "vitest";
import { isMissing } from "../judges.ts";
import { fixedHost } from "./fixed-host.ts";
import { folder, run, serve } from "./run.ts";

const test = always.skipIf(isMissing("lexicon", "openssl"));

/** Lexicon's provider linode4, which finds the zone by its name and then works on its records. */
async function lexicon() {
  const api = await serve();
  const cwd = folder();
  const env = { ...(await fixedHost(api.url, cwd)), LEXICON_LINODE4_AUTH_TOKEN: api.token };
  /** Its output, or the exception that ends it. */
  async function say(words: string, content?: string): Promise<string> {
    const args = content === undefined ? [] : ["--content", content];
    const { code, out, talk } = await run(["lexicon", ...words.split(" "), ...args], { cwd, env });
    return code === 0 ? out.replaceAll(/ +$/gm, "").trimEnd() : `${code}: ${talk.at(-1)}`;
  }
  return { ...api, say };
}

const done = "RESULT\n------\nTrue";
const refusal =
  "1: requests.exceptions.HTTPError: 400 Client Error: Bad Request for url: https://api.linode.com/v4/domains/1/records";

test("creates, lists, updates and deletes a zone's records", async () => {
  const { say, domain, records, writes } = await lexicon();
  await domain("example.com");

  const created: [words: string, content: string, said: string][] = [
    ["A --name www", "192.0.2.1", done],
    ["A --name www.example.com.", "192.0.2.2", done],
    ["A --name www", "192.0.2.2", done], // stands already
    ["AAAA --name WWW.example.com", "2001:db8::1", done],
    ["CNAME --name ftp", "www.example.com.", done],
    ["MX --name sub", "mail.example.com", done],
    ["NS --name deep.sub", "ns1.example.org", done],
    ["TXT --name example.com", "v=spf1 -all", done],
    ["TXT --name _acme-challenge.www", 'say "hi"', done],
    ["CNAME --name www", "example.org", refusal], // beside other records
    ["SRV --name _sip._tcp", "0 5 5060 sip.example.com", refusal], // it sends no fields of their own
    ["LOC --name here", "52 22 23.000 N 4 53 32.000 E -2.00m", refusal],
    ["TXT --name @", "v=spf1 -all", refusal],
  ];
  const said = [];
  for (const [words, content] of created)
    said.push([words, content, await say(`linode4 create example.com ${words}`, content)]);
  expect(said).toEqual(created);
  expect(await records(1)).toEqual([
    { id: 1, type: "A", name: "www", target: "192.0.2.1" },
    { id: 2, type: "A", name: "www", target: "192.0.2.2" },
    { id: 3, type: "AAAA", name: "www", target: "2001:db8::1" },
    { id: 4, type: "CNAME", name: "ftp", target: "www.example.com" },
    { id: 5, type: "MX", name: "sub", target: "mail.example.com" },
    { id: 6, type: "NS", name: "deep.sub", target: "ns1.example.org" },
    { id: 7, type: "TXT", name: "", target: "v=spf1 -all" },
    { id: 8, type: "TXT", name: "_acme-challenge.www", target: 'say "hi"' },
  ]);

  const later: [words: string, said: string][] = [
    [
      "list example.com A",
      "ID TYPE NAME            CONTENT   TTL\n" +
        "-- ---- --------------- --------- ---\n" +
        "1  A    www.example.com 192.0.2.1 0\n" +
        "2  A    www.example.com 192.0.2.2 0",
    ],
    ["list example.com A --name www --content 192.0.2.2 --output TABLE-NO-HEADER", "2 A www.example.com 192.0.2.2 0"],
    ["list example.com A --name ftp --output JSON", "[]"],
    ["update example.com A --identifier 2 --name www2 --content 192.0.2.3", done],
    ["update example.com MX --name sub --content mail2.example.com", done],
    ["delete example.com A --name www2", done],
    ["delete example.com A --name www2", done], // nothing is left to delete
    ["delete example.com TXT --identifier 7", done],
    [
      "delete example.com TXT --identifier 7",
      "1: requests.exceptions.HTTPError: 404 Client Error: Not Found for url: https://api.linode.com/v4/domains/1/records/7",
    ],
  ];
  const answers = [];
  for (const [words] of later) answers.push([words, await say(`linode4 ${words}`)]);
  expect(answers).toEqual(later);
  expect(await records(1)).toEqual([
    { id: 1, type: "A", name: "www", target: "192.0.2.1" },
    { id: 3, type: "AAAA", name: "www", target: "2001:db8::1" },
    { id: 4, type: "CNAME", name: "ftp", target: "www.example.com" },
    { id: 5, type: "MX", name: "sub", target: "mail2.example.com" },
    { id: 6, type: "NS", name: "deep.sub", target: "ns1.example.org" },
    { id: 8, type: "TXT", name: "_acme-challenge.www", target: 'say "hi"' },
  ]);
  expect(writes.slice(created.length - 1)).toEqual([
    "PUT /v4/domains/1/records/2 200",
    "PUT /v4/domains/1/records/5 200",
    "DELETE /v4/domains/1/records/2 200",
    "DELETE /v4/domains/1/records/7 200",
    "DELETE /v4/domains/1/records/7 404",
  ]);
});

test("reads a list of several pages", async () => {
  const { say, domain } = await lexicon();
  const targets = Array.from({ length: 150 }, (_, i) => `192.0.2.${i}`);
  await domain(
    "example.com",
    targets.map((target) => ({ type: "A", name: "www", target })),
  );
  const lines = await say("linode4 list example.com A --output TABLE-NO-HEADER");
  expect(lines.split("\n").map((line) => line.split(/ +/)[3])).toEqual(targets);
});

test.each<[what: string, words: string, said: string]>([
  ["a zone in capitals", "linode4 list EXAMPLE.COM A", "1 A www.example.com 192.0.2.1 0"],
  ["a name inside the zone", "linode4 list www.example.com A", "1 A www.example.com 192.0.2.1 0"],
  ["a zone below another", "--delegated sub linode4 list example.com A", "2 A www.sub.example.com 192.0.2.2 0"],
  ["no such zone", "linode4 list example.org A", "1: lexicon.exceptions.AuthenticationError: Domain not found"],
  [
    "a wrong token",
    "linode4 list example.com A --auth-token wrong",
    "1: requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.linode.com/v4/domains",
  ],
])("finds %s or reports the error", async (_, words, said) => {
  const { say, domain } = await lexicon();
  await domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  await domain("sub.example.com", [{ type: "A", name: "www", target: "192.0.2.2" }]);
  expect(await say(`${words} --output TABLE-NO-HEADER`)).toBe(said);
});
