import { Command, CommanderError, Option } from "commander";
import type { Style } from "../report/palette.ts";
import { version } from "../workflow/version.ts";
import type { Context } from "./context.ts";
import { usualData } from "./data-folder.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { example, examples } from "./help-examples.ts";
import { addServiceCommands } from "./service-commands.ts";

/** Runs the program; each command is loaded when it is called. Never throws: the exit code says how it ended. */
export async function runProgram(given: Context, argv: readonly string[]): Promise<ExitCode> {
  const context = { ...given };
  let code: ExitCode = exitCode.done;
  const program = build(context, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return context.signal.aborted && code !== exitCode.done ? exitCode.interrupted : code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
    if (context.signal.aborted) {
      context.talk("interrupted: nothing more is written\n");
      return exitCode.interrupted;
    }
    const { tell } = await import("./tell.ts");
    return tell(context, error);
  }
}

function build(context: Restyled, done: (code: ExitCode) => void): Command {
  const program = new Command("zonewright")
    .description("DNS zones in git: validate, plan and apply changes without ever leaving a name unresolvable.")
    .version(version())
    .addHelpText("before", example)
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.talk });
  const project = (command: Command) =>
    command
      .option("--config <file>", "config file", "zonewright.yaml")
      .option("--zones <folder>", "folder with zone files, instead of those in the config; repeatable", append);
  const api = (command: Command) =>
    command
      .option("--api-url <url>", "scheme and host of the API, without /v4")
      .option("--token-file <file>", "file with the token");
  const verifying = (command: Command) =>
    command
      .option(
        "--nameserver <server>",
        "ask this server (HOST or HOST:PORT) instead of the zone's own; repeatable",
        append,
      )
      .option("--wait <time>", "how long to wait until every server answers", "1m");
  const strict = new Option("--strict", "report TTLs that the API would round as errors");
  const allow = new Option("--allow <guards>", "approve what these guards block, for example G01,G05").argParser(
    append,
  );
  const deleteZone = new Option(
    "--delete-zone <name>",
    "delete this domain, which has no zone file; repeatable",
  ).argParser(append);
  const report = new Option("--report <format>", "output format").choices(["text", "json"]).default("text");

  project(program.command("validate"))
    .description("check zone files: syntax, DNS rules, limits of the API")
    .argument("[zones...]", "zones or files; all if none is given")
    .addOption(strict)
    .addOption(
      new Option("--report <format>", "output format")
        .choices(["text", "json", "sarif", "junit", "github"])
        .default("text"),
    )
    .action(async (zones, options) =>
      done(await (await import("./commands/validate.ts")).validate(context, zones, options)),
    );

  program
    .command("explain")
    .description("describe a rule, guard or exit code")
    .argument(
      "[word]",
      "the id in brackets after error or warning, a guard such as G05, an exit code, or exit-codes; lists all if none is given",
    )
    .action(async (word) => done((await import("./commands/explain.ts")).explain(context, word)));

  api(project(program.command("plan")))
    .description("show what apply would write, in order; writes nothing")
    .argument("[zones...]", "zones or files; all if none is given")
    .addOption(strict)
    .addOption(report)
    .option("--out <file>", "save the plan as a file to review and apply")
    .option("--expires <time>", "how long the plan file may be applied", "24h")
    .addOption(allow)
    .addOption(deleteZone)
    .option("--against <file>", "plan against a snapshot; needs no token")
    .option("--since <revision>", "only zones whose files changed since a git commit")
    .option("--detailed-exitcode", "exit with 2 when there are differences, with 3 when a guard blocks one")
    .action(async (zones, options) => done(await (await import("./commands/plan.ts")).plan(context, zones, options)));

  verifying(api(project(program.command("apply"))))
    .description("plan, ask, write and verify; or apply a plan file")
    .argument("[zones...]", "zones or files, or one plan file; all zones if none is given")
    .addOption(strict)
    .addOption(allow)
    .addOption(deleteZone)
    .addOption(
      new Option(
        "--stale <edits>",
        "refuse a plan file after edits by others of the records it touches, or anywhere in its zones",
      )
        .choices(["record", "zone"])
        .default("record"),
    )
    .option("--resume", "continue the last interrupted run")
    .option("--yes", "do not ask for confirmation")
    .option("--verbose", "one line per write")
    .option("--jsonl", "report events as lines of JSON on standard output")
    .option("--verify", "then ask the name servers whether they answer what was written")
    .action(async (zones, options) => done(await (await import("./commands/apply.ts")).apply(context, zones, options)));

  verifying(api(project(program.command("verify"))))
    .description("ask the zones' name servers whether they answer as the files say")
    .argument("[zones...]", "zones or files; all if none is given")
    .addOption(strict)
    .action(async (zones, options) =>
      done(await (await import("./commands/verify.ts")).verify(context, zones, options)),
    );

  api(project(program.command("snapshot")))
    .description("save the live zones of the account as one file, to plan against")
    .option("--out <file>", "write to this file instead of standard output")
    .action(async (options) => done(await (await import("./commands/snapshot.ts")).snapshot(context, options)));

  project(program.command("runs"))
    .description("list past runs, or show what happened in one")
    .argument("[run]", "id of a run, or its beginning; lists all if none is given")
    .action(async (run, options) => done((await import("./commands/runs.ts")).runs(context, run, options)));

  api(project(program.command("undo")))
    .description("plan the inverse of a run, ask, write and verify")
    .argument("<run>", "id of a run, or its beginning")
    .addOption(allow)
    .option("--yes", "do not ask for confirmation")
    .option("--verbose", "one line per write")
    .option("--jsonl", "report events as lines of JSON on standard output")
    .action(async (run, options) => done(await (await import("./commands/undo.ts")).undo(context, run, options)));

  api(project(program.command("export")))
    .description("write zones in another form; files need no project")
    .argument("[zones...]", "zones or files; all if none is given")
    .addOption(new Option("--to <format>", "output form").choices(["bind", "yaml", "records"]).makeOptionMandatory())
    .option("--origin <name>", "zone of a file whose name does not say it")
    .option("--live", "zones as the API holds them, instead of the files")
    .option("--rendered", "the service's own zone file (with --to bind)")
    .option("--out <folder>", "write one file per zone to this folder instead of standard output")
    .action(async (zones, options) =>
      done(await (await import("./commands/export.ts")).exportZones(context, zones, options)),
    );

  project(program.command("fmt"))
    .description("normalise the layout and spelling of zone files; order, sections and comments stay")
    .argument("[zones...]", "zones or files; all if none is given")
    .option("--check", "write nothing: show what would change, and exit with 3 if anything would")
    .option("--sort", "sort the records in canonical order")
    .addOption(new Option("--to <format>", "convert to this format").choices(["bind", "yaml"]))
    .action(async (zones, options) => done(await (await import("./commands/fmt.ts")).fmt(context, zones, options)));

  const importing = program.command("import").description("import zones into git");
  api(project(importing.command("api")))
    .description("write the live zones of the account as zone files")
    .argument("[zones...]", "zones; all if none is given")
    .addOption(new Option("--to <format>", "file format").choices(["bind", "yaml"]).default("yaml"))
    .option("--yes", "overwrite differing files without asking")
    .action(async (zones, options) =>
      done(await (await import("./commands/import-api.ts")).importApi(context, zones, options)),
    );

  program
    .command("serve")
    .description("run the API server locally")
    .option("--port <number>", "port to listen on; 0 picks a free one", "4119")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--data <folder>", `folder of the database, unless DATABASE_URL is set (default: "${usualData}")`)
    .option(
      "--token <token>",
      "also accept this token, and create none at the first start; visible in the process list",
    )
    .option("--token-file <file>", "the same, read from a file; or set ZONEWRIGHT_SERVE_TOKEN")
    .option("--ephemeral", "keep the database in memory")
    .option(
      "--rate-limit <number>",
      "requests per user in two minutes (lists in profile live: an eighth per minute); 0 disables the limit",
      "1600",
    )
    .option("--render-delay <seconds>", "delay from the first change of a zone until it is served", "0")
    .option("--access-log", "log each request as a line of JSON on standard error")
    .option("--trust-proxy <network>", "accept X-Forwarded-For from proxies in this network; repeatable", append)
    .option(
      "--transfer-from <network>",
      "allow transfers from and NOTIFY to this private network, at any port, for example 10.0.0.0/8; repeatable",
      append,
    )
    .option("--allow-public-suffixes", "allow domains that are public suffixes, such as co.uk or in-addr.arpa")
    .option("--dns <address:port>", "also serve DNS there, over UDP and TCP")
    .option(
      "--dns-rate-limit <number>",
      "UDP responses per second to one network (/24, /56); 0 for no limit (default: 200, on loopback 0)",
    )
    .option("--nsid <text>", "server identity for the NSID option (default: the first name server)")
    .option("--nameserver <name>", "name server of all zones, the primary first; repeatable", append)
    .option(
      "--secondary <address>",
      "secondary that may transfer every zone and gets NOTIFY, as ADDRESS or ADDRESS:PORT; repeatable",
      append,
    )
    .option("--tsig-key <file>", "TSIG keys that may transfer every zone, as tsig-keygen writes them")
    .option("--key-for <address=key>", "sign requests to this address with that key of the file; repeatable", append)
    .addOption(
      new Option("--profile <name>", "follow the specification, or the hosted service where it differs")
        .choices(["documented", "live"])
        .default("documented"),
    )
    .action(async (options) => done(await (await import("./commands/serve.ts")).serve(context, options)));

  addServiceCommands(program, context, done);

  program
    .command("demo")
    .description("show the whole workflow on a server of its own: plan, apply, change, export")
    .action(async () => done(await (await import("./commands/demo.ts")).demo(context)));

  addColor(program, context);
  for (const [name, text] of Object.entries(examples)) {
    const path = name.split(" ");
    const command = path.reduce<Command | undefined>(
      (command, name) => command?.commands.find((sub) => sub.name() === name),
      program,
    );
    command?.addHelpText("before", text);
  }
  return program;
}

/** A context whose styles a flag may set. */
type Restyled = Omit<Context, "outStyle" | "talkStyle"> & { outStyle: Style; talkStyle: Style };

/** Colour by a flag goes before what the environment says. */
function addColor(program: Command, context: Restyled): void {
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  for (const command of leaves(program))
    command.addOption(
      new Option("--color <when>", "when to use colours").choices(["always", "never", "auto"]).default("auto"),
    );
  program.hook("preAction", (_, command) => {
    const { color: when } = command.opts<{ color: string }>();
    if (when === "auto") return;
    context.outStyle = { ...context.outStyle, color: when === "always" };
    context.talkStyle = { ...context.talkStyle, color: when === "always" };
  });
}

function append(value: string, list: string[] = []): string[] {
  return [...list, value];
}
