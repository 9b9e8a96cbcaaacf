import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { formatProblem } from "../../src/diagnostics/frame.ts";
import { type Problem, ProblemError } from "../../src/diagnostics/problem.ts";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { readCatalog } from "../../src/server/catalog/read.ts";
import { type Catalog, catalogSchema } from "../../src/server/catalog/schema.ts";
import { titled } from "../titles.ts";

const header = `# yaml-language-server: $schema=../schemas/catalog.schema.json
# The catalogue of a server without a file of its own. Copy and change it; a section that
# a file omits is this one. docs/server/catalogue.md describes all settings.
`;

const flow = (value: unknown) => stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim();

/** The embedded catalogue as a file for people: one line for each entry, without the values that are defaults. */
function exampleText(): string {
  const values: Record<string, unknown> = embeddedCatalog;
  const sections = Object.entries(catalogSchema.shape).map(([section, { description }]) => {
    const value = values[section];
    const entries = Array.isArray(value) ? value.map((entry) => `\n  - ${flow(withoutDefaults(section, entry))}`) : [];
    return `\n# ${description}.\n${section}:${entries.length > 0 ? entries.join("") : ` ${flow(value)}`}\n`;
  });
  return header + sections.join("");
}

const anySections = catalogSchema.partial();

function withoutDefaults(section: string, entry: object): object {
  const read = (entry: object) => anySections.safeParse({ [section]: [entry] }).data;
  const isDefault = (key: string) => {
    const others = Object.fromEntries(Object.entries(entry).filter(([name]) => name !== key));
    return isDeepStrictEqual(read(others), read(entry));
  };
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !isDefault(key)));
}

test("examples/catalog.yaml is the embedded catalogue (update with npx vitest -u)", async () => {
  const text = exampleText();
  await expect(text).toMatchFileSnapshot("../../examples/catalog.yaml");
  expect(readCatalog("catalog.yaml", text)).toEqual(embeddedCatalog);
});

describe("the embedded catalogue", () => {
  const { regions, types, images, kernels, prices } = embeddedCatalog;

  test("has what clients of the hosted service ask for first", () => {
    const ids = [regions, types, images, kernels].map((entries) => entries.map(({ id }) => id));
    for (const [index, id] of ["us-east", "g6-nanode-1", "node/debian12", "node/latest-64bit"].entries())
      expect(ids[index]).toContain(id);
  });

  test("has prices, so that bills can be seen; two regions are dearer", () => {
    for (const { price, backups } of types)
      for (const amount of [price.hourly, price.monthly, backups.hourly, backups.monthly])
        expect(amount).toBeGreaterThan(0);
    for (const { hourly, monthly } of [prices.public_ipv4, prices.volume_gb])
      expect(Math.min(hourly, monthly)).toBeGreaterThan(0);
    expect(prices.transfer_gb).toBeGreaterThan(0);
    const dearer = regions.filter(({ price_percent }) => price_percent !== 100);
    expect(dearer.map(({ id }) => id)).toEqual(["id-cgk", "br-gru"]);
    expect(embeddedCatalog.tax).toEqual({});
  });

  test("has addresses that are routed nowhere", () => {
    const pools = { public: "198.18.0.0/15", private: "192.168.128.0/17", slaac: "2001:db8::/32" };
    for (const region of regions) expect(region.pools).toEqual(pools);
    expect(embeddedCatalog.extra_public_ipv4).toBe(0);
    expect(embeddedCatalog.rdns_domain).toBe("nodes.invalid");
  });
});

const small = "id: small, label: Small, class: standard, disk: 1, memory: 1, vcpus: 1, transfer: 0, network_out: 0";
const smallType = {
  id: "small",
  label: "Small",
  class: "standard",
  disk: 1,
  memory: 1,
  vcpus: 1,
  gpus: 0,
  transfer: 0,
  network_out: 0,
  price: { hourly: 0, monthly: 0 },
  backups: { hourly: 0, monthly: 0 },
  successor: null,
};

