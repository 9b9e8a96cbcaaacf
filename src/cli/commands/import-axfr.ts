import { count, plain } from "../../diagnostics/plain.ts";
import { type Problem, usageError } from "../../diagnostics/problem.ts";
import { readKeys } from "../../dns/transfer/key-file.ts";
import type { Key } from "../../dns/transfer/tsig.ts";
import { readServer, readServerAddress, type ServerAddress } from "../../dns-client/server-address.ts";
import {
  countImport,
  type ImportReport,
  importJson,
  importMarkdown,
  importText,
  noImports,
} from "../../report/import-report.ts";
import type { Style } from "../../report/palette.ts";
import { patchText } from "../../report/patch.ts";
import { formatNames, readText } from "../../workflow/files.ts";
import { type AxfrImport, type FileChange, importAxfr } from "../../workflow/import-axfr.ts";
import { selectZones } from "../../workflow/listed-zones.ts";
import { openProject } from "../../workflow/project.ts";
import { choice, defineCommand, flag, list, projectFlags, required, text } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printProblems } from "../print-error.ts";
import type { Terminal } from "../terminal.ts";

const words = ["text", "json", "markdown"] as const;

const reports: Readonly<Record<(typeof words)[number], (style: Style) => ImportReport>> = {
  text: importText,
  json: () => importJson,
  markdown: () => importMarkdown,
};

export const axfr = defineCommand({
  example: `  zonewright import axfr example.com --from ns1.example.net
  zonewright import axfr --zones-file zones.txt --from 192.0.2.53
`,
  arguments: { "[zones...]": "zones to transfer" },
  flags: {
    ...projectFlags,
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
    to: choice("<format>", formatNames, "format of new files", "yaml"),
    yes: flag("overwrite differing files without asking"),
    jobs: text("<number>", "maximum number of transfers at the same time", "16"),
    perServer: text("<number>", "maximum number of transfers from one server at the same time", "2"),
    maxLoss: text("<number>", "exit with 3 if more records are lost than this"),
    report: choice("<format>", words, "output format", "text"),
    restart: flag("start again, even if the last import was interrupted"),
  },
  interruption: "run the same command again to continue",
  async run(terminal, { zones }, options) {
    const { zonesFile: files = [], catalog: catalogs = [], to, yes = false, restart = false } = options;
    const servers = (options.from ?? []).map((server) => readServer(server, "--from"));
    const key = readKey(terminal, options.tsigKey);
    if (zones.length + files.length + catalogs.length === 0)
      throw usageError("no zones are given. Name zones, a file that lists them with --zones-file, or a --catalog.");
    const selected = await selectZones(terminal, { names: zones, files, catalogs }, { servers, key });
    const { zones: names, skipped } = selected;
    for (const { name, skipped: reason } of skipped) terminal.log(`skipped ${plain(name)}: ${plain(reason ?? "")}\n`);
    const project = openProject(terminal, options);
    const request = {
      zones: names,
      servers,
      key,
      resolvers: readResolvers(terminal, options.resolver),
      to,
      jobs: readNumber("--jobs", options.jobs, 1),
      perServer: readNumber("--per-server", options.perServer, 1),
      isRestart: restart,
    };
    const most = options.maxLoss === undefined ? undefined : readNumber("--max-loss", options.maxLoss, 0);
    const imports = importAxfr(terminal, project, request, {
      confirm: (change) => askToOverwrite(terminal, change, { yes, from: "transferred" }),
      onContinue: (begun, done) =>
        terminal.log(`continuing the import of ${begun}: ${done} of ${count(names.length, "zone")} are there\n`),
    });
    const report = reports[options.report](terminal.printStyle);
    terminal.print(report.begin);
    let counts = noImports;
    const failures: AxfrImport[] = [];
    for await (const zone of imports) {
      terminal.print(report.zone(zone, counts === noImports));
      counts = countImport(counts, zone);
      if (zone.state === "failed") failures.push(zone);
      else if (zone.problems.length > 0) printProblems(terminal, zone.problems);
    }
    terminal.print(report.end(counts));
    printProblems(terminal, groupFailures(failures));
    const { kept, failed } = counts.zones;
    const { lost } = counts.records;
    if (most !== undefined && lost > most) {
      terminal.log(`${count(lost, "record")} would be lost, more than --max-loss ${most}\n`);
      return exitCode.invalid;
    }
    if (failed + kept === 0) return exitCode.done;
    return failed === names.length ? exitCode.failed : exitCode.partly;
  },
});

/** The TSIG key of a file or of the environment; a secret on the command line would be shown to every user. */
function readKey({ cwd, env }: Terminal, file: string | undefined): Key | undefined {
  if (file === undefined && !env.ZONEWRIGHT_TSIG_KEY) return undefined;
  const [text, from] =
    file === undefined ? [env.ZONEWRIGHT_TSIG_KEY ?? "", "ZONEWRIGHT_TSIG_KEY"] : [readText(cwd, file), file];
  const [key, other] = readKeys(text, from);
  if (!other) return key;
  throw usageError(`${plain(from)} has several TSIG keys. Leave the one to sign with.`);
}

/** The resolvers of the options, or else those of the machine. */
function readResolvers(terminal: Terminal, given: readonly string[] | undefined): ServerAddress[] {
  if (given) return given.map((server) => readServer(server, "--resolver"));
  return terminal
    .resolvers()
    .map(readServerAddress)
    .filter((server) => server !== undefined);
}

/** The problems of failed zones; zones with the same one share it. */
function groupFailures(failures: readonly AxfrImport[]): Problem[] {
  const groups = new Map<string, { first: Problem; zones: string[] }>();
  for (const { name, problems } of failures) {
    for (const first of problems) {
      const key = `${first.id} ${first.summary}`;
      const group = groups.get(key) ?? { first, zones: [] };
      group.zones.push(name.slice(0, -1));
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ first, zones }) => {
    const list = zones.length > 3 ? `${zones.slice(0, 3).join(", ")} and ${zones.length - 3} more` : zones.join(", ");
    return { ...first, summary: `${list}: ${first.summary}` };
  });
}

function readNumber(name: string, text: string, least: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw usageError(`${name} needs a whole number of at least ${least}, not "${plain(text)}".`);
}

/** Shows the change of a file, and asks whether it is made; `from` is the folder of the new version in the patch. */
export async function askToOverwrite(
  terminal: Terminal,
  { file, before, text }: FileChange,
  { yes, from }: { readonly yes: boolean; readonly from: "live" | "transferred" },
): Promise<boolean> {
  terminal.log(patchText(`git/${file}`, `${from}/${file}`, before, text));
  if (yes) return true;
  if (!terminal.ask) {
    terminal.log(`${plain(file)} is kept: it differs from the ${from} zone; --yes overwrites it\n`);
    return false;
  }
  const answer = await terminal.ask(`Overwrite ${plain(file)}? [y/N] `);
  terminal.signal.throwIfAborted();
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}
