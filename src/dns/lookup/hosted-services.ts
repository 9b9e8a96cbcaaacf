import { isInside, isWildcard, type Name, type NameKey, nameKey, parent, readName, withLabel } from "../name/name.ts";
import type { Owners } from "../zone/owners.ts";
import { isType, type RRset, targets, type ZoneRecord } from "../zone/zone.ts";

/** A service at which anyone can claim a name that its customer has released. */
export interface HostedService {
  readonly name: string;
  /** Whether others can claim this name of the service, or names that point to it. */
  readonly has: (target: Name) => boolean;
  /** Whether a name at the service is a host of its customer, which may also receive mail or answer queries. */
  readonly isHost?: true;
  /** The addresses at which the service serves all names of its customers, in canonical form. */
  readonly addresses?: readonly string[];
  /** The TXT record with which the service ties a name to its customer, if it has one. */
  readonly proof?: Proof;
}

/** A TXT record without which others can claim a name at a service. */
interface Proof {
  /** The beginning of its owner name in lower case. */
  readonly start: string;
  /** Its first label, as instructions show it. */
  readonly label: string;
  /** The names directly above such records that prove the ownership of a name; the usual one first. */
  readonly above: (name: NameKey) => readonly NameKey[];
}

/**
 * Azure App Service: with a TXT record `asuid.<name>`, only its subscription can use the name (Microsoft, "Prevent
 * dangling DNS entries and avoid subdomain takeover").
 */
const asuid: Proof = {
  start: "asuid.",
  label: "asuid",
  above: (name) => [isWildcard(name) ? parent(name) : name],
};

/**
 * GitHub Pages: a verified domain protects itself and the names directly below it, but not those that a wildcard
 * answers for (GitHub Docs, "Verifying your custom domain for GitHub Pages").
 */
const pagesChallenge: Proof = {
  start: "_github-pages-challenge-",
  label: "_github-pages-challenge-ACCOUNT",
  above: (name) => (isWildcard(name) ? [] : [parent(name), name]),
};

/** The addresses of GitHub Pages (GitHub Docs, "Managing a custom domain for your GitHub Pages site"). */
const pagesAddresses: readonly string[] = [
  ...[108, 109, 110, 111].map((third) => `185.199.${third}.153`),
  ...[8000, 8001, 8002, 8003].map((third) => `2606:50c0:${third}::153`),
];

/**
 * The services, most specific names first. Services that never give a name to another customer without a proof of
 * ownership are not among them, nor those with names that cannot be chosen.
 *
 * Sources: Microsoft, "Prevent dangling DNS entries and avoid subdomain takeover" (the Azure names); AWS, developer
 * guides of Elastic Beanstalk ("Your environment's domain name") and S3 ("Customizing S3 URLs with CNAME records");
 * EdOverflow/can-i-take-over-xyz of February 2025, services with the status "vulnerable" and a known name, without
 * Pantheon, which has since required a proof.
 */
const services: readonly HostedService[] = [
  // A name such as app-0123.westeurope-01.azurewebsites.net has a hash and cannot be chosen ("Prevent subdomain
  // takeovers in Azure App Service", unique default host names).
  { name: "Azure App Service", has: directlyBelow("azurewebsites.net."), proof: asuid },
  host("Azure Cloud Services", "cloudapp.net."),
  host("Azure virtual machines", "cloudapp.azure.com."),
  host("Azure Traffic Manager", "trafficmanager.net."),
  service("Azure API Management", "azure-api.net."),
  service("Azure CDN", "azureedge.net."),
  host("Azure Container Instances", "azurecontainer.io."),
  service("Azure Container Registry", "azurecr.io."),
  service("Azure Data Lake Storage", "azuredatalakestore.net."),
  service("Azure HDInsight", "azurehdinsight.net."),
  service("Azure Storage", "blob.core.windows.net."),
  service("Azure SQL Database", "database.windows.net."),
  service("Azure Cache for Redis", "redis.cache.windows.net."),
  service("Azure AI Search", "search.windows.net."),
  service("Azure Service Bus", "servicebus.windows.net."),
  host("AWS Elastic Beanstalk", "elasticbeanstalk.com."),
  {
    name: "Amazon S3",
    has: (target) => /(?:^|\.)s3(?:[.-]website)?(?:[.-][a-z0-9-]+)?\.amazonaws\.com\.$/i.test(target),
  },
  { name: "GitHub Pages", has: within("github.io."), addresses: pagesAddresses, proof: pagesChallenge },
  service("Agile CRM", "agilecrm.com."),
  service("Airee", "airee.ru."),
  service("Anima", "animaapp.io."),
  service("Bitbucket", "bitbucket.io."),
  service("Cargo", "subdomain.cargocollective.com."),
  service("Discourse", "trydiscourse.com."),
  service("Gemfury", "furyns.com."),
  service("Ghost", "ghost.io."),
  service("Hatena Blog", "hatenablog.com."),
  service("Helpjuice", "helpjuice.com."),
  service("Helprace", "helprace.com."),
  service("Help Scout", "helpscoutdocs.com."),
  service("LaunchRock", "launchrock.com."),
  service("ngrok", "ngrok.io."),
  service("Pingdom", "stats.pingdom.com."),
  service("Read the Docs", "readthedocs.io."),
  service("ReadMe", "readme.io."),
  service("SmugMug", "domains.smugmug.com."),
  service("Strikingly", "s.strikinglydns.com."),
  service("Surge", "surge.sh."),
  service("SurveySparrow", "surveysparrow.com."),
  service("Uberflip", "read.uberflip.com."),
  service("UptimeRobot", "stats.uptimerobot.com."),
  service("WordPress.com", "wordpress.com."),
  service("Worksites", "worksites.net."),
  service("YouTrack", "youtrack.cloud."),
];

