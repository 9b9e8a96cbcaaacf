import { readConfig } from "../../src/config/config.ts";
import { problem } from "../../src/diagnostics/problem.ts";
import { nameKey } from "../../src/dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../src/dns/zone/desired-live.ts";
import { judgeBlocks } from "../../src/planner/blocks/acks.ts";
import { findGuardBlocks } from "../../src/planner/blocks/find-blocks.ts";
import { finish } from "../../src/planner/order/work.ts";
import { planFile } from "../../src/planner/plan-file/plan-file.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import type { Attribution } from "../../src/workflow/drift/attribution.ts";
import { compareSides } from "../../src/workflow/drift/classes.ts";
import { isDrift } from "../../src/workflow/drift/finding.ts";
import type { PlanReport } from "../../src/workflow/plan/plan-report.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { exampleLive, exampleReport, reportOf } from "./plans.ts";

const time = new Date("2026-11-23T12:41:07Z");
const place = (line: number) => ({ file: "zones/example.com.zone", line, column: 1, length: 3 });

/** How blocked changes are approved; they are not by default. */
interface Approved {
  readonly allowed?: readonly string[];
  /** Guards of example.com with the reasons of their acknowledgements. */
  readonly acknowledged?: Readonly<Record<string, string>>;
  readonly notes?: PlanReport["notes"];
  readonly unmanaged?: readonly string[];
}

/** A plan with its guards, as `zonewright plan` reports it on a fixed day. */
function planned(
  desired: readonly DesiredZone[],
  live: readonly LiveZone[],
  { allowed = [], acknowledged = {}, ...rest }: Approved = {},
): PlanReport {
  const report = reportOf(desired, live, rest);
  const zones = new Map(live.map((zone) => [nameKey(zone.name), zone]));
  const thresholds = readConfig("zonewright.yaml", "", apiSettings).config.guards;
  const context = { settings: apiSettings, elsewhere: () => [], unseen: [] };
  const blocks = finish(findGuardBlocks(report.plan, zones, thresholds, context));
  const { guards } = judgeBlocks(blocks, {
    isAllowed: ({ guard }) => allowed.includes(guard),
    acks: Object.entries(acknowledged).map(([guard, reason]) => ({
      guard,
      zone: "example.com",
      effects: "",
      reason,
      until: "2026-12-31",
      at: { file: "acks.yaml", line: 1, column: 1, length: 1 },
    })),
    today: "2026-11-23",
    isPlanned: () => true,
    isKnown: () => true,
  });
  return { ...report, guards, commit: "4be19c2d".repeat(5), observed: { from: "service", time } };
}

/** Lines of a zone file, one for each host. */
function hosts(from: number, to: number, address: string): string {
  return Array.from({ length: to - from }, (_, at) => `host${from + at} 300 A ${address}`).join("\n");
}

/** A text as a string of a zone file, each octet escaped. */
function escaped(text: string): string {
  return [...Buffer.from(text)].map((octet) => `\\${`${octet}`.padStart(3, "0")}`).join("");
}

function hostilePlan(): PlanReport {
  const file = "zones/::error::<b>`|,%0A\u202e.zone";
  // The API stores no NUL, and these owner names only if a zone transfer brought them.
  const texts = hostileTexts.filter((text) => !text.includes("\0"));
  const owners = ["@octocat", "#1", "<img src=x>", "`a`", "::error::x", "a|b", "[x](y)", "~label", "$1", "/close"];
  const lines = (list: readonly string[], name: (text: string, at: number) => string) =>
    list.map((text, at) => `${name(text, at)} 300 TXT "${escaped(text)}"`).join("\n");
  const live = `${lines(texts.slice(0, 20), (_, at) => `old${at}`)}\n${lines(owners, escaped)}`;
  const notes = hostileTexts
    .slice(20, 60)
    .map((text) => problem("ttl-rounded", text, { fix: text, place: { ...place(1), file } }));
  const fresh = lines(texts, (_, at) => `new${at}`);
  const desired = desiredOf(`${fresh}\nwww 300 A 10.0.0.1`, "example.com.", file);
  return planned([desired], [liveOf(live)], {
    notes,
    acknowledged: { G12: "see @octocat, <b>#1</b> and `::error::x`\n::error::y" },
  });
}

/** Changes outside git that the plan undoes, each with another kind of author. */
function driftPlan(): PlanReport {
  const [git, live] = [desiredOf("a 300 A 192.0.2.1\nb 300 A 192.0.2.2\nc 300 A 192.0.2.3"), liveOf(edited)];
  const snapshot = liveOf("a 300 A 192.0.2.1\nb 300 A 192.0.2.2\nc 300 A 192.0.2.3");
  const authors: Attribution[] = [
    { kind: "exact", user: "maria", time: "2026-11-22T23:02:11" },
    { kind: "user", user: "<b>@ci`", from: "2026-11-22T08:00:00", to: "2026-11-22T09:30:00" },
    { kind: "one-of", users: ["maria", "jan"] },
    { kind: "unknown", why: "the event log begins on 2026-08-25" },
  ];
  const handEdits = compareSides({ snapshot, git, live })
    .filter(isDrift)
    .map((finding, at) => ({ zone: nameKey(git.name), finding: { ...finding, by: authors[at] } }));
  return { ...planned([git], [live]), handEdits };
}

