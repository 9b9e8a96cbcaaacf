import { expect, test } from "vitest";
import { addUser } from "../../src/server/operator/users.ts";
import { Browser, givePassword } from "../server/browser.ts";
import { folder, run, serve } from "./run.ts";

// `npm run judge:linodego`: not part of `npm test`.
const program = process.env.ZONEWRIGHT_LINODEGO ?? "";
if (program === "")
  throw new Error("Set ZONEWRIGHT_LINODEGO to the program of linodego's integration tests (docs/clients.md).");

/** linodego's integration tests of what the server has; the others need nodes, or create users and tokens. */
const names = [
  "TestAccountLogins_List",
  "TestAccountNotifications_List",
  "TestAccount_Get",
  "TestDomainRecord_Create_smoke",
  "TestDomainRecord_Get",
  "TestDomainRecord_Update",
  "TestDomainRecords_List",
  "TestDomainRecords_ListMultiplePages",
  "TestDomain_Clone_smoke",
  "TestDomain_Create_smoke",
  "TestDomain_Get",
  "TestDomain_Update",
  "TestDomain_ZoneFile_Get",
  "TestDomains_List_smoke",
  "TestOAuthClient_GetFound",
  "TestOAuthClient_GetMissing",
  "TestOAuthClients_List",
  "TestOAuthClients_Reset",
  "TestProfile_Get_smoke",
  "TestRegions_List",
  "TestTag_ListTaggedObjects_Missing",
  "TestToken_GetMissing",
  "TestUser_GetMissing",
];

test("linodego's own integration tests, unmodified", async () => {
  const api = await serve();
  await api.call("PUT", "/account", { email: "admin@example.com" });
  await givePassword(api.store, "admin", "correct horse battery");
  await new Browser(api.server).signIn("/sign-in", "admin", "correct horse battery");
  const user = { username: "gopher", account: "admin", email: "gopher@example.com" };
  await addUser(api.store, { ...user, now: api.clock.now });
  const token = await api.mint({ username: user.username });
  const env = { LINODE_URL: api.url, LINODE_API_VERSION: "v4", LINODE_TOKEN: token };
  const { code, out } = await run([program, "-test.v", "-test.run", `^(${names.join("|")})$`], { cwd: folder(), env });
  const results = [...out.matchAll(/^--- (\w+): (\w+)/gm)].map(([, result, name]) => `${result} ${name}`);
  expect({ code, results: results.sort() }).toEqual({ code: 0, results: names.map((name) => `PASS ${name}`) });
});
