import { expect, test } from "vitest";
import { apiOf } from "./process.ts";
import { Desk, lines } from "./run.ts";

const region = (id: string) => `regions: [{ id: ${id}, label: ${id}, country: nl }]\n`;

const files = {
  "own.yaml": region("own"),
  ".zonewright/data/catalog.yaml": region("usual"),
  "data/catalog.yaml": region("of-data"),
};

test.each<[flags: string, first: string, messages: string]>([
  ["--catalog own.yaml", "own", "data: .zonewright/data (Ctrl-C stops the server)\ncatalogue: own.yaml\n"],
  ["--ephemeral --catalog own.yaml", "own", "data: in memory only (Ctrl-C stops the server)\ncatalogue: own.yaml\n"],
  ["--data data --catalog own.yaml", "own", "data: data (Ctrl-C stops the server)\ncatalogue: own.yaml\n"],
  ["--data data", "of-data", "data: data (Ctrl-C stops the server)\ncatalogue: data/catalog.yaml\n"],
  ["", "usual", "data: .zonewright/data (Ctrl-C stops the server)\ncatalogue: .zonewright/data/catalog.yaml\n"],
  ["--data other", "au-mel", "data: other (Ctrl-C stops the server)\n"],
  ["--ephemeral", "au-mel", "data: in memory only (Ctrl-C stops the server)\n"],
])("serve %s begins its list of regions with %s", async (flags, first, messages) => {
  const desk = new Desk({ ...files, token: "secret-for-tests" });
  const server = desk.start(`serve --port 0 --no-console --token-file token ${flags}`);
  const { url } = await apiOf(server);
  const reply = await fetch(`${url}/v4/regions`);
  expect(await reply.json()).toHaveProperty("data[0].id", first);
  const { code, talk } = await server.end();
  expect({ code, talk }).toEqual({ code: 0, talk: `${messages}finishing the requests under way\n` });
});

test.each<[what: string, files: Record<string, string>, flags: string, talk: string]>([
  [
    "a file with errors, all at once",
    { "own.yaml": "regions:\n  - { id: own, label: Own, country: NL }\ncatalog: {}\n" },
    "--catalog own.yaml",
    lines`
      error[config-value] regions entry 1: country must be two lower-case letters, such as de, not "NL"
        own.yaml:2:37
          2 |   - { id: own, label: Own, country: NL }
            |                                     ^^
        Country (ISO 3166-1).

      error[unknown-key] "catalog" is not a setting
        own.yaml:3:1
          3 | catalog: {}
            | ^^^^^^^
        Known keys: regions, types, images, kernels, deployscripts, tax, extra_public_ipv4, prices, rdns_domain, rdns_account.
    `,
  ],
  [
    "a file in the data folder with an error",
    { "data/catalog.yaml": "regions: [" },
    "--data data",
    lines`
      error[config-syntax] invalid YAML: this [ is not closed
        data/catalog.yaml:1:10
          1 | regions: [
            |          ^
        Add the ] that closes it.
    `,
  ],
  [
    "hostile text, with its controls visible",
    { "own.yaml": 'rdns_domain: "a\\e[31m\u202e"\n' },
    "--catalog own.yaml",
    lines`
      error[config-value] rdns_domain must be a domain name in lower case without a final dot, such as nodes.invalid, not "a\u001b[31m\u202e"
        own.yaml:1:14
          1 | rdns_domain: "a\e[31m\u202e"
            |              ^^^^^^^^^^^^^^^
        Domain of the default names of addresses.
    `,
  ],
  [
    "a missing file",
    {},
    "--catalog own.yaml",
    lines`
      error[file-read] own.yaml cannot be read: it does not exist
        Name a catalogue file.
    `,
  ],
  [
    "a folder in the place of the file",
    { "data/catalog.yaml/x": "" },
    "--data data",
    lines`
      error[file-read] data/catalog.yaml cannot be read: it is a folder
        Name a regular file, or put one in its place.
    `,
  ],
])("serve refuses %s, and creates no database", async (_, files, flags, talk) => {
  const desk = new Desk(files);
  expect(await desk.run(`serve --port 0 ${flags}`)).toEqual({ code: 3, out: "", talk });
  expect(Object.keys(desk.files())).toEqual(Object.keys(files));
});

test("a catalogue without entries that are in use is refused", async () => {
  const small = {
    types:
      "types: [{ id: tiny, label: Tiny, class: nanode, disk: 1, memory: 1, vcpus: 1, transfer: 0, network_out: 1 }]",
    kernels:
      'kernels: [{ id: node/other, label: Other, version: "1", architecture: x86_64, built: "2024-05-08T12:00:00" }]',
  };
  const desk = new Desk({
    token: "secret-for-tests",
    "own.yaml": `${region("lab")}${small.types}\n${small.kernels}\nimages: []\n`,
    "larger.yaml": "regions: [{ id: us-east, label: us-east, country: us }, { id: lab, label: lab, country: nl }]\n",
  });
  const server = desk.start("serve --port 0 --no-console --token-file token");
  const { call } = await apiOf(server);
  const post = async (path: string, body: object) => expect((await call("POST", path, body)).status).toBe(200);
  const place = { region: "us-east", type: "g6-nanode-1" };
  await post("/node/instances", place);
  await post("/node/instances", { ...place, image: "node/debian12", root_pass: "correct Horse 7" });
  await post("/node/instances/1/configs", { label: "boot", kernel: "node/grub2", devices: {} });
  await post("/volumes", { label: "data", region: "us-east" });
  await server.end();
  const shown = "`zonewright server operator node list` shows the nodes.";
  expect(await desk.run("serve --port 0 --no-console --token-file token --catalog own.yaml")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[catalog-in-use] the catalogue lacks the region "us-east", which is in use by 2 nodes and 1 volume
        Put it back, or delete what uses it first. ${shown}

      error[catalog-in-use] the catalogue lacks the type "g6-nanode-1", which is in use by 2 nodes
        Put it back, or delete what uses it first. ${shown}

      error[catalog-in-use] the catalogue lacks the image "node/debian12", which is in use by 1 node
        Put it back, or delete what uses it first. ${shown}

      error[catalog-in-use] the catalogue lacks the kernel "node/grub2", which is in use by 1 node
        Put it back, with deprecated: true if it should not be chosen, or delete what uses it first. ${shown}
    `,
  });
  const again = desk.start("serve --port 0 --no-console --token-file token --catalog larger.yaml");
  await again.says(/^catalogue: larger.yaml\n/m);
});
