import { plain } from "../../diagnostics/plain.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { readServer, readServerAddress, type ServerAddress } from "../../dns-client/server-address.ts";
import { axfrSource } from "../../workflow/import-axfr.ts";
import { selectZones } from "../../workflow/listed-zones.ts";
import { openProject } from "../../workflow/project.ts";
import { mostRecords } from "../../workflow/transfer-zones.ts";
import { defineCommand, flag, list, type Options, projectFlags, required, text } from "../command.ts";
import { readNumber } from "../read-number.ts";
import { importFlags, runImport } from "../run-import.ts";
import type { Terminal } from "../terminal.ts";
import { readKey } from "../tsig-key.ts";

/** The flags of imports from name servers. */
export const transferFlags = {
  from: required(list("<server>", "name server to transfer from (HOST or HOST:PORT); repeatable, tried in order")),
  zonesFile: list(
    "<file>",
    "file that lists zones: one name per line, or the configuration of BIND, Knot or NSD; repeatable",
  ),
  catalog: list("<zone>", "catalog zone on the server, whose members are transferred (RFC 9432); repeatable"),
  tsigKey: text("<file>", "file with a TSIG key, as tsig-keygen writes it"),
  resolver: list(
    "<server>",
    "resolver, or name server of the parent zone, to ask for DS records; repeatable; by default the system's",
  ),
  maxRecords: text("<number>", "maximum number of records in a zone; a larger one fails", String(mostRecords)),
};

export const axfr = defineCommand({
  example: `  zonewright import axfr example.com --from ns1.example.net
  zonewright import axfr --zones-file zones.txt --from 192.0.2.53
`,
  arguments: { "[zones...]": "zones to transfer" },
  flags: {
    ...projectFlags,
    ...transferFlags,
    confirm: flag("transfer each zone from a second server as well, and compare the records"),
    jobs: text("<number>", "maximum number of transfers at the same time", "16"),
    perServer: text("<number>", "maximum number of transfers from one server at the same time", "2"),
    ...importFlags,
  },
  interruption: "run the same command again to continue",
  async run(terminal, { zones }, options, { argv }) {
    const { confirm = false } = options;
    if (confirm && (options.from ?? []).length < 2) throw usageError("--confirm needs several servers: repeat --from.");
    const wanted = await readTransferFlags(terminal, zones, options);
    const project = openProject(terminal, options);
    const source = axfrSource({
      ...wanted,
      isConfirmed: confirm,
      jobs: readNumber("--jobs", options.jobs, 1),
      perServer: readNumber("--per-server", options.perServer, 1),
    });
    return runImport(terminal, project, { source, from: "transferred", argv }, options);
  },
});

/** The zones, servers and key of a command line. */
export async function readTransferFlags(
  terminal: Terminal,
  zones: readonly string[],
  options: Options<typeof transferFlags>,
) {
  const { zonesFile: files = [], catalog: catalogs = [] } = options;
  const servers = (options.from ?? []).map((server) => readServer(server, "--from"));
  const key = readKey(terminal, options.tsigKey);
  const resolvers = readResolvers(terminal, options.resolver);
  if (zones.length + files.length + catalogs.length === 0)
    throw usageError("no zones are given. Name zones, a file that lists them with --zones-file, or a --catalog.");
  const maxRecords = readNumber("--max-records", options.maxRecords, 1);
  const selected = await selectZones(terminal, { names: zones, files, catalogs }, { servers, key, maxRecords });
  for (const { name, skipped: reason } of selected.skipped)
    terminal.log(`skipped ${plain(name)}: ${plain(reason ?? "")}\n`);
  return { zones: selected.zones, servers, key, resolvers, maxRecords, sleep: terminal.sleep };
}

/** The resolvers of the options, or else those of the machine. */
function readResolvers(terminal: Terminal, given: readonly string[] | undefined): ServerAddress[] {
  if (given) return given.map((server) => readServer(server, "--resolver"));
  return terminal
    .resolvers()
    .map(readServerAddress)
    .filter((server) => server !== undefined);
}
