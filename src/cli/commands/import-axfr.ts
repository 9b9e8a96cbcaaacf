import { lookup } from "node:dns/promises";
import { usageError } from "../../diagnostics/problem.ts";
import { type ServerAddress, serverText } from "../../dns-client/server-address.ts";
import { findPrimary } from "../../workflow/connect/connect-rfc2136.ts";
import { axfrSource } from "../../workflow/import/axfr.ts";
import { openProject, type Project } from "../../workflow/project/project.ts";
import { apiFlags, defineCommand, flag, list, projectFlags, text } from "../command.ts";
import { readNumber } from "../read-number.ts";
import { importFlags, runImport } from "../run-import.ts";
import type { Terminal } from "../terminal.ts";
import { readTransferFlags, transferFlags } from "../transfer-flags.ts";

export const axfr = defineCommand({
  example: `  zonewright import axfr example.com --from ns1.example.net
  zonewright import axfr --zones-file zones.txt --from 192.0.2.53
  zonewright import axfr example.com --target office
`,
  arguments: { "[zones...]": "zones to transfer" },
  flags: {
    ...projectFlags,
    target: apiFlags.target,
    ...transferFlags,
    from: list(
      "<server>",
      "name server to transfer from (HOST or HOST:PORT), by default that of the target; repeatable, tried in order",
    ),
    confirm: flag("transfer each zone from a second server as well, and compare the records"),
    jobs: text("<number>", "maximum number of transfers at the same time", "16"),
    perServer: text("<number>", "maximum number of transfers from one server at the same time", "2"),
    ...importFlags,
  },
  interruption: "run the same command again to continue",
  async run(terminal, { zones }, options, { argv }) {
    const { confirm = false } = options;
    if (confirm && (options.from ?? []).length < 2) throw usageError("--confirm needs several servers: repeat --from.");
    const project = openProject(terminal, options);
    const wanted = await readTransferFlags(terminal, zones, options, primaryOf(terminal, project, options.from));
    if (confirm) await requireDifferent(wanted.servers);
    const source = axfrSource({
      ...wanted,
      isFromService: options.from === undefined,
      isConfirmed: confirm,
      jobs: readNumber("--jobs", options.jobs, 1),
      perServer: readNumber("--per-server", options.perServer, 1),
    });
    return runImport(terminal, project, { source, from: "transferred", argv }, options);
  },
});

/**
 * The name server of the project's target, and its key; undefined if it is of another kind.
 * @throws {ProblemError} `usage` if zones are to be transferred from a target of another kind
 */
function primaryOf(terminal: Terminal, project: Project, from: readonly string[] | undefined) {
  const { view } = project;
  if (view?.kind === "rfc2136") return findPrimary(terminal, project);
  if (from !== undefined) return undefined;
  const { name, kind } = view ?? {};
  const isOther =
    name === undefined ? "" : `: the target ${name} is of kind ${kind}, from which zones are not transferred`;
  throw usageError(`--from is missing${isOther}. Name the server to transfer from, or a name server with --target.`);
}

/** @throws {ProblemError} `usage` if two of the servers are one, which would confirm itself */
async function requireDifferent(servers: readonly ServerAddress[]): Promise<void> {
  const named = new Map<string, string>();
  for (const server of servers) {
    const found = await lookup(server.host, { all: true }).catch(() => []);
    const texts = [server, ...found.map(({ address: host }) => ({ host, port: server.port }))].map(serverText);
    const before = texts.map((text) => named.get(text)).find((text) => text !== undefined);
    if (before !== undefined)
      throw usageError(
        `--confirm needs different servers, but ${before} and ${serverText(server)} are the same. Name another one.`,
      );
    for (const text of texts) named.set(text, serverText(server));
  }
}
