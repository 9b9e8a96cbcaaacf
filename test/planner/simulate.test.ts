import { expect, test } from "vitest";
import type { Step } from "../../src/planner/change.ts";
import { simulate } from "../../src/planner/simulate.ts";
import { type Page, planned, worldOf } from "./page.ts";

/** The faults of a plan whose steps are played in another order, given by their ids, without what they need of each other. */
function faultsOf(current: Page["current"], desired: Page["current"], ids: readonly number[]): string[] {
  const world = worldOf(current, desired);
  const plan = planned(world);
  const zones = plan.zones.map((zone) => ({ ...zone, turn: { needs: [] }, steps: zone.steps.map(free) }));
  const plays = zones.map((zone) => ({ plan: zone, live: world.live.get(zone.zone.name) }));
  const steps = new Map(zones.flatMap((zone) => zone.steps.map((step) => [step.id, step] as const)));
  const order = ids.map((id) => steps.get(id)).filter((step) => step !== undefined);
  return simulate(
    plays,
    world.desired.map(({ name }) => name),
    order,
  );
}

function free({ needsZones: _, ...step }: Step): Step {
  return { ...step, needs: [] };
}

test.each<[string, Page["current"], Page["current"], number[], string[]]>([
  ["a name goes dark", "www A 192.0.2.1", "www TXT word", [2, 1], ["step 2: www.example.com. does not exist"]],
  [
    "a name loses its addresses",
    "www A 192.0.2.1\nwww TXT word",
    "www AAAA 2001:db8::1\nwww TXT word",
    [2, 1],
    ["step 2: www.example.com. has no address"],
  ],
  [
    "a pointer before its target",
    "",
    "@ MX 10 mail\nmail A 192.0.2.1",
    [2, 1],
    ["step 2: example.com. MX leads to mail.example.com., which is not there"],
  ],
  [
    "a mail host without its address",
    "mail TXT word",
    "mail TXT word\n@ MX 10 mail\nmail A 192.0.2.1",
    [2, 1],
    ["step 2: example.com. MX leads to mail.example.com., which is not there"],
  ],
  [
    "a target before its pointer",
    "host A 192.0.2.1\nwww CNAME host",
    "",
    [2, 1],
    ["step 2: www.example.com. CNAME leads to host.example.com., which is not there"],
  ],
  [
    "a delegation before its glue",
    "",
    "lab NS ns1.lab\nns1.lab A 192.0.2.1",
    [2, 1],
    ["step 2: lab.example.com. NS leads to ns1.lab.example.com., which is not there"],
  ],
  [
    "glue that changes its family is gone in between",
    "lab NS ns1.lab\nns1.lab A 192.0.2.1",
    "lab NS ns1.lab\nns1.lab AAAA 2001:db8::1",
    [2, 1],
    ["step 2: ns1.lab.example.com. has no address of its own"],
  ],
  [
    "aliases in a circle",
    "a CNAME b\nb CNAME host\nhost A 192.0.2.1",
    "a CNAME host\nb CNAME a\nhost A 192.0.2.1",
    [2, 1],
    ["step 2: b.example.com. is an alias of itself"],
  ],
  [
    "a wildcard before the names that leave it",
    "* A 192.0.2.9",
    "app A 192.0.2.9",
    [2, 1],
    ["step 2: app.example.com. does not exist"],
  ],
  [
    "a text hides the wildcard",
    "* A 192.0.2.9",
    "* A 192.0.2.9\napp A 192.0.2.9\napp TXT word",
    [2, 1],
    ["step 2: app.example.com. has no address"],
  ],
  [
    "a name below hides the wildcard",
    "* A 192.0.2.9",
    "* A 192.0.2.9\napp A 192.0.2.9\n_dmarc.app TXT word",
    [2, 1],
    ["step 2: app.example.com. does not exist"],
  ],
  [
    "across zones: a pointer before its target",
    { "example.com": "@ A 192.0.2.1", "example.net": "@ A 192.0.2.1" },
    { "example.com": "@ A 192.0.2.1\nwww CNAME a.example.net.", "example.net": "@ A 192.0.2.1\na A 192.0.2.1" },
    [2, 1],
    ["step 2: www.example.com. CNAME leads to a.example.net., which is not there"],
  ],
  [
    "a zone is served before what it takes over is ready for it",
    { "example.com": "app.lab A 192.0.2.7\nwww CNAME app.lab" },
    { "example.com": "www CNAME app", "lab.example.com": "@ A 192.0.2.7" },
    [3, 1, 2],
    ["step 3: www.example.com. CNAME leads to app.lab.example.com., which is not there"],
  ],
  [
    "a zone is disabled before what leads into it is gone",
    { "example.com": "www CNAME host.lab", "lab.example.com": "host A 192.0.2.1" },
    { "example.com": "www A 192.0.2.1", "lab.example.com": "host A 192.0.2.1\n;@ status: disabled" },
    [1],
    ["www.example.com. CNAME leads to host.lab.example.com., which is not there"],
  ],
  [
    "a zone is disabled before what takes its place has come",
    { "example.com": "@ A 192.0.2.1", "lab.example.com": "host A 192.0.2.1" },
    {
      "example.com": "@ A 192.0.2.1\nhost.lab A 192.0.2.1",
      "lab.example.com": "host A 192.0.2.1\n;@ status: disabled",
    },
    [1],
    ["host.lab.example.com. does not exist"],
  ],
  [
    "a delegation to a zone that is not served yet",
    { "example.com": "app.lab A 192.0.2.7" },
    { "example.com": "lab NS ns.example.org.", "lab.example.com": "app A 192.0.2.7" },
    [2, 1, 3],
    ["step 2: lab.example.com. is delegated to a zone that is not served yet"],
  ],
  [
    "a step that is left out",
    "",
    "a A 192.0.2.1\na A 192.0.2.2",
    [1],
    ["at the end a.example.com. has 1 A records instead of 2"],
  ],
])("%s", (_, current, desired, order, faults) => {
  expect(faultsOf(current, desired, order)).toEqual(faults);
  const inOrder = order.toSorted((a, b) => a - b);
  if (order.length > 1) expect(faultsOf(current, desired, inOrder)).toEqual([]);
});

