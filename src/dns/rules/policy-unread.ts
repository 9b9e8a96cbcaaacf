import type { IndexedZone, Rule } from "../lookup/rule.ts";
import { labels, nameKey } from "../name/name.ts";
import { straighten } from "../name/straight-text.ts";
import { hasForeignQuoting, isKeyOwner, meantText, policyKind } from "../policies/kind.ts";
import { parseTags, valuesOf } from "../policies/tags.ts";

/** A policy that receivers look for at certain names (RFC 8552). */
interface Placed {
  readonly name: string;
  /** The beginning of its text, in lower case and without blanks. */
  readonly start: string;
  /** Whether receivers look for it at a name with these labels, in lower case; SPF is included by any name. */
  isAt?(labels: readonly string[]): boolean;
  /** The right name for a domain. */
  readonly right?: string;
}

const dkimPlace: Placed = { name: "DKIM", start: "v=dkim1", isAt: isKeyOwner, right: "selector._domainkey" };

const placed: readonly Placed[] = [
  { name: "SPF", start: "v=spf1" },
  { name: "DMARC", start: "v=dmarc1", isAt: isDmarcOwner, right: "_dmarc" },
  dkimPlace,
  { name: "MTA-STS", start: "v=stsv1", isAt: (labels) => labels.includes("_mta-sts"), right: "_mta-sts" },
  {
    name: "TLSRPT",
    start: "v=tlsrptv1",
    isAt: (labels) => labels.some((label, at) => label === "_smtp" && labels[at + 1] === "_tls"),
    right: "_smtp._tls",
  },
  { name: "BIMI", start: "v=bimi1", isAt: (labels) => labels.indexOf("_bimi") > 0, right: "default._bimi" },
];

/**
 * Policies for several domains, to which their aliases point, are at names such as `example.com._dmarc` and
 * `_dmarc_shared`; reports are accepted at `_report._dmarc`.
 */
function isDmarcOwner(labels: readonly string[]): boolean {
  const at = labels.indexOf("_dmarc");
  return at === 0 || at > 1 || /^_dmarc[_-]/.test(labels[0] ?? "");
}

/** The beginning of a version of SPF that is none, or not separated from the first term. */
const spoiltSpf = /^(?:v *= *spf|v *spf1|=?spf1[ ;:])/i;

export const policyUnread: Rule = {
  id: "policy-unread",
  types: ["TXT", "SPF"],
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT")) {
      for (const record of records) {
        const text = meantText(record);
        if (!/v\s*=|p\s*=|spf/i.test(text) || hasForeignQuoting(text)) continue;
        const fault = textFault(text, record.data.strings) ?? ownerFault(text, labels(nameKey(owner)));
        // Receivers that follow an alias read the policy at its target.
        if (!fault || (fault.isPlace && zone.isAliased(owner))) continue;
        yield { summary: `${zone.show(owner)} TXT: ${fault.summary}`, at: record, fix: fault.fix };
      }
    }
    yield* obsoleteRecords(zone);
  },
};

interface Fault {
  readonly summary: string;
  readonly fix: string;
  readonly isPlace?: true;
}

function textFault(text: string, strings: readonly string[]): Fault | undefined {
  const plain = straighten(text).trimStart();
  const [, ...versions] = strings.some((string, at) => at > 0 && isStart(string, strings[at - 1]))
    ? (strings.slice(1).join(" ").match(begin) ?? [])
    : (plain.match(policyKind(text) === undefined ? evident : within) ?? []);
  const version = versions.find((one) => one !== undefined);
  if (version !== undefined)
    return {
      summary: `the text contains a second one, which starts with "v=${version}"`,
      fix: "Write it as a record of its own.",
    };
  if (policyKind(text) !== undefined || !spoiltSpf.test(plain)) return undefined;
  return {
    summary: 'the text does not start with "v=spf1 ", so it is not an SPF record',
    fix: 'Start the text with "v=spf1 ", and separate its terms by spaces.',
  };
}

const versions = "(spf1|DMARC1|DKIM1|STSv1|TLSRPTv1|BIMI1)(?=[\\s;]|$)";
const begin = new RegExp(`(?:^|\\s)v=${versions}`, "i");
const atStart = new RegExp(`^\\s*v=${versions}`, "i");
const within = new RegExp(`[\\s;"']v=${versions}`, "i");
/** A policy in a text that is none itself, which may be prose about policies. */
const evident = new RegExp(
  `^[^\\s=]+=.*[\\s;"']v=(?:(spf1)(?= +[-+~?]?(?:all|a|mx|ptr)(?:[ :/]|$)| +[-+~?]?(?:include:|ip[46]:|exists:)| +redirect=)|` +
    "(DMARC1|DKIM1|STSv1|TLSRPTv1|BIMI1)(?= *;))",
  "i",
);

/** Whether a string begins a policy. Long texts are split after 255 octets, at any place. */
function isStart(string: string, before = ""): boolean {
  return before.length < 255 && atStart.test(string);
}

/** Labels that are meant as "_domainkey". */
const nearKeyLabel = /^_?(?:domain[-_]?keys?|dkim)$/;

/** Whether a text is a DKIM key, which may have no version (RFC 6376 §3.6.1). */
function isKey(text: string): boolean {
  const tags = parseTags(text);
  const [key = ""] = valuesOf(tags, "p");
  return tags.malformed.length === 0 && (/^[A-Za-z0-9+/=\s]{40,}$/.test(key) || valuesOf(tags, "k").length > 0);
}

function ownerFault(text: string, at: readonly string[]): Fault | undefined {
  const start = text.replace(/\s/g, "").toLowerCase();
  const policy =
    at.some((label) => nearKeyLabel.test(label)) && isKey(text)
      ? dkimPlace
      : placed.find((one) => start.startsWith(one.start) && /^(?:;|$)/.test(start.slice(one.start.length)));
  if (!policy?.isAt || policy.isAt(at) || at[0] === "*") return undefined;
  return {
    summary: `${policy.name === "MTA-STS" ? "an" : "a"} ${policy.name} record at this name is not read`,
    fix: `Move it to "${policy.right}" below the domain.`,
    isPlace: true,
  };
}

/** SPF records of type SPF without a TXT record beside them (RFC 7208 §3.1). */
function* obsoleteRecords(zone: IndexedZone) {
  for (const { owner, records } of zone.sets("SPF")) {
    const texts = zone.owners.get(owner)?.get("TXT")?.records ?? [];
    if (texts.some((record) => policyKind(meantText(record)) === "SPF")) continue;
    yield {
      summary: `${zone.show(owner)} SPF: receivers do not query this type`,
      at: records[0],
      fix: "Write it as a TXT record.",
    };
  }
}
