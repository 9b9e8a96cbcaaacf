import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { isMissing } from "../judges.ts";
import { Browser, formOf } from "../server/browser.ts";
import { readPage } from "./page.ts";

const password = "correct horse battery";

/** The blocks of the page that its own test does not run, in their order. */
const blocks = [...readPage("docs/server/oauth.md").matchAll(/^<!-- not run: [^\n]*\n```sh\n(.*?)^```$/gms)].map(
  ([, text = ""]) => text,
);

test.skipIf(isMissing("openssl"))(
  "an application signs a user in, with the commands of docs/server/oauth.md",
  async () => {
    const desk = new Desk();
    const [url = ""] = await desk.start("serve --port 0 --token secret-for-tests").says(/^http:\S+/m);
    Object.assign(desk.env, { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: "secret-for-tests" });
    const [setPassword = "", ask = "", exchange = "", call = "", refresh = "", revoke = "", ...others] = blocks;
    expect(others).toEqual([]);

    const values: Record<string, string> = {};
    /** Runs a block with the values so far, and returns what it prints. */
    const run = async (script: string): Promise<string> => {
      const env = { ...process.env, ...values };
      const there = script.replaceAll("http://127.0.0.1:4119", url);
      return (await promisify(execFile)("sh", ["-ec", there], { cwd: desk.folder, env })).stdout;
    };
    const statusOf = async (token: string | undefined) =>
      (await fetch(`${url}/v4/domains`, { headers: { Authorization: `Bearer ${token}` } })).status;

    desk.input = `${password}\n`;
    expect((await desk.run(setPassword.trim().replace(/^zonewright /, ""))).code).toBe(0);
    const { out } = await desk.run(
      "api create-oauth-client --set label=dashboard --set redirect_uri=https://dashboard.example/callback --json",
    );
    const client = JSON.parse(out);
    Object.assign(values, { client_id: client.id, client_secret: client.secret });

    const [address = "", verifier, state] = (await run(`${ask}echo "$verifier"\necho "$state"`)).split("\n");
    const browser = new Browser((request) => {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(`${url}${pathname}${search}`, request), { redirect: "manual" });
    });
    const path = address.slice(url.length);
    await browser.signIn(path, "admin", password);
    const consent = await browser.get(path);
    const { location } = await browser.submit(formOf(consent, "/oauth/authorize"), { decision: "allow" });
    const returned = new URL(location ?? "");
    expect(`${returned.origin}${returned.pathname}`).toBe("https://dashboard.example/callback");
    expect(returned.searchParams.get("state")).toBe(state);
    Object.assign(values, { verifier, code: returned.searchParams.get("code") });

    const tokens = JSON.parse(await run(exchange));
    const secret = expect.stringMatching(/^[0-9a-f]{64}$/);
    const shown = JSON.parse(/```json\n(.*?)```/s.exec(readPage("docs/server/oauth.md"))?.[1] ?? "");
    expect(tokens).toEqual({ ...shown, access_token: secret, refresh_token: secret });
    Object.assign(values, tokens);
    expect(JSON.parse(await run(call))).toEqual({ data: [], page: 1, pages: 1, results: 0 });

    const renewed = JSON.parse(await run(refresh));
    expect(renewed).toEqual({ ...shown, access_token: secret, refresh_token: secret });
    Object.assign(values, renewed);
    expect(await statusOf(renewed.access_token)).toBe(200);
    expect(JSON.parse(await run(revoke))).toEqual({});
    expect([await statusOf(tokens.access_token), await statusOf(renewed.access_token)]).toEqual([401, 401]);
  },
);
