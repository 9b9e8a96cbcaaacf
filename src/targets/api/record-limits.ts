import { caaTags, mostData } from "../../contract/bounds.ts";
import type { RuleId } from "../../diagnostics/registry.ts";
import { hostIn } from "../../dns/lookup/host-in-target.ts";
import type { IndexedZone, Rule, RuleFinding } from "../../dns/lookup/rule.ts";
import { isAddress } from "../../dns/name/address.ts";
import { labels, type Name, root, withoutDot } from "../../dns/name/name.ts";
import { straighten } from "../../dns/name/straight-text.ts";
import { fromOctets, isUtf8 } from "../../dns/name/text.ts";
import { txtText } from "../../dns/policies/kind.ts";
import { lenientEntry } from "../../dns/zone/lenient-advice.ts";
import { isType, type TypedRecord, targets, type ZoneRecord } from "../../dns/zone/zone.ts";
import { adviseAgainstAlias } from "../alias-record.ts";
import { apiName, isApiType } from "./mapping.ts";
import { type ApiSettings, toApiSettings } from "./settings.ts";

/** Characters that record names of the API cannot contain. */
const unusable = /[\\"'\s@]|[^!-~]/;

/** The types of the API whose RDATA names another host. */
const withTargets = ["CNAME", "MX", "NS", "PTR", "SRV"];

/** Limits of the API on single records. */
export const recordLimits: readonly Rule[] = [
  ofRecords({
    id: "type-unsupported",
    check: ({ owner, type }, zone) =>
      isApiType(type) || type === "ALIAS"
        ? undefined
        : {
            summary: `${zone.show(owner)} ${type}: the API does not support records of this type`,
            fix:
              type === "SPF"
                ? "Write it as a TXT record: receivers look for SPF nowhere else (RFC 7208 §3.1)."
                : `Remove it, or ${keep("type-unsupported", { owner }, zone)}`,
          },
  }),
  ofRecords({
    id: "alias-record",
    types: ["ALIAS"],
    check(record, zone) {
      if (!isType(record, "ALIAS")) return undefined;
      const { owner, data } = record;
      const target = zone.show(data.target);
      return {
        summary: `${zone.show(owner)} ALIAS points to "${target}"`,
        fix: adviseAgainstAlias(target, zone.isApex(owner)),
      };
    },
  }),
  ofOwners({
    id: "name-length",
    check(owner, zone) {
      if (owner.length <= 100) return undefined;
      const { length } = apiName(owner, zone.zone.name);
      return length > 100
        ? { summary: `${zone.show(owner)} is ${length} characters long; the limit is 100`, fix: "Shorten it." }
        : undefined;
    },
  }),
  ofOwners({
    id: "name-characters",
    check: (owner, zone) =>
      unusable.test(owner) && unusable.test(apiName(owner, zone.zone.name))
        ? {
            summary: `${zone.show(owner)} contains characters that the API does not support`,
            fix: "Use letters, digits, hyphens and underscores. Write internationalized names without escapes: they are converted.",
          }
        : undefined,
  }),
  ofOwners({
    id: "wildcard-first",
    check: (owner, zone) =>
      owner.includes("*") && labels(owner).some((label, index) => label.includes("*") && (index > 0 || label !== "*"))
        ? {
            summary: `${zone.show(owner)} has a "*" that is not its whole first label`,
            fix: `Write a wildcard as "*.name", or ${keep("wildcard-first", { owner }, zone)}`,
          }
        : undefined,
  }),
  ofRecords({
    id: "target-characters",
    types: withTargets,
    check(record, zone) {
      const wrong = targets(record).find(
        (target) => target !== "." && (!isApiHostname(withoutDot(target)) || target.includes("/")),
      );
      const found = wrong === undefined ? undefined : hostIn(wrong, zone.zone);
      if (found)
        return {
          summary: `${zone.show(record.owner)} ${record.type} points to ${found.what}`,
          fix: isAddress(found.host)
            ? `Create an A record for ${found.host} and point to its name.`
            : `Write the name of the host alone, as "${found.host}".`,
        };
      const isOfZone = wrong !== undefined && zone.isInside(wrong) && !isDomain(zone.zone.name);
      return wrong === undefined || isApiHostname(withoutDot(wrong)) || isOfZone
        ? undefined
        : {
            summary: `${zone.show(record.owner)} ${record.type} points to "${zone.show(wrong)}", which the API does not support`,
            fix: "Use a target of letters, digits, hyphens and underscores. Write internationalized names without escapes: they are converted.",
          };
    },
  }),
  ofRecords({
    id: "root-target",
    types: ["CNAME", "NS", "PTR"],
    check: (record, zone) =>
      targets(record)[0] === root
        ? {
            summary: `${zone.show(record.owner)} ${record.type} points to the root (".")`,
            fix: "Point to a host name.",
          }
        : undefined,
  }),
  ofRecords({
    id: "priority-range",
    types: ["MX", "SRV"],
    check: (record, zone) =>
      priorityOf(record) > 255
        ? {
            summary: `${zone.show(record.owner)} ${record.type} has priority ${priorityOf(record)}; the limit is 255`,
            fix: "Use smaller numbers. Only their order matters.",
          }
        : undefined,
  }),
  ofRecords({
    id: "srv-owner",
    types: ["SRV"],
    check({ owner }, zone) {
      const [isFirst, isSecond, isThird] = labels(owner).map((label) => /^_./.test(label));
      if (isFirst && isSecond) return undefined;
      // RFC 6763 §4.1: <Instance>._service._protocol
      const isInstance = isSecond && isThird;
      return {
        summary: `${zone.show(owner)} SRV is not at a _service._protocol name`,
        about: "owner",
        fix: isInstance
          ? `The name of a service instance is right as it is: ${keep("srv-owner", { owner }, zone)}`
          : `Move it to the name of its service, such as "_sip._tcp", or ${keep("srv-owner", { owner }, zone)}`,
      };
    },
  }),
  ofRecords({
    id: "srv-target",
    types: ["SRV"],
    check: (record, zone) =>
      isType(record, "SRV") && labels(record.data.target).length === 1
        ? {
            summary: `${zone.show(record.owner)} SRV points to "${record.data.target}", a name with one label`,
            fix: "Point to a name with at least two labels.",
          }
        : undefined,
  }),
  ofRecords({
    id: "caa-tag",
    types: ["CAA"],
    check: (record, zone) =>
      isType(record, "CAA") && !(caaTags as readonly string[]).includes(record.data.tag.toLowerCase())
        ? {
            summary: `${zone.show(record.owner)} CAA has the unsupported tag "${record.data.tag}"`,
            fix: "Use one of these tags.",
          }
        : undefined,
  }),
  ofRecords({
    id: "caa-flags",
    types: ["CAA"],
    check: (record, zone) =>
      isType(record, "CAA") && record.data.flags !== 0
        ? { summary: `${zone.show(record.owner)} CAA has flags ${record.data.flags} instead of 0`, fix: "Write 0." }
        : undefined,
  }),
  ofRecords({
    id: "caa-value",
    types: ["CAA"],
    check(record, zone) {
      if (!isType(record, "CAA")) return undefined;
      const { tag, value } = record.data;
      const property = tag.toLowerCase();
      if (isCaaValue(property, value)) return undefined;
      const written = fromOctets(value);
      const straight = straighten(written);
      const fix =
        property === "iodef"
          ? 'Write a URL such as "mailto:security@example.com".'
          : 'Write a domain such as "letsencrypt.org", or ";".';
      return {
        summary: `${zone.show(record.owner)} CAA ${tag} has the invalid value "${written}"`,
        fix: isCaaValue(property, straight) ? `Write "${straight}".` : fix,
      };
    },
  }),
  ofRecords({
    id: "data-length",
    types: ["TXT", "CAA"],
    check(record, zone) {
      if (!isType(record, "TXT", "CAA")) return undefined;
      const text = textIn(record);
      const strings = record.type === "TXT" ? Math.max(1, Math.ceil(text.length / 255)) : 2 + record.data.tag.length;
      const octets = text.length + strings;
      return octets > mostData
        ? {
            summary: `${zone.show(record.owner)} ${record.type} has ${octets.toLocaleString("en")} octets of RDATA; the limit is ${mostData.toLocaleString("en")}`,
            fix: "Shorten it.",
          }
        : undefined;
    },
  }),
  ofRecords({
    id: "text-utf8",
    types: ["TXT", "CAA"],
    check(record, zone) {
      if (!isType(record, "TXT", "CAA")) return undefined;
      const text = textIn(record);
      const hasNul = text.includes("\0");
      return hasNul || !isUtf8(text)
        ? {
            summary: `the text of ${zone.show(record.owner)} ${record.type} ${hasNul ? "contains a NUL character" : "is not valid UTF-8"}`,
            fix: `Remove ${hasNul ? "it" : "the octets that are not valid UTF-8"}.`,
          }
        : undefined;
    },
  }),
];

/** The advice to keep a record that no other form can replace. */
function keep(id: RuleId, record: Pick<ZoneRecord, "owner">, { zone }: IndexedZone): string {
  return `keep it in the file with ${lenientEntry(zone, record, id)}: it is then a warning, and not sent.`;
}

function priorityOf(record: ZoneRecord): number {
  if (isType(record, "SRV")) return record.data.priority;
  return isType(record, "MX") ? record.data.preference : 0;
}

function textIn(record: TypedRecord<"TXT" | "CAA">): string {
  return record.type === "TXT" ? txtText(record) : record.data.value;
}

function isCaaValue(tag: string, value: string): boolean {
  if (tag === "iodef") return /^mailto:[!-~]+@[!-~]+$/i.test(value) || isUrl(value);
  const [issuer = "", ...parameters] = value.split(";");
  const domain = issuer.trim();
  return /^[\t -~]*$/.test(value) && (value === "" || (domain === "" ? parameters.length > 0 : isApiHostname(domain)));
}

function isUrl(value: string): boolean {
  return /^https?:[!-~]+$/i.test(value) && URL.canParse(value);
}

type Violation = Pick<RuleFinding, "summary" | "fix" | "about">;

interface Limit<Check> {
  readonly id: RuleId;
  readonly check: Check;
}

type OwnerCheck = (owner: Name, zone: IndexedZone) => Omit<Violation, "about"> | undefined;
type RecordCheck = (record: ZoneRecord, zone: IndexedZone) => Violation | undefined;
type SettingsCheck = (
  settings: ApiSettings,
  zone: IndexedZone,
) => (Violation & { setting: keyof ApiSettings | "zone"; at?: ZoneRecord | undefined }) | undefined;

/**
 * A limit on single records, or on those of some types. SOA and apex NS records are skipped, because the API creates
 * them itself.
 */
function ofRecords({ check, types, ...limit }: Limit<RecordCheck> & { readonly types?: readonly string[] }): Rule {
  return {
    ...limit,
    *check(zone) {
      if (types?.every((type) => zone.sets(type).length === 0)) return;
      for (const record of zone.zone.records) {
        if ((types && !types.includes(record.type)) || isOfService(record, zone)) continue;
        const problem = check(record, zone);
        if (problem) yield { ...problem, at: record };
      }
    },
  };
}

/** A limit on owner names, which is reported at each record of a name. */
function ofOwners({ check, ...limit }: Limit<OwnerCheck>): Rule {
  return {
    ...limit,
    *check(zone) {
      let fits: Name | undefined;
      for (const record of zone.zone.records) {
        const { owner } = record;
        if (owner === fits || isOfService(record, zone)) continue;
        const problem = check(owner, zone);
        if (problem) yield { ...problem, about: "owner", at: record };
        else fits = owner;
      }
    },
  };
}

/** Whether the API creates the record itself. */
export function isOfService({ type, owner }: ZoneRecord, zone: IndexedZone): boolean {
  return type === "SOA" || (type === "NS" && zone.isApex(owner));
}

/** A limit on the settings of a zone. */
export function ofSettings({ check, ...limit }: Limit<SettingsCheck>): Rule {
  return {
    ...limit,
    *check(zone) {
      const problem = check(toApiSettings(zone.zone.settings), zone);
      if (problem) {
        const { places, file } = zone.zone;
        const head = file === undefined ? undefined : { file, line: 1, column: 1, length: 1 };
        yield {
          summary: problem.summary,
          at: problem.at ?? places[problem.setting] ?? head,
          ...(problem.fix !== undefined && { fix: problem.fix }),
        };
      }
    },
  };
}

/**
 * A host or domain name without its final dot, as the API accepts it: letters, digits, `-`, `_` and `/`
 * (decisions/service#records).
 */
export function isApiHostname(name: string): boolean {
  return name.length <= 253 && /^[\w/-]{1,63}(?:\.[\w/-]{1,63})*$/.test(name);
}

/** Whether a zone can be a domain of the API (decisions/service#domains). */
export function isDomain(zone: Name): boolean {
  const name = withoutDot(zone);
  const labels = name.replace(/^\*\./, "").split(".");
  const fit = labels.every((label) => /^\w([\w/-]{0,61}\w)?$/.test(label));
  return fit && labels.length > 1 && name.length <= 253 && !/\.\d+$/.test(name);
}
