import { caaTags } from "../contract/resources/record.ts";
import { labels } from "../zone/name.ts";
import type { Finding, IndexedZone, Rule } from "../zone/rule.ts";
import { fromOctets, isUtf8 } from "../zone/text.ts";
import { targets, type ZoneRecord } from "../zone/zone.ts";
import { apiName } from "./mapping.ts";

type Check = (record: ZoneRecord, zone: IndexedZone) => Pick<Finding, "summary" | "fix"> | undefined;

/** Is a record stored through the API? The SOA and the NS set at the apex are the service's own. */
export function isStored({ type, owner }: ZoneRecord, zone: IndexedZone): boolean {
  return type !== "SOA" && !(type === "NS" && zone.isApex(owner));
}

/** What the API cannot hold or refuses of a record. */
export const recordLimits: readonly Rule[] = [
  limit(
    "name-length",
    "The API holds names of 1 to 100 characters (specification: Domain record, name).",
    ({ owner }, zone) => {
      const { length } = apiName(owner, zone.zone.name);
      return length > 100
        ? { summary: `${zone.show(owner)} is ${length} characters long`, fix: "Shorten it." }
        : undefined;
    },
  ),
  limit("name-characters", "The API holds names as plain text (service: Records, all).", ({ owner }, zone) =>
    /[\\"']|[^!-~]/.test(owner)
      ? {
          summary: `${zone.show(owner)} has characters that the API does not hold`,
          fix: "Use letters, digits, - and _; write other scripts as xn-- labels.",
        }
      : undefined,
  ),
  limit("target-characters", "The API holds targets as the names of hosts (RFC 1123 §2.1).", (record, zone) => {
    const wrong = targets(record).find((name) => name !== "." && !isHostname(name.slice(0, -1)));
    return wrong === undefined
      ? undefined
      : {
          summary: `${zone.show(record.owner)} ${record.type} points to ${zone.show(wrong)}, which is no name of a host`,
          fix: "Use letters, digits, - and _; write other scripts as xn-- labels.",
        };
  }),
  limit("wildcard-first", "The API holds * only as the first label (service: Records, all).", ({ owner }, zone) => {
    const [first, ...rest] = labels(`${apiName(owner, zone.zone.name)}.`);
    return (first === "*" ? rest : [first, ...rest]).join("").includes("*")
      ? { summary: `${zone.show(owner)} has a * that is not its first label`, fix: "Move the * to the front." }
      : undefined;
  }),
  limit(
    "priority-range",
    "The API holds priorities from 0 to 255 (specification: Domain record, priority).",
    ({ owner, type, data }, zone) =>
      Number(data.priority ?? 0) > 255
        ? {
            summary: `${zone.show(owner)} ${type} has priority ${data.priority}`,
            fix: "Use smaller numbers; only their order counts.",
          }
        : undefined,
  ),
  limit(
    "root-target",
    "The API holds the target . only where it says that there is no server: MX and SRV (service: Records).",
    ({ owner, type, data }, zone) =>
      data.target === "." && ["CNAME", "NS", "PTR"].includes(type)
        ? { summary: `${zone.show(owner)} ${type} points to the root`, fix: "Point to a name." }
        : undefined,
  ),
  limit(
    "srv-target",
    "The API completes an SRV target without dots with the zone (service: Records, SRV).",
    ({ owner, type, data }, zone) =>
      type === "SRV" && data.target !== "." && labels(String(data.target)).length === 1
        ? {
            summary: `${zone.show(owner)} SRV points to ${data.target}, a name with one label`,
            fix: "Point to a name with at least two labels.",
          }
        : undefined,
  ),
  limit(
    "caa-tag",
    `The API holds the tags ${caaTags.join(", ")} (specification: Domain record, tag).`,
    ({ owner, type, data }, zone) =>
      type === "CAA" && !(caaTags as readonly unknown[]).includes(data.tag)
        ? { summary: `${zone.show(owner)} CAA has the tag ${data.tag}`, fix: "Use one of these tags." }
        : undefined,
  ),
  limit("caa-flags", "The API holds no flags (service: Records, CAA).", ({ owner, type, data }, zone) =>
    type === "CAA" && data.flags !== 0
      ? { summary: `${zone.show(owner)} CAA has flags ${data.flags}`, fix: "Write 0." }
      : undefined,
  ),
  limit(
    "caa-value",
    "issue and issuewild name a domain or, with a semicolon, none; iodef a mailto: or http(s) URL (service: Records, CAA; RFC 8659 §4).",
    ({ owner, type, data }, zone) =>
      type === "CAA" && !isCaaValue(String(data.tag), String(data.target))
        ? {
            summary: `${zone.show(owner)} CAA ${data.tag} has the value "${fromOctets(String(data.target))}"`,
            fix:
              data.tag === "iodef"
                ? "Write mailto:security@example.com."
                : 'Write a domain such as letsencrypt.org, or ";".',
          }
        : undefined,
  ),
  limit(
    "text-length",
    "The API holds 65,535 characters of text (service: Records, TXT).",
    ({ owner, type, data }, zone) =>
      type === "TXT" && octetsOf(data.target).length > 65535
        ? { summary: `the text of ${zone.show(owner)} is too long`, fix: "Shorten it." }
        : undefined,
  ),
  limit(
    "text-utf8",
    "The API carries text as JSON, so its octets are UTF-8 (RFC 8259 §8.1).",
    ({ owner, type, data }, zone) =>
      type === "TXT" && !isUtf8(octetsOf(data.target))
        ? { summary: `the text of ${zone.show(owner)} is not UTF-8`, fix: "Remove the octets that are no UTF-8." }
        : undefined,
  ),
  {
    id: "records-count",
    set: "api",
    severity: "error",
    why: "A domain holds 12,000 records (service: Domains).",
    *check(zone) {
      const stored = zone.zone.records.filter((record) => isStored(record, zone));
      if (stored.length > 12000)
        yield { summary: `the zone has ${stored.length} records`, at: stored[12000], fix: "Split it." };
    },
  },
];

function limit(id: string, why: string, check: Check): Rule {
  return {
    id,
    set: "api",
    severity: "error",
    why,
    *check(zone) {
      for (const record of zone.zone.records) {
        const problem = isStored(record, zone) ? check(record, zone) : undefined;
        if (problem) yield { ...problem, at: record };
      }
    },
  };
}

/** Underscores are tolerated, and slashes, which RFC 2317 puts in names. */
function isHostname(name: string): boolean {
  return name.split(".").every((label) => /^[\w/-]+$/.test(label));
}

function isCaaValue(tag: string, value: string): boolean {
  if (tag === "iodef")
    return /^mailto:[!-~]+@[!-~]+$/i.test(value) || (/^https?:[!-~]+$/i.test(value) && URL.canParse(value));
  const [issuer = "", ...parameters] = value.split(";");
  const isKnown = issuer.trim() === "" ? parameters.length > 0 : isHostname(issuer.trim());
  return isKnown && /^[\t -~]*$/.test(value);
}

function octetsOf(text: unknown): string {
  return Array.isArray(text) ? text.join("") : String(text);
}
