import * as z from "zod";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Name, nameKey, readName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import type { Rdata, RecordType } from "../../dns/rdata/record-type.ts";
import { findType } from "../../dns/types/index.ts";
import type { Ignore, Scope } from "../../dns/zone/scope.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import { isTextType, quoteText, readRdataText, readTextData } from "../kit/rdata-text.ts";
import type { UnreadEntry } from "../kit/source.ts";
import type { ForeignFile, ForeignFormat, ForeignResult, ForeignZone } from "./foreign-format.ts";
import { omittedProblem } from "./foreign-format.ts";
import { hasKeys, parseForeignJson, shapeProblem } from "./json-text.ts";

const recordSchema = z.looseObject({
  type: z.string(),
  /** Relative to the zone, `@` at the apex. */
  name: z.string(),
  ttl: z.number().int().nonnegative().optional(),
  target: z.string().default(""),
  /** `[line:12:3]`: its place in dnsconfig.js. */
  filepos: z.string().default(""),
  meta: z.record(z.string(), z.string()).default({}),
  /** RDATA of some types, in the syntax of zone files. DNSControl spells the key this way. */
  zonfefilepartial: z.string().optional(),
});
type IrRecord = z.infer<typeof recordSchema>;

const patternSchema = z.object({
  label_pattern: z.string().default("*"),
  rType_pattern: z.string().default("*"),
  target_pattern: z.string().default("*"),
});
type IrPattern = z.infer<typeof patternSchema>;

const domainSchema = z.looseObject({
  name: z.string(),
  tag: z.string().default(""),
  uniquename: z.string().default(""),
  registrar: z.string().default(""),
  dnsProviders: z.record(z.string(), z.number()).nullish(),
  meta: z.record(z.string(), z.string()).default({}),
  records: z.array(recordSchema).nullish(),
  rawrecords: z.array(z.unknown()).nullish(),
  nameservers: z.array(z.object({ name: z.string() })).nullish(),
  recordsabsent: z.array(recordSchema).nullish(),
  keepunknown: z.boolean().default(false),
  unmanaged: z.array(patternSchema).nullish(),
  unmanaged_disable_safety_check: z.boolean().default(false),
  ignore_external_dns: z.boolean().default(false),
  auto_dnssec: z.string().default(""),
});
type IrDomain = z.infer<typeof domainSchema>;

const configSchema = z.looseObject({
  registrars: z.array(z.looseObject({ name: z.string(), type: z.string() })).nullish(),
  domains: z.array(domainSchema).nullish(),
});

/** The TTL in seconds of name servers without one. */
const defaultTtl = 300;

/** The output of `dnscontrol print-ir`: all domains of dnsconfig.js, after validation, as JSON. */
export const dnscontrol: ForeignFormat = {
  name: "output of dnscontrol print-ir",
  endings: [".json"],
  recognises: (file) => hasKeys(parseForeignJson(file), "registrars", "dns_providers", "domains"),
  read: readDnscontrol,
};

function readDnscontrol(file: ForeignFile): ForeignResult {
  const { data, error } = configSchema.safeParse(parseForeignJson(file));
  if (error) return { zones: [], problems: [shapeProblem(file, dnscontrol.name, error)] };
  const domains = data.domains ?? [];
  const registrars = new Map((data.registrars ?? []).map(({ name, type }) => [name, type]));
  const problems: Problem[] = [];
  const zones = domains.flatMap((domain): ForeignZone[] => {
    try {
      const name = readName(toOctets(domain.name));
      const views = domains.filter((other) => other.name === domain.name).map(({ uniquename }) => uniquename);
      return [readDomain(domain, name, { views, registrar: registrars.get(domain.registrar) })];
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push({ ...error.problem, summary: `the domain "${domain.name}": ${error.message}` });
      return [];
    }
  });
  // The views of a zone share its name, so one failed zone reports all of them.
  return { zones: [...new Map(zones.map((zone) => [nameKey(zone.name), zone])).values()], problems };
}

interface DomainContext {
  /** The unique names of all domains with the same name. */
  readonly views: readonly string[];
  /** The type of its registrar. */
  readonly registrar: string | undefined;
}

function readDomain(domain: IrDomain, name: Name, context: DomainContext): ForeignZone {
  const records: ZoneRecord[] = [];
  const unread: UnreadEntry[] = [];
  for (const record of domain.records ?? []) {
    const read = readRecord(record, name);
    if ("data" in read) records.push(read);
    else unread.push(read);
  }
  const nsTtl = Number(domain.meta.ns_ttl ?? Number.NaN);
  for (const { name: server } of domain.nameservers ?? []) {
    const ttl = Number.isInteger(nsTtl) ? nsTtl : defaultTtl;
    records.push({ owner: name, type: "NS", ttl, data: { nsdname: readName(toOctets(server)) } });
  }
  const { ignore, others } = readPatterns(domain);
  const isListed = domain.keepunknown;
  const scope: Scope | undefined =
    isListed || ignore.length > 0 ? { ...(isListed && { manage: "listed" }), ignore } : undefined;
  return {
    name,
    settings: {},
    records,
    unread,
    ...(scope && { scope }),
    problems: [...rawProblems(domain), ...viewProblems(context), ...others, ...omittedParts(domain, context)],
  };
}

