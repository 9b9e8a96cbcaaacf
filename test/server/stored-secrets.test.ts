import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { setPassword } from "../../src/server/areas/account/users-operator.ts";
import { showCredential, showSshKey } from "../../src/server/areas/managed/managed-operator.ts";
import { Secrets } from "../../src/server/kit/secrets.ts";
import { openStore } from "../../src/server/store/store.ts";
import { password, startOAuth } from "./oauth-desk.ts";
import { emptyPlace } from "./stores.ts";

test("no file of the database and no line of a log contains a secret, once it was used in every way", async () => {
  const place = await emptyPlace();
  const store = await openStore(place);
  const logged: unknown[] = [];
  const log = (line: unknown) => logged.push(line);
  const secretKey = Buffer.from("0123456789abcdef0123456789abcdef");
  const desk = await startOAuth({ store, onAccess: log, onError: log, secretKey: () => secretKey });
  const { browser, client, credentials, call, send } = desk;
  const secrets = new Map<string, string>([
    ["the token of the operator", desk.token],
    ["the key", secretKey.toString()],
    ["the secret of the client", client.secret],
    ["the secret of the public client", desk.publicClient.secret],
  ]);
  const keep = (name: string, value: string | undefined) => {
    expect(value, name).toMatch(/^.{12,}$/);
    secrets.set(name, value ?? "");
    return value ?? "";
  };

  await browser.signIn("/sign-in", "admin", keep("a wrong password", "a wrong password of mine"));
  expect((await browser.signIn("/sign-in", "admin", password)).status).toBe(303);
  keep("the password", password);
  keep("the session", browser.cookies.get("zonewright"));
  const code = keep("a used code", await desk.codeFor());
  keep("an unused code", await desk.codeFor());
  const { body: first } = await desk.exchange(code);
  keep("an access token", first.access_token);
  const { body: second } = await desk.refresh(keep("a used refresh token", first.refresh_token));
  keep("the next access token", second.access_token);
  keep("the next refresh token", second.refresh_token);
  expect(await desk.statusWith(second.access_token)).toBe(200);
  await send("/oauth/revoke", { ...credentials, token: second.refresh_token });
  const path = `/account/oauth-clients/${client.id}/reset-secret`;
  keep("the new secret of the client", (await call("POST", path)).body.secret);
  await send("/oauth/token", { ...credentials, code: keep("an invented code", "an-invented-code") });
  await setPassword(store, "admin", keep("a new password", "another fine password"), new Date());
  const card = { card_number: keep("the card", "4111111111111111"), expiry_month: 12, expiry_year: 2030, cvv: "123" };
  expect((await call("POST", "/account/credit-card", card)).status).toBe(200);
  const login = {
    username: keep("a username", "a username of mine"),
    password: keep("its password", "a login's password"),
  };
  expect((await call("POST", "/managed/credentials", { label: "web", ...login })).status).toBe(200);
  const changed = { password: keep("its next password", "its next password") };
  expect((await call("POST", "/managed/credentials/1/update", changed)).status).toBe(200);
  await call("GET", "/managed/credentials/sshkey");
  const opened = await showCredential(store, 1, new Secrets(() => secretKey), new Date());
  expect(opened).toEqual({ username: login.username, ...changed });
  const { privateKey } = await showSshKey(store, "admin", new Secrets(() => secretKey));
  for (const line of privateKey.split("\n").slice(1, -2)) keep(`the SSH key: ${line}`, line);
  await call("POST", "/support/tickets", { summary: "Help", description: "A text to find." });
  await call("POST", "/support/tickets/1/replies", { description: "It works." });
  await call("GET", "/domains", undefined, { as: keep("an invented token", "f".repeat(64)) });

  const folder = dirname(place);
  const read = () => readdirSync(folder).map((file) => readFileSync(join(folder, file), "latin1"));
  const texts = [...read(), JSON.stringify(logged)];
  await store.close();
  texts.push(...read());
  const found = [...secrets].filter(([, secret]) => texts.some((text) => text.includes(secret)));
  expect(found).toEqual([]);
  // The search finds what is stored, and what is logged.
  expect(texts.some((text) => text.includes("A text to find."))).toBe(true);
  expect(logged.length).toBeGreaterThan(10);
});
