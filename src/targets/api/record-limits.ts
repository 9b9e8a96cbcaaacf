import { caaTags, mostData, recordTypes } from "../../contract/resources/record.ts";
import { labels } from "../../dns/name.ts";
import type { Rule } from "../../dns/rule.ts";
import { fromOctets, isUtf8 } from "../../dns/text.ts";
import { targets } from "../../dns/zone.ts";
import { isHostname, ofRecords } from "./limit.ts";
import { apiName, isHeld } from "./mapping.ts";

/** What the API cannot hold of single records, or refuses. */
export const recordLimits: readonly Rule[] = [
  ofRecords({
    id: "type-not-held",
    why: `The API holds ${recordTypes.join(", ")} records (specification: Domain record, type).`,
    example: example("www: { A: 192.0.2.1 }", "www: { RP: admin . }"),
    check: ({ owner, type }, zone) =>
      isHeld(type) || type === "ALIAS"
        ? undefined
        : {
            summary: `${zone.show(owner)} ${type} is of a type that the API does not hold`,
            fix: "Remove it, or make type-not-held a warning: the record then stays in the file and is not sent.",
          },
  }),
  ofRecords({
    id: "alias-record",
    why: "ALIAS is no type of DNS: some providers answer with the addresses of its target. The API does not hold it (specification: Domain record, type); as a warning, the record stays in the file and is not sent.",
    example: example('"@": { A: 192.0.2.1 }', '"@": { ALIAS: www.example.net. }'),
    check({ owner, type, data }, zone) {
      if (type !== "ALIAS") return undefined;
      const target = zone.show(String(data.target));
      return {
        summary: `${zone.show(owner)} ALIAS points to ${target}`,
        fix: zone.isApex(owner)
          ? `Write the A and AAAA records of ${target} here, and change them when its addresses change.`
          : `Write CNAME ${target} instead.`,
      };
    },
  }),
  ofRecords({
    id: "name-length",
    why: "The API holds names of 1 to 100 characters (specification: Domain record, name).",
    example: example("short: { A: 192.0.2.1 }", `${"a".repeat(50)}.${"b".repeat(50)}: { A: 192.0.2.1 }`),
    check({ owner }, zone) {
      const { length } = apiName(owner, zone.zone.name);
      return length > 100
        ? { summary: `${zone.show(owner)} is ${length} characters long`, about: "owner", fix: "Shorten it." }
        : undefined;
    },
  }),
  ofRecords({
    id: "name-characters",
    why: "The API holds names as plain text (service: Records, all).",
    example: example("xn--bcher-kva: { A: 192.0.2.1 }", String.raw`b\195\188cher: { A: 192.0.2.1 }`),
    check: ({ owner }, zone) =>
      /[\\"'\s@]|[^!-~]/.test(owner)
        ? {
            summary: `${zone.show(owner)} has characters that the API does not hold`,
            about: "owner",
            fix: "Use letters, digits, - and _; write names of other scripts without escapes, and they are converted.",
          }
        : undefined,
  }),
  ofRecords({
    id: "wildcard-first",
    why: "The API holds * only as the whole first label, where alone it is a wildcard (service: Records, all; RFC 4592 §2.1.1).",
    example: example('"*.dev": { A: 192.0.2.1 }', '"dev*": { A: 192.0.2.1 }'),
    check: ({ owner }, zone) =>
      owner.includes("*") && labels(owner).some((label, index) => label.includes("*") && (index > 0 || label !== "*"))
        ? {
            summary: `${zone.show(owner)} has a * that is not its whole first label`,
            about: "owner",
            fix: "Write it as *.name.",
          }
        : undefined,
  }),
  ofRecords({
    id: "target-characters",
    why: "The API holds targets of letters, digits, - _ and / (service: Records; RFC 2317 for the slash).",
    example: example("www: { CNAME: shop.example.net. }", 'www: { CNAME: "*.example.net." }'),
    check(record, zone) {
      if (!isHeld(record.type)) return undefined;
      const wrong = targets(record).find((target) => target !== "." && !isHostname(target.replace(/\.$/, "")));
      return wrong === undefined
        ? undefined
        : {
            summary: `${zone.show(record.owner)} ${record.type} points to ${zone.show(wrong)}, which the API does not hold`,
            fix: "Point to a name of letters, digits, - and _; write names of other scripts without escapes, and they are converted.",
          };
    },
  }),
  ofRecords({
    id: "root-target",
    why: "The API holds the target . only where it says that there is no server: MX and SRV (service: Records).",
    example: example("nomail: { MX: 0 . }", "www: { CNAME: . }"),
    check: ({ owner, type, data }, zone) =>
      data.target === "." && ["CNAME", "NS", "PTR"].includes(type)
        ? { summary: `${zone.show(owner)} ${type} points to the root`, fix: "Point to a name." }
        : undefined,
  }),
  ofRecords({
    id: "priority-range",
    why: "The API holds priorities from 0 to 255 (specification: Domain record, priority).",
    example: example('"@": { MX: 10 mail.example.net. }', '"@": { MX: 300 mail.example.net. }'),
    check: ({ owner, type, data }, zone) =>
      isHeld(type) && Number(data.priority ?? 0) > 255
        ? {
            summary: `${zone.show(owner)} ${type} has priority ${data.priority}`,
            fix: "Use smaller numbers; only their order counts.",
          }
        : undefined,
  }),
  ofRecords({
    id: "srv-target",
    why: "The API completes an SRV target without dots with the zone (service: Records, SRV).",
    example: example("_sip._tcp: { SRV: 0 0 5060 sip.example.net. }", "_sip._tcp: { SRV: 0 0 5060 localhost. }"),
    check: ({ owner, type, data }, zone) =>
      type === "SRV" && data.target !== "." && labels(String(data.target)).length === 1
        ? {
            summary: `${zone.show(owner)} SRV points to ${data.target}, a name with one label`,
            fix: "Point to a name with at least two labels.",
          }
        : undefined,
  }),
  ofRecords({
    id: "caa-tag",
    why: `The API holds the tags ${caaTags.join(", ")} (specification: Domain record, tag).`,
    example: example(`"@": { CAA: 0 issue "ca.example.net" }`, `"@": { CAA: 0 contactemail "a@example.com" }`),
    check: ({ owner, type, data }, zone) =>
      type === "CAA" && !(caaTags as readonly string[]).includes(String(data.tag).toLowerCase())
        ? { summary: `${zone.show(owner)} CAA has the tag ${data.tag}`, fix: "Use one of these tags." }
        : undefined,
  }),
  ofRecords({
    id: "caa-flags",
    why: "The API holds no flags (service: Records, CAA).",
    example: example(`"@": { CAA: 0 issue "ca.example.net" }`, `"@": { CAA: 128 issue "ca.example.net" }`),
    check: ({ owner, type, data }, zone) =>
      type === "CAA" && data.flags !== 0
        ? { summary: `${zone.show(owner)} CAA has flags ${data.flags}`, fix: "Write 0." }
        : undefined,
  }),
  ofRecords({
    id: "caa-value",
    why: "issue and issuewild name a domain or, with a semicolon, nobody; iodef a mailto: or http(s) URL (service: Records, CAA; RFC 8659 §4).",
    example: example(`"@": { CAA: 0 issue ";" }`, `"@": { CAA: 0 issue "ca.example.net." }`),
    check: ({ owner, type, data }, zone) =>
      type === "CAA" && !isCaaValue(String(data.tag).toLowerCase(), String(data.target))
        ? {
            summary: `${zone.show(owner)} CAA ${data.tag} has the value "${fromOctets(String(data.target))}"`,
            fix:
              String(data.tag).toLowerCase() === "iodef"
                ? "Write mailto:security@example.com."
                : 'Write a domain such as letsencrypt.org, or ";".',
          }
        : undefined,
  }),
  ofRecords({
    id: "data-length",
    why: `The API holds data of at most ${mostData.toLocaleString("en")} octets: so many fit into a DNS message (RFC 1035 §4.2.2).`,
    check({ owner, type, data }, zone) {
      const text = Array.isArray(data.target) ? data.target.join("") : String(data.target);
      const strings = type === "TXT" ? Math.max(1, Math.ceil(text.length / 255)) : 2 + String(data.tag).length;
      const octets = text.length + strings;
      return (type === "TXT" || type === "CAA") && octets > mostData
        ? {
            summary: `${zone.show(owner)} ${type} has ${octets.toLocaleString("en")} octets of data, more than ${mostData.toLocaleString("en")}`,
            fix: "Shorten it.",
          }
        : undefined;
    },
  }),
  ofRecords({
    id: "text-utf8",
    why: "The API carries text as JSON, so its octets are UTF-8 (RFC 8259 §8.1), and it refuses the character NUL.",
    example: example("www: { TXT: Grüße }", String.raw`www: { TXT: { rdata: '"\255"' } }`),
    check({ owner, type, data }, zone) {
      if (type !== "TXT" && type !== "CAA") return undefined;
      const text = Array.isArray(data.target) ? data.target.join("") : String(data.target);
      const hasNul = text.includes("\0");
      return hasNul || !isUtf8(text)
        ? {
            summary: `the text of ${zone.show(owner)} ${type} ${hasNul ? "has the character NUL" : "is not UTF-8"}`,
            fix: `Remove ${hasNul ? "it" : "the octets that are no UTF-8"}.`,
          }
        : undefined;
    },
  }),
];

function example(ok: string, ko: string): { ok: string; ko: string } {
  return { ok: `records:\n  ${ok}`, ko: `records:\n  ${ko}` };
}

function isCaaValue(tag: string, value: string): boolean {
  if (tag === "iodef") return /^mailto:[!-~]+@[!-~]+$/i.test(value) || isUrl(value);
  const [issuer = "", ...parameters] = value.split(";");
  const domain = issuer.trim();
  return /^[\t -~]*$/.test(value) && (domain === "" ? parameters.length > 0 : isHostname(domain));
}

function isUrl(value: string): boolean {
  return /^https?:[!-~]+$/i.test(value) && URL.canParse(value);
}
