import pMap from "p-map";
import { expect, test } from "vitest";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { addUser } from "../../src/server/operator/users.ts";
import { Browser, givePassword } from "../server/browser.ts";
import { folder, run, serve } from "./run.ts";

// `npm run judge:linodego`: not part of `npm test`.
const program = process.env.ZONEWRIGHT_LINODEGO ?? "";
if (program === "")
  throw new Error("Set ZONEWRIGHT_LINODEGO to the program of linodego's integration tests (docs/clients.md).");

/** linodego's integration tests of what the server has beside nodes; the others create users and tokens. */
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

/**
 * Its tests of nodes and of what is on them, with what each reports: the lack of keys that the documents do not name.
 * The others need what the server does not have (VPCs, VLANs' list, reserved and shared addresses, placement groups,
 * own images, clones of volumes, availability, more than eight devices), and one outlives its own time limit.
 */
const nodeTests: Readonly<Record<string, readonly string[]>> = {
  TestAccountEvents_List_smoke: [],
  TestEventPoller_InstancePower: [],
  TestEventPoller_Secondary: [],
  TestFirewallDevice_Delete: [],
  TestFirewallDevice_Get: ["expected exactly 1 firewall entity after device attach, got 0"],
  TestFirewallDevices_List_smoke: ["expected exactly 1 firewall entity on create response, got 0"],
  TestFirewallRules_Get_smoke: ["expected non-zero rules version, got 0", "expected non-empty rules fingerprint"],
  TestFirewall_Get: [],
  TestFirewall_Update: [],
  TestFirewalls_List_smoke: [],
  TestIPAddress_GetMissing: [],
  TestIPAddress_Instance_Delete: [],
  TestImage_GetMissing: [],
  TestImages_List_smoke: [],
  TestInstanceBackups_List: ["expected Backups.Available to be true, got false"],
  TestInstanceFirewalls_List: [],
  TestInstance_Clone: ["expected instance.HasUserData to be true, got false"],
  TestInstance_Config_Update: [],
  TestInstance_Configs_List: [],
  TestInstance_CreateUnderFirewall: [],
  TestInstance_Disk_Clone: [],
  TestInstance_Disk_ResetPassword: [],
  TestInstance_Disk_Resize: [],
  TestInstance_Disks_List: [],
  TestInstance_GetMonthlyTransfer: [],
  TestInstance_GetTransfer: [],
  TestInstance_Get_smoke: ["failed to get instance HostUUID"],
  TestInstance_Migrate: [],
  TestInstance_Rebuild: ["expected instance.HasUserData to be true, got false"],
  TestInstance_ResetPassword: [],
  TestInstance_Resize: [],
  TestInstance_Volumes_List: [],
  TestInstances_List_smoke: ["failed to get instance HostUUID"],
  TestTag_Create_create_smoke: [],
  TestType_GetFound: [],
  TestType_GetMissing: [],
  TestTypes_List: [],
  TestVolume_Create_smoke: [],
  TestVolume_Get: [],
  TestVolume_Resize: [],
  TestVolume_Update: [],
  TestVolume_WaitForLinodeID_nil: [],
  TestVolumes_List_smoke: [],
  TestWaitForResourceFree: [],
};

/** Regions and images by which its tests choose; what the capabilities stand for is not asked of the server. */
const catalog = {
  ...embeddedCatalog,
  extra_public_ipv4: 1,
  regions: embeddedCatalog.regions.map((region) => ({
    ...region,
    capabilities: [...region.capabilities, "Maintenance Policy", "Metadata"],
  })),
  images: [
    ...embeddedCatalog.images,
    { id: "node/alpine3.23", label: "Alpine 3.23", size: 300, filesystem: "ext4" as const, vendor: "Alpine" },
  ],
};

// Each asks every 15 seconds, so they run beside each other, each with a server of its own.
test("linodego's own integration tests of nodes, unmodified", async () => {
  const results = await pMap(
    Object.keys(nodeTests),
    async (name): Promise<[string, readonly string[]]> => {
      const api = await serve({ clock: () => new Date(), jobDriver: simulatedDriver(0.01), catalog });
      const env = { LINODE_URL: api.url, LINODE_API_VERSION: "v4", LINODE_TOKEN: api.token };
      const { out } = await run([program, "-test.v", "-test.run", `^${name}$`], { cwd: folder(), env });
      const reports = [...out.matchAll(/^ {4}\w+_test\.go:\d+: (.*)$/gm)].map(([, report = ""]) => report);
      expect(out).toContain(`--- ${reports.length === 0 ? "PASS" : "FAIL"}: ${name} `);
      return [name, reports];
    },
    { concurrency: 16 },
  );
  expect(Object.fromEntries(results)).toEqual(nodeTests);
}, 300_000);
