import { expect, test } from "vitest";
import { announcedLimit, createClient, readingClient } from "../../src/client/client.ts";
import { fakeSend } from "./fake-send.ts";

test("a client that reads has the methods of GET and no other, and knows the announced rate limit", async () => {
  const reply = () =>
    new Response('{"data": [], "page": 1, "pages": 1, "results": 0}', {
      headers: { "Content-Type": "application/json", "X-RateLimit-Limit": "800" },
    });
  const client = readingClient(createClient({ baseUrl: "http://api", token: "t", send: fakeSend(reply).send }));
  expect(Object.keys(client)).toEqual([
    "getAccount",
    "listNotifications",
    "listDomains",
    "getDomain",
    "listRecords",
    "getRecord",
    "getZoneFile",
    "listEvents",
    "getEvent",
    "listLogins",
    "getLogin",
    "listNodes",
    "getNode",
    "getNodeAddresses",
    "getNodeAddress",
    "listAddresses",
    "getAddress",
    "getNodeStats",
    "getNodeMonthStats",
    "getNodeTransfer",
    "getNodeMonthTransfer",
    "listKernels",
    "getKernel",
    "listDisks",
    "getDisk",
    "listNodeConfigs",
    "getNodeConfig",
    "getBackups",
    "getBackup",
    "listNodeVolumes",
    "listVolumes",
    "getVolume",
    "listNodeFirewalls",
    "listFirewalls",
    "getFirewall",
    "getFirewallRules",
    "listFirewallDevices",
    "getFirewallDevice",
    "listOAuthClients",
    "getOAuthClient",
    "listRegions",
    "getRegion",
    "listTickets",
    "getTicket",
    "listTicketReplies",
    "listTags",
    "listTaggedObjects",
    "getProfile",
    "getGrants",
    "listTokens",
    "getToken",
    "listUsers",
    "getUser",
    "getAccountSettings",
    "listNodeTypes",
    "getNodeType",
    "listImages",
    "getImage",
  ]);
  await client.listDomains();
  expect(announcedLimit(client)).toBe(800);
});
