import { isIPv4, isIPv6 } from "node:net";
import { mostListed, mostRecords } from "../../contract/bounds.ts";
import { nodeLabel } from "../../contract/resources/node-label.ts";
import { advise } from "../../diagnostics/advice.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { Rule } from "../../dns/lookup/rule.ts";
import { plainAddress } from "../../dns/name/address.ts";
import { octets, relativeTo } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import { emailToName, isMailbox, nameToEmail } from "../../dns/types/soa.ts";
import { isReferring } from "../../dns/zone/node-reference.ts";
import type { Zone, ZoneRecord } from "../../dns/zone/zone.ts";
import { isApiHostname, isDomain, isOfService, ofSettings } from "./record-limits.ts";

/** Limits of the API on a zone as a whole. */
export const zoneLimits: readonly Rule[] = [
  {
    id: "records-count",
    *check(zone) {
      if (zone.zone.records.length <= mostRecords) return;
      const records = zone.zone.records.filter((record) => !isOfService(record, zone));
      const fix = `Move names below a subdomain into a zone of their own, and delegate it with NS records. If your service accepts more, set "rules: { records-count: off }" in zonewright.yaml.`;
      if (records.length > mostRecords)
        yield { summary: `the zone has ${records.length} records`, at: records[mostRecords], fix };
    },
  },
  {
    id: "node-label",
    *check(zone) {
      for (const record of zone.zone.records.filter(isReferring)) {
        const { owner, type, node, source } = record;
        const fault = nodeLabel.safeParse(node.label).error?.issues[0];
        if (!fault) continue;
        const { label, at } = node;
        const rule = fault.message.replace(/^Must/, "it must").replace(/^Length/, "its length");
        const summary = `${zone.show(owner)} ${type}: "${label}" cannot be the label of a node: ${rule}`;
        yield {
          summary,
          at,
          via: source?.via,
          owner,
          fix: advise`${{ call: "listNodes" }} shows the nodes with their labels.`,
        };
      }
    },
  },
  ofSettings({
    id: "domain-name",
    check: (_, { zone }) =>
      isDomain(zone.name)
        ? undefined
        : {
            setting: "zone",
            summary:
              zone.name === "."
                ? "the root cannot be a domain"
                : `"${fromOctets(octets(zone.name.slice(0, -1)))}" cannot be a domain`,
            fix:
              zone.fileFormat === "bind"
                ? "Name the file after its zone, such as example.com.zone, or write the name as the owner of the SOA record."
                : 'Name the file after its zone, such as example.com.yaml, or write "zone: example.com".',
          },
  }),
  ofSettings({
    id: "soa-email",
    check({ type, soa_email }, zone) {
      const isLeftOut = soa_email === undefined || soa_email === "";
      // A record or setting with an error may be the one that sets it.
      if (isLeftOut && zone.isUnread(zone.apex)) return undefined;
      const [soa] = zone.sets("SOA")[0]?.records ?? [];
      const isApex = soa !== undefined && zone.isApex(soa.data.rname);
      if (isLeftOut ? type === "slave" : isEmail(soa_email) && !isApex) return undefined;
      // The contact is often relative to the zone, whose name is then the cause.
      if (!isDomain(zone.zone.name)) return undefined;
      if (soa && nameToEmail(soa.data.rname) === soa_email) return contactProblem(soa, zone.zone);
      if (isLeftOut && zone.zone.fileFormat === "bind")
        return {
          setting: "zone",
          summary: "the primary zone has no SOA record",
          fix: `Add \`@ SOA ns1.example.net. hostmaster.${zone.zone.name} 1 4h 1h 2w 1h\`, or write the contact alone on the line \`;@ soa_email: hostmaster@${zone.zone.name.slice(0, -1)}\`.`,
        };
      return {
        setting: soa_email === undefined ? "zone" : "soa_email",
        summary: isLeftOut ? "the primary zone has no soa_email" : `soa_email "${soa_email}" is not an e-mail address`,
        fix: isEmail(withoutScheme(soa_email ?? ""))
          ? `Write "soa_email: ${withoutScheme(soa_email ?? "")}".`
          : 'Write an address such as "soa_email: hostmaster@example.com", or set one under "defaults:" in zonewright.yaml.',
      };
    },
  }),
  ofSettings({
    id: "master-ips",
    check: ({ type, master_ips }) =>
      type === "slave" && !master_ips?.length
        ? {
            setting: "type",
            summary: "the secondary zone has no master_ips",
            fix: 'Write the addresses of its primaries, such as "master_ips: [192.0.2.53]".',
          }
        : undefined,
  }),
  ofSettings({
    id: "slave-records",
    check: ({ type }, zone) =>
      type === "slave" && zone.zone.records.some((record) => !isOfService(record, zone))
        ? {
            setting: "type",
            summary: "the secondary zone has records in its file",
            fix: 'Remove the records, or write "type: master".',
          }
        : undefined,
  }),
  ...(
    [
      ["master_ips", "master-ips-address"],
      ["axfr_ips", "axfr-ips-address"],
    ] as const
  ).map(([setting, id]) =>
    ofSettings({
      id,
      check(settings) {
        const wrong = settings[setting]?.find((address) => !isAddress(address));
        return wrong === undefined
          ? undefined
          : {
              setting,
              summary: `"${wrong}" in ${setting} is not an IP address`,
              fix: "Write an IPv4 or IPv6 address.",
            };
      },
    }),
  ),
  ofSettings({
    id: "axfr-ips-unique",
    check({ axfr_ips = [] }) {
      const keys = axfr_ips.map((address) => (isAddress(address) ? plainAddress(address) : address));
      const repeated = axfr_ips.find((_, index) => keys.indexOf(keys[index] ?? "") < index);
      return repeated === undefined
        ? undefined
        : { setting: "axfr_ips", summary: `axfr_ips lists "${repeated}" twice`, fix: "Remove one of the two." };
    },
  }),
  ...(
    [
      ["description", "description-length", 255],
      ["group", "group-length", 50],
    ] as const
  ).map(([setting, id, most]) =>
    ofSettings({
      id,
      check: (settings) =>
        lengthOf(settings[setting] ?? "") > most
          ? { setting, summary: `${setting} is longer than ${most} characters`, fix: "Shorten it." }
          : undefined,
    }),
  ),
  ...(
    [
      ["master_ips", "master-ips-count"],
      ["axfr_ips", "axfr-ips-count"],
      ["tags", "tags-count"],
    ] as const
  ).map(([setting, id]) =>
    ofSettings({
      id,
      check(settings) {
        const { length } = settings[setting] ?? [];
        return length > mostListed
          ? { setting, summary: `${setting} has ${length} entries`, fix: `Leave ${mostListed}.` }
          : undefined;
      },
    }),
  ),
  ofSettings({
    id: "tag-length",
    check({ tags }) {
      const wrong = tags?.find((tag) => lengthOf(tag) < 3 || lengthOf(tag) > 50);
      return wrong === undefined
        ? undefined
        : {
            setting: "tags",
            summary: `the tag "${wrong}" has ${count(lengthOf(wrong), "character")}`,
            fix: "Use 3 to 50 characters.",
          };
    },
  }),
];

