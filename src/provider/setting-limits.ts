import { isIP } from "node:net";
import { labels } from "../zone/name.ts";
import type { Finding, IndexedZone, Rule } from "../zone/rule.ts";
import { isMailbox } from "../zone/types/soa.ts";
import type { ZoneSettings } from "../zone/zone.ts";
import { isStored } from "./record-limits.ts";

type Problem = Pick<Finding, "summary" | "fix"> & { readonly setting: keyof ZoneSettings | "zone" };
type Check = (settings: ZoneSettings, zone: IndexedZone) => Problem | undefined;

/** What the API cannot hold or refuses of a zone's name and settings. */
export const settingLimits: readonly Rule[] = [
  limit(
    "domain-name",
    "A domain has at least two labels of letters, digits, - and _, and the last one is no number (service: Domains, POST).",
    (_, { zone }) =>
      isDomain(zone.name)
        ? undefined
        : {
            setting: "zone",
            summary: `${zone.name} cannot be a domain`,
            fix: "Write zone: example.com, and other scripts as xn-- labels.",
          },
  ),
  limit(
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
  limit("master-ips", "Type slave needs the addresses to transfer from (service: Domains, POST).", (settings) =>
    settings.type === "slave" && !settings.master_ips?.length
      ? { setting: "type", summary: "the zone is a slave without master_ips", fix: "Write master_ips: [192.0.2.53]." }
      : undefined,
  ),
  limit("slave-records", "A slave zone transfers its records (service: Domains).", ({ type }, zone) =>
    type === "slave" && zone.zone.records.some((record) => isStored(record, zone))
      ? {
          setting: "type",
          summary: "the zone is a slave and has records of its own",
          fix: "Remove them, or write type: master.",
        }
      : undefined,
  ),
  ...(["master_ips", "axfr_ips"] as const).map((setting) =>
    limit(
      `${setting.replace("_", "-")}-address`,
      "Servers are named by address (specification: Domain).",
      (settings) => {
        const wrong = settings[setting]?.find((address) => isIP(address) === 0 || address.includes("%"));
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
    limit(`${setting}-length`, `${setting} has 1 to ${most} characters (specification: Domain).`, (settings) =>
      (settings[setting]?.length ?? 0) > most
        ? { setting, summary: `${setting} is longer than ${most} characters`, fix: "Shorten it." }
        : undefined,
    ),
  ),
  limit("tag-length", "A tag has 3 to 50 characters (specification: Tag).", ({ tags }) => {
    const wrong = tags?.find(({ length }) => length < 3 || length > 50);
    return wrong === undefined
      ? undefined
      : { setting: "tags", summary: `the tag ${wrong} has ${wrong.length} characters`, fix: "Use 3 to 50." };
  }),
];

function limit(id: string, why: string, check: Check): Rule {
  return {
    id,
    set: "api",
    severity: "error",
    why,
    *check(zone) {
      const problem = check(zone.zone.settings, zone);
      if (!problem) return;
      const { places, file } = zone.zone;
      const head = file === undefined ? undefined : { file, line: 1, column: 1, length: 1 };
      const { setting, ...finding } = problem;
      yield { ...finding, at: places[setting] ?? head };
    },
  };
}

function isDomain(name: string): boolean {
  const [first, ...rest] = labels(name);
  const parts = first === "*" ? rest : [first, ...rest];
  return (
    parts.length > 1 && parts.every((label) => /^\w([\w-]*\w)?$/.test(label ?? "")) && !/^\d+$/.test(parts.at(-1) ?? "")
  );
}