const good: [what: string, text: string, sections: object][] = [
  ["nothing", "", {}],
  ["a comment", "# later\n", {}],
  ["no regions", "regions: []", { regions: [] }],
  [
    "a region, with defaults",
    "regions: [{ id: here, label: Here, country: de }]",
    {
      regions: [
        {
          id: "here",
          label: "Here",
          country: "de",
          capabilities: [],
          status: "ok",
          resolvers: { ipv4: "", ipv6: "" },
          price_percent: 100,
          pools: { public: "198.18.0.0/15", private: "192.168.128.0/17", slaac: "2001:db8::/32" },
        },
      ],
    },
  ],
  [
    "a region, with everything",
    `regions:
  - id: here
    label: Hier
    country: de
    capabilities: [Nodes, Vlans]
    status: outage
    price_percent: 130
    resolvers: { ipv4: "192.0.2.1,192.0.2.2", ipv6: "2001:db8::53" }
    pools: { public: 198.51.100.0/24, private: 10.0.0.0/8, slaac: "2001:db8:1:2::/64" }`,
    {
      regions: [
        {
          id: "here",
          label: "Hier",
          country: "de",
          capabilities: ["Nodes", "Vlans"],
          status: "outage",
          resolvers: { ipv4: "192.0.2.1,192.0.2.2", ipv6: "2001:db8::53" },
          price_percent: 130,
          pools: { public: "198.51.100.0/24", private: "10.0.0.0/8", slaac: "2001:db8:1:2::/64" },
        },
      ],
    },
  ],
  ["a type, with defaults", `types: [{ ${small} }]`, { types: [smallType] }],
  [
    "prices, and a successor",
    `types: [{ ${small}, price: { hourly: 0.0075, monthly: 5 }, successor: big }, { ${small.replace("small", "big")} }]`,
    {
      types: [
        { ...smallType, price: { hourly: 0.0075, monthly: 5 }, successor: "big" },
        { ...smallType, id: "big" },
      ],
    },
  ],
  [
    "a deploy script for an image of the embedded catalogue",
    "deployscripts: [{ id: 1, images: [node/debian12], fields: [{ name: host, label: Host name, default: web }] }]",
    {
      deployscripts: [
        { id: 1, images: ["node/debian12"], fields: [{ name: "host", label: "Host name", default: "web" }] },
      ],
    },
  ],
  [
    "a deploy script for an image of the file",
    "images: [{ id: node/own, label: Own, size: 500 }]\ndeployscripts: [{ id: 1, images: [node/own] }]",
    {
      images: [{ id: "node/own", label: "Own", size: 500, filesystem: "ext4", vendor: null }],
      deployscripts: [{ id: 1, images: ["node/own"], fields: [] }],
    },
  ],
  [
    "single values",
    "tax: { DE: 19, IE: 13.5 }\nextra_public_ipv4: 2\nprices: { transfer_gb: 0.005 }\nrdns_domain: nodes.example.net",
    {
      tax: { DE: 19, IE: 13.5 },
      extra_public_ipv4: 2,
      prices: { public_ipv4: { hourly: 0, monthly: 0 }, volume_gb: { hourly: 0, monthly: 0 }, transfer_gb: 0.005 },
      rdns_domain: "nodes.example.net",
    },
  ],
];

test.each(good)("a file with %s replaces only its sections", (_, text, sections) => {
  expect(readCatalog("catalog.yaml", text)).toEqual({ ...embeddedCatalog, ...sections } as Catalog);
});

