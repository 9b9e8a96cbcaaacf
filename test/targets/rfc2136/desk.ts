import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameKey, readName } from "../../../src/dns/name/name.ts";
import { readKeys } from "../../../src/dns/transfer/key-file.ts";
import type { Key } from "../../../src/dns/transfer/tsig.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { newestRuns } from "../../../src/executor/journal/runs.ts";
import { guards } from "../../../src/planner/blocks/guards.ts";
import { ambiguousText, applyText, runText } from "../../../src/report/apply/apply-text.ts";
import { type PrimaryOptions, rfc2136Target } from "../../../src/targets/rfc2136/target.ts";
import type { Target } from "../../../src/targets/target.ts";
import { apply } from "../../../src/workflow/apply/apply.ts";
import { writesText } from "../../../src/workflow/apply/runs.ts";
import { planZones } from "../../../src/workflow/plan/plan.ts";
import { openProject } from "../../../src/workflow/project/project.ts";
import type { RunContext } from "../../../src/workflow/project/run-context.ts";
import { key as secretKey } from "../../updates/servers.ts";

/** The key of the servers that tests start. */
export const updateKey = readKeys(`${secretKey.name}:hmac-sha256:${secretKey.secret}`, "key")[0] as Key;

const plain = { color: false, unicode: true };

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A process in a folder, with the time of the machine. */
function processIn(cwd: string, pid: number): RunContext {
  let nonces = 0;
  return {
    cwd,
    env: {},
    signal: new AbortController().signal,
    now: () => new Date(),
    nonce: () => String(pid * 1_000_000 + ++nonces).padStart(32, "0"),
    sleep,
    pid,
    repeat: () => () => {},
    isAlive: () => false,
    resolvers: () => [],
  };
}

/** A project in an empty folder, with one zone of a name server. */
export function openDesk(
  root: string,
  server: ServerAddress,
  zone: string,
  { pid = 1, ...options }: Partial<PrimaryOptions> & { readonly pid?: number } = {},
) {
  const target = rfc2136Target({
    server,
    key: updateKey,
    zones: () => [readName(zone)],
    now: Date.now,
    sleep,
    ...options,
  });
  return deskOf(root, { target, api: `dns://${server.host}:${server.port}` }, zone, pid);
}

/** A project in an empty folder, with one zone of a service. */
export function deskOf(
  root: string,
  connection: { readonly target: Target; readonly api: string },
  zone: string,
  pid = 1,
) {
  const { target } = connection;
  mkdirSync(join(root, "zones"), { recursive: true });
  writeFileSync(join(root, "zonewright.yaml"), "");
  const context = processIn(root, pid);
  const open = () => openProject(context, { config: "zonewright.yaml", zones: ["zones"], kind: target });
  const allow = guards.map(({ guard }) => guard);
  const write = (text: string) => writeFileSync(join(root, "zones", `${zone}zone`), `$ORIGIN ${zone}\n${text}`);
  /** The number of zones that a new plan changes. */
  const left = async () =>
    (await planZones(context, open(), connection, { names: [], allow })).report.plan.zones.length;
  return {
    target,
    left,
    /** Applies a master file. `said` are the lines that a person reads, and the run as it is listed afterwards. */
    async run(text: string) {
      write(text);
      const failures: string[] = [];
      const said: string[] = [];
      const report = await apply(context, open(), connection, {
        names: [],
        allow,
        confirm: async () => true,
        onEvent: (event) => {
          if (event.kind === "zone-failed") failures.push(String(event.error));
          if (event.kind === "zone-stopped") failures.push("stopped");
          if (event.kind === "ambiguous" && !said.some((line) => line.startsWith("lost ")))
            said.push(`lost the reply to a write (${ambiguousText(event)})`);
          said.push(...applyText(event, plain, "usual").split("\n").filter(Boolean));
        },
      });
      const last = newestRuns(join(root, ".zonewright")).next().value?.summary();
      if (report.state === "run") said.push(runText(report.run));
      if (last) said.push(`${last.state}, ${writesText(last)}`);
      return { failures, said, plan: report.plan };
    },
    /** Applies a master file, and plans it again. */
    async apply(text: string) {
      const { failures, plan } = await this.run(text);
      const steps = plan.plan.zones.flatMap((one) => one.steps);
      const gaps = new Set<string>(steps.flatMap(({ gaps = [] }) => gaps.map(({ owner }) => nameKey(owner))));
      return { failures, left: await left(), writes: plan.writes, gaps };
    },
  };
}
