import pMap from "p-map";
import type { Clock } from "../../clock.ts";
import { advise, type Fix } from "../../diagnostics/advice.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { Name } from "../../dns/name/name.ts";
import type { DesiredZone, Id, LiveZone } from "../../dns/zone/desired-live.ts";
import { isType } from "../../dns/zone/zone.ts";
import type { ServerAddress } from "../../dns-client/server-address.ts";
import { readBind } from "../../formats/bind/read.ts";
import { planZone } from "../../planner/plan.ts";
import type { Target } from "../../targets/target.ts";
import { messageOf } from "../journal/apply-problems.ts";
import {
  checkAnswers,
  publicServer,
  type RenderedFile,
  type Resolve,
  serversOf,
  type Verdict,
} from "./verify-servers.ts";
import { differences, type Question, questionsOf, setsOf } from "./verify-sets.ts";

/** Result of one check of a zone; `where` is the name of the target, "zone file" or a server. */
export interface Check {
  readonly zone: Name;
  readonly where: string;
  readonly verdict: Verdict;
  readonly text: Fix;
}

/** A desired zone to verify, and which of its RRsets; all if `questions` is absent. */
export interface Verification {
  readonly zone: DesiredZone;
  readonly domainId: Id;
  readonly questions?: readonly Question[];
}

export interface VerifyOptions {
  readonly clock: Clock;
  /** Time to wait for missing data to appear, in milliseconds. */
  readonly timeoutMs: number;
  /** The servers to ask, instead of those in the zone file. */
  readonly servers: readonly ServerAddress[];
  readonly resolve: Resolve;
  /** The resolvers of this machine, for the targets of ALIAS records that a server does not answer. */
  readonly resolvers: readonly ServerAddress[];
  readonly signal?: AbortSignal;
  /** The last stage: the stored data, the rendered zone file, or the name servers, which is the default. */
  readonly depth?: VerifyDepth;
}

export type VerifyDepth = "api" | "rendered" | "auth";

const pauseMs = 5_000;

/**
 * Verifies a zone at each stage: the data stored by the target, the rendered zone file and its serial, then every
 * address of every authoritative server, also of the target itself, which may be a hidden primary. The first stage that
 * fails is the last, because later ones would only repeat the failure.
 */
export async function verifyZone(
  { zone: desired, domainId, questions }: Verification,
  { name: targetName, read, capabilities }: Pick<Target, "name" | "read" | "capabilities">,
  options: VerifyOptions,
): Promise<Check[]> {
  const check = (where: string, verdict: Verdict, text: Fix): Check => ({
    zone: desired.name,
    where,
    verdict,
    text,
  });
  const { clock, timeoutMs } = options;
  const until = clock.now() + timeoutMs;
  let live: LiveZone;
  try {
    live = await read.readZone(domainId);
  } catch (error) {
    return [check(targetName, "inconclusive", messageOf(error))];
  }
  const left = planZone(desired, live, capabilities);
  const missing = left.settings.length + left.steps.length;
  if (missing > 0)
    return [
      check(
        targetName,
        "fail",
        advise`${count(missing, "difference")} from its file; run ${{ run: "plan" }} to see ${missing === 1 ? "it" : "them"}`,
      ),
    ];
  const asked = questions ?? questionsOf(live.records);
  const stored = check(targetName, "pass", `${count(live.records.length, "record")} as in the file`);
  if (options.depth === "api") return [stored];
  const rendered = await waitForRendering(live, asked, { read, clock, until });
  if ("reason" in rendered) return [stored, check("zone file", rendered.verdict, rendered.reason)];
  const all = questions ?? questionsOf(rendered.records);
  const file = check("zone file", "pass", `serial ${rendered.serial}, ${count(all.length, "RRset")} as stored`);
  if (options.depth === "rendered") return [stored, file];
  const found = options.servers.length > 0 ? options.servers : await serversOf(rendered.records, options.resolve);
  const own = options.servers.length > 0 ? undefined : read.ownServer;
  const isOwn = ({ host, port }: ServerAddress) => host === own?.address.host && port === own.address.port;
  const isLastSerial = capabilities.serial === "ours";
  const answers = await pMap(
    [...(own ? [own] : []), ...found.filter((address) => !isOwn(address)).map(publicServer)],
    (server) => checkAnswers(server, { zone: rendered, questions: all, isLastSerial, until }, options),
    { concurrency: 8 },
  );
  const ofServers = answers.map(({ where, verdict, text }) => check(where, verdict, text));
  if (found.length > 0) return [stored, file, ...ofServers];
  const unknown = check("servers", "inconclusive", "no addresses of its name servers were found");
  return [stored, file, ...ofServers, unknown];
}

/** Waits until the service has rendered the stored records, or until the time is over. */
async function waitForRendering(
  live: LiveZone,
  asked: readonly Question[],
  { read, clock, until }: { read: Target["read"]; clock: Clock; until: number },
): Promise<RenderedFile | { verdict: Verdict; reason: Fix }> {
  for (;;) {
    let reason: Fix = "the service has not rendered the zone";
    try {
      const text = await read.readZoneFile(live);
      const rendered = text === "" ? undefined : readRendered(live.name, text);
      if (rendered) {
        const stored = setsOf(live.records, live.settings.ttl_sec || live.defaultTimes.ttl_sec);
        const [first, ...more] = differences(asked, stored, rendered.sets);
        if (first === undefined) return rendered;
        reason = `it does not show the stored records yet: ${first}${more.length > 0 ? ` and ${more.length} more` : ""}`;
      }
    } catch (error) {
      return { verdict: "inconclusive", reason: messageOf(error) };
    }
    if (clock.now() >= until) return { verdict: "inconclusive", reason };
    await clock.sleep(Math.min(pauseMs, until - clock.now()));
  }
}

function readRendered(name: Name, text: string): RenderedFile | undefined {
  const { zone } = readBind({ file: "zone file", bytes: Buffer.from(text), origin: name, settings: [] });
  const soa = zone.records.find((record) => isType(record, "SOA"));
  if (soa === undefined) return undefined;
  const records = [...zone.records];
  return { name, serial: soa.data.serial, records, sets: setsOf(records, zone.settings.ttl_sec ?? soa.ttl ?? 0) };
}
