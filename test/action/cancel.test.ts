import type { ChildProcess } from "node:child_process";
import { expect, test } from "vitest";
import { apiDesk } from "../cli/run.ts";
import { runBundle, useBundle } from "./step.ts";

useBundle();

const names = ["a", "b", "c", "d"];
const zone = `soa_email: hostmaster@example.com\nrecords:\n${names.map((name) => `  ${name}: { A: 192.0.2.1 }\n`).join("")}`;

/** Something that happens once, and can be waited for. */
function moment(): { happened: Promise<void>; happen: () => void } {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}

/** Resolves when the process has written the text. */
function saysOf({ stdout }: ChildProcess, text: string): Promise<void> {
  const said = moment();
  let all = "";
  stdout?.on("data", (part: string) => {
    all += part;
    if (all.includes(text)) said.happen();
  });
  return said.happened;
}

test("a cancelled apply finishes the writes under way, starts no other, and tells its run", async () => {
  const arrived = moment();
  const released = moment();
  let writes = 0;
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, (server) => async (request, connection) => {
    if (request.method !== "GET" && ++writes === 2) {
      arrived.happen();
      await released.happened;
    }
    return server(request, connection);
  });
  const inputs = { command: "apply", token: desk.token, "api-url": desk.url };
  const step = await runBundle(desk, inputs, {
    // A runner sends SIGINT, then SIGTERM, then it kills the process.
    onStart: async (child) => {
      const isFinishing = saysOf(child, "finishing the writes under way");
      await arrived.happened;
      child.kill("SIGINT");
      await isFinishing;
      child.kill("SIGTERM");
      released.happen();
    },
  });
  const undo = step.outputs["undo-id"] ?? "";
  expect([step.code, step.outputs.result, undo]).toEqual([130, "interrupted", expect.stringMatching(/^\d{8}T/)]);
  expect(step.log).toMatch(/interrupted: 0 of 1 zone done\n/);
  expect(step.summary).toMatch(/^interrupted: 0 of 1 zone done\.\n\n### Plan of zones: /);
  const records = (await desk.call("GET", "/domains/1/records")).results;
  expect(desk.writes).toHaveLength(1 + records);

  const next = await runBundle(desk, inputs);
  expect([next.code, next.outputs.result]).toEqual([0, "applied"]);
  expect((await desk.call("GET", "/domains/1/records")).results).toBe(4);
});

test("a job that is cancelled before the first write says that nothing was written", async () => {
  const arrived = moment();
  const released = moment();
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, (server) => async (request, connection) => {
    arrived.happen();
    await released.happened;
    return server(request, connection);
  });
  const inputs = { command: "plan", token: desk.token, "api-url": desk.url };
  const step = await runBundle(desk, inputs, {
    onStart: async (child) => {
      await arrived.happened;
      child.kill("SIGINT");
    },
  });
  released.happen();
  expect([step.code, step.outputs.result]).toEqual([130, "interrupted"]);
  expect(step.log).toBe("interrupted: no further writes are sent\n");
});
