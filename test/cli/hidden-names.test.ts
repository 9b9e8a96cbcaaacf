import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitZones } from "./git.ts";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

const parent = lines`
  soa_email: hostmaster@example.com
  records:
    www: { A: 192.0.2.10 }
    a.sub: { A: 192.0.2.7 }
`;
const child = lines`
  soa_email: hostmaster@example.com
  records:
    b: { A: 192.0.2.1 }
`;
const blockedLine =
  "  blocked by G11 (hidden names): sub.example.com: hides a.sub.example.com of example.com: the new zone has no such records";

async function withParent(): Promise<ApiDesk> {
  const desk = await apiDesk({ "zones/example.com.yaml": parent, "zones/example.org.yaml": child });
  expect((await desk.run("apply --yes")).code).toBe(0);
  return desk;
}

/** The findings of G11, and the number of requests of the plan. */
function hiddenNames({ out }: { out: string }) {
  const [, reads] = /(\d+) reads?\b/.exec(out) ?? [];
  return { g11: out.split("\n").filter((line) => line.includes("G11 (")), reads };
}

test("activating a named zone hides names of the parent zone", async () => {
  const desk = await withParent();
  desk.write("zones/sub.example.com.yaml", child);
  expect(hiddenNames(await desk.run("plan sub.example.com"))).toEqual({ g11: [blockedLine], reads: "2" });
  expect((await desk.run("apply sub.example.com --yes")).code).toBe(3);
  expect((await desk.run("plan sub.example.com --out plan.json --allow G11")).code).toBe(0);
  expect(hiddenNames(await desk.run("apply plan.json --yes")).g11).toEqual([
    blockedLine.replace("blocked by G11 (hidden names)", "G11 (hidden names) approved with --allow"),
  ]);
});

test("also checks a parent zone that no file describes", async () => {
  const desk = await withParent();
  desk.write("zones/sub.example.com.yaml", child);
  expect((await desk.run("plan sub.example.com zones/example.org.yaml")).out).toContain(blockedLine);
  desk.write("only/sub.example.com.yaml", child);
  expect(hiddenNames(await desk.run("plan --zones only"))).toEqual({ g11: [blockedLine], reads: "2" });
});

test("zones with changes in their files hide names of the parent zone", async () => {
  const desk = await withParent();
  const git = commitZones(desk.folder);
  desk.write("zones/sub.example.com.yaml", child);
  git("add", "zones");
  expect(hiddenNames(await desk.run("plan --since HEAD"))).toEqual({ g11: [blockedLine], reads: "2" });
});

test("reads the parent zone only if a zone starts or stops being served", async () => {
  const desk = await withParent();
  desk.write("zones/sub.example.com.yaml", child);
  expect((await desk.run("apply --yes --allow G11")).code).toBe(0);
  desk.write("zones/sub.example.com.yaml", child.replace("192.0.2.1", "192.0.2.2"));
  expect(hiddenNames(await desk.run("plan sub.example.com"))).toEqual({ g11: [], reads: "2" });
});

test("undo that activates a zone hides names of the parent zone", async () => {
  const desk = await withParent();
  desk.write("zones/sub.example.com.yaml", child);
  expect((await desk.run("apply --yes --allow G11")).code).toBe(0);
  desk.write("zones/sub.example.com.yaml", child.replace("records:", "status: disabled\nrecords:"));
  desk.waited += 1_000; // runs of one second have no order
  expect((await desk.run("apply sub.example.com --yes --allow G06,G11")).code).toBe(0);
  const last = readdirSync(join(desk.folder, ".zonewright/runs")).sort().at(-1);
  desk.waited += 1_000;
  const { code, out } = await desk.run(`undo ${last} --yes`);
  expect({ code, ...hiddenNames({ out }) }).toEqual({ code: 3, g11: [blockedLine], reads: "3" });
});
