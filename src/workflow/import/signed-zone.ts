import { advise } from "../../diagnostics/advice.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { durationInWords } from "../../diagnostics/quantities.ts";
import { shellWord } from "../../diagnostics/shell-word.ts";
import { isSameName, withoutDot } from "../../dns/name/name.ts";
import type { ParentDs } from "../zones/parent-ds.ts";
import type { AcquiredZone } from "./build-zone.ts";

/** DNSSEC of a zone before it moves. */
export interface Dnssec {
  /** Whether the zone contains keys or signatures. A signer may also stand between it and its public servers. */
  readonly isSigned: boolean;
  readonly ds: ParentDs;
  /** The TTL of the NS records of the zone itself, in seconds; 0 if it has none. */
  readonly nsTtl: number;
}

/** DNSSEC of an acquired zone, and the order of steps in which it must move; neither if it is surely unsigned. */
export function describeSigning({ name, records, ds }: Pick<AcquiredZone, "name" | "records" | "ds">): {
  readonly dnssec?: Dnssec;
  readonly problems: readonly Problem[];
} {
  const isSigned = records.some(({ type }) => type === "DNSKEY" || type === "RRSIG");
  const hasDs = "keyTags" in ds && ds.keyTags.length > 0;
  if (!isSigned && !hasDs) return { problems: [] };
  const ttls = records.filter(({ type, owner }) => type === "NS" && isSameName(owner, name)).map(({ ttl }) => ttl ?? 0);
  const dnssec = { isSigned, ds, nsTtl: Math.max(0, ...ttls) };
  if ("unknown" in ds) {
    const summary = `${name.slice(0, -1)} is signed, and the service does not sign zones; DS records at its parent are unknown: ${ds.unknown}`;
    const fix = advise`Query them with \`dig DS ${shellWord(withoutDot(name))}\`, or name a resolver with ${{ set: "resolver" }}. If the parent has any, remove them there, wait for their TTL to pass, and only then change the name servers.`;
    return { dnssec, problems: [problem("dnssec-unsigned", summary, { fix })] };
  }
  if (!hasDs) {
    const summary = `${name.slice(0, -1)} is signed, but its parent has no DS records, so it can move to a service that does not sign zones`;
    return { dnssec, problems: [problem("dnssec-unsigned", summary, { severity: "note" })] };
  }
  const tags = `${ds.keyTags.length === 1 ? "key tag" : "key tags"} ${ds.keyTags.join(", ")}`;
  const summary = `${name.slice(0, -1)} has DS records at its parent (${tags}), and the service does not sign zones`;
  return { dnssec, problems: [problem("dnssec-ds", summary, { fix: moveOrder(ds.ttl, dnssec.nsTtl) })] };
}

/** The steps of a move; the TTLs are in seconds. */
function moveOrder(dsTtl: number, nsTtl: number): string {
  const steps = [
    "remove the DS records at the registrar",
    `wait until the parent zone no longer has them, and then ${durationInWords(dsTtl)} more, their TTL`,
    "change the name servers at the registrar",
    `keep the old name servers running for ${durationInWords(nsTtl)} more, the TTL of the NS records, or for that of the parent's NS records if it is longer`,
  ];
  return `Move the zone in this order: ${steps.map((step, index) => `${index + 1}. ${step}`).join("; ")}.`;
}
