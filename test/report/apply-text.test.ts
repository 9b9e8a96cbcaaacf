import { expect, test } from "vitest";
import { ProblemError, problem } from "../../src/diagnostics/problem.ts";
import { root } from "../../src/dns/name/name.ts";
import type { RdataByType } from "../../src/dns/types/index.ts";
import { asId } from "../../src/dns/zone/desired-live.ts";
import type { ApplyEvent } from "../../src/executor/journal/event.ts";
import { planZone } from "../../src/planner/plan.ts";
import { applyText } from "../../src/report/apply/apply-text.ts";
import { domainName } from "../names.ts";
import { desiredOf, liveOf } from "../planner/world.ts";

const zone = domainName("example.com.");
const left = planZone(desiredOf("a A 192.0.2.1"), liveOf("a A 192.0.2.2"), {});
const lowered = planZone(
  desiredOf("a 3600 A 192.0.2.1\nb 3600 A 192.0.2.1"),
  liveOf("a 300 A 192.0.2.1\nb 300 A 192.0.2.1"),
  {},
);
const change = left.steps[0]?.writes[0] ?? { kind: "create", after: { owner: root, type: "A", ttl: 0, data: {} } };
const refusal = new ProblemError([
  problem("glue", "No \u001b[2J", { fix: "Ask again." }),
  problem("restore-failed", "a A 192.0.2.1 could not be put back: No", { fix: "Run apply again." }),
]);

test.each<[ApplyEvent, string, string]>([
  [{ kind: "zone-begun", zone, writes: 1 }, "example.com: 1 write\n", ""],
  [{ kind: "zone-created", zone, domainId: asId(7) }, "", "  example.com: created as domain 7\n"],
  [{ kind: "record-written", zone, change }, "", "  example.com: changed a A 192.0.2.2 to 192.0.2.1\n"],
  [{ kind: "settings-written", zone, names: ["tags", "type"] }, "", "  example.com: set tags, type\n"],
  [{ kind: "record-undone", zone, change }, "  reverted example.com: changed a A 192.0.2.2 to 192.0.2.1\n", ""],
  [
    {
      kind: "duplicate-removed",
      zone,
      record: {
        id: asId(8),
        owner: domainName(`a.${zone}`),
        type: "A",
        ttl: undefined,
        data: { address: "192.0.2.1" } satisfies RdataByType["A"],
      },
      kept: asId(7),
    },
    "  removed duplicate example.com: a A 192.0.2.1 (record 8); someone else created record 7 with the same value\n",
    "",
  ],
  [{ kind: "zone-done", zone, left: undefined }, "example.com: done\n", ""],
  [{ kind: "zone-done", zone, left }, "example.com: differs from the plan when read back\n", ""],
  [
    { kind: "zone-done", zone, left: lowered, loweredBy: "a limit" },
    "example.com: differs from the plan when read back: the TTL of a A is 300 instead of 3600, and of 1 other record as well\n",
    "",
  ],
  [{ kind: "zone-stopped", zone, written: 1, writes: 3 }, "example.com: interrupted after 1 of 3 writes\n", ""],
  [
    { kind: "zone-failed", zone, written: 1, writes: 3, error: refusal },
    "example.com: failed after 1 of 3 writes: No \\x1b[2J. Ask again.\n  a A 192.0.2.1 could not be put back: No. Run apply again.\n",
    "",
  ],
])("$kind", (event, always, verbose) => {
  const style = { color: false, unicode: true };
  expect(applyText(event, style, "usual")).toBe(always);
  expect(applyText(event, style, "verbose")).toBe(always || verbose);
});
