import * as z from "zod";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { Fault } from "../../dns/name/fault.ts";
import { labels, type Name, nameKey, readName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { findType } from "../../dns/types/index.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import type { Setting, ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { quoteText, readRdataText, readTextData } from "../kit/rdata-text.ts";
import type { UnreadEntry } from "../kit/source.ts";
import type { ForeignFile, ForeignFormat, ForeignResult, ForeignZone } from "./foreign-format.ts";
import { omittedProblem } from "./foreign-format.ts";
import { hasKeys, parseForeignJson, shapeProblem } from "./json-text.ts";

const keySchema = z.union([z.string(), z.number()]).nullish();
const attributesSchema = z.record(z.string(), z.unknown());

/** A state file: `terraform.tfstate`, or the output of `terraform state pull`. */
const stateSchema = z.looseObject({
  version: z.literal(4),
  resources: z.array(
    z.looseObject({
      module: z.string().optional(),
      mode: z.string(),
      type: z.string(),
      name: z.string(),
      instances: z.array(
        z.looseObject({
          index_key: keySchema,
          /** An object that Terraform will delete, because it has a replacement. */
          deposed: z.string().optional(),
          attributes: attributesSchema.nullish(),
          /** Paths of attributes, such as `[{ type: "get_attr", value: "target" }]`. */
          sensitive_attributes: z.array(z.array(z.looseObject({ value: z.unknown() }))).nullish(),
        }),
      ),
    }),
  ),
});

const resourceSchema = z.looseObject({
  address: z.string(),
  mode: z.string(),
  type: z.string(),
  deposed_key: z.string().optional(),
  values: attributesSchema.nullish(),
  sensitive_values: z.unknown(),
});

interface Module {
  readonly resources?: readonly z.infer<typeof resourceSchema>[] | undefined;
  readonly child_modules?: readonly Module[] | undefined;
}

const moduleSchema: z.ZodType<Module> = z.looseObject({
  resources: z.array(resourceSchema).optional(),
  get child_modules() {
    return z.array(moduleSchema).optional();
  },
});

/** The output of `terraform show -json`. */
const shownSchema = z.looseObject({
  format_version: z.string(),
  values: z.looseObject({ root_module: moduleSchema }).nullish(),
});

/**
 * Terraform's and OpenTofu's state, as a file or as JSON of `terraform show`. States contain secrets of any kind, so no
 * message has a place in the file, whose line would be shown, or a value of it except those of DNS.
 */
export const terraform: ForeignFormat = {
  name: "Terraform state",
  endings: [".tfstate", ".json"],
  recognises: (file) => isState(parseForeignJson(file)),
  read: readTerraform,
};

function isState(value: unknown): boolean {
  return (
    hasKeys(value, "terraform_version", "version", "lineage") ||
    hasKeys(value, "terraform_version", "format_version") ||
    (hasKeys(value, "format_version") && Object.keys(value).length === 1) // an empty state
  );
}

/** An instance of a resource. */
interface Resource {
  readonly address: string;
  readonly type: string;
  readonly isData: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly sensitive: ReadonlySet<string>;
}

function readTerraform(file: ForeignFile): ForeignResult {
  const resources = readResources(file);
  if ("id" in resources) return { zones: [], problems: [resources] };
  const problems: Problem[] = [];
  const domains = new Map<string, Resource>();
  for (const resource of resources) {
    const id = textOf(resource.attributes.id);
    // A domain that only a data source names is not managed by this state, but records in it may be.
    if (resource.type === "linode_domain" && (!resource.isData || !domains.has(id))) domains.set(id, resource);
  }
  const records = new Map<string, Resource[]>();
  for (const resource of resources) {
    if (resource.isData || resource.type === "linode_domain") continue;
    if (resource.type !== "linode_domain_record") {
      if (isDns(resource.type))
        problems.push(omittedProblem(resource.address, "only Linode's resources are read", undefined));
      continue;
    }
    const id = textOf(resource.attributes.domain_id);
    const list = records.get(id) ?? [];
    if (domains.has(id)) {
      list.push(resource);
      records.set(id, list);
    } else
      problems.push(omittedProblem(resource.address, `the state has no linode_domain with the id ${id}`, undefined));
  }
  const zones = [...domains].flatMap(([id, domain]): ForeignZone[] => {
    const own = records.get(id) ?? [];
    if (domain.isData && own.length === 0) return [];
    try {
      return [readZone(domain, own, file.settings)];
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push({ ...error.problem, summary: `${domain.address}: ${error.message}` });
      return [];
    }
  });
  return { zones, problems };
}

function readResources(file: ForeignFile): Resource[] | Problem {
  const value = parseForeignJson(file);
  if (hasKeys(value, "planned_values")) {
    const fix = "Run `terraform show -json` without the name of a plan file.";
    return problem("value-shape", `${file.file} is a plan of Terraform, not a state`, { fix });
  }
  if (hasKeys(value, "format_version")) {
    const { data, error } = shownSchema.safeParse(value);
    return error ? shapeProblem(file, terraform.name, error) : [...inModule(data.values?.root_module ?? {})];
  }
  if (hasKeys(value, "version") && value.version !== 4) {
    const fix = "Run a command of a current Terraform that writes it, such as `terraform refresh`.";
    return problem("value-shape", `${file.file} has version ${String(value.version)} of the state, not 4`, { fix });
  }
  const { data, error } = stateSchema.safeParse(value);
  if (error) return shapeProblem(file, terraform.name, error);
  return data.resources.flatMap(({ module, mode, type, name, instances }) =>
    instances
      .filter(({ deposed }) => deposed === undefined)
      .map(({ index_key, attributes, sensitive_attributes }): Resource => {
        const isData = mode === "data";
        const key = index_key === undefined || index_key === null ? "" : `[${JSON.stringify(index_key)}]`;
        const address = `${module === undefined ? "" : `${module}.`}${isData ? "data." : ""}${type}.${name}${key}`;
        const sensitive = new Set((sensitive_attributes ?? []).map(([first]) => textOf(first?.value)));
        return { address, type, isData, attributes: attributes ?? {}, sensitive };
      }),
  );
}

function* inModule({ resources = [], child_modules = [] }: Module): Generator<Resource> {
  for (const { address, mode, type, deposed_key, values, sensitive_values } of resources) {
    if (deposed_key !== undefined) continue;
    const marks = Object.entries(hasKeys(sensitive_values) ? sensitive_values : {});
    // Lists and maps are marked by their items: an empty one has no sensitive value.
    const sensitive = new Set(marks.filter(([, mark]) => JSON.stringify(mark).includes("true")).map(([key]) => key));
    yield { address, type, isData: mode === "data", attributes: values ?? {}, sensitive };
  }
  for (const child of child_modules) yield* inModule(child);
}

/** Whether a resource of another provider is about DNS. */
function isDns(type: string): boolean {
  return /(?:^|_)r?dns(?:_|$)|route53|_record(?:_?set)?s?$|_domain_zone|dns$/.test(type) || otherDns.has(type);
}

const otherDns = new Set(["cloudflare_zone", "digitalocean_domain", "ns1_zone", "powerdns_zone", "hetzner_zone"]);

/** @throws {Fault} for the name of the domain */
function readZone(domain: Resource, resources: readonly Resource[], settings: readonly Setting[]): ForeignZone {
  const { address, attributes, isData, sensitive } = domain;
  if (sensitive.has("domain")) throw new Fault("foreign-sensitive", "Terraform marks its name as sensitive");
  const name = readName(toOctets(textOf(attributes.domain)));
  const problems: Problem[] = [];
  const records: ZoneRecord[] = [];
  const unread: UnreadEntry[] = [];
  const origins: string[] = [];
  const summary = `${name.slice(0, -1)} is the domain ${textOf(attributes.id)} of the account, ${address} in Terraform`;
  problems.push(problem("foreign-id", summary));
  for (const resource of resources) {
    const secret = [...resource.sensitive].find((key) => recordKeys.has(key));
    if (secret !== undefined) {
      const summary = `Terraform marks "${secret}" of ${resource.address} as sensitive`;
      const fix =
        "A zone file and DNS publish it. If that is intended, remove the mark in Terraform (nonsensitive) and apply it, then import again.";
      problems.push(problem("foreign-sensitive", summary, { fix }));
      continue;
    }
    const read = readRecord(resource, name);
    if ("data" in read) {
      records.push(read);
      origins.push(`${resource.address}, record ${textOf(resource.attributes.id)}`);
    } else unread.push(read);
  }
  return {
    name,
    settings: readSettings(domain, settings, problems),
    records,
    unread,
    // Records of such a domain that other tools made stay.
    ...(isData && { scope: { manage: "listed", ignore: [] } }),
    origins,
    problems,
  };
}

const recordKeys = new Set([
  ...["name", "record_type", "target", "ttl_sec"],
  ...["priority", "weight", "port", "service", "protocol", "tag"],
]);

function readRecord({ address, attributes }: Resource, zone: Name): ZoneRecord | UnreadEntry {
  const type = textOf(attributes.record_type);
  const seconds = Number(textOf(attributes.ttl_sec) || "0");
  const ttl = seconds === 0 ? undefined : seconds;
  let owner = zone;
  try {
    owner = ownerOf(attributes, zone);
    const found = findType(type);
    if (!found)
      return { owner, type, ttl, rdata: textOf(attributes.target), reason: `DNS has no such type (${address})` };
    const data =
      type === "TXT" ? readTextData(textOf(attributes.target)) : readRdataText(found, rdataOf(attributes, zone));
    return { owner, type: found.type, ttl, data };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const reason = `its data is invalid: ${error.message} (${address})`;
    return { owner, type, ttl, rdata: textOf(attributes.target), reason };
  }
}

/** The name of a record is relative, but the provider keeps one that was written with the name of its domain. */
function ownerOf(attributes: Resource["attributes"], zone: Name): Name {
  const written = textOf(attributes.name).replace(/\.$/, "");
  const isWhole = nameKey(readName(toOctets(`${written}.`.replace(/^\.$/, "x.")))).endsWith(`.${nameKey(zone)}`);
  const service = textOf(attributes.service).replace(/^_/, "");
  const protocol = textOf(attributes.protocol).replace(/^_/, "");
  const name = written === "" && service !== "" ? `_${service}._${protocol}` : written;
  if (name === "" || name === "@" || nameKey(readName(toOctets(`${name}.`))) === nameKey(zone)) return zone;
  return isWhole ? readName(toOctets(`${name}.`)) : readName(toOctets(name), zone);
}

/** RDATA in the syntax of zone files. Targets are absolute without a final dot; a single label is in the zone. */
function rdataOf(attributes: Resource["attributes"], zone: Name): string {
  const type = textOf(attributes.record_type);
  const target = textOf(attributes.target);
  const [priority, weight, port] = [attributes.priority, attributes.weight, attributes.port].map(
    (value) => textOf(value) || "0",
  );
  const host = target === "" ? "." : target;
  if (type === "MX") return `${priority} ${host}`;
  if (type === "SRV")
    return `${priority} ${weight} ${port} ${labels(`${host}.`).length === 1 && host !== "." ? `${host}.${zone}` : host}`;
  if (type === "CAA") return `0 ${textOf(attributes.tag)} ${quoteText(target)}`;
  return host;
}

/** The settings of a domain that have another value than a new zone. */
function readSettings(
  { address, attributes, sensitive }: Resource,
  settings: readonly Setting[],
  problems: Problem[],
): ZoneSettings {
  const found: Record<string, string | number | readonly string[]> = {};
  for (const setting of settings) {
    const value = attributes[setting.name];
    // Named in any case: without it, an import would choose the most frequent TTL of the records.
    if (setting.name === "ttl_sec" && !value) found.ttl_sec = Number(setting.default);
    if (value === undefined || value === null || value === "" || value === 0) continue;
    if (Array.isArray(value) ? value.length === 0 : value === setting.default) continue;
    if (sensitive.has(setting.name)) {
      const summary = `Terraform marks "${setting.name}" of ${address} as sensitive`;
      problems.push(problem("foreign-sensitive", summary, { fix: "Remove the mark in Terraform, then import again." }));
    } else if (Array.isArray(value)) found[setting.name] = value.map(textOf).sort();
    else found[setting.name] = typeof value === "number" ? value : textOf(value);
  }
  return found;
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
