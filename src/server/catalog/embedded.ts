import { type Catalog, type CatalogInput, catalogSchema } from "./schema.ts";

type Entry<Section extends "regions" | "types" | "images" | "kernels"> = CatalogInput[Section][number];

const regions: readonly [id: string, label: string, country: string][] = [
  ["au-mel", "Melbourne, AU", "au"],
  ["es-mad", "Madrid, ES", "es"],
  ["in-maa", "Chennai, IN", "in"],
  ["jp-osa", "Osaka, JP", "jp"],
  ["it-mil", "Milan, IT", "it"],
  ["us-mia", "Miami, FL", "us"],
  ["id-cgk", "Jakarta, ID", "id"],
  ["us-lax", "Los Angeles, CA", "us"],
  ["gb-lon", "London 2, UK", "gb"],
  ["se-sto", "Stockholm, SE", "se"],
  ["in-bom-2", "Mumbai 2, IN", "in"],
  ["de-fra-2", "Frankfurt 2, DE", "de"],
  ["sg-sin-2", "Singapore 2, SG", "sg"],
  ["jp-tyo-3", "Tokyo 3, JP", "jp"],
  ["no-osl-1", "Oslo, NO", "no"],
  ["us-iad-2", "Washington 2, DC", "us"],
  ["fr-par-2", "Paris 2, FR", "fr"],
  ["nl-ams", "Amsterdam, NL", "nl"],
  ["ap-west", "Mumbai, IN", "in"],
  ["ca-central", "Toronto, CA", "ca"],
  ["ap-southeast", "Sydney, AU", "au"],
  ["us-iad", "Washington, DC", "us"],
  ["us-ord", "Chicago, IL", "us"],
  ["fr-par", "Paris, FR", "fr"],
  ["us-sea", "Seattle, WA", "us"],
  ["br-gru", "São Paulo, BR", "br"],
  ["us-central", "Dallas, TX", "us"],
  ["ap-northeast", "Tokyo 2, JP", "jp"],
  ["eu-central", "Frankfurt, DE", "de"],
  ["ap-south", "Singapore, SG", "sg"],
  ["eu-west", "London, UK", "gb"],
  ["us-east", "Newark, NJ", "us"],
  ["us-southeast", "Atlanta, GA", "us"],
  ["us-west", "Fremont, CA", "us"],
];

