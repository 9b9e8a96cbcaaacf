import { expect, test } from "vitest";
import { noon, start } from "./start.ts";

test("an account says who it is, the same to each of its users and another to others", async () => {
  const { call, mint } = await start();
  const { status, body } = await call("GET", "/account");
  expect({ status, body: { ...body, euuid: "" } }).toEqual({
    status: 200,
    body: { active_since: noon, company: "admin", euuid: "" },
  });
  expect(body.euuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const colleague = await mint({ username: "colleague", account: "admin" });
  expect((await call("GET", "/account", undefined, { as: colleague })).body.euuid).toBe(body.euuid);
  const other = await mint({ username: "other" });
  expect((await call("GET", "/account", undefined, { as: other })).body.euuid).not.toBe(body.euuid);
});

test("it asks for its own scope", async () => {
  const { call, mint } = await start();
  const as = await mint({ scopes: "domains:read_write" });
  expect((await call("GET", "/account", undefined, { as })).status).toBe(401);
});
