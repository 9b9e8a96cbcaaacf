// @suite long

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiDesk } from "../cli/run.ts";

/** The numbers of requests that docs/compare.md gives for zonewright; `npm run bench -- peers` measures all tools. */
test("docs/compare.md: the requests of zonewright", async () => {
  let [reads, writes] = [0, 0];
  const desk = await apiDesk({}, (server) => (request, connection) => {
    request.method === "GET" ? reads++ : writes++;
    return server(request, connection);
  });
  await desk.call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" });
  const rows: string[] = [];
  const measure = async (work: string, command: string, record: (n: number) => string) => {
    const records = Array.from({ length: 200 }, (_, n) => `  h${n}: { ${record(n)} }\n`).join("");
    desk.write("zones/example.com.yaml", `soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords:\n${records}`);
    [reads, writes] = [0, 0];
    expect((await desk.run(command)).code).toBe(0);
    rows.push(`| ${work} | ${reads + writes} (${writes})`);
  };
  const apply = "apply --yes --allow G13,G14";
  await measure("create 200 records", apply, (n) => `A: 192.0.2.${n + 1}`);
  await measure("plan when nothing changed", "plan", (n) => `A: 192.0.2.${n + 1}`);
  await measure("change 200 addresses", apply, (n) => `A: 198.51.100.${n + 1}`);
  const swap = (n: number) => (n < 10 ? "CNAME: web.example.net." : `A: 198.51.100.${n + 1}`);
  await measure("change 10 names from A to CNAME", apply, swap);

  const page = readFileSync(new URL("../../docs/compare.md", import.meta.url), "utf8");
  expect(page.match(/^\| [^|]+ \| \d+ \(\d+\)(?= \|)/gm)).toEqual(rows);
});
