import { expect, test } from "vitest";
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
  const [, url = ""] = await server.says(/^(http:\/\/\S+)\n/);
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
        Known keys: regions, types, images, kernels, deployscripts, tax, extra_public_ipv4, prices, rdns_domain.
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
