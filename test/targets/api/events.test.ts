import { expect, test } from "vitest";
import { createClient } from "../../../src/client/client.ts";
import { asId } from "../../../src/dns/zone/desired-live.ts";
import { readEvents } from "../../../src/targets/api/events.ts";

test.each([
  ["admin", "admin"],
  ["", ""],
  // The hosted service's own changes have no user.
  [null, ""],
])("reads an event of the user %j", async (username, read) => {
  const event = {
    id: 7,
    action: "dns_record_create",
    created: "2026-03-04T12:00:00",
    entity: { label: "example.com", id: 1, type: "domain", url: "/v4/domains/1" },
    message: "A www.example.com",
    duration: null,
    percent_complete: null,
    rate: null,
    time_remaining: null,
    status: "notification",
    read: false,
    seen: false,
    secondary_entity: null,
    username,
  };
  const send = async () => Response.json({ data: [event], page: 1, pages: 1, results: 1 });
  const client = createClient({ baseUrl: "http://api", token: "token", send, retries: 0 });
  expect(await readEvents(client, { after: asId(0) })).toMatchObject({ isWhole: true, events: [{ username: read }] });
});