function problemsOf(content: string | Uint8Array): readonly Problem[] {
  try {
    readCatalog("catalog.yaml", content);
    return [];
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
}

const broken = `regions:
  - id: us-east
    label: Newark
    country: USA
    colour: red
  - id: us-east
    country: us
types:
  - { id: small, label: Small, class: huge, successor: smal }
images:
  - { id: linode/own, label: Own, size: 1.5 }
deployscripts:
  - { id: 1, images: [linode/own, node/own], fields: [{ name: host name, label: Host }] }
tax: { Germany: 19 }
kernel: []
`;

const messagesOfBroken = `error[config-value] regions entry 1: country must be two lower-case letters, such as de, not "USA"
  catalog.yaml:4:14
    4 |     country: USA
      |              ^^^
  Country (ISO 3166-1).
error[unknown-key] regions entry 1: "colour" is not a setting
  catalog.yaml:5:5
    5 |     colour: red
      |     ^^^^^^
  Known keys: id, label, country, capabilities, status, resolvers, price_percent, pools.
error[config-value] regions entry 2: label is missing; it must be a text of 1 to 64 characters
  catalog.yaml:6:5
    6 |   - id: us-east
      |     ^^^^^^^^^^^
  Name of the region, shown in profile live.
error[config-value] regions entry 2: id must be unique, but "us-east" is the id of entry 1
  catalog.yaml:6:9
    6 |   - id: us-east
      |         ^^^^^^^
  Id of the region. Write an id that no other entry has.
error[config-value] types entry 1: disk is missing; it must be a whole number from 1 to 2147483647
  catalog.yaml:9:5
    9 |   - { id: small, label: Small, class: huge, successor: smal }
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  Size of the disk, in MB.
error[config-value] types entry 1: memory is missing; it must be a whole number from 1 to 2147483647
  catalog.yaml:9:5
    9 |   - { id: small, label: Small, class: huge, successor: smal }
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  Memory, in MB.
error[config-value] types entry 1: vcpus is missing; it must be a whole number from 1 to 1024
  catalog.yaml:9:5
    9 |   - { id: small, label: Small, class: huge, successor: smal }
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  Number of virtual CPUs.
error[config-value] types entry 1: transfer is missing; it must be a whole number from 0 to 2147483647
  catalog.yaml:9:5
    9 |   - { id: small, label: Small, class: huge, successor: smal }
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  Outgoing traffic that is included, in GB a month.
error[config-value] types entry 1: network_out is missing; it must be a whole number from 0 to 2147483647
  catalog.yaml:9:5
    9 |   - { id: small, label: Small, class: huge, successor: smal }
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  Outgoing bandwidth, in Mbit/s.
error[config-value] types entry 1: class must be one of nanode, standard, dedicated, premium, highmem, gpu, not "huge"
  catalog.yaml:9:39
    9 |   - { id: small, label: Small, class: huge, successor: smal }
      |                                       ^^^^
  Class of the type.
error[config-value] types entry 1: successor must be the id of another type, not "smal"
  catalog.yaml:9:56
    9 |   - { id: small, label: Small, class: huge, successor: smal }
      |                                                        ^^^^
  Type to which a node of this type can be upgraded. Did you mean "small"?
error[config-value] images entry 1: id must be node/ and a name, such as node/debian12 (profile live shows linode/debian12), not "linode/own"
  catalog.yaml:11:11
   11 |   - { id: linode/own, label: Own, size: 1.5 }
      |           ^^^^^^^^^^
  Id of the image.
error[config-value] images entry 1: size must be a whole number from 1 to 2147483647, not 1.5
  catalog.yaml:11:41
   11 |   - { id: linode/own, label: Own, size: 1.5 }
      |                                         ^^^
  Smallest disk that holds the image, in MB.
error[config-value] deployscripts entry 1: images entry 1 must be node/ and a name, such as node/debian12 (profile live shows linode/debian12), not "linode/own"
  catalog.yaml:13:23
   13 |   - { id: 1, images: [linode/own, node/own], fields: [{ name: host name, label: Host }] }
      |                       ^^^^^^^^^^
  Images that the deploy script works on, by their ids.
error[config-value] deployscripts entry 1: fields entry 1: name must be letters, digits and underscores, not "host name"
  catalog.yaml:13:63
   13 |   - { id: 1, images: [linode/own, node/own], fields: [{ name: host name, label: Host }] }
      |                                                               ^^^^^^^^^
  Key in deployscript_data.
error[config-value] tax.Germany is not a country; write two capital letters, such as DE
  catalog.yaml:14:8
   14 | tax: { Germany: 19 }
      |        ^^^^^^^
  Percentage of tax on invoices, by the country of the account (ISO 3166-1); reserved.
error[unknown-key] "kernel" is not a setting
  catalog.yaml:15:1
   15 | kernel: []
      | ^^^^^^
  Did you mean "kernels"?
`;

test("one reading reports all errors, each with its place, value, meaning and fix", () => {
  const rows = broken.split("\n");
  const messages = problemsOf(broken).map((found) => `${formatProblem(found, ({ line }) => rows[line - 1])}\n`);
  expect(messages.join("")).toBe(messagesOfBroken);
});

/** A line of a file that has no other, and the messages. */
const bad: [text: string, ...messages: string[]][] = [
  ["regions", 'config-value 1:1 the file must be a map of settings such as regions, not "regions"'],
  ["- regions", "config-value 1:1 the file must be a map of settings such as regions, not a list"],
  ["regions:", "config-value 1:9 regions must be a list of regions, not null"],
  ["regions: { id: us-east }", "config-value 1:10 regions must be a list of regions, not a map"],
  [
    "regions: [us-east]",
    'config-value 1:11 regions entry 1 must be a map of id, label, country, capabilities, status, resolvers, price_percent, pools, not "us-east"',
  ],
  [
    "regions: [{ id: US-East, label: x, country: us }]",
    'config-value 1:17 regions entry 1: id must be lower-case letters, digits, dots and hyphens, not "US-East"',
  ],
  [
    "regions: [{ id: a, label: '', country: us }]",
    'config-value 1:27 regions entry 1: label must be a text of 1 to 64 characters, not ""',
  ],
  [
    `regions: [{ id: a, label: ${"x".repeat(65)}, country: us }]`,
    'config-value 1:27 regions entry 1: label must be a text of 1 to 64 characters, not "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"',
  ],
  [
    "regions: [{ id: a, label: x, country: us, capabilities: Nodes }]",
    'config-value 1:57 regions entry 1: capabilities must be a list of words such as Nodes, not "Nodes"',
  ],
  [
    "regions: [{ id: a, label: x, country: us, status: up }]",
    'config-value 1:51 regions entry 1: status must be one of ok, outage, not "up"',
  ],
  [
    "regions: [{ id: a, label: x, country: us, resolvers: { ipv4: '192.0.2.1, 192.0.2.2' } }]",
    'config-value 1:62 regions entry 1: resolvers.ipv4 must be addresses separated by commas, such as 192.0.2.1,192.0.2.2, or "", not "192.0.2.1, 192.0.2.2"',
  ],
  [
    "regions: [{ id: a, label: x, country: us, resolvers: { ipv6: 192.0.2.1 } }]",
    'config-value 1:62 regions entry 1: resolvers.ipv6 must be addresses separated by commas, such as 2001:db8::1,2001:db8::2, or "", not "192.0.2.1"',
  ],
  [
    "regions: [{ id: a, label: x, country: us, pools: { public: 10.0.0.0/25 } }]",
    'config-value 1:60 regions entry 1: pools.public must be the first address of a network and its length, at most /24, such as 198.18.0.0/15, not "10.0.0.0/25"',
  ],
  [
    "regions: [{ id: a, label: x, country: us, pools: { private: 10.0.0.1/8 } }]",
    'config-value 1:61 regions entry 1: pools.private must be the first address of a network and its length, at most /24, such as 192.168.128.0/17, not "10.0.0.1/8"',
  ],
  [
    "regions: [{ id: a, label: x, country: us, pools: { private: 10.0.0.0 } }]",
    'config-value 1:61 regions entry 1: pools.private must be the first address of a network and its length, at most /24, such as 192.168.128.0/17, not "10.0.0.0"',
  ],
  [
    "regions: [{ id: a, label: x, country: us, pools: { slaac: '2001:db8::1/32' } }]",
    'config-value 1:59 regions entry 1: pools.slaac must be the first address of a network and its length, at most /64, such as 2001:db8::/32, not "2001:db8::1/32"',
  ],
  [
    "regions: [{ id: a, label: x, country: us, pools: { slaac: 10.0.0.0/8 } }]",
    'config-value 1:59 regions entry 1: pools.slaac must be the first address of a network and its length, at most /64, such as 2001:db8::/32, not "10.0.0.0/8"',
  ],
  [
    "regions: [{ id: a, label: x, country: us, pools: { slaac: 'fe80::%eth0/64' } }]",
    'config-value 1:59 regions entry 1: pools.slaac must be the first address of a network and its length, at most /64, such as 2001:db8::/32, not "fe80::%eth0/64"',
  ],
  [
    `types: [{ ${small.replace("disk: 1", "disk: 1e300")} }]`,
    "config-value 1:59 types entry 1: disk must be a whole number from 1 to 2147483647, not 1e+300",
  ],
  [
    `types: [{ ${small.replace("vcpus: 1", "vcpus: -3.5")} }]`,
    "config-value 1:80 types entry 1: vcpus must be a whole number from 1 to 1024, not -3.5",
  ],
  [
    `types: [{ ${small.replace("transfer: 0", "transfer: .nan")} }]`,
    "config-value 1:93 types entry 1: transfer must be a whole number from 0 to 2147483647, not NaN",
  ],
  [
    `types: [{ ${small.replace("standard", "huge")} }]`,
    'config-value 1:43 types entry 1: class must be one of nanode, standard, dedicated, premium, highmem, gpu, not "huge"',
  ],
  [
    `types: [{ ${small}, successor: small }]`,
    'config-value 1:123 types entry 1: successor must be the id of another type, not "small"',
  ],
  [
    `types: [{ ${small}, price: 5 }]`,
    "config-value 1:119 types entry 1: price must be a map of hourly and monthly, not 5",
  ],
  [
    `types: [{ ${small}, price: { hourly: 0.00015 } }]`,
    "config-value 1:129 types entry 1: price.hourly must be a number from 0 to 1000000 with at most four decimals, not 0.00015",
  ],
  [
    `types: [{ ${small}, backups: { monthly: -1 } }]`,
    "config-value 1:132 types entry 1: backups.monthly must be a number from 0 to 1000000 with at most four decimals, not -1",
  ],
  [
    "images: [{ id: debian12, label: x, size: 1 }]",
    'config-value 1:16 images entry 1: id must be node/ and a name, such as node/debian12 (profile live shows linode/debian12), not "debian12"',
  ],
  [
    "images: [{ id: node/a, label: x, size: 0, filesystem: zfs }]",
    "config-value 1:40 images entry 1: size must be a whole number from 1 to 2147483647, not 0",
    'config-value 1:55 images entry 1: filesystem must be one of raw, swap, ext3, ext4, initrd, not "zfs"',
  ],
  [
    "kernels: [{ id: node/a, label: x, version: 6.1, architecture: arm64, built: 2024-05-08 }]",
    'config-value 1:44 kernels entry 1: version must be a text in quotes, such as "6.8", not 6.1',
    'config-value 1:63 kernels entry 1: architecture must be one of x86_64, i386, not "arm64"',
    'config-value 1:77 kernels entry 1: built must be a time in UTC, such as 2024-05-08T12:00:00, not "2024-05-08"',
  ],
  [
    "kernels: [{ id: node/a, label: x, version: '6.1', architecture: i386, built: 2024-02-30T12:00:00, kvm: yes }]",
    'config-value 1:78 kernels entry 1: built must be a time in UTC, such as 2024-05-08T12:00:00, not "2024-02-30T12:00:00"',
    'config-value 1:104 kernels entry 1: kvm must be true or false, not "yes"',
  ],
  [
    "deployscripts: [{ id: one, images: node/debian12 }]",
    'config-value 1:23 deployscripts entry 1: id must be a whole number from 1 to 2147483647, not "one"',
    'config-value 1:36 deployscripts entry 1: images must be a list of ids of images, not "node/debian12"',
  ],
  [
    "deployscripts: [{ id: 1, images: [node/debain12] }]",
    'config-value 1:35 deployscripts entry 1: images entry 1 must be the id of an image, not "node/debain12" | Did you mean "node/debian12"?',
  ],
  [
    "deployscripts: [{ id: 1, images: [] }, { id: 1, images: [] }]",
    "config-value 1:46 deployscripts entry 2: id must be unique, but 1 is the id of entry 1 | Write an id that no other entry has.",
  ],
  ["tax: 19", "config-value 1:6 tax must be a map of countries and percentages, such as DE: 19, not 19"],
  [
    "tax: { de: 19, DE: 119 }",
    "config-value 1:8 tax.de is not a country; write two capital letters, such as DE",
    "config-value 1:20 tax.DE must be a number from 0 to 100 with at most four decimals, not 119",
  ],
  ["extra_public_ipv4: 256", "config-value 1:20 extra_public_ipv4 must be a whole number from 0 to 255, not 256"],
  [
    "prices: { volumes: 1 }",
    'unknown-key 1:11 "prices.volumes" is not a setting | Known keys: public_ipv4, volume_gb, transfer_gb.',
  ],
  [
    "rdns_domain: Nodes.example.",
    'config-value 1:14 rdns_domain must be a domain name in lower case without a final dot, such as nodes.invalid, not "Nodes.example."',
  ],
  [
    "rdns_domain: 198.51.100.7",
    'config-value 1:14 rdns_domain must be a domain name in lower case without a final dot, such as nodes.invalid, not "198.51.100.7"',
  ],
  ["tax: {}\ntax: {}", 'duplicate-key 2:1 the key "tax" is already set in line 1 | Merge the two, or remove one.'],
  ["regions: [", "config-syntax 1:10 invalid YAML: this [ is not closed | Add the ] that closes it."],
  [
    "tax: &a { DE: 1 }\nprices: *b",
    "yaml-alias 2:9 the anchor &b is not defined before this alias | Write the value itself.",
  ],
];

test.each(titled(bad, ([text]) => text))("%s", (_, text, ...expected) => {
  const brief = ({ id, place, summary, fix }: Problem) =>
    `${id} ${place?.line}:${place?.column} ${summary}${fix === undefined ? "" : ` | ${fix}`}`;
  expect(problemsOf(text).map(brief)).toEqual(expected);
});

test("of many problems the first 200 are explained, and the rest is counted", () => {
  const entry = (index: number) => `  - { ${small.replace("small", `t${index}`)}, successor: u${index} }\n`;
  const types = (count: number) => `types:\n${Array.from({ length: count }, (_, index) => entry(index)).join("")}`;
  const found = problemsOf(types(1500));
  expect(found.map(({ place }) => place?.line)).toEqual(Array.from({ length: 201 }, (_, index) => index + 2));
  expect(found[199]).toMatchObject({
    id: "config-value",
    summary: 'types entry 200: successor must be the id of another type, not "u199"',
  });
  expect(found[200]).toMatchObject({
    id: "too-many-errors",
    summary: "only the first 200 of 1500 problems are shown",
    fix: "Fix these first.",
  });
  expect(problemsOf(types(200))).toHaveLength(200);
  expect(problemsOf("tax: {}\n".repeat(300)).at(-1)?.summary).toBe("only the first 200 of 299 problems are shown");
});