function rawProblems({ rawrecords }: IrDomain): Problem[] {
  if (!rawrecords || rawrecords.length === 0) return [];
  const fix = "Run `dnscontrol print-ir` instead of `dnscontrol print-ir --raw`.";
  return [
    problem("value-shape", "the records are those of `dnscontrol print-ir --raw`, without normalization", { fix }),
  ];
}

function viewProblems({ views }: DomainContext): Problem[] {
  if (views.length < 2) return [];
  const summary = `dnsconfig.js has several versions of this zone: ${views.join(", ")}`;
  const fix =
    "A project has one version of a zone. For each, remove the others from the file, and import it in a project of its own.";
  return [problem("zone-twice", summary, { fix })];
}

function readRecord(record: IrRecord, zone: Name): ZoneRecord | UnreadEntry {
  const { ttl } = record;
  let owner = zone;
  try {
    if (record.name !== "@") owner = readName(toOctets(record.name), zone);
    const type = findType(record.type);
    // Types of one provider, such as CLOUDFLAREAPI_SINGLE_REDIRECT. TYPE64 would be a type as well.
    if (!type) {
      const reason = `DNS has no such type: it is a function of one provider${lineOf(record)}`;
      return { owner, type: record.type, ttl, rdata: record.target, reason };
    }
    return { owner, type: type.type, ttl, data: dataOf(type, record) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { message, problem: found } = error;
    const reason = `its data is invalid: ${message}${lineOf(record)}`;
    return { owner, type: record.type, ttl, rdata: record.target, reason, ...(found.fix && { fix: found.fix }) };
  }
}

/** The place of a record, which has no file's name. */
function lineOf({ filepos }: IrRecord): string {
  const [, line] = /line:(\d+)/.exec(filepos) ?? [];
  return line === undefined ? "" : ` (line ${line} of the DNSControl configuration)`;
}

/**
 * The keys of the types with several fields, in the order of zone files. Keys that are 0 or empty are absent; a quoted
 * one is a text.
 */
const fieldKeys: Readonly<Record<string, readonly string[]>> = {
  CAA: ["caaflag", "caatag", '"target"'],
  DNSKEY: ["dnskeyflags", "dnskeyprotocol", "dnskeyalgorithm", "dnskeypublickey"],
  DS: ["dskeytag", "dsalgorithm", "dsdigesttype", "dsdigest"],
  HTTPS: ["svcpriority", "target", "svcparams"],
  MX: ["mxpreference", "target"],
  NAPTR: ["naptrorder", "naptrpreference", '"naptrflags"', '"naptrservice"', '"naptrregexp"', "target"],
  SMIMEA: ["smimeausage", "smimeaselector", "smimeamatchingtype", "target"],
  SOA: ["target", "soambox", "soaserial", "soarefresh", "soaretry", "soaexpire", "soaminttl"],
  SRV: ["srvpriority", "srvweight", "srvport", "target"],
  SSHFP: ["sshfpalgorithm", "sshfpfingerprint", "target"],
  SVCB: ["svcpriority", "target", "svcparams"],
  TLSA: ["tlsausage", "tlsaselector", "tlsamatchingtype", "target"],
};

/** Keys whose absence is an empty text, not 0. */
const textKeys = new Set(["dnskeypublickey", "dsdigest", "soambox", "svcparams", "target"]);

function dataOf(type: RecordType, record: IrRecord): Rdata {
  if (isTextType(type)) return readTextData(record.target);
  const keys = fieldKeys[type.type];
  const text = keys ? keys.map((key) => fieldText(record, key)).join(" ") : record.target || record.zonfefilepartial;
  return readRdataText(type, text ?? "");
}

function fieldText(record: IrRecord, key: string): string {
  const name = key.replaceAll('"', "");
  const value = record[name];
  if (name !== key) return quoteText(typeof value === "string" ? value : "");
  return typeof value === "string" || typeof value === "number" ? String(value) : textKeys.has(name) ? "" : "0";
}

/** `IGNORE` as patterns, one for each type, and those that cannot be written as one. */
function readPatterns({ unmanaged }: IrDomain): { readonly ignore: Ignore[]; readonly others: Problem[] } {
  const ignore: Ignore[] = [];
  const others: Problem[] = [];
  for (const pattern of unmanaged ?? []) {
    try {
      ignore.push(...readPattern(pattern));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { label_pattern, rType_pattern, target_pattern } = pattern;
      const part = `IGNORE("${label_pattern}", "${rType_pattern}", "${target_pattern}")`;
      others.push(omittedProblem(part, `${error.message}. Live records that it matches would be deleted`, undefined));
    }
  }
  return { ignore, others };
}

/** Types whose target is all of their data, and those with other words before it. */
const wordsBeforeTarget: Readonly<Record<string, string>> = {
  ...{ A: "", AAAA: "", ALIAS: "", CNAME: "", DNAME: "", NS: "", PTR: "", TXT: "" },
  ...{ MX: "* ", SRV: "* * * " },
};

/** @throws {Fault} if `ignore` cannot express the pattern */
function readPattern({ label_pattern, rType_pattern, target_pattern }: IrPattern): Ignore[] {
  const unsupported = (why: string) => new Fault("foreign-omitted", why);
  const name = globOf(label_pattern);
  const value = globOf(target_pattern);
  const types = isAny(rType_pattern) ? [undefined] : rType_pattern.split(",").map((type) => type.trim());
  return types.map((type) => {
    if (name === undefined && type === undefined && value === undefined)
      throw unsupported("it matches every record of the zone");
    const before = type === undefined ? undefined : wordsBeforeTarget[type];
    if (value !== undefined && before === undefined)
      throw unsupported("a pattern of values needs one of the types that have a single value, MX or SRV");
    return {
      ...(name !== undefined && { name }),
      ...(type !== undefined && { type }),
      ...(value !== undefined && { value: `${before}${value}` }),
      reason: "IGNORE in dnsconfig.js",
    };
  });
}

/** A pattern in which only `*` is special; it matches dots in DNSControl as well. @throws {Fault} for other signs */
function globOf(pattern: string): string | undefined {
  if (isAny(pattern)) return undefined;
  if (/[?[\]{}\\]/.test(pattern)) throw new Fault("foreign-omitted", "only * can be used in patterns");
  return pattern.replaceAll(/\*+/g, "*");
}

function isAny(pattern: string): boolean {
  return pattern === "" || pattern === "*" || pattern === "**";
}

/** Keys of domains that are read, or that DNSControl makes itself. */
const knownKeys = new Set(Object.keys(domainSchema.shape));
const ownMeta = /^dnscontrol_|^ns_ttl$/;
const ownRecordMeta = new Set(["orig_custom_type", "skip_fqdn_check", "transform_done"]);

function omittedParts(domain: IrDomain, { registrar }: DomainContext): Problem[] {
  const found: Problem[] = [];
  const omit = (part: string, why: string) => found.push(omittedProblem(part, why, undefined));
  const providers = Object.keys(domain.dnsProviders ?? {});
  if (domain.registrar !== "" && registrar !== "NONE" && domain.registrar.toLowerCase() !== "none")
    omit(`the registrar "${domain.registrar}"`, "zonewright does not change delegations at registrars");
  if (providers.length > 1)
    omit(`the list of providers ${providers.map((name) => `"${name}"`).join(", ")}`, "a project has one account");
  if (domain.auto_dnssec === "on") omit("AUTODNSSEC_ON", "the service does not sign zones");
  if (domain.ignore_external_dns)
    omit("IGNORE_EXTERNAL_DNS", "write `ignore` patterns for the records of external-dns instead");
  if (domain.unmanaged_disable_safety_check)
    omit("DISABLE_IGNORE_SAFETY_CHECK", "a record that a pattern ignores cannot be in the file as well");
  if (domain.keepunknown)
    for (const { name, type, target } of domain.recordsabsent ?? [])
      omit(`ENSURE_ABSENT_REC of ${name} ${type} ${target}`.trimEnd(), "delete the live record, if there is one");
  for (const key of Object.keys(domain.meta))
    if (!ownMeta.test(key)) omit(`the metadata "${key}"`, "only DNSControl's providers use it");
  const owners = new Map<string, Set<string>>();
  for (const { name, meta } of domain.records ?? [])
    for (const [key, value] of Object.entries(meta))
      if (!ownRecordMeta.has(key))
        owners.set(`${key}: ${value}`, (owners.get(`${key}: ${value}`) ?? new Set()).add(name));
  for (const [meta, names] of owners)
    omit(`the metadata "${meta}" of ${[...names].join(", ")}`, "only DNSControl's providers use it");
  for (const key of Object.keys(domain))
    if (!knownKeys.has(key)) omit(`the property "${key}"`, "zonewright does not know it");
  return found;
}
