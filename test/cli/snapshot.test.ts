import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commitZones } from "./git.ts";
import { apiDesk, Desk, lines } from "./run.ts";

const zone = "soa_email: hostmaster@example.com\nrecords:\n  www: { A: 192.0.2.1 }\n";

async function applied(files: Record<string, string> = { "zones/example.com.yaml": zone }) {
  const desk = await apiDesk(files);
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.writes.length = 0;
  return desk;
}

/** A plan for which the API was asked nothing, so that its rate limit is not known either. */
function unread<T extends { out: string }>(result: T): T {
  return { ...result, out: result.out.replace(/\d+ reads/, "0 reads").replace(" (no rate limit)", "") };
}

describe("snapshot", () => {
  test("writes live zones to a file that plan compares without token or network", async () => {
    const desk = await applied();
    expect(await desk.run("snapshot --out live.json")).toEqual({
      code: 0,
      out: "",
      talk: "1 zone with 1 record in live.json\n",
    });
    expect((await desk.run("snapshot")).out).toBe(desk.read("live.json").replaceAll(desk.url, "http://api"));
    const offline = { env: { ZONEWRIGHT_TOKEN: "", ZONEWRIGHT_API_URL: "http://127.0.0.1:1" } };
    expect(await desk.run("plan --against live.json", offline)).toEqual(unread(await desk.run("plan")));
    desk.write("zones/example.com.yaml", zone.replace("192.0.2.1", "192.0.2.2"));
    expect(await desk.run("plan --against live.json", offline)).toEqual(unread(await desk.run("plan")));
    expect(desk.writes).toEqual([]);
  });

  test("a plan file made from a snapshot is applied", async () => {
    const desk = await applied();
    await desk.run("snapshot --out live.json");
    desk.write("zones/example.com.yaml", zone.replace("192.0.2.1", "192.0.2.2"));
    const offline = { env: { ZONEWRIGHT_TOKEN: "" } };
    expect((await desk.run("plan --against live.json --out plan.json", offline)).code).toBe(0);
    expect((await desk.run("apply plan.json --yes")).code).toBe(0);
    expect(desk.writes).toEqual(["PUT /v4/domains/1/records/1"]);
  });

  test.each([
    ["", "it is not valid JSON and may be truncated"],
    ["{}", "format: must be zonewright.snapshot/1 or zonewright.snapshot/2"],
    ['{"format":"zonewright.snapshot/1"}', "time: Invalid input: expected string, received undefined"],
  ])("rejects %j", async (text, why) => {
    const desk = new Desk({ "zones/example.com.yaml": zone, "live.json": text });
    expect(await desk.run("plan --against live.json")).toEqual({
      code: 3,
      out: "",
      talk: `error[snapshot-read] live.json is not a valid snapshot: ${why}\n  Create a new one with \`zonewright snapshot --out FILE\`.\n`,
    });
  });
});

describe("plan --since", () => {
  const files = {
    "zones/example.com.yaml": zone,
    "zones/example.net.zone":
      "$TTL 1h\n@ SOA ns1.example.net. hostmaster.example.net. 1 4h 1h 2w 1h\n$INCLUDE hosts.inc\n",
    "zones/hosts.inc": "www A 192.0.2.1\n",
    "zones/example.org.yaml": zone,
    "zonewright.yaml": "rules: { file-skipped: note }\n",
  };

  async function repository() {
    const { "zonewright.yaml": _, ...zones } = files;
    const desk = await applied(zones);
    commitZones(desk.folder);
    return desk;
  }

  async function since(change: (desk: Awaited<ReturnType<typeof repository>>) => void) {
    const desk = await repository();
    change(desk);
    const { code, out, talk } = await desk.run("plan --since HEAD");
    const zones = [...out.matchAll(/^(\S+) {2,}[+~-]/gm)].map(([, name]) => name);
    return {
      code,
      zones,
      last: /^(?:plan|in sync): .*?(?= · |$)/m.exec(out)?.[0],
      talk: talk.replace(/\([0-9a-f]{12}\)/, "(COMMIT)"),
    };
  }

  const some = (count: string) => `since HEAD (COMMIT): ${count}; zones with changed files\n`;

  test("plans nothing without changes", async () => {
    expect(await since(() => {})).toEqual({
      code: 0,
      zones: [],
      last: "in sync: 0 zones, nothing to do",
      talk: some("0 of 3 zones"),
    });
  });

  test("plans a zone whose file or included file changed", async () => {
    expect(
      await since((desk) => {
        desk.write("zones/example.com.yaml", zone.replace("www", "web"));
        desk.write("zones/hosts.inc", "www A 192.0.2.2\n");
      }),
    ).toEqual({
      code: 0,
      zones: ["example.com", "example.net"],
      last: "plan: 3 changes in 2 of 2 zones",
      talk: some("2 of 3 zones"),
    });
  });

  test("plans an untracked file", async () => {
    expect(await since((desk) => desk.write("zones/example.info.yaml", zone))).toEqual({
      code: 0,
      zones: ["example.info"],
      last: "plan: 2 changes in 1 of 1 zone",
      talk: some("1 of 4 zones"),
    });
  });

  test("keeps the zone of a deleted file", async () => {
    expect(await since((desk) => rmSync(join(desk.folder, "zones/example.org.yaml")))).toEqual({
      code: 0,
      zones: [],
      last: "in sync: 0 zones, nothing to do",
      talk: `zones/example.org.yaml was deleted since HEAD: this change orphans its zone, which is left alone\n${some("0 of 2 zones")}`,
    });
  });

  test("plans zones that a config change affects", async () => {
    const comment = await since((desk) => desk.write("zonewright.yaml", "# ours\n"));
    expect(comment.talk).toBe(some("0 of 3 zones"));
    expect(await since((desk) => desk.write("zonewright.yaml", "defaults: { tags: [shop] }\n"))).toEqual({
      code: 0,
      zones: ["example.com", "example.net", "example.org"],
      last: "plan: 3 changes in 3 of 3 zones",
      talk: "since HEAD (COMMIT): 3 of 3 zones; zonewright.yaml changed: all zones\n",
    });
  });

  test.each(["nowhere", "--output=x", "HEAD~1"])("reports that git does not know %s", async (revision) => {
    const desk = await repository();
    expect(await desk.run(`plan --since=${revision}`)).toEqual({
      code: 3,
      out: "",
      talk: lines`
        error[git-revision] git has no revision "${revision}" here
          Name an existing commit, branch or tag. In CI, fetch the history first (fetch-depth: 0).
      `,
    });
  });

  test("reports a folder outside of a work tree", async () => {
    expect(await (await applied()).run("plan --since HEAD")).toEqual({
      code: 3,
      out: "",
      talk: lines`
        error[git-missing] --since needs git, but this folder is not in a git work tree
          Run the command in a clone of the zones' repository, or leave out --since.
      `,
    });
  });
});
