import { nearest } from "../../diagnostics/nearest.ts";
import type { Rule } from "../lookup/rule.ts";
import { fromOctets } from "../name/text.ts";
import { distinct } from "../zone/zone.ts";

/** The properties that name certification authorities (RFC 8659 §4.2, §4.3, RFC 9495 §3, RFC 9916 §3). */
const issuers: ReadonlySet<string> = new Set(["issue", "issuewild", "issuemail", "issuevmc"]);

/** Registered validation methods (RFC 8657 §4, IANA: ACME Validation Methods); others start with "ca-". */
const methods: ReadonlySet<string> = new Set([
  "http-01",
  "dns-01",
  "dns-account-01",
  "dns-persist-01",
  "tls-alpn-01",
  "onion-csr-01",
  "email-reply-00",
  "tkauth-01",
  "bp-nodeid-00",
]);

export const caaSyntax: Rule = {
  id: "caa-syntax",
  types: ["CAA"],
  *check(zone) {
    for (const { owner, records } of zone.sets("CAA")) {
      for (const record of distinct(records)) {
        const { flags, tag, value } = record.data;
        const property = tag.toLowerCase();
        const fault =
          propertyFault(flags, property) ?? (issuers.has(property) ? issuerFault(fromOctets(value)) : undefined);
        if (fault) yield { summary: `${zone.show(owner)} CAA ${tag}: ${fault[0]}`, at: record, fix: fault[1] };
      }
      for (const property of issuers) {
        const all = distinct(records).filter(({ data }) => data.tag.toLowerCase() === property);
        const none = all.find(({ data }) => /^\s*(?:;|$)/.test(fromOctets(data.value)));
        if (none && all.length > 1)
          yield {
            summary: `${zone.show(owner)} CAA ${property}: the record that allows no authority has no effect beside others`,
            at: none,
            fix: "Remove it, or the others.",
          };
      }
    }
  },
};

/** Other registered properties (RFC 8659 §4.4, CA/Browser Forum). */
const others: readonly string[] = ["iodef", "contactemail", "contactphone"];

/** The fault of the flags, or of a property that no authority knows. */
function propertyFault(flags: number, property: string): readonly [summary: string, fix: string] | undefined {
  const known = [...issuers, ...others];
  if (!known.includes(property)) {
    if (flags >= 128)
      return [
        "it is critical, so that authorities which do not know it issue nothing",
        "Write the flags 0, or remove it.",
      ];
    const near = nearest(property, known);
    return near === undefined ? undefined : ["no authority knows this property", `Did you mean "${near}"?`];
  }
  return flags === 0 || flags === 128
    ? undefined
    : [`the flags ${flags} are not defined`, "Write 128 if authorities must understand the property, otherwise 0."];
}

/** The fault of an issuer with parameters (RFC 8659 §4.2), and its fix. */
function issuerFault(value: string): readonly [summary: string, fix: string] | undefined {
  const [issuer = "", ...parameters] = value.split(";").map((part) => part.trim());
  if (/^[\w.-]*_[\w.-]*$/.test(issuer))
    return [`the authority "${issuer}" has an underscore, and matches none`, "Write the domain that it documents."];
  if (/^[A-Za-z0-9-]+$/.test(issuer))
    return [
      `the authority "${issuer}" is no domain, and matches none`,
      'Write its domain, in a form such as "letsencrypt.org".',
    ];
  for (const parameter of parameters) {
    if (parameter === "") continue;
    const [, name = "", text] = /^([A-Za-z0-9-]+)\s*(?:=\s*(.*))?$/.exec(parameter) ?? [];
    if (name === "")
      return [`"${parameter}" is not a parameter`, "Write parameters as name=value, separated by semicolons."];
    if (text === undefined || text === "")
      return [`the parameter "${name}" has no value`, `Write "${name}=" and its value.`];
    const unknown = name.toLowerCase() === "validationmethods" && text.split(",").find((one) => !isMethod(one.trim()));
    if (unknown)
      return [`the validation method "${unknown.trim()}" is unknown`, 'Write methods such as "dns-01" or "http-01".'];
    if (name.toLowerCase() === "accounturi" && !/^[a-z][a-z0-9+.-]*:./i.test(text))
      return [`the account "${text}" is not a URI`, "Copy the URL of the account from the authority."];
  }
  return undefined;
}

function isMethod(text: string): boolean {
  return methods.has(text.toLowerCase()) || /^ca-[a-z0-9-]+$/i.test(text);
}