function service(name: string, suffix: string): HostedService {
  return { name, has: within(suffix) };
}

function host(name: string, suffix: string): HostedService {
  return { ...service(name, suffix), isHost: true };
}

function within(suffix: string): HostedService["has"] {
  const zone = readName(suffix);
  return (target) => isInside(target, zone);
}

function directlyBelow(suffix: string): HostedService["has"] {
  const zone = nameKey(readName(suffix));
  return (target) => nameKey(parent(target)) === zone;
}

const byAddress: ReadonlyMap<string, HostedService> = new Map(
  services.flatMap((one) => (one.addresses ?? []).map((address) => [address, one] as const)),
);

/** The types of records that can point to a service. */
export const hostedTypes = ["A", "AAAA", "ALIAS", "CNAME", "MX", "NS", "SRV"] as const;

/** The service outside a zone to which a record points, and the name or address there. */
interface HostedTarget {
  readonly service: HostedService;
  readonly target: string;
}

/** Mail and name servers count only at services whose names are hosts. */
function hostedTargetOf(record: ZoneRecord, apex: NameKey): HostedTarget | undefined {
  if (isType(record, "A", "AAAA")) {
    const service = byAddress.get(record.data.address);
    return service && { service, target: record.data.address };
  }
  if (!isType(record, "ALIAS", "CNAME", "MX", "NS", "SRV")) return undefined;
  const isAlias = record.type === "ALIAS" || record.type === "CNAME";
  for (const target of targets(record)) {
    const service = services.find(({ has, isHost }) => has(target) && (isHost || isAlias));
    if (service && !isInside(target, apex)) return { service, target };
  }
  return undefined;
}

/** Whether a TXT record of this name may be a proof of ownership at a service. */
export function isProofOwner(name: NameKey): boolean {
  return services.some(({ proof }) => proof && name.startsWith(proof.start));
}

/** The owner names of the proofs of ownership in a zone, by the names directly above them. */
export type ProofIndex = ReadonlyMap<NameKey, readonly NameKey[]>;

export function indexProofs(owners: Owners): ProofIndex {
  const index = new Map<NameKey, NameKey[]>();
  for (const [owner, types] of owners) {
    if (!types.has("TXT") || !isProofOwner(owner)) continue;
    const known = index.get(parent(owner));
    if (known) known.push(owner);
    else index.set(parent(owner), [owner]);
  }
  return index;
}

/** The owner names of the records that prove the ownership of a name at a service. */
export function proofsOf({ proof }: HostedService, name: NameKey, index: ProofIndex): readonly NameKey[] {
  if (!proof) return [];
  return proof.above(name).flatMap((above) => (index.get(above) ?? []).filter((one) => one.startsWith(proof.start)));
}

/** The owner name of the record in a zone that proves the ownership of a name at a service, if it has one. */
export function proofToAdd({ proof }: HostedService, name: NameKey, apex: NameKey): NameKey | undefined {
  const above = proof?.above(name).find((one) => isInside(one, apex));
  return proof && above && withLabel(proof.label, above);
}

/** Records of one set that point to a service at which others could claim their owner. */
export interface ExposedRecords {
  readonly service: HostedService;
  readonly records: readonly ZoneRecord[];
  /** The names and addresses at the service, as messages show them. */
  readonly text: string;
}

/** The records of a set of a zone for which no proof of ownership exists, by service. */
export function findExposedIn(
  { owner, records }: Pick<RRset, "owner" | "records">,
  apex: NameKey,
  proofs: () => ProofIndex,
): ExposedRecords[] {
  const found = records.flatMap((record) => {
    const hosted = hostedTargetOf(record, apex);
    return hosted ? [{ ...hosted, record }] : [];
  });
  return [...new Set(found.map(({ service }) => service))]
    .filter((service) => proofsOf(service, owner, proofs()).length === 0)
    .map((service) => {
      const there = found.filter((one) => one.service === service);
      const [first = "", ...others] = there.map(({ target }) => target).sort();
      const shown = byAddress.has(first) ? first : `"${first}"`;
      const more = others.length > 0 ? ` and ${others.length} more` : "";
      return { service, records: there.map(({ record }) => record), text: `${shown}${more} at ${service.name}` };
    });
}
