import { isIPv4, isIPv6 } from "node:net";
import { mostListed } from "../../contract/resources/domain.ts";
import { plainAddress } from "../../dns/address.ts";
import { shownName } from "../../dns/name.ts";
import type { Rule } from "../../dns/rule.ts";
import { isMailbox } from "../../dns/types/soa.ts";
import { isHostname, ofSettings } from "./limit.ts";

/** What the API cannot hold of a zone as a whole, or refuses. */
export const zoneLimits: readonly Rule[] = [
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
  ofSettings({
    id: "domain-name",
    why: "A domain has two labels or more of letters, digits, - and _, in between also / (RFC 2317 §4), the last one no number (specification: Domain, domain; service: Domains).",
    example: { ok: "zone: example.com", ko: "zone: localhost" },
    check: (_, { zone: { name } }) =>
      isDomain(name.slice(0, -1))
        ? undefined
        : {
            setting: "zone",
            summary:
              name === "." ? "the root cannot be a domain" : `${shownName(name.slice(0, -1))} cannot be a domain`,
            fix: "Write zone: example.com.",
          },
  }),
  ofSettings({
    id: "soa-email",
    why: "A primary zone needs a contact address (service: Domains, POST).",
    example: { ok: "soa_email: hostmaster@example.com", ko: "soa_email: hostmaster" },
    check({ type, soa_email }, zone) {
      const isLeftOut = soa_email === undefined || soa_email === "";
      // A record or setting with an error may be the one that says it.
      if (isLeftOut && zone.isInDoubt(zone.apex)) return undefined;
      if (isLeftOut ? type === "slave" : isEmail(soa_email)) return undefined;
      return {
        setting: soa_email === undefined ? "zone" : "soa_email",
        summary: isLeftOut ? "the zone has no soa_email" : `${soa_email} is no e-mail address`,
        fix: "Write soa_email: hostmaster@example.com, or give it under defaults in zonewright.yaml.",
      };
    },
  }),
  ofSettings({
    id: "master-ips",
    why: "Type slave needs the addresses to transfer from (service: Domains, POST).",
    example: { ok: "type: slave\nmaster_ips: [192.0.2.53]", ko: "type: slave" },
    check: ({ type, master_ips }) =>
      type === "slave" && !master_ips?.length
        ? { setting: "type", summary: "the zone is a slave without master_ips", fix: "Write master_ips: [192.0.2.53]." }
        : undefined,
  }),
  ofSettings({
    id: "slave-records",
    why: "A slave zone transfers its records (service: Domains).",
    example: {
      ok: "type: slave\nmaster_ips: [192.0.2.53]",
      ko: "type: slave\nmaster_ips: [192.0.2.53]\nrecords:\n  www: { A: 192.0.2.1 }",
    },
    check: ({ type }, zone) =>
      type === "slave" &&
      zone.zone.records.some(({ type, owner }) => type !== "SOA" && !(type === "NS" && zone.isApex(owner)))
        ? {
            setting: "type",
            summary: "the zone is a slave and has records of its own",
            fix: "Remove them, or write type: master.",
          }
        : undefined,
  }),
  ...(["master_ips", "axfr_ips"] as const).map((setting) =>
    ofSettings({
      id: `${setting.replace("_", "-")}-address`,
      why: "Servers are named by address (specification: Domain).",
      example: { ok: `${setting}: [192.0.2.53, "2001:db8::53"]`, ko: `${setting}: [ns1.example.net]` },
      check(settings) {
        const wrong = settings[setting]?.find((address) => !isAddress(address));
        return wrong === undefined
          ? undefined
          : { setting, summary: `${wrong} in ${setting} is no address`, fix: "Write an IPv4 or IPv6 address." };
      },
    }),
  ),
  ofSettings({
    id: "axfr-ips-unique",
    why: "The service refuses an address of axfr_ips that another one says already, in whatever spelling (service: Domains).",
    example: {
      ok: "axfr_ips: [192.0.2.53, 192.0.2.54]",
      ko: 'axfr_ips: ["2001:db8::53", "2001:DB8:0::53"]',
    },
    check({ axfr_ips = [] }) {
      const keys = axfr_ips.map((address) => (isAddress(address) ? plainAddress(address) : address));
      const repeated = axfr_ips.find((_, index) => keys.indexOf(keys[index] ?? "") < index);
      return repeated === undefined
        ? undefined
        : { setting: "axfr_ips", summary: `axfr_ips names ${repeated} twice`, fix: "Remove one of the two." };
    },
  }),
  ...(
    [
      ["description", 255],
      ["group", 50],
    ] as const
  ).map(([setting, most]) =>
    ofSettings({
      id: `${setting}-length`,
      why: `${setting} has 1 to ${most} characters (specification: Domain).`,
      example: { ok: `${setting}: shops`, ko: `${setting}: ${"shops ".repeat(most / 5).trim()}` },
      check: (settings) =>
        (settings[setting]?.length ?? 0) > most
          ? { setting, summary: `${setting} is longer than ${most} characters`, fix: "Shorten it." }
          : undefined,
    }),
  ),
  ...(["master_ips", "axfr_ips", "tags"] as const).map((setting) =>
    ofSettings({
      id: `${setting.replace("_", "-")}-count`,
      why: `A domain has at most ${mostListed} ${setting} (openapi.json: POST /domains).`,
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
    why: "A tag has 3 to 50 characters (specification: Tag).",
    example: { ok: "tags: [production]", ko: "tags: [eu]" },
    check({ tags }) {
      const wrong = tags?.find(({ length }) => length < 3 || length > 50);
      return wrong === undefined
        ? undefined
        : { setting: "tags", summary: `the tag ${wrong} has ${wrong.length} characters`, fix: "Use 3 to 50." };
    },
  }),
];

function isDomain(name: string): boolean {
  const labels = name.replace(/^\*\./, "").split(".");
  const fit = labels.every((label) => /^\w([\w/-]{0,61}\w)?$/.test(label));
  return fit && labels.length > 1 && name.length <= 253 && !/\.\d+$/.test(name);
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const fits = /^[!-?A-~]{1,63}$/.test(text.slice(0, Math.max(0, at))) && isHostname(text.slice(at + 1));
  return fits && text.length <= 253 && isMailbox(text);
}

/** An address with a zone, as in `fe80::1%eth0`, means nothing to the service. */
function isAddress(text: string): boolean {
  return isIPv4(text) || (isIPv6(text) && !text.includes("%"));
}
