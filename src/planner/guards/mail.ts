import { type NameKey, root } from "../../dns/name/name.ts";
import { weakerDmarc } from "../risk/dmarc.ts";
import { effectsAt, type Finding, type Guard, recordsAt, type ZoneChange } from "../risk/guard.ts";
import { exchangersOf, policyFindings } from "../risk/mail.ts";
import { weakerSpf } from "../risk/spf.ts";

/** Mail that is no longer delivered, or can be forged. */
export const mail: Guard = {
  guard: "G05",
  title: "mail",
  about: "deletes the last MX, replaces all mail servers, rejects mail (null MX), or weakens SPF or DMARC",
  ofNew: true,
  of: { types: ["MX", "TXT", "CNAME"] },
  counts:
    "Compares the MX records, SPF and DMARC of each changed name before and after the plan. An SPF policy may accept 65,536 more IPv4 addresses (a /16), or a /32 of IPv6; for everything else, there is no limit.",
  examples: {
    valid: ["- @ MX 10 a.example.net.", "  @ MX 20 b.example.net."],
    invalid: {
      lines: ["- @ MX 10 mail.example.net.", "  @ A 192.0.2.1"],
      finding: "example.com MX: deletes the last MX",
    },
  },
  *check(zone, context) {
    if (zone.plan.domainId !== undefined) {
      for (const name of zone.changedNames) {
        const text = lostExchangersText(zone, name);
        if (text !== undefined) yield { text, effects: effectsAt(zone, name, "MX") } satisfies Finding;
      }
    }
    yield* policyFindings(zone, context, weakerSpf, weakerDmarc);
  },
};

function lostExchangersText(zone: ZoneChange, name: NameKey): string | undefined {
  const { before, after } = zone;
  const isNull = (side: "before" | "after") =>
    recordsAt(zone[side], name, "MX").some(({ data }) => data.exchange === root);
  if (isNull("after") && !isNull("before")) {
    const was = ["MX", "A", "AAAA", "ALIAS"].some((type) => recordsAt(before, name, type).length > 0);
    return was ? "rejects all mail from now on (null MX)" : "rejects all mail (null MX)";
  }
  const were = exchangersOf(zone, name, "before").map(({ exchange }) => exchange);
  if (were.length === 0 || isNull("before")) return undefined;
  if (recordsAt(after, name, "MX").length === 0) return "deletes the last MX";
  const are = exchangersOf(zone, name, "after").map(({ exchange }) => exchange);
  return were.some((exchange) => are.includes(exchange)) ? undefined : "replaces all mail servers";
}
