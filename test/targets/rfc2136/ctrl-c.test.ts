// @suite long
import { expect, onTestFinished, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { startUpdateServer } from "../../updates/servers.ts";
import { constant, errorDesk, zone } from "./error-desk.ts";
import { startUpdateRelay } from "./update-relay.ts";

/** When Ctrl-C is pressed. */
const moments = {
  "while it reads the zone for the plan": { query: 1 },
  "while it reads the zone before the update": { query: 2 },
  "while the update is under way": { update: "answered" },
  "while the reply is lost": { update: "lost" },
  "while it looks whether an update without a reply took effect": { update: "lost", query: 3 },
  "while it reads the zone back": { query: 3 },
} as const satisfies Record<string, { readonly update?: "answered" | "lost"; readonly query?: number }>;

/** The output of `apply`, and of a plan afterwards. */
async function interrupted(moment: { readonly update?: "answered" | "lost"; readonly query?: number }, options = "") {
  const server = await startUpdateServer("BIND", 1);
  onTestFinished(server.stop);
  await server.untilServed(zone);
  const relay = await startUpdateRelay({ host: "127.0.0.1", port: server.port });
  onTestFinished(() => relay.stop());
  const interruption = new AbortController();
  let transfers = 0;
  relay.onQuery = ({ questions }) => {
    if (questions[0]?.type === "AXFR" && ++transfers === moment.query) interruption.abort();
    return true;
  };
  relay.onUpdate = async ({ client, forward, reply }) => {
    if (moment.update && moment.query === undefined) interruption.abort();
    const octets = await forward();
    if (moment.update === "lost") client.destroy();
    else reply(octets);
  };
  const desk = errorDesk(`127.0.0.1:${relay.port}`);
  const { code, out, talk } = await desk.run(`apply --yes${options}`, { interruption });
  const last = out.match(/^(?:applied|pass|fail|inconclusive).*\n/gm) ?? [];
  const after = await desk.run("plan");
  return `${last.join("")}${talk}[${code}]\n${(after.out.match(/^(?:in sync|plan:).*/m) ?? [""])[0]}\n${after.talk}`;
}

test.skipIf(isMissing("named"))("Ctrl-C during apply", async () => {
  const pages: string[] = [];
  for (const [title, moment] of Object.entries(moments)) pages.push(`# ${title}\n${await interrupted(moment)}`);
  const verified = await interrupted(moments["while it reads the zone back"], " --verify --wait 0s");
  pages.push(`# while it reads the zone back, with --verify\n${verified}`);
  await expect(constant(pages.join("\n"))).toMatchFileSnapshot("../../cases/update-errors/ctrl-c.txt");
});
