// @suite long

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampled, samples } from "../properties.ts";
import { useBundle, ZoneForge } from "./forge.ts";
import { runWorkflow } from "./runner.ts";
import { readWorkflow } from "./workflow-files.ts";

useBundle();

const file = "zones/example.com.yaml";
const zone = (records: string) => `soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords:\n${records}`;
const www = (address: string) => zone(`  www: { A: ${address} }\n`);
const readme = { "README.md": "# Our zones\n" };

/** A repository whose zone is applied. */
async function start(): Promise<ZoneForge> {
  const forge = await ZoneForge.create({ [file]: www("192.0.2.1") });
  forge.desk.write(file, www("192.0.2.1"));
  await forge.desk.run("apply --yes");
  forge.desk.writes.length = 0;
  return forge;
}

/** Runs the job `apply` for the tip of main: its result, or the first words of its errors. */
async function apply(forge: ZoneForge): Promise<string[]> {
  const { jobs, ...workflow } = readWorkflow("examples/github/apply.yml");
  const { publish: _, ...rest } = jobs;
  const ran = await runWorkflow(forge.forge, { ...workflow, jobs: rest }, forge.mainEvent("push"));
  const step = ran.apply?.steps.at(-1) ?? expect.fail("no step");
  const { result = "" } = step.outputs;
  expect(ran.apply?.result).toBe(["applied", "in-sync"].includes(result) ? "success" : "failure");
  const errors = [...step.log.matchAll(/^error\[(.*?)\]/gm)].map(([, id = ""]) => id);
  return [result, ...new Set(errors)];
}

async function plan(forge: ZoneForge, pull: ReturnType<ZoneForge["openPull"]>): Promise<string> {
  const ran = await forge.run("plan", forge.pullEvent(pull));
  return ran.plan?.steps[2]?.outputs.result ?? ran.plan?.result ?? "";
}

/**
 * The documented way back: a pull request, whatever it changes, that is planned, approved and merged. If a guard blocks
 * changes, the entries that the comment shows are added to it.
 */
