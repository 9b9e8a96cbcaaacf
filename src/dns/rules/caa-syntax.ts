import type { Rule } from "../rule.ts";
import { fromOctets } from "../text.ts";
import { distinct } from "../zone.ts";

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
  *check(zone) {
    for (const { owner, records } of zone.sets("CAA")) {
      for (const record of distinct(records)) {
        const { tag, value } = record.data;
        if (!issuers.has(tag.toLowerCase())) continue;
        const fault = issuerFault(fromOctets(value));
        if (fault) yield { summary: `${zone.show(owner)} CAA ${tag}: ${fault[0]}`, at: record, fix: fault[1] };
      }
    }
  },
};

/** The fault of an issuer with parameters (RFC 8659 §4.2), and its fix. */
function issuerFault(value: string): readonly [summary: string, fix: string] | undefined {
  const [issuer = "", ...parameters] = value.split(";").map((part) => part.trim());
  if (issuer.includes("_"))
    return [`the authority "${issuer}" has an underscore, and matches none`, "Write the domain that it documents."];
  if (issuer !== "" && !issuer.includes("."))
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
