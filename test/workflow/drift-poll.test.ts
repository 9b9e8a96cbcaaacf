// @suite long

import { expect, test } from "vitest";
import { apiDesk } from "../cli/run.ts";

const zones = 1000;

test("an unchanged poll of 1,000 zones is one request; a change costs the list of zones and that zone", async () => {
  const requests: string[] = [];
  const desk = await apiDesk({}, (server) => (request, connection) => {
    const { pathname, search } = new URL(request.url);
    requests.push(`${request.method} ${pathname}${search}`);
    return server(request, connection);
  });
  for (let number = 1; number <= zones; number++) {
    const domain = `zone${number}.example`;
    await desk.call("POST", "/domains", { domain, type: "master", soa_email: "a@example.com" });
    desk.write(`zones/${domain}.yaml`, "soa_email: a@example.com\n");
  }
  expect((await desk.run("snapshot --out snapshot.json")).talk).toBe("1000 zones with 0 records in snapshot.json\n");
  const drift = async () => {
    requests.length = 0;
    const { out } = await desk.run("drift --snapshot snapshot.json");
    return { requests: [...requests], out: out.split("\n").slice(-3).join("\n") };
  };
  expect(await drift()).toEqual({
    requests: ["GET /v4/account/events?page=1&page_size=500"],
    out: "snapshot snapshot.json of 2026-03-04T12:00:00Z; 0 events since then, 0 zones read\nin sync: 1000 zones · 1 request\n",
  });
  await desk.call("POST", "/domains/700/records", { type: "A", name: "www", target: "192.0.2.1" });
  const changed = await drift();
  expect({ ...changed, requests: changed.requests.sort() }).toEqual({
    requests: [
      "GET /v4/account/events?page=1&page_size=500",
      "GET /v4/domains/700/records?page=1&page_size=500",
      "GET /v4/domains?page=1&page_size=500",
      "GET /v4/domains?page=2&page_size=500",
    ],
    out: '            by "admin" at 2026-03-04T12:00:00Z\ndrift: 1 addition outside git in 1 of 1000 zones · 4 requests\n',
  });
}, 120_000);