async function goBack(forge: ZoneForge): Promise<string[]> {
  const pull = forge.openPull(`back-${forge.api.pulls.length}`, { "README.md": `# ${forge.api.pulls.length}\n` });
  if ((await plan(forge, pull)) === "blocked") {
    const [comment] = forge.api.commentsOf(pull);
    const entries = [...(comment?.body ?? "").matchAll(/`(- \{ guard: [^`]*\})`/g)].map(([, entry = ""]) => entry);
    forge.pushTo(pull, { "acks.yaml": `${entries.join("\n").replaceAll("reason: …", "reason: it is meant")}\n` });
    expect(await plan(forge, pull)).toBe("changes");
  }
  forge.approve(pull);
  forge.squash(pull);
  return apply(forge);
}

async function addressOf(forge: ZoneForge): Promise<string> {
  const { data } = await forge.desk.call("GET", "/domains/1/records");
  return data.map(({ target }: { target: string }) => target).join(" ");
}

type Step = (forge: ZoneForge) => unknown;

/** Reaches a state of `main`, the outcome of its apply, and that of the pull request that leads back. */
interface Row {
  readonly reach: Step;
  readonly outcome: readonly string[];
  /** The address of the zone after that. */
  readonly address: unknown;
  /** The zones of the account after that; by default the first one only. */
  readonly zones?: readonly string[];
  /** The outcome of the way back; without one, none is needed. */
  readonly back?: readonly string[];
  /** A step that replaces the documented pull request before the apply runs again. */
  readonly instead?: Step;
}

/** Opens, plans, approves and merges a pull request. */
const reviewed =
  (
    files: Readonly<Record<string, string>>,
    before?: (forge: ZoneForge, pull: ReturnType<ZoneForge["openPull"]>) => unknown,
  ): Step =>
  async (forge) => {
    const pull = forge.openPull("change", files);
    await plan(forge, pull);
    await before?.(forge, pull);
    forge.approve(pull);
    forge.squash(pull);
  };

/** Has the merge queue plan the commit that it is about to merge. */
async function planQueued(forge: ZoneForge, ...pulls: Parameters<ZoneForge["queueEvent"]>): Promise<string> {
  const comments = forge.api.comments.length;
  const event = forge.queueEvent(...pulls);
  // The queue waits for both, as the branch requires them.
  expect((await forge.run("check", event)).check?.result).toBe("success");
  const ran = await forge.run("plan", event);
  expect(forge.api.comments.length).toBe(comments);
  return ran.plan?.steps[2]?.outputs.result ?? ran.plan?.result ?? "";
}

/** Opens, plans and approves pull requests, and has the merge queue plan and merge them together. */
function queued(branches: Readonly<Record<string, Readonly<Record<string, string>>>>): Step {
  return async (forge) => {
    const pulls: ReturnType<ZoneForge["openPull"]>[] = [];
    for (const [branch, files] of Object.entries(branches)) {
      const pull = forge.openPull(branch, files);
      expect(await plan(forge, pull)).toBe("changes");
      forge.approve(pull);
      expect(await planQueued(forge, pull, pulls.at(-1))).toBe("changes");
      pulls.push(pull);
    }
    forge.mergeQueue(pulls);
  };
}

/** More creates than a comment has room for, with one by an attacker among them. */
const large = {
  "zonewright.yaml": "guards: { zone_creates_least: 2000, zone_creates_most: 2000 }\n",
  [file]: zone(
    `  www: { A: 192.0.2.1 }\n  shop: { CNAME: attacker.example. }\n${Array.from({ length: 1009 }, (_, index) => `  n${index}: { TXT: ${"x".repeat(60)}${index} }\n`).join("")}`,
  ),
};

/** The line of approval that the comment shows. */
function lineOf(forge: ZoneForge, pull: ReturnType<ZoneForge["openPull"]>): string {
  const [comment] = forge.api.commentsOf(pull);
  return /```text\n(.*)\n```/.exec(comment?.body ?? "")?.[1] ?? expect.fail("no line");
}

/** Edits the comment with the plan before the reviewer approves. */
const editedBefore =
  (change: (body: string) => string) => (forge: ZoneForge, pull: ReturnType<ZoneForge["openPull"]>) => {
    const [comment] = forge.api.commentsOf(pull);
    if (comment) forge.edit(comment, change(comment.body));
  };

/** Addresses of `lb`, beside www. */
const lb = (...addresses: readonly string[]) =>
  zone(`  www: { A: 192.0.2.1 }\n${addresses.length > 0 ? `  lb: { A: [${addresses.join(", ")}] }\n` : ""}`);

const names = (...labels: readonly string[]) =>
  zone(`  www: { A: 192.0.2.1 }\n${labels.map((label) => `  ${label}: { TXT: text }\n`).join("")}`);

const refusedByPeople = {
  outcome: ["refused", "approval/people", "plan-effects"],
  address: "192.0.2.1",
  back: ["applied"],
} as const;

const refusedByComment = { ...refusedByPeople, outcome: ["refused", "approval/comment", "plan-effects"] } as const;

const rows: Readonly<Record<string, Row>> = {
  "an approval by a stranger, while a zone waits": {
    reach: async (forge) => {
      forge.pushDirectly({ [file]: www("192.0.2.2") });
      const pull = forge.openPull("stranger", readme);
      await plan(forge, pull);
      forge.approve(pull, forge.outsider);
      forge.squash(pull);
    },
    ...refusedByPeople,
  },
  "a request for changes after the approval of another person": {
    reach: async (forge) => {
      const other = forge.api.addUser("dave");
      forge.forge.repository.writers.add(other);
      const pull = forge.openPull("objected", { [file]: www("192.0.2.2") });
      await plan(forge, pull);
      forge.approve(pull);
      forge.review(pull, other, "CHANGES_REQUESTED");
      forge.squash(pull);
    },
    ...refusedByPeople,
  },
  "a request for changes by a stranger": {
    reach: reviewed({ [file]: www("192.0.2.2") }, (forge, pull) =>
      forge.review(pull, forge.outsider, "CHANGES_REQUESTED"),
    ),
    outcome: ["applied"],
    address: "192.0.2.2",
  },
  "an approval by an author of one of the commits": {
    reach: async (forge) => {
      const pull = forge.openPull("both", { [file]: www("192.0.2.2") });
      forge.pushTo(pull, { [file]: www("192.0.2.3") }, forge.reviewer);
      forge.pushTo(pull, readme);
      await plan(forge, pull);
      forge.approve(pull);
      forge.squash(pull);
    },
    ...refusedByPeople,
  },
  "an approval by the one who pushed last, in the name of the author": {
    reach: async (forge) => {
      const pull = forge.openPull("both", { [file]: www("192.0.2.2") });
      forge.pushTo(pull, { [file]: www("192.0.2.3") }, forge.reviewer, forge.author);
      await plan(forge, pull);
      forge.approve(pull);
      forge.squash(pull);
    },
    ...refusedByPeople,
  },
  "a comment that was edited before the review": {
    reach: reviewed(
      { [file]: www("192.0.2.2") },
      editedBefore((body) => `${body.split("\n")[0]}\nPlan of zones: in sync\n`),
    ),
    ...refusedByComment,
  },
  "a comment that was edited and restored before the review": {
    reach: reviewed({ [file]: www("192.0.2.2") }, (forge, pull) => {
      const [comment] = forge.api.commentsOf(pull);
      const body = comment?.body ?? "";
      if (comment) forge.edit(comment, "in sync");
      if (comment) forge.edit(comment, body);
    }),
    ...refusedByComment,
  },
  "a comment that says that it shows every effect": {
    reach: reviewed(
      large,
      editedBefore((body) =>
        body.replace('"isWhole":false', '"isWhole":true').replace(/\*\*This comment[\s\S]*?```\n\n/, ""),
      ),
    ),
    outcome: refusedByComment.outcome,
    address: "192.0.2.1",
  },
  "the word of approval inside a refusal": {
    reach: reviewed(large, (forge, pull) => {
      const text = `Please do NOT apply. What not to write:\n\n\`\`\`text\n${lineOf(forge, pull)}\n\`\`\``;
      forge.comment(pull, forge.reviewer, text);
    }),
    outcome: ["refused", "approval/not-shown", "plan-effects"],
    address: "192.0.2.1",
  },
  "a reviewed change that a reviewed revert withdrew": {
    reach: async (forge) => {
      await reviewed({ [file]: www("192.0.2.2") })(forge);
      await reviewed({ [file]: www("192.0.2.1") })(forge);
      forge.pushDirectly({ [file]: www("192.0.2.2") });
    },
    outcome: ["refused", "approval/withdrawn", "approval/direct-push", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "a reviewed change of one of two zones, before a reviewed change of the other": {
    reach: async (forge) => {
      await reviewed({ [file]: www("192.0.2.2") })(forge);
      await reviewed({ "zones/example.net.yaml": www("192.0.2.8") })(forge);
    },
    outcome: ["applied"],
    address: "192.0.2.2",
    zones: ["example.com", "example.net"],
  },
  "half of a move into another zone": {
    reach: async (forge) => {
      const both = (here: string, there: string) => ({
        [file]: zone(`  www: { A: 192.0.2.1 }\n${here}`),
        "zones/example.net.yaml": zone(`  www: { A: 192.0.2.8 }\n${there}`),
      });
      forge.pushDirectly(both("  d: { A: 192.0.2.9 }\n", ""));
      expect(await goBack(forge)).toEqual(["applied"]);
      await reviewed(both("", "  d: { A: 192.0.2.9 }\n"))(forge);
      forge.pushDirectly(both("", ""));
    },
    outcome: ["refused", "approval/direct-push", "plan-effects"],
    address: "192.0.2.1 192.0.2.9",
    zones: ["example.com", "example.net"],
    back: ["applied"],
  },
  "half of a move whose address arrives by a change": {
    reach: async (forge) => {
      forge.pushDirectly({ [file]: zone("  www: { A: 192.0.2.1 }\n  d: { A: 192.0.2.9 }\n") });
      expect(await goBack(forge)).toEqual(["applied"]);
      await reviewed({ [file]: www("192.0.2.9") })(forge);
      forge.pushDirectly({ [file]: www("192.0.2.1") });
    },
    outcome: ["refused", "approval/direct-push", "plan-effects"],
    address: "192.0.2.1 192.0.2.9",
    back: ["applied"],
  },
  "a part of a reviewed change that was made and reverted by hand, while the rest is no longer wanted": {
    reach: async (forge) => {
      await reviewed({ [file]: lb("192.0.2.11", "192.0.2.12", "192.0.2.13", "192.0.2.14") })(forge);
      const { id } = await forge.desk.call("POST", "/domains/1/records", {
        type: "A",
        name: "lb",
        target: "192.0.2.11",
      });
      await forge.desk.call("DELETE", `/domains/1/records/${id}`);
      forge.pushDirectly({ [file]: lb("192.0.2.11") });
    },
    outcome: ["refused", "plan-rolled-back"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "a reviewed change, with a token that cannot read events": {
    reach: async (forge) => {
      await reviewed({ [file]: www("192.0.2.2") })(forge);
      const without = await forge.desk.mint({ scopes: "domains:read_write" });
      const { dns } = forge.forge.environments;
      Object.assign(dns ?? {}, { ZONEWRIGHT_WRITE_TOKEN: without });
    },
    outcome: ["refused", "plan-events"],
    address: "192.0.2.1",
  },
  "a direct push that a guard blocks": {
    reach: (forge) => forge.pushDirectly({ [file]: zone("  www: { CNAME: www.example.net. }\n") }),
    outcome: ["refused", "approval/direct-push", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "a direct push that deletes a name that others need": {
    reach: (forge) => forge.pushDirectly({ [file]: zone("  other: { A: 192.0.2.7 }\n") }),
    outcome: ["refused", "approval/direct-push", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "two reviewed changes that a guard blocks only together": {
    reach: async (forge) => {
      forge.pushDirectly({ [file]: names("a", "b", "c", "k", "l", "m", "n", "o", "d", "e", "f") });
      expect(await goBack(forge)).toEqual(["applied"]);
      const first = forge.openPull("first", { [file]: names("k", "l", "m", "n", "o", "d", "e", "f") });
      const second = forge.openPull("second", { [file]: names("a", "b", "c", "k", "l", "m", "n", "o") });
      for (const pull of [first, second]) expect(await plan(forge, pull)).toBe("changes");
      for (const pull of [first, second]) forge.approve(pull);
      for (const pull of [first, second]) forge.squash(pull);
    },
    outcome: ["blocked", "guard-blocked"],
    address: expect.stringMatching(/^192/),
    back: ["applied"],
  },
  "a plan that its comment does not show in full, with the reviewer's word after the merge": {
    reach: reviewed(large),
    outcome: ["refused", "approval/not-shown", "plan-effects"],
    address: "192.0.2.1",
    instead: (forge) => {
      const pull = forge.api.pulls.at(-1) ?? expect.fail();
      forge.comment(pull, forge.reviewer, lineOf(forge, pull));
    },
    back: ["applied"],
  },
  "a direct push to README": {
    reach: (forge) => forge.pushDirectly(readme),
    outcome: ["in-sync"],
    address: "192.0.2.1",
  },
  "a direct push to a zone": {
    reach: (forge) => forge.pushDirectly({ [file]: www("192.0.2.2") }),
    outcome: ["refused", "approval/direct-push", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "101 direct pushes, none to a zone": {
    reach: (forge) => forge.pushDirectly(readme, 101),
    outcome: ["in-sync"],
    address: "192.0.2.1",
  },
  "101 direct pushes after a reviewed change": {
    reach: async (forge) => {
      await reviewed({ [file]: www("192.0.2.2") })(forge);
      forge.pushDirectly(readme, 101);
    },
    outcome: ["applied"],
    address: "192.0.2.2",
  },
  "a fork that changes README": {
    reach: (forge) => forge.squash(forge.openPull("fork", readme, "fork")),
    outcome: ["in-sync"],
    address: "192.0.2.1",
  },
  "a fork that changes a zone": {
    reach: (forge) => {
      const pull = forge.openPull("fork", { [file]: www("192.0.2.2") }, "fork");
      forge.approve(pull);
      forge.squash(pull);
    },
    outcome: ["refused", "approval/fork", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "a fork that changes README, after a reviewed change": {
    reach: async (forge) => {
      await reviewed({ [file]: www("192.0.2.2") })(forge);
      forge.squash(forge.openPull("fork", readme, "fork"));
    },
    outcome: ["applied"],
    address: "192.0.2.2",
  },
  "a reviewed change": { reach: reviewed({ [file]: www("192.0.2.2") }), outcome: ["applied"], address: "192.0.2.2" },
  "a reviewed change that a merge queue merged": {
    reach: queued({ queue: { [file]: www("192.0.2.2") } }),
    outcome: ["applied"],
    address: "192.0.2.2",
  },
  "two reviewed changes that a merge queue merged at once": {
    reach: queued({ first: { [file]: www("192.0.2.2") }, next: { "zones/example.net.yaml": www("192.0.2.8") } }),
    outcome: ["applied"],
    address: "192.0.2.2",
    zones: ["example.com", "example.net"],
  },
  "a change that only the merge queue planned": {
    reach: async (forge) => {
      const pull = forge.openPull("queue", { [file]: www("192.0.2.2") });
      forge.approve(pull);
      expect(await planQueued(forge, pull)).toBe("changes");
      forge.mergeQueue([pull]);
    },
    outcome: ["refused", "approval/comment", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "an approval before the last push, which a merge queue merged": {
    reach: async (forge) => {
      const pull = forge.openPull("queue", { [file]: www("192.0.2.2") });
      await plan(forge, pull);
      forge.approve(pull);
      forge.pushTo(pull, { [file]: www("192.0.2.3") });
      await plan(forge, pull);
      await planQueued(forge, pull);
      forge.mergeQueue([pull]);
    },
    outcome: ["refused", "approval/people", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "a change in the folder of other owners, approved by one who owns none of it": {
    reach: async (forge) => {
      forge.pushDirectly({ ".github/CODEOWNERS": "/zones/ @alice\n/docs/ @bob\n" });
      await reviewed({ [file]: www("192.0.2.2"), "docs/names.md": "# Names\n" })(forge);
    },
    outcome: ["applied"],
    address: "192.0.2.2",
  },
  "a pull request for docs by a person with that folder only, while a zone waits": {
    reach: async (forge) => {
      forge.pushDirectly({ ".github/CODEOWNERS": "/docs/ @bob\n", [file]: www("192.0.2.2") });
      await reviewed({ "docs/names.md": "# Names\n" })(forge);
    },
    outcome: ["applied"],
    address: "192.0.2.2",
  },
  "a direct push beside a reviewed change": {
    reach: async (forge) => {
      await reviewed({ [file]: www("192.0.2.2") })(forge);
      forge.pushDirectly({ [file]: zone("  www: { A: 192.0.2.2 }\n  new: { A: 192.0.2.9 }\n") });
    },
    outcome: ["refused", "approval/direct-push", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "an approval before the last push": {
    reach: async (forge) => {
      const pull = forge.openPull("early", { [file]: www("192.0.2.2") });
      await plan(forge, pull);
      forge.approve(pull);
      forge.pushTo(pull, { [file]: www("192.0.2.3") });
      await plan(forge, pull);
      forge.squash(pull);
    },
    outcome: ["refused", "approval/people", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "an approval before the plan": {
    reach: async (forge) => {
      const pull = forge.openPull("early", { [file]: www("192.0.2.2") });
      forge.approve(pull);
      forge.comment(pull, forge.merger, "Looks good");
      await plan(forge, pull);
      forge.squash(pull);
    },
    outcome: ["refused", "approval/people", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "a plan after the merge": {
    reach: async (forge) => {
      const pull = forge.openPull("late", { [file]: www("192.0.2.2") });
      const event = forge.pullEvent(pull);
      forge.approve(pull);
      forge.squash(pull);
      forge.comment(pull, forge.merger, "Merged");
      await forge.run("plan", event);
    },
    outcome: ["refused", "approval/comment", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "no plan at all": {
    reach: (forge) => {
      const pull = forge.openPull("unplanned", { [file]: www("192.0.2.2") });
      forge.approve(pull);
      forge.squash(pull);
    },
    outcome: ["refused", "approval/comment", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "a push that was never planned": {
    reach: async (forge) => {
      const pull = forge.openPull("unplanned", { [file]: www("192.0.2.2") });
      await plan(forge, pull);
      forge.pushTo(pull, { [file]: www("192.0.2.3") });
      forge.approve(pull);
      forge.squash(pull);
    },
    outcome: ["refused", "approval/commit", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "an approval by the one who merges": {
    reach: async (forge) => {
      const pull = forge.openPull("alone", { [file]: www("192.0.2.2") });
      await plan(forge, pull);
      forge.approve(pull, forge.merger);
      forge.squash(pull);
    },
    outcome: ["refused", "approval/people", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "a comment that was edited after the approval": {
    reach: reviewedThenEdited,
    outcome: ["refused", "approval/comment", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "a plan that its comment does not show in full": {
    reach: reviewed(large),
    outcome: ["refused", "approval/not-shown", "plan-effects"],
    address: "192.0.2.1",
  },
  "a plan that its comment does not show in full, with the reviewer's word": {
    reach: reviewed(large, (forge, pull) => {
      forge.comment(pull, forge.reviewer, `I have read all of it.\n\n${lineOf(forge, pull)}\n`);
    }),
    outcome: ["applied"],
    address: expect.stringMatching(/^192\.0\.2\.1 x+0 /),
  },
  "an artifact that has expired": {
    reach: async (forge) => {
      await reviewed({ [file]: www("192.0.2.2") })(forge);
      for (const artifact of forge.api.artifacts) artifact.isExpired = true;
    },
    outcome: ["refused", "approval/expired", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "an approved change that was applied, and reverted by hand": {
    reach: async (forge) => {
      await reviewed({ [file]: www("192.0.2.2") })(forge);
      expect(await apply(forge)).toEqual(["applied"]);
      const [record] = (await forge.desk.call("GET", "/domains/1/records")).data;
      await forge.desk.call("PUT", `/domains/1/records/${record.id}`, { target: "192.0.2.1" });
      forge.pushDirectly(readme);
    },
    outcome: ["refused", "approval/direct-push", "plan-effects"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "an approved change that was made and reverted by hand": {
    reach: async (forge) => {
      await reviewed({ [file]: www("192.0.2.2") })(forge);
      const [record] = (await forge.desk.call("GET", "/domains/1/records")).data;
      for (const target of ["192.0.2.2", "192.0.2.1"])
        await forge.desk.call("PUT", `/domains/1/records/${record.id}`, { target });
    },
    outcome: ["refused", "plan-rolled-back"],
    address: "192.0.2.1",
    back: ["applied"],
  },
  "an approved change that someone made by hand": {
    reach: async (forge) => {
      await reviewed({ [file]: www("192.0.2.2") })(forge);
      const [record] = (await forge.desk.call("GET", "/domains/1/records")).data;
      await forge.desk.call("PUT", `/domains/1/records/${record.id}`, { target: "192.0.2.2" });
    },
    outcome: ["in-sync"],
    address: "192.0.2.2",
  },
};

async function reviewedThenEdited(forge: ZoneForge): Promise<void> {
  const pull = forge.openPull("edited", { [file]: www("192.0.2.2") });
  await plan(forge, pull);
  forge.approve(pull);
  const [comment] = forge.api.commentsOf(pull);
  if (comment) forge.edit(comment, `${comment.body}\n`);
  forge.squash(pull);
}

describe("apply.yml after", () => {
  test.each(sampled(Object.entries(rows), 4))("%s", async (_, row) => {
    const { reach, outcome, address, zones = ["example.com"], back, instead } = row;
    const forge = await start();
    await reach(forge);
    for (const { body } of forge.api.comments)
      if (body.includes("1010 create")) expect(body).toContain("shop.example.com CNAME 3600 attacker.example.");
    const before = forge.desk.writes.length;
    expect(await apply(forge)).toEqual(outcome);
    if (back !== undefined) expect(forge.desk.writes.length).toBe(before);
    expect(await addressOf(forge)).toEqual(address);
    const { data } = await forge.desk.call("GET", "/domains");
    expect(data.map(({ domain }: { domain: string }) => domain)).toEqual(zones);
    if (back === undefined) return;
    await instead?.(forge);
    expect(await (instead ? apply(forge) : goBack(forge))).toEqual(back);
    // Nothing is left to do, so any push is a success.
    forge.pushDirectly(readme);
    expect(await apply(forge)).toEqual(["in-sync"]);
  });
});

test("the plan of a pull request that changes README shows the effects that are pending", async () => {
  const forge = await start();
  forge.pushDirectly({ [file]: www("192.0.2.2") });
  expect((await apply(forge))[0]).toBe("refused");
  const pull = forge.openPull("back", readme);
  expect(await plan(forge, pull)).toBe("changes");
  expect(forge.api.commentsOf(pull).map(({ body }) => body)).toEqual([
    expect.stringContaining("192.0.2.1 → 192.0.2.2"),
  ]);
});

/** Steps that people take, in any order. */
const steps: Readonly<Record<string, Step>> = {
  "push a zone": (forge) => forge.pushDirectly({ [file]: www("192.0.2.2") }),
  "push another zone file": (forge) => forge.pushDirectly({ [file]: zone("  www: { CNAME: www.example.net. }\n") }),
  "push README": (forge) => forge.pushDirectly({ "README.md": `# ${forge.forge.repository.history.length}\n` }),
  "merge a fork": (forge) => forge.squash(forge.openPull("fork", { [file]: www("192.0.2.3") }, "fork")),
  "merge without a plan": (forge) => forge.squash(forge.openPull("unplanned", { [file]: www("192.0.2.4") })),
  "push a delete": (forge) => forge.pushDirectly({ [file]: zone("  other: { A: 192.0.2.7 }\n") }),
  "merge a reviewed change": reviewed({ [file]: www("192.0.2.5") }),
  "merge what was reverted after the review": reviewed({ [file]: www("192.0.2.6") }, (forge) =>
    forge.pushDirectly({ [file]: www("192.0.2.1") }),
  ),
  "edit a comment": (forge) => {
    for (const comment of forge.api.comments) forge.edit(comment, `${comment.body}\n`);
  },
  "lose the artifacts": (forge) => {
    for (const artifact of forge.api.artifacts) artifact.isExpired = true;
  },
  "edit by hand": async (forge) => {
    const { data } = await forge.desk.call("GET", "/domains/1/records");
    for (const { id, type } of data)
      if (type === "A") await forge.desk.call("PUT", `/domains/1/records/${id}`, { target: "192.0.2.7" });
  },
  apply: (forge) => apply(forge),
};

test("nothing to do is success, although GitHub does not answer", async () => {
  const forge = await start();
  forge.pushDirectly(readme);
  const before = forge.api.requests.length;
  expect(await apply(forge)).toEqual(["in-sync"]);
  expect(forge.api.requests.length).toBe(before);
});

test.each(sampled(Object.keys(steps), 6))(
  "from the state after %s, whatever came before, the documented steps lead back",
  async (last) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 1, maxLength: 4 }),
        async (names) => {
          const forge = await start();
          for (const name of [...names, last]) await steps[name]?.(forge);
          const [result = ""] = await goBack(forge);
          expect(["applied", "in-sync"]).toContain(result);
        },
      ),
      samples(1),
    );
  },
  600_000,
);