test("a step begins before what it needs is done", () => {
  const world = worldOf("", "@ MX 10 mail\nmail A 192.0.2.1");
  const plan = planned(world);
  const [first, second] = plan.zones[0]?.steps ?? [];
  if (!first || !second || !plan.zones[0]) throw new Error("two steps");
  expect(
    simulate([{ plan: plan.zones[0], live: world.live.get("example.com.") }], ["example.com."], [second, first]),
  ).toEqual(["step 2: step 1 is not done", "step 2: example.com. MX leads to mail.example.com., which is not there"]);
});

/** Plans that nobody makes: writes taken apart and put together by hand. */
test.each<[string, string, string, (steps: readonly Step[]) => Step[], string[]]>([
  [
    "an SPF text twice",
    '@ TXT "v=spf1 mx -all"',
    '@ TXT "v=spf1 -all"',
    ([step]) =>
      apart(step)
        .reverse()
        .map((one, index) => ({ ...one, id: index + 1 })),
    ["step 1: example.com. has 2 texts v=spf1"],
  ],
  [
    "no SPF text, and no text",
    '@ TXT "v=spf1 mx -all"\n@ A 192.0.2.1',
    '@ TXT "v=spf1 -all"\n@ A 192.0.2.1',
    ([step]) => apart(step),
    ["step 1: example.com. has no TXT record", "step 1: example.com. has no text v=spf1"],
  ],
  [
    "a set is deleted first and created later",
    "www A 192.0.2.1",
    "www A 192.0.2.2",
    ([step]) => apart(step),
    ["step 1: www.example.com. has no A record", "step 1: www.example.com. does not exist"],
  ],
  [
    "a swap whose parts come in the wrong order",
    "www CNAME host.example.net.",
    "www A 192.0.2.1",
    ([step]) => (step ? [{ ...step, writes: [...step.writes].reverse() }] : []),
    ["step 1: www.example.com. has a CNAME beside others"],
  ],
  [
    "a null MX beside another",
    "@ MX 0 .",
    "@ MX 10 a.example.net.\n@ MX 20 b.example.net.",
    ([step]) => (step ? [{ ...step, writes: [...step.writes].reverse() }] : []),
    ["step 1: example.com. has a null MX beside others"],
  ],
  [
    "a swap that is taken apart",
    "www CNAME host.example.net.",
    "www A 192.0.2.1",
    ([step]) =>
      step ? step.writes.map((change, index) => ({ ...step, id: index + 1, kind: "write", writes: [change] })) : [],
    ["step 1: www.example.com. does not exist"],
  ],
])("%s", (_, current, desired, change, faults) => {
  const world = worldOf(current, desired);
  const [zone] = planned(world).zones;
  if (!zone) throw new Error("a zone");
  const plan = { ...zone, steps: change(zone.steps) };
  expect(simulate([{ plan, live: world.live.get("example.com.") }], ["example.com."])).toEqual(faults);
});

/** A change in place as a delete and a create. */
function apart(step: Step | undefined): Step[] {
  const [change] = step?.writes ?? [];
  if (!step || change?.kind !== "update") throw new Error("a change in place");
  return [
    { ...step, id: 1, writes: [{ kind: "delete", before: change.before }] },
    { ...step, id: 2, writes: [{ kind: "create", after: change.after }] },
  ];
}
