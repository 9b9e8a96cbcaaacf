import { expect, test } from "vitest";
import { type Server, withServer } from "./judge/server.ts";
import { clientProgram, runProgram } from "./judge/suite.ts";

// `npm run judge:clients`: not part of `npm test`.
const libdns = clientProgram("libdns");

interface Entry {
  readonly ID?: string;
  readonly Type: string;
  readonly Name: string;
  readonly Value: string;
  /** Nanoseconds. */
  readonly TTL: number;
}

const minutes = 60_000_000_000;
const entry = (Type: string, Name: string, Value: string): Entry => ({ Type, Name, Value, TTL: 5 * minutes });

test("appends, reads, sets and deletes records of a zone", async () => {
  await withServer(async ({ url, token, folder }: Server) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const zone = { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" };
    expect((await fetch(`${url}/v4/domains`, { method: "POST", headers, body: JSON.stringify(zone) })).status).toBe(
      200,
    );
    const env = { LINODE_URL: url, LINODE_API_VERSION: "v4", LINODE_TOKEN: token };
    const call = async (method: string, entries: readonly Entry[]): Promise<Entry[]> => {
      const { code, text } = await runProgram([libdns, method, "example.com.", JSON.stringify(entries)], {
        cwd: folder,
        env,
      });
      expect(code, text).toBe(0);
      return JSON.parse(text) ?? [];
    };
    const shown = (entries: readonly Entry[]) =>
      entries.map(({ Type, Name, Value, TTL }) => ({ Type, Name, Value, TTL }));
    const wanted = [entry("A", "www", "192.0.2.1"), entry("TXT", "_acme-challenge", "a b")];
    const appended = await call("append", wanted);
    expect(shown(appended)).toEqual(wanted);
    expect(await call("get", [])).toEqual(appended);
    const [address, text] = appended;
    if (address === undefined || text === undefined) throw new Error("two records were appended");
    const changed = { ...address, Value: "192.0.2.2" };
    expect(await call("set", [changed, entry("AAAA", "www", "2001:db8::1")])).toMatchObject([
      changed,
      { Type: "AAAA" },
    ]);
    expect((await call("delete", [text])).map(({ ID }) => ID)).toEqual([text.ID]);
    expect((await call("get", [])).map(({ Type, Value }) => `${Type} ${Value}`)).toEqual([
      "A 192.0.2.2",
      "AAAA 2001:db8::1",
    ]);
  });
});

test("a zone that does not exist is told", async () => {
  await withServer(async ({ url, token, folder }: Server) => {
    const env = { LINODE_URL: url, LINODE_API_VERSION: "v4", LINODE_TOKEN: token };
    const { code, text } = await runProgram([libdns, "get", "example.com.", "[]"], { cwd: folder, env });
    expect([code, text]).toEqual([1, expect.stringContaining("could not find the domain provided")]);
  });
});
