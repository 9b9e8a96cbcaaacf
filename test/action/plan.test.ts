import { expect, test } from "vitest";
import { apiDesk, lines } from "../cli/run.ts";
import { runStep } from "./step.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  records:
    www: { A: 192.0.2.1 }
    mail: { A: 192.0.2.25 }
`;

test("plan shows effects at their lines, in the summary and as outputs, and writes a plan file", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  const step = await runStep(desk, { command: "plan", token: desk.token, "api-url": desk.url });
  expect(step.outputs).toEqual({
    result: "changes",
    "legacy-result": "changes",
    "effect-digest": expect.stringMatching(/^[0-9a-f]{64}$/),
    "artifact-name": `zonewright-plan-${step.outputs["effect-digest"]?.slice(0, 16)}`,
    "plan-path": "/runner/temp/zonewright/plan.json",
    creates: "3",
    changes: "0",
    deletes: "0",
    zones: "1",
    "needs-approval": "false",
    "report-path": "",
    "undo-id": "",
  });
  expect(step.code).toBe(0);
  expect(step.annotations).toEqual([
    "notice zones/example.com.yaml:1 creates the zone example.com: create example.com (zone) master; soa_email hostmaster@example.com · disabled until its records are written",
    "notice zones/example.com.yaml:3 creates 1 record: create www.example.com A 86400 192.0.2.1",
    "notice zones/example.com.yaml:4 creates 1 record: create mail.example.com A 86400 192.0.2.25",
  ]);
  expect(step.summary).toContain("### Plan of zones: 3 changes in 1 of 1 zone\n");
  expect(desk.writes).toEqual([]);
});