const edited = "a 300 A 203.0.113.66\nb 300 A 203.0.113.67\nnew 300 A 203.0.113.68";

function manyZones(): PlanReport {
  const names = Array.from({ length: 120 }, (_, at) => `zone${`${at}`.padStart(3, "0")}.example.`);
  const texts = ["www 300 A 192.0.2.1", "www 300 A 192.0.2.2", "www 600 A 192.0.2.1\nnew 300 A 192.0.2.3", ""];
  const desired = names.map((name, at) => desiredOf(texts[at % 4] ?? "", name, `zones/${name}zone`));
  const live = names
    .filter((_, at) => at % 10 !== 9)
    .map((name) => liveOf("www 300 A 192.0.2.1\nftp 300 A 192.0.2.9", "documented", name));
  return planned(desired, live, { unmanaged: ["a.example.", "b.example.", "c.example.", "d.example."] });
}

const unicode = `$TTL 3600
xn--mnchen-3ya 300 CNAME xn--bcher-kva.example.
xn--wgv71a A 192.0.2.7
xn--mgbh0fb 300 TXT "${escaped("مثال \u200f إختبار")}"
cjk 300 TXT "${escaped("日本語の説明 🎌 é e\u0301")}"
family 300 TXT "${escaped("👩\u200d👩\u200d👧")}"`;

/** Plans of all kinds that a person reviews. */
export const goldenPlans: Readonly<Record<string, () => PlanReport>> = {
  empty: () => planned([desiredOf(exampleLive)], [liveOf(exampleLive)]),
  "one-change": () => planned([desiredOf("www 300 A 192.0.2.2")], [liveOf("www 300 A 192.0.2.1")]),
  "5000-changes": () =>
    planned(
      [desiredOf(`${hosts(0, 1500, "192.0.2.2")}\n${hosts(2500, 5000, "192.0.2.3")}`)],
      [liveOf(hosts(0, 2500, "192.0.2.1"))],
    ),
  gaps: () =>
    planned(
      [
        desiredOf(
          "$TTL 3600\nshop 300 A 198.51.100.20\nmail MX 10 mx\nmx A 192.0.2.1\na A 192.0.2.1\nb CNAME a\n@ TXT x",
        ),
      ],
      [
        liveOf(
          "$TTL 3600\nshop CNAME shops.example.net.\nmail CNAME mx\nmx A 192.0.2.1\na CNAME b\nb A 192.0.2.1\n@ TXT x",
        ),
      ],
    ),
  guards: () =>
    planned(
      [desiredOf('$TTL 3600\nwww A 10.0.0.1\n@ TXT "v=spf1 -all"\nftp CNAME old\n* A 192.0.2.1')],
      [
        liveOf(
          '$TTL 3600\nwww A 192.0.2.1\n@ TXT "v=spf1 mx -all"\n@ MX 10 mx\nmx A 192.0.2.5\nold A 192.0.2.6\nftp CNAME old',
        ),
      ],
      { allowed: ["G09"], acknowledged: { G12: "the office reaches it through a tunnel" } },
    ),
  "partial-failure": () =>
    planned([desiredOf("$TTL 3600\nwww A 192.0.2.2\napi A 192.0.2.3")], [liveOf("www 3600 A 192.0.2.2")]),
  drift: driftPlan,
  hostile: hostilePlan,
  unicode: () =>
    planned(
      [desiredOf(unicode, "xn--bcher-kva.example.", "zones/bücher.example.zone")],
      [liveOf("xn--wgv71a A 192.0.2.6\nxn--bcher-kva 300 A 192.0.2.8", "documented", "xn--bcher-kva.example.")],
    ),
  "many-zones": manyZones,
  notes: () => {
    const { notes } = exampleReport();
    const rounded = [1, 2, 3, 4].map((at) =>
      problem("ttl-rounded", `example.com h${at} A: ttl_sec 250 is stored as 300`, {
        fix: "Write 300.",
        place: place(at),
      }),
    );
    const expired = problem("ack-expired", "the acknowledgement of G08 in example.com ended on 2026-11-01", {
      fix: "Remove it.",
      place: { file: "acks.yaml", line: 3, column: 3, length: 4 },
    });
    return planned([desiredOf("www 300 A 192.0.2.2")], [liveOf("www 300 A 192.0.2.1")], {
      notes: [...notes, ...rounded, expired],
    });
  },
};

/** The problems of zone files that no plan is made from. */
export const refusal = [
  problem("cname-alone", "www has a CNAME record and A records", {
    detail: "A name with a CNAME record can have no other records (RFC 1034 §3.6.2).",
    fix: "Remove the CNAME record, or the others.",
    place: place(7),
  }),
  problem("address-v4", '"192.0.2" is not an IPv4 address', {
    fix: 'Write four numbers, as in "192.0.2.1".',
    place: place(9),
  }),
];

/** The plan file of a report. */
export function fileOf({ plan, notes, guards, reads, writes, commit }: PlanReport) {
  return planFile({
    version: "1.2.3",
    source: { ...(commit !== undefined && { commit }), config: "0".repeat(64), zones: [] },
    target: { api: "https://api.example.com", account: null },
    live: [],
    plan,
    notes,
    guards,
    reads,
    writes,
    seen: time,
    now: time,
    lifeSeconds: 86_400,
    nonce: "0".repeat(32),
  });
}
