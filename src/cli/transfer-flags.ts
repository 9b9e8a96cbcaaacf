import { adviceText } from "../diagnostics/advice.ts";
import { escapeControl } from "../diagnostics/escape.ts";
import { usageError } from "../diagnostics/problem.ts";
import type { Key } from "../dns/transfer/tsig.ts";
import { readServer, readServerAddress, type ServerAddress } from "../dns-client/server-address.ts";
import { selectZones } from "../workflow/import/listed-zones.ts";
import { mostTransferredRecords } from "../workflow/import/transfer-zones.ts";
import { list, type Options, requireFlag, text } from "./command.ts";
import { readNumber } from "./read-number.ts";
import type { Terminal } from "./terminal.ts";
import { readKey } from "./tsig-key.ts";

/** The flags of imports from name servers. */
export const transferFlags = {
  from: requireFlag(list("<server>", "name server to transfer from (HOST or HOST:PORT); repeatable, tried in order")),
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
  maxRecords: text(
    "<number>",
    "maximum number of records in a zone; a larger one fails",
    String(mostTransferredRecords),
  ),
};

/** The zones, servers and key of a command line; the server and key are those of `primary` unless it names others. */
export async function readTransferFlags(
  terminal: Terminal,
  zones: readonly string[],
  options: Partial<Options<typeof transferFlags>> & Pick<Options<typeof transferFlags>, "maxRecords">,
  primary?: { readonly transferFrom: ServerAddress; readonly key: Key | undefined },
) {
  const { zonesFile: files = [], catalog: catalogs = [] } = options;
  const given = options.from?.map((server) => readServer(server, "--from"));
  const servers = given ?? (primary ? [primary.transferFrom] : []);
  const key = options.tsigKey === undefined && primary ? primary.key : readKey(terminal, options.tsigKey);
  const resolvers = readResolvers(terminal, options.resolver);
  if (zones.length + files.length + catalogs.length === 0)
    throw usageError("no zones are given. Name zones, a file that lists them with --zones-file, or a --catalog.");
  const maxRecords = readNumber("--max-records", options.maxRecords, 1);
  const selected = await selectZones(terminal, { names: zones, files, catalogs }, { servers, key, maxRecords });
  for (const { name, skipped: reason } of selected.skipped)
    terminal.log(`skipped ${escapeControl(name)}: ${escapeControl(adviceText(reason ?? "", "cli"))}\n`);
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
