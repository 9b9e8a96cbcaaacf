import { problem } from "../../src/diagnostics/problem.ts";
import { nameKey } from "../../src/dns/name/name.ts";
import type { JudgedBlock } from "../../src/planner/blocks/acks.ts";
import type { PlanReport } from "../../src/workflow/plan/plan-report.ts";
import { domainName } from "../names.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { exampleReport, reportOf } from "./plans.ts";

const key =
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvT5QxNw8bIBBhRRi7bhrbNKOSHs1XhUJ3gYzVbUkHqpbFnUrYkqCxXHbRnA0uTzFCkED";
const longName = "a-rather-long-owner-name-that-goes-on-for-at-least.eighty-characters-in-all.of-its-labels";
const mailLive = `$TTL 86400
@ MX 10 mail
mail A 192.0.2.25
www 3600 A 203.0.113.9
shop 3600 CNAME shops.example.net.
blog 300 CNAME www
news 300 CNAME blog
old-vpn 3600 A 192.0.2.44
mail._domainkey TXT "v=DKIM1; k=rsa; p=${key}${key}"
${longName} A 192.0.2.1
`;
const mailDesired = `$TTL 86400
@ MX 10 mail
mail A 192.0.2.26
www 600 A 198.51.100.7
api 300 AAAA 2001:db8:7::10
shop 300 A 198.51.100.20
shop 300 AAAA 2001:db8::20
blog 300 CNAME www
news 300 CNAME blog
mail._domainkey TXT "v=DKIM1; k=rsa; p=${key}${key.replace("kHqpb", "kHQQQ")}"
${longName} 7200 A 192.0.2.2
مثال TXT "نص عربي"
`;
const created = `;@ tags: shop, europe
;@ description: Ours 日本語の説明 → theirs
www A 192.0.2.1
cdn CNAME www.example.com.
`;

/** A block with many findings about one record. */
function blockOf(rest: Pick<JudgedBlock, "guard" | "state"> & { readonly reason?: string }): JudgedBlock {
  const zone = nameKey(domainName("example.com."));
  const name = nameKey(domainName("old-vpn.example.com."));
  const effect = { zone, kind: "delete", name, type: "A", before: "3600 192.0.2.44", after: null } as const;
  const findings = Array.from({ length: 25 }, (_, index) => ({
    text: `host${index}.example.net points here`,
    effects: [effect],
  }));
  return { zone, findings, effectDigest: "0123456789abcdef".repeat(4), ...rest };
}

function blocked(): PlanReport {
  return reportOf([desiredOf(mailDesired), desiredOf(created, "new.example.")], [liveOf(mailLive)], {
    unmanaged: ["left.example.", "alone.example."],
    guards: [
      blockOf({ guard: "G08", state: "blocked" }),
      blockOf({ guard: "G05", state: "acknowledged", reason: "agreed with the mail team" }),
    ],
    notes: [
      problem("ttl-rounded", 'the TTL 250 of "www.example.com." is stored as 300', {
        place: { file: "zones/example.com.zone", line: 3, column: 1, length: 3 },
      }),
    ],
  });
}

function manyZones(): PlanReport {
  const names = Array.from({ length: 30 }, (_, index) => `zone-${index}.customer-${index % 7}.example.`);
  return reportOf(
    names.map((name, index) => desiredOf(`www A 192.0.2.${index}\nmail 300 A 192.0.2.${index}`, name)),
    names.map((name) => liveOf("www A 203.0.113.1", "documented", name)),
  );
}

/** The most changes of a zone. */
const zoneSize = 10_000;

/**
 * More changes than a table or a timeline has rows, half of them creates: in zones of 10,000, each with a swap as its
 * last change.
 */
export function manyChanges(most: number): PlanReport {
  const lines = (from: number, size: number) =>
    Array.from({ length: size }, (_, index) => `h${index} 300 A 10.${from}.${index >> 8}.${index % 256}`).join("\n");
  const zones = Array.from({ length: Math.ceil(most / zoneSize) }, (_, index) => ({
    name: index === 0 ? "example.com." : `example${index}.com.`,
    size: Math.min(zoneSize, most - index * zoneSize),
  }));
  return reportOf(
    zones.map(({ name, size }) => desiredOf(`${lines(1, size)}\nlast CNAME h1`, name)),
    zones.map(({ name, size }) => liveOf(`${lines(2, size / 2)}\nlast A 192.0.2.1`, "documented", name)),
  );
}

/** Plans of all shapes, by their titles in tests. */
export const htmlPlans: Readonly<Record<string, () => PlanReport>> = {
  "a plan without changes": () => reportOf([desiredOf("www A 192.0.2.1")], [liveOf("www A 192.0.2.1")]),
  "one change": () => reportOf([desiredOf("www A 192.0.2.2")], [liveOf("www A 192.0.2.1")]),
  "changes of each kind": exampleReport,
  "a blocked plan with long names and values": blocked,
  "thirty zones": manyZones,
  "a deleted zone": () => {
    const report = reportOf([desiredOf("www CNAME www.gone.example.")], [liveOf("www A 192.0.2.1")]);
    const gone = liveOf("www A 192.0.2.7\n@ TXT old", "documented", "gone.example.");
    return { ...report, plan: { ...report.plan, deletions: [gone] } };
  },
  "a new zone alone": () => reportOf([desiredOf(created, "new.example.")]),
};