/** Sizes in MB, transfer in GB a month, network_out in Mbit/s. */
const types: readonly [
  id: string,
  label: string,
  ofClass: Entry<"types">["class"],
  disk: number,
  memory: number,
  vcpus: number,
  transfer: number,
  network_out: number,
  gpus?: number,
][] = [
  ["g6-nanode-1", "Nanode 1GB", "nanode", 25_600, 1024, 1, 1000, 1000],
  ["g6-standard-1", "Node 2GB", "standard", 51_200, 2048, 1, 2000, 2000],
  ["g6-standard-2", "Node 4GB", "standard", 81_920, 4096, 2, 4000, 4000],
  ["g6-standard-4", "Node 8GB", "standard", 163_840, 8192, 4, 5000, 5000],
  ["g6-standard-6", "Node 16GB", "standard", 327_680, 16_384, 6, 8000, 6000],
  ["g6-standard-8", "Node 32GB", "standard", 655_360, 32_768, 8, 16_000, 7000],
  ["g6-standard-16", "Node 64GB", "standard", 1_310_720, 65_536, 16, 20_000, 9000],
  ["g6-standard-20", "Node 96GB", "standard", 1_966_080, 98_304, 20, 20_000, 10_000],
  ["g6-standard-24", "Node 128GB", "standard", 2_621_440, 131_072, 24, 20_000, 11_000],
  ["g6-standard-32", "Node 192GB", "standard", 3_932_160, 196_608, 32, 20_000, 12_000],
  ["g6-dedicated-2", "Dedicated 4GB", "dedicated", 81_920, 4096, 2, 4000, 4000],
  ["g6-dedicated-4", "Dedicated 8GB", "dedicated", 163_840, 8192, 4, 5000, 5000],
  ["g6-dedicated-8", "Dedicated 16GB", "dedicated", 327_680, 16_384, 8, 6000, 6000],
  ["g6-dedicated-16", "Dedicated 32GB", "dedicated", 655_360, 32_768, 16, 7000, 7000],
  ["g6-dedicated-32", "Dedicated 64GB", "dedicated", 1_310_720, 65_536, 32, 8000, 8000],
  ["g6-dedicated-48", "Dedicated 96GB", "dedicated", 1_966_080, 98_304, 48, 9000, 9000],
  ["g6-dedicated-50", "Dedicated 128GB", "dedicated", 2_560_000, 131_072, 50, 10_000, 10_000],
  ["g6-dedicated-56", "Dedicated 256GB", "dedicated", 5_120_000, 262_144, 56, 11_000, 11_000],
  ["g6-dedicated-64", "Dedicated 512GB", "dedicated", 7_372_800, 524_288, 64, 12_000, 12_000],
  ["g7-premium-2", "Premium 4GB", "premium", 81_920, 4096, 2, 4000, 4000],
  ["g7-premium-4", "Premium 8GB", "premium", 163_840, 8192, 4, 5000, 5000],
  ["g7-premium-8", "Premium 16GB", "premium", 327_680, 16_384, 8, 6000, 6000],
  ["g7-premium-16", "Premium 32GB", "premium", 655_360, 32_768, 16, 7000, 7000],
  ["g7-premium-32", "Premium 64GB", "premium", 1_310_720, 65_536, 32, 8000, 8000],
  ["g7-premium-48", "Premium 96GB", "premium", 1_966_080, 98_304, 48, 9000, 9000],
  ["g7-premium-50", "Premium 128GB", "premium", 2_560_000, 131_072, 50, 10_000, 10_000],
  ["g7-premium-56", "Premium 256GB", "premium", 5_120_000, 262_144, 56, 11_000, 11_000],
  ["g7-premium-64", "Premium 512GB", "premium", 7_372_800, 524_288, 64, 12_000, 12_000],
  ["g7-highmem-1", "Node 24GB", "highmem", 20_480, 24_576, 2, 5000, 5000],
  ["g7-highmem-2", "Node 48GB", "highmem", 40_960, 49_152, 2, 6000, 6000],
  ["g7-highmem-4", "Node 90GB", "highmem", 92_160, 92_160, 4, 7000, 7000],
  ["g7-highmem-8", "Node 150GB", "highmem", 204_800, 153_600, 8, 8000, 8000],
  ["g7-highmem-16", "Node 300GB", "highmem", 348_160, 307_200, 16, 9000, 9000],
  ["g1-gpu-rtx6000-1", "Dedicated 32GB + RTX6000 GPU x1", "gpu", 655_360, 32_768, 8, 16_000, 10_000, 1],
  ["g1-gpu-rtx6000-2", "Dedicated 64GB + RTX6000 GPU x2", "gpu", 1_310_720, 65_536, 16, 20_000, 10_000, 2],
  ["g1-gpu-rtx6000-3", "Dedicated 96GB + RTX6000 GPU x3", "gpu", 1_966_080, 98_304, 20, 20_000, 10_000, 3],
  ["g1-gpu-rtx6000-4", "Dedicated 128GB + RTX6000 GPU x4", "gpu", 2_621_440, 131_072, 24, 20_000, 10_000, 4],
];

/** Sizes in MB. */
const images: readonly [id: string, label: string, size: number][] = [
  ["node/almalinux8", "AlmaLinux 8", 1600],
  ["node/almalinux9", "AlmaLinux 9", 1600],
  ["node/alpine3.20", "Alpine 3.20", 300],
  ["node/alpine3.21", "Alpine 3.21", 300],
  ["node/alpine3.22", "Alpine 3.22", 300],
  ["node/alpine3.23", "Alpine 3.23", 300],
  ["node/arch", "Arch Linux", 2000],
  ["node/debian11", "Debian 11", 1500],
  ["node/debian12", "Debian 12", 1600],
  ["node/debian13", "Debian 13", 1700],
  ["node/fedora40", "Fedora 40", 2200],
  ["node/opensuse15.6", "openSUSE Leap 15.6", 2200],
  ["node/rocky8", "Rocky Linux 8", 1600],
  ["node/rocky9", "Rocky Linux 9", 1900],
  ["node/slackware15.0", "Slackware 15.0", 10_000],
  ["node/ubuntu20.04", "Ubuntu 20.04 LTS", 2600],
  ["node/ubuntu22.04", "Ubuntu 22.04 LTS", 3000],
  ["node/ubuntu24.04", "Ubuntu 24.04 LTS", 3500],
];

