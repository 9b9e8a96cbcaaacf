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
      .option("--config <file>", "the config file", "zonewright.yaml")
      .option("--zones <folder>", "a folder with zone files, instead of those in the config; may be repeated", append);
  const api = (command: Command) =>
    command
      .option("--api-url <url>", "scheme and host of the API; /v4 is added")
      .option("--token-file <file>", "a file that holds the token");
  const verifying = (command: Command) =>
    command
      .option(
        "--nameserver <server>",
        "ask this server, with or without a port, instead of the zone's; may be repeated",
        append,
      )
      .option("--wait <time>", "for how long to look again at what is not there yet", "1m");
  const strict = new Option("--strict", "a TTL that the API would round is an error");
  const allow = new Option("--allow <guards>", "let pass what these guards hold, like G01,G05").argParser(append);
  const deleteZone = new Option(
    "--delete-zone <name>",
    "delete this domain, which no file describes; may be repeated",
  ).argParser(append);
  const report = new Option("--report <format>", "how the result is shown").choices(["text", "json"]).default("text");

  project(program.command("validate"))
    .description("check zone files: syntax, DNS, what the API can hold")
    .argument("[zones...]", "zones or files; all without one")
    .addOption(strict)
    .addOption(
      new Option("--report <format>", "how the result is shown")
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
      "the word in brackets after error or warning, a guard such as G05, an exit code, or exit-codes; lists all without one",
    )
    .action(async (word) => done((await import("./commands/explain.ts")).explain(context, word)));

  api(project(program.command("plan")))
    .description("show what apply would write, in its order; writes nothing")
    .argument("[zones...]", "zones or files; all without one")
    .addOption(strict)
    .addOption(report)
    .option("--out <file>", "write a plan file, which apply carries out once it is reviewed")
    .option("--expires <time>", "for how long the plan file may be applied", "24h")
    .addOption(allow)
    .addOption(deleteZone)
    .option("--against <file>", "plan against a snapshot; no token is needed")
    .option("--since <revision>", "only zones whose files changed since a commit of git")
    .option("--detailed-exitcode", "exit 2 when there are differences, 3 when a guard blocks one of them")
    .action(async (zones, options) => done(await (await import("./commands/plan.ts")).plan(context, zones, options)));

  verifying(api(project(program.command("apply"))))
    .description("plan, ask, write, read back; or carry out a plan file")
    .argument("[zones...]", "zones or files, or one plan file; all zones without one")
    .addOption(strict)
    .addOption(allow)
    .addOption(deleteZone)
    .addOption(
      new Option("--stale <edits>", "which edits by others refuse a plan file: of what it touches, or any in its zones")
        .choices(["record", "zone"])
        .default("record"),
    )
    .option("--resume", "continue the last interrupted run")
    .option("--yes", "do not ask")
    .option("--verbose", "a line for each write")
    .option("--jsonl", "what happens as lines of JSON on standard output")
    .option("--verify", "ask the name servers afterwards whether they answer what was written")
    .action(async (zones, options) => done(await (await import("./commands/apply.ts")).apply(context, zones, options)));

  verifying(api(project(program.command("verify"))))
    .description("ask the zones' name servers whether they answer as the files say; writes nothing")
    .argument("[zones...]", "zones or files; all without one")
    .addOption(strict)
    .action(async (zones, options) =>
      done(await (await import("./commands/verify.ts")).verify(context, zones, options)),
    );

  api(project(program.command("snapshot")))
    .description("write the live zones of the account as one file, to plan against")
    .option("--out <file>", "where to, instead of standard output")
    .action(async (options) => done(await (await import("./commands/snapshot.ts")).snapshot(context, options)));

  project(program.command("runs"))
    .description("what was applied from here")
    .argument("[run]", "the id of a run, or its beginning; all without one")
    .action(async (run, options) => done((await import("./commands/runs.ts")).runs(context, run, options)));

  api(project(program.command("undo")))
    .description("plan the inverse of a run, ask, write, read back")
    .argument("<run>", "the id of a run, or its beginning")
    .addOption(allow)
    .option("--yes", "do not ask")
    .option("--verbose", "a line for each write")
    .option("--jsonl", "what happens as lines of JSON on standard output")
    .action(async (run, options) => done(await (await import("./commands/undo.ts")).undo(context, run, options)));

  api(project(program.command("export")))
    .description("write zones in another form; a file needs no project around it")
    .argument("[zones...]", "zones or files; all without one")
    .addOption(new Option("--to <format>", "the form").choices(["bind", "yaml", "records"]).makeOptionMandatory())
    .option("--origin <name>", "the zone of a file whose name does not say it")
    .option("--live", "what the API holds, instead of the files")
    .option("--rendered", "the service's own zone file (with --to bind)")
    .option("--out <folder>", "one file for each zone, instead of standard output")
    .action(async (zones, options) =>
      done(await (await import("./commands/export.ts")).exportZones(context, zones, options)),
    );

  project(program.command("fmt"))
    .description("normalise the layout and spelling of zone files; order, sections and comments stay")
    .argument("[zones...]", "zones or files; all without one")
    .option("--check", "write nothing: show what would change, and exit 3 if something would")
    .option("--sort", "put the records in canonical order")
    .addOption(new Option("--to <format>", "convert to this format").choices(["bind", "yaml"]))
    .action(async (zones, options) => done(await (await import("./commands/fmt.ts")).fmt(context, zones, options)));

  const importing = program.command("import").description("bring zones into git");
  api(project(importing.command("api")))
    .description("write the live zones of the account as zone files")
    .argument("[zones...]", "zones; all without one")
    .addOption(new Option("--to <format>", "the form").choices(["bind", "yaml"]).default("yaml"))
    .option("--yes", "overwrite files that differ without asking")
    .action(async (zones, options) =>
      done(await (await import("./commands/import-api.ts")).importApi(context, zones, options)),
    );

  program
    .command("serve")
    .description("run the API server locally")
    .option("--port <number>", "where to listen; 0 takes a free port", "4119")
    .option("--host <address>", "where to listen", "127.0.0.1")
    .option("--data <folder>", `where the database lives, unless DATABASE_URL is set (default: "${usualData}")`)
    .option("--token <token>", "accept this token too, and create none at the first start; visible in the process list")
    .option("--token-file <file>", "the same, with the token in a file; or set ZONEWRIGHT_SERVE_TOKEN")
    .option("--ephemeral", "keep nothing")
    .option(
      "--rate-limit <number>",
      "requests of a user in two minutes; profile live lists: an eighth of it a minute; 0 for no limit",
      "1600",
    )
    .option("--render-delay <seconds>", "from the first change of a zone until it is served", "0")
    .option("--access-log", "a line of JSON on standard error for each request")
    .option("--trust-proxy <network>", "believe the X-Forwarded-For of proxies there; repeatable", append)
    .option(
      "--transfer-from <network>",
      "send transfer requests and NOTIFY to this private network too, at any port, as 10.0.0.0/8",
      append,
    )
    .option("--allow-public-suffixes", "allow domains that are public suffixes, such as co.uk or in-addr.arpa")
    .option("--dns <address:port>", "answer the zones' names there too, by UDP and TCP")
    .option(
      "--dns-rate-limit <number>",
      "UDP responses per second to one network (/24, /56); 0 for no limit (default: 200, on loopback 0)",
    )
    .option("--nsid <text>", "the identity that queries with the NSID option get (default: the first name server)")
    .option("--nameserver <name>", "a name server of all zones, the primary first; repeatable", append)
    .option(
      "--secondary <address>",
      "may transfer every zone, and is told of changes; 192.0.2.1 or 192.0.2.1:53",
      append,
    )
    .option("--tsig-key <file>", "TSIG keys that open every zone, as tsig-keygen writes them")
    .option(
      "--key-for <address=key>",
      "sign what is sent to this address with that key of the file; repeatable",
      append,
    )
    .addOption(
      new Option("--profile <name>", "which rounding and texts").choices(["documented", "live"]).default("documented"),
    )
    .action(async (options) => done(await (await import("./commands/serve.ts")).serve(context, options)));

  addServiceCommands(program, context, done);

  program
    .command("demo")
    .description("the whole job on a server of its own: plan, apply, change, export")
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
    command.addOption(new Option("--color <when>", "colours").choices(["always", "never", "auto"]).default("auto"));
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
