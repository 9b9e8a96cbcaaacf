import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiDesk } from "../cli/run.ts";
import { run } from "../clients/run.ts";
import { Repository, Workplace } from "./checkout.ts";
import { root } from "./workflow-files.ts";

/** The commands of docs/ci.md for services without files of their own. */
const [, section = ""] = readFileSync(join(root, "docs/ci.md"), "utf8").split(/^## Other services$/m);
const [onPull = "", onMain = "", onSchedule = ""] = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, script = ""]) => script,
);

const zone = (...records: string[]) =>
  `soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords:\n${records.map((record) => `  ${record}\n`).join("")}`;
const [www, api] = ["www: { A: 192.0.2.1 }", "api: { A: 192.0.2.2 }"];

/** A repository, and a job in it: a shell that stops at the first command that fails. */
async function createJobs() {
  const desk = await apiDesk();
  const place = new Workplace();
  const origin = Repository.createBare(join(place.folder, "zones.git"));
  const checkout = Repository.clone(origin.folder, join(place.folder, "zones"));
  const env = { HOME: place.folder, PATH: place.path, CI: "true", ZONEWRIGHT_API_URL: desk.url };
  const job = (script: string) =>
    run(["sh", "-ec", script], { cwd: checkout.folder, env: { ...env, ZONEWRIGHT_TOKEN: desk.token } });
  checkout.commit("Begin", { ".gitignore": "zonewright-*\nplan.json\n", "zones/example.com.yaml": zone(www, api) });
  return { desk, origin, checkout, job };
}

test("the commands for other services plan, apply and publish", async () => {
  const { desk, origin, job } = await createJobs();
  expect((await job(onPull)).code).toBe(0);
  expect(desk.writes).toEqual([]);
  expect((await job(onMain)).code).toBe(0);
  expect(origin.refs("refs/zonewright")).toEqual(["refs/zonewright/snapshot"]);
  expect((await job(onPull)).code).toBe(0);
  expect((await job(onSchedule)).code).toBe(0);
  const [record] = (await desk.call("GET", "/domains/1/records")).data;
  await desk.call("PUT", `/domains/1/records/${record.id}`, { target: "192.0.2.66" });
  expect((await job(onSchedule)).code).toBe(2);
});

test("the commands for other services fail before the merge if a guard blocks a change", async () => {
  const { desk, checkout, job } = await createJobs();
  await job(onMain);
  desk.writes.length = 0;
  checkout.commit("Delete www", { "zones/example.com.yaml": zone(api) });
  for (const script of [onPull, onMain]) {
    const { code, out } = await job(script);
    expect(code).not.toBe(0);
    expect(out).toContain("blocked by G03");
  }
  expect(desk.writes).toEqual([]);
});