const latest = { version: "6.8.9", built: "2024-05-08T12:00:00" };
const loader = { architecture: "x86_64", pvops: false } as const;
const old = { kvm: false, xen: true, architecture: "i386", deprecated: true } as const;

const kernels: readonly Entry<"kernels">[] = [
  { id: "node/latest-64bit", label: "Latest 64 bit (6.8.9-x86_64)", architecture: "x86_64", ...latest },
  { id: "node/latest-32bit", label: "Latest 32 bit (6.8.9-x86)", architecture: "i386", ...latest },
  { id: "node/grub2", label: "GRUB 2", version: "2.06", built: "2022-11-15T12:00:00", ...loader },
  { id: "node/grub-legacy", label: "GRUB (Legacy)", version: "2.0.0", built: "2013-01-08T12:00:00", ...loader },
  { id: "node/direct-disk", label: "Direct Disk", version: "", built: "2016-02-17T12:00:00", ...loader },
  { id: "node/latest-2.6", label: "Latest 2.6 (2.6.39.1)", version: "2.6.39", built: "2011-06-25T12:00:00", ...old },
  { id: "node/2.6.18.8", label: "Legacy (2.6.18.8)", version: "2.6.18", built: "2008-11-10T12:00:00", ...old },
];

/** One region has no VLANs, so that clients can test that case. */
const withoutVlans = "us-west";
/** Two regions are dearer, for the same reason. */
const percentages: Readonly<Record<string, number>> = { "br-gru": 140, "id-cgk": 120 };
/** Addresses of documentation (RFC 5737, RFC 9637), outside of the pools of nodes. */
const resolvers = { ipv4: "192.0.2.5,192.0.2.6", ipv6: "3fff::5,3fff::6" };
const capabilities = ["Nodes", "Backups", "Block Storage", "Cloud Firewall"];

/** Prices by memory, so that bills can be seen: a month is at most 500 hours. */
function priceOf(memory: number, ofGigabyte: number): Entry<"types">["price"] {
  const hourly = Math.round((memory / 1024) * ofGigabyte * 10_000) / 10_000;
  return { hourly, monthly: Math.round(hourly * 500 * 10_000) / 10_000 };
}

/** The catalogue of a server without a file: ids and sizes as clients of the hosted service know them. */
export const embeddedCatalog: Catalog = catalogSchema.parse({
  regions: regions.map(([id, label, country]) => ({
    id,
    label,
    country,
    capabilities: id === withoutVlans ? capabilities : [...capabilities, "Vlans"],
    resolvers,
    price_percent: percentages[id] ?? 100,
  })),
  types: types.map(([id, label, ofClass, disk, memory, vcpus, transfer, network_out, gpus = 0]) => ({
    id,
    label,
    class: ofClass,
    disk,
    memory,
    vcpus,
    gpus,
    transfer,
    network_out,
    price: priceOf(memory, 0.01),
    backups: priceOf(memory, 0.0025),
  })),
  images: images.map(([id, label, size]) => ({ id, label, size, vendor: label.split(" ")[0] })),
  kernels: [...kernels],
  deployscripts: [],
  tax: {},
  extra_public_ipv4: 0,
  prices: {
    public_ipv4: { hourly: 0.004, monthly: 2 },
    volume_gb: { hourly: 0.0002, monthly: 0.1 },
    transfer_gb: 0.01,
  },
  rdns_domain: "nodes.invalid",
  rdns_account: "admin",
} satisfies CatalogInput);