/** The problem of a contact in an SOA record that is not an e-mail address, such as one with an @. */
function contactProblem(soa: ZoneRecord<"SOA">, { name, dotlessTargets }: Zone) {
  const { rname } = soa.data;
  const written = dotlessTargets.find((target) => target.name === rname)?.written ?? octets(rname);
  const email = withoutScheme(fromOctets(written.replace(/\.$/, "")));
  // Without a dot after its @, the address may be relative to the zone by mistake.
  const isClear = isEmail(email) && !/@[^.]*$/.test(octets(relativeTo(rname, name)));
  const mailbox = isClear ? `"${emailToName(email)}"` : `a mailbox such as "hostmaster.${name}"`;
  return {
    setting: "soa_email",
    at: soa,
    summary: `the contact "${fromOctets(written)}" of the SOA record is not a mailbox`,
    fix: `Write ${mailbox}: a dot stands for the @ (RFC 1035 §8).`,
  } as const;
}

/** Characters as the API counts them: code points. */
function lengthOf(text: string): number {
  return [...text].length;
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const fits = /^[!-?A-~]{1,63}$/.test(text.slice(0, Math.max(0, at))) && isApiHostname(text.slice(at + 1));
  return fits && text.length <= 253 && isMailbox(text) && withoutScheme(text) === text;
}

function withoutScheme(email: string): string {
  return email.replace(/^mailto:\/*/i, "");
}

/** An address with a zone id, such as `fe80::1%eth0`, is meaningless to the service. */
function isAddress(text: string): boolean {
  return isIPv4(text) || (isIPv6(text) && !text.includes("%"));
}
