import { describe, expect, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import { digestJson } from "../../src/planner/changes/digests.ts";
import type { GuardId } from "../../src/planner/risk/guard.ts";
import { type ContinuedRun, wasApproved } from "../../src/workflow/plan/continuation.ts";
import { domainName } from "../names.ts";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

/** Thresholds that three changes exceed, in their zone and in the run. */
const config = lines`
  guards:
    zone_deletes_least: 1
    run_deletes: 1
`;
const before = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    a: { A: 192.0.2.1 }
    b: { A: 192.0.2.2 }
    c: { A: 192.0.2.3 }
    d: { A: 192.0.2.4 }
`;

async function changed(after: string): Promise<ApiDesk> {
  const desk = await apiDesk({ "zones/example.com.yaml": before, "zonewright.yaml": config });
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.write("zones/example.com.yaml", after);
  return desk;
}

/** The state of each block in a plan: of the run, then of the zone. */
async function states(desk: ApiDesk, flags = ""): Promise<string[]> {
  const { out } = await desk.run(`plan ${flags}`);
  return out.split("\n").flatMap((line) => {
    const [, mark] = /^ *(blocked by G\d\d|G\d\d \(.*?\) approved .*?:)/.exec(line) ?? [];
    const scope = line.includes("this run") ? "run" : "zone";
    return mark === undefined ? [] : [`${scope}: ${mark.replace(/ \(.*?\)|:$/g, "")}`];
  });
}

function digests(out: string): string[] {
  return [...out.matchAll(/effects: "(\w+)"/g)].map(([, digest = ""]) => digest);
}

describe.each([
  { guard: "G01", former: "G02", after: before.replace(/ {2}[abc]: .*\n/g, "") },
  { guard: "G13", former: "G14", after: before.replaceAll(/([abc]): \{ A: 192.0.2/g, "$1: { A: 198.51.100") },
])("$former, which is $guard in the run as a whole", ({ guard, former, after }) => {
  const blocked = [`zone: blocked by ${guard}`, `run: blocked by ${guard}`];

  test("approves on the command line what is blocked in the run, and nothing in the zone", async () => {
    const desk = await changed(after);
    expect(await states(desk)).toEqual(blocked);
    for (const word of [former, former.toLowerCase()])
      expect(await states(desk, `--allow ${word}`)).toEqual([blocked[0], `run: ${guard} approved with --allow`]);
    expect(await states(desk, `--allow ${guard}`)).toEqual([
      `zone: ${guard} approved with --allow`,
      `run: ${guard} approved with --allow`,
    ]);
    expect((await desk.run(`apply --yes --allow ${former}`)).code).toBe(3);
    expect((await desk.run(`apply --yes --allow ${guard}`)).code).toBe(0);
  });

  test("approves in acks.yaml what is blocked in the run, and in no zone", async () => {
    const desk = await changed(after);
    const [ofZone, ofRun] = digests((await desk.run("plan")).out);
    const ack = (id: string, zone: string, effects = "") =>
      `- { guard: ${id}, zone: "${zone}", effects: "${effects}", reason: it moves, until: 2026-04-01 }\n`;
    const approved = (scope: string) => `${scope}: ${guard} approved in acks.yaml`;
    desk.write("acks.yaml", ack(former, "*", ofRun));
    expect(await states(desk)).toEqual([blocked[0], approved("run")]);
    desk.write("acks.yaml", ack(former, "example.com", ofZone));
    expect(await states(desk)).toEqual(blocked);
    expect((await desk.run("plan")).out).toContain(
      `the acknowledgement of ${former} in example.com matches no blocked change of this plan`,
    );
    desk.write("acks.yaml", ack(guard, "*", ofRun) + ack(guard, "example.com", ofZone));
    expect(await states(desk)).toEqual([approved("zone"), approved("run")]);
  });

  test("is approved by a plan file that was made when it was a guard", async () => {
    const desk = await changed(after);
    await desk.run(`plan --out plan.json --allow ${guard}`);
    const { planDigest: _, ...plan } = JSON.parse(desk.read("plan.json"));
    for (const block of plan.guards) if (block.zone === "*") block.guard = former;
    desk.write("plan.json", JSON.stringify({ ...plan, planDigest: digestJson(plan) }));
    expect(await desk.run("apply plan.json --yes")).toMatchObject({ code: 0 });
  });

  test("is approved by the journal of a run that began when it was a guard", () => {
    const effects = "a".repeat(64);
    const earlier = { guards: [{ guard: former, zone: "*", effects }] } as unknown as ContinuedRun;
    const block = { guard: guard as GuardId, findings: [], effectDigest: effects };
    expect(wasApproved(earlier, { ...block, zone: "*" })).toBe(true);
    expect(wasApproved(earlier, { ...block, zone: nameKey(domainName("example.com.")) })).toBe(false);
    expect(wasApproved(earlier, { ...block, zone: "*", effectDigest: "b".repeat(64) })).toBe(false);
  });
});
