import { isInside, isWildcard, type Name, type NameKey, nameKey, parent, readName, withLabel } from "./name.ts";
import type { Owners } from "./owners.ts";

/** A service at which anyone can claim a name that its customer has released. */
export interface HostedService {
  readonly name: string;
  /** Whether others can claim this name of the service, or names that point to it. */
  readonly has: (target: Name) => boolean;
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
  service("Azure Cloud Services", "cloudapp.net."),
  service("Azure virtual machines", "cloudapp.azure.com."),
  service("Azure Traffic Manager", "trafficmanager.net."),
  service("Azure API Management", "azure-api.net."),
  service("Azure CDN", "azureedge.net."),
  service("Azure Container Instances", "azurecontainer.io."),
  service("Azure Container Registry", "azurecr.io."),
  service("Azure Data Lake Storage", "azuredatalakestore.net."),
  service("Azure HDInsight", "azurehdinsight.net."),
  service("Azure Storage", "blob.core.windows.net."),
  service("Azure SQL Database", "database.windows.net."),
  service("Azure Cache for Redis", "redis.cache.windows.net."),
  service("Azure AI Search", "search.windows.net."),
  service("Azure Service Bus", "servicebus.windows.net."),
  service("AWS Elastic Beanstalk", "elasticbeanstalk.com."),
  {
    name: "Amazon S3",
    has: (target) => /(?:^|\.)s3(?:[.-]website)?(?:[.-][a-z0-9-]+)?\.amazonaws\.com\.$/i.test(target),
  },
  { name: "GitHub Pages", has: within("github.io."), proof: pagesChallenge },
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

function within(suffix: string): HostedService["has"] {
  const zone = readName(suffix);
  return (target) => isInside(target, zone);
}

function directlyBelow(suffix: string): HostedService["has"] {
  const zone = nameKey(readName(suffix));
  return (target) => nameKey(parent(target)) === zone;
}

/** The service at which others could claim a name with this target. */
export function hostedServiceOf(target: Name): HostedService | undefined {
  return services.find(({ has }) => has(target));
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

/** The owner name of the record to prove the ownership of a name at a service with; undefined if it has none. */
export function proofToAdd({ proof }: HostedService, name: NameKey): NameKey | undefined {
  const [above] = proof?.above(name) ?? [];
  return proof && above && withLabel(proof.label, above);
}
