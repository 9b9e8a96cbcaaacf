import type { Line } from "../text/line.ts";

/** The types whose data names another host. */
const pointers = ["ALIAS", "CNAME", "DNAME", "HTTPS", "MX", "NS", "PTR", "SRV", "SVCB"];

/** Changes by which traffic or mail is taken over, the most dangerous first. */
const tests: readonly ((line: Line, types: readonly string[]) => boolean)[] = [
  // The owner of zones, their settings and their deletions.
  ({ owner }) => owner === "(zone)",
  // Values are relative to the zone, so a final dot is that of a name elsewhere.
  ({ values }, types) =>
    types.some((type) => pointers.includes(type)) && values.some(({ text }) => /(?:^| )\S+\.(?: |$)/.test(text)),
  (_, types) => types.includes("MX"),
  (_, types) => types.includes("NS") || types.includes("DS"),
  ({ owner }) => owner.startsWith("*"),
  ({ owner }) => /^_acme-challenge|\._acme-challenge(?:\.|$)/i.test(owner),
  ({ owner }) => owner === "@",
  ({ owner, values }) =>
    /(?:^|\.)(?:_dmarc|_domainkey|_mta-sts|mta-sts|_smtp\._tls|default\._bimi)(?:\.|$)/i.test(owner) ||
    values.some(({ text }) => /v=spf1/i.test(text)),
  (_, types) => types.includes("CAA") || types.includes("TLSA"),
];

/** The rank of all other changes. */
export const defaultRank = tests.length + 1;

/** The rank of a change by its danger: 1 for the greatest. */
export function dangerRank(line: Line): number {
  const types = line.typeAndTtl ? [line.typeAndTtl[0]] : line.values.map(({ text }) => text.split(" ")[0] ?? "");
  const found = tests.findIndex((test) => test(line, types));
  return found < 0 ? defaultRank : found + 1;
}
