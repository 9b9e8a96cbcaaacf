import { isIP } from "node:net";
import { caaTags } from "../contract/resources/record.ts";
import { labels } from "../zone/name.ts";
import type { Finding, IndexedZone, Rule } from "../zone/rule.ts";
import { fromOctets, isUtf8 } from "../zone/text.ts";
import { isMailbox } from "../zone/types/soa.ts";
import { targets, type ZoneRecord, type ZoneSettings } from "../zone/zone.ts";
import { apiName } from "./mapping.ts";

type Problem = Pick<Finding, "summary" | "fix">;
type RecordCheck = (record: ZoneRecord, zone: IndexedZone) => Problem | undefined;
type SettingsCheck = (
  settings: ZoneSettings,
  zone: IndexedZone,
) => (Problem & { setting: keyof ZoneSettings | "zone" }) | undefined;

/** What the API cannot hold or refuses. Each limit names its source in `why`. */
export const limits: readonly Rule[] = [
  ofRecords(
    "name-length",
    "The API holds names of 1 to 100 characters (specification: Domain record, name).",
    ({ owner }, zone) => {
      const { length } = apiName(owner, zone.zone.name);
      return length > 100
        ? { summary: `${zone.show(owner)} is ${length} characters long`, fix: "Shorten it." }
        : undefined;
    },
  ),
  ofRecords("name-characters", "The API holds names as plain text (service: Records, all).", (record, zone) => {
    const name = [record.owner, ...targets(record)].find((name) => /[\\"'\s@]|[^!-~]/.test(name));
    return name
      ? {
          summary: `${zone.show(name)} has characters that the API does not hold`,
          fix: "Use letters, digits, - and _; write other scripts as xn-- labels.",
        }
      : undefined;
  }),
  ofRecords("wildcard-first", "The API holds * only as the first label (service: Records, all).", ({ owner }, zone) =>
    labels(owner).slice(1).includes("*")
      ? { summary: `${zone.show(owner)} has a * behind its first label`, fix: "Move the * to the front." }
      : undefined,
  ),
  ofRecords(
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
  ofRecords(
    "root-target",
    "The API holds the target . only where it says that there is no server: MX and SRV (service: Records).",
    ({ owner, type, data }, zone) =>
      data.target === "." && ["CNAME", "NS", "PTR"].includes(type)
        ? { summary: `${zone.show(owner)} ${type} points to the root`, fix: "Point to a name." }
        : undefined,
  ),
  ofRecords(
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
  ofRecords(
    "caa-tag",
    `The API holds the tags ${caaTags.join(", ")} (specification: Domain record, tag).`,
    ({ owner, type, data }, zone) =>
      type === "CAA" && !(caaTags as readonly unknown[]).includes(data.tag)
        ? { summary: `${zone.show(owner)} CAA has the tag ${data.tag}`, fix: "Use one of these tags." }
        : undefined,
  ),
  ofRecords("caa-flags", "The API holds no flags (service: Records, CAA).", ({ owner, type, data }, zone) =>
    type === "CAA" && data.flags !== 0
      ? { summary: `${zone.show(owner)} CAA has flags ${data.flags}`, fix: "Write 0." }
      : undefined,
  ),
  ofRecords(
    "caa-value",
    "issue and issuewild name a domain or nothing, iodef a mailto: or http(s) URL (service: Records, CAA; RFC 8659 §4).",
    ({ owner, type, data }, zone) =>
      type === "CAA" && !isCaaValue(String(data.tag), String(data.target))
        ? {
            summary: `${zone.show(owner)} CAA ${data.tag} has the value ${fromOctets(String(data.target))}`,
            fix:
              data.tag === "iodef"
                ? "Write mailto:security@example.com."
                : 'Write a domain such as letsencrypt.org, or ";".',
          }
        : undefined,
  ),
  ofRecords(
    "text-length",
    "The API holds 65,535 characters of text (service: Records, TXT).",
    ({ owner, type, data }, zone) =>
      type === "TXT" && octetsOf(data.target).length > 65535
        ? { summary: `the text of ${zone.show(owner)} is too long`, fix: "Shorten it." }
        : undefined,
  ),
  ofRecords(
    "text-utf8",
    "The API carries text as JSON, so its octets are UTF-8 (RFC 8259 §8.1).",
    ({ owner, type, data }, zone) =>
      (type === "TXT" || type === "CAA") && !isUtf8(octetsOf(data.target))
        ? {
            summary: `the text of ${zone.show(owner)} ${type} is not UTF-8`,
            fix: "Remove the octets that are no UTF-8.",
          }
        : undefined,
  ),
  {
    id: "records-count",
    set: "api",
    severity: "error",
    why: "A domain holds 12,000 records (service: Domains).",
    *check(zone) {
      const held = zone.zone.records.filter(
        ({ type, owner }) => type !== "SOA" && !(type === "NS" && zone.isApex(owner)),
      );
      if (held.length > 12000)
        yield { summary: `the zone has ${held.length} records`, at: held[12000], fix: "Split it." };
    },
  },
  ofSettings("domain-length", "A domain has 1 to 255 characters (specification: Domain, domain).", (_, { zone }) =>
    zone.name === "."
      ? { setting: "zone", summary: "the root cannot be a domain", fix: "Write zone: example.com." }
      : undefined,
  ),
  ofSettings(
    "soa-email",
    "Type master needs the keeper's e-mail address (service: Domains, POST).",
    ({ type, soa_email }) =>
      type !== "slave" && !isMailbox(soa_email ?? "")
        ? {
            setting: soa_email === undefined ? "zone" : "soa_email",
            summary: soa_email === undefined ? "the zone has no soa_email" : `${soa_email} is no e-mail address`,
            fix: "Write soa_email: hostmaster@example.com, or give it under defaults in zonewright.yaml.",
          }
        : undefined,
  ),
  ofSettings(
    "master-ips",
    "Type slave needs the addresses to transfer from (service: Domains, POST).",
    ({ type, master_ips }) =>
      type === "slave" && !master_ips?.length
        ? { setting: "type", summary: "the zone is a slave without master_ips", fix: "Write master_ips: [192.0.2.53]." }
        : undefined,
  ),
  ofSettings("slave-records", "A slave zone transfers its records (service: Domains).", ({ type }, { zone }) =>
    type === "slave" && zone.records.some(({ type }) => type !== "SOA" && type !== "NS")
      ? {
          setting: "type",
          summary: "the zone is a slave and has records of its own",
          fix: "Remove them, or write type: master.",
        }
      : undefined,
  ),
  ...(["master_ips", "axfr_ips"] as const).map((setting) =>
    ofSettings(
      `${setting.replace("_", "-")}-address`,
      "Servers are named by address (specification: Domain).",
      (settings) => {
        const wrong = settings[setting]?.find((address) => isIP(address) === 0);
        return wrong === undefined
          ? undefined
          : { setting, summary: `${wrong} in ${setting} is no address`, fix: "Write an IPv4 or IPv6 address." };
      },
    ),
  ),
  ...(
    [
      ["description", 255],
      ["group", 50],
    ] as const
  ).map(([setting, most]) =>
    ofSettings(`${setting}-length`, `${setting} has 1 to ${most} characters (specification: Domain).`, (settings) =>
      (settings[setting]?.length ?? 0) > most
        ? { setting, summary: `${setting} is longer than ${most} characters`, fix: "Shorten it." }
        : undefined,
    ),
  ),
  ofSettings("tag-length", "A tag has 3 to 50 characters (specification: Tag).", ({ tags }) => {
    const wrong = tags?.find(({ length }) => length < 3 || length > 50);
    return wrong === undefined
      ? undefined
      : { setting: "tags", summary: `the tag ${wrong} has ${wrong.length} characters`, fix: "Use 3 to 50." };
  }),
];

function ofRecords(id: string, why: string, check: RecordCheck): Rule {
  return {
    id,
    set: "api",
    severity: "error",
    why,
    *check(zone) {
      for (const record of zone.zone.records) {
        if (record.type === "SOA") continue;
        const problem = check(record, zone);
        if (problem) yield { ...problem, at: record };
      }
    },
  };
}

function ofSettings(id: string, why: string, check: SettingsCheck): Rule {
  return {
    id,
    set: "api",
    severity: "error",
    why,
    *check(zone) {
      const problem = check(zone.zone.settings, zone);
      if (problem) {
        const { places, file } = zone.zone;
        const head = file === undefined ? undefined : { file, line: 1, column: 1, length: 1 };
        yield {
          summary: problem.summary,
          at: places[problem.setting] ?? head,
          ...(problem.fix !== undefined && { fix: problem.fix }),
        };
      }
    },
  };
}

function octetsOf(text: unknown): string {
  return Array.isArray(text) ? text.join("") : String(text);
}

function isCaaValue(tag: string, value: string): boolean {
  if (tag === "iodef") return /^(?:mailto:[^@\s]+@[^@\s]+|https?:\/\/\S+)$/i.test(value);
  return /^\s*(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?)?\s*(?:;.*)?$/i.test(value);
}
