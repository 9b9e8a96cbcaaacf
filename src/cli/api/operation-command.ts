import type * as z from "zod";
import { ApiError } from "../../client/api-error.ts";
import { nameObject } from "../../client/call.ts";
import type { ReadingClient } from "../../client/client.ts";
import { jobText, newestEvent } from "../../client/wait-for.ts";
import { attributesOf, isList } from "../../contract/endpoint.ts";
import { type JsonSchema, toJsonSchema } from "../../contract/json-schema.ts";
import { largestPageOf, type Page, readPage, smallestPage } from "../../contract/page.ts";
import { commandLine } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { ProblemError, usageError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { columnsOf, replyLines, replyTable } from "../../report/api/reply.ts";
import { jsonText } from "../../report/format/json-text.ts";
import { palette } from "../../report/text/palette.ts";
import { callOperation, notShaped, type OperationCall } from "../../workflow/api/call-operation.ts";
import { awaitJobs, nodesOf } from "../../workflow/api/job-events.ts";
import { connectToCall } from "../../workflow/connect/connect-api.ts";
import { openProject } from "../../workflow/project/project.ts";
import {
  apiFlags,
  type Command,
  defineCommand,
  flag,
  list,
  type Options,
  projectFlags,
  requireFlag,
  text,
} from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { readNumber } from "../read-number.ts";
import type { Terminal } from "../terminal.ts";
import { readBody, unknownField, warnOfUnknown } from "./body.ts";
import { describeField, fieldAt, readTyped, typePhrase } from "./field.ts";
import { readFilter } from "./filter.ts";
import { readForm } from "./form.ts";
import { isObject } from "./json.ts";
import { findListOf, isDestructive, kebabCase, listColumns, listParameters, type Operation } from "./operation.ts";
import { bodyExample, exampleOf, notesOf } from "./operation-help.ts";

const bodyFlags = {
  set: list("<field=value>", "set a field of the body; repeatable"),
  body: text("<json>", "the body as JSON; @FILE reads a file, @- standard input"),
};
const formFlags = { file: requireFlag(text("<path>", "the file to send")) };
const filterFlags = (example: string) => ({
  filter: list(
    "<condition>",
    `only matching items, such as ${example}=VALUE, or JSON; operators: = != < <= > >= ~ (contains); repeatable`,
  ),
  orderBy: text("<attribute>", "order of the list; ATTRIBUTE:desc reverses it"),
});
const listFlags = (largest: number) => ({
  page: text("<number>", "number of the page, from 1"),
  pageSize: text("<number>", `number of items on a page, from ${smallestPage} to ${largest} (default: 100)`),
  all: flag("read all pages"),
  columns: text("<names>", "columns of the table, separated by commas"),
});
const jobFlags = { wait: flag("wait until the job that the request begins has ended") };
const destructiveFlags = { yes: flag("do not ask for confirmation") };
const sharedFlags = {
  json: flag("print the reply as JSON"),
  config: projectFlags.config,
  ...apiFlags,
  quiet: projectFlags.quiet,
};

type OperationFlags = typeof sharedFlags &
  Partial<
    typeof bodyFlags &
      typeof formFlags &
      ReturnType<typeof filterFlags> &
      ReturnType<typeof listFlags> &
      typeof jobFlags &
      typeof destructiveFlags
  >;
type OperationOptions = Options<OperationFlags>;
type ParameterValues = Readonly<Record<string, string>>;

/** The command of an operation: path parameters are its arguments, and it has the flags that its endpoint needs. */
export function operationCommand(operation: Operation): Command {
  const { endpoint } = operation;
  const isWrite = endpoint.method !== "GET";
  const flags: OperationFlags = {
    ...(endpoint.body && (endpoint.media ? formFlags : bodyFlags)),
    ...(isList(endpoint) && filterFlags(attributesOf(endpoint, "live")[0] ?? "")),
    ...(isList(endpoint) && listFlags(largestPageOf(endpoint.query))),
    ...(endpoint.job && jobFlags),
    ...(isDestructive(endpoint) && destructiveFlags),
    ...sharedFlags,
  };
  return defineCommand<Record<`<${string}>`, string>, OperationFlags>({
    get example() {
      return exampleOf(operation);
    },
    get notes() {
      return notesOf(operation);
    },
    get arguments() {
      const names = listParameters(endpoint);
      const about = (name: string) => describeField(parameterSchema(operation, name));
      return Object.fromEntries(names.map((name) => [`<${kebabCase(name)}>`, about(name)]));
    },
    flags,
    interruption: isWrite ? "the request may have taken effect: check before sending it again" : "nothing was changed",
    run: (terminal, args, options) => runOperation(terminal, operation, args, options),
  });
}

async function runOperation(
  terminal: Terminal,
  operation: Operation,
  args: ParameterValues,
  options: OperationOptions,
): Promise<ExitCode> {
  const { endpoint } = operation;
  const { signal } = terminal;
  const wanted = await readCall(terminal, operation, args, options);
  if (isDestructive(endpoint) && !options.yes && !(await isConfirmed(terminal, wanted))) {
    terminal.log(signal.aborted ? "interrupted: nothing was sent\n" : "nothing was sent\n");
    return signal.aborted ? exitCode.interrupted : exitCode.failed;
  }
  const project = openProject(terminal, options);
  const connection = { ...options, isOpen: endpoint.scope === null };
  return connectToCall(terminal, project, connection, async ({ client, call }) => {
    const since = options.wait ? await newestEvent(client, { signal }) : 0;
    const reply = await callOperation(call, wanted, signal).catch((error: unknown) => {
      throw withHelp(error, operation, wanted);
    });
    printReply(terminal, wanted, reply, options);
    return options.wait ? waitForJobs(terminal, client, since, nodesOf(wanted, reply)) : exitCode.done;
  });
}

/** Waits until the jobs that a request began have ended. They go on when the user stops waiting. */
async function waitForJobs(
  terminal: Terminal,
  client: ReadingClient,
  since: number,
  nodes: readonly number[],
): Promise<ExitCode> {
  try {
    for (const event of await awaitJobs(terminal, client, { nodeIds: nodes, since }))
      terminal.log(`${jobText(event)}: done (event ${event.id})\n`);
    return exitCode.done;
  } catch (error) {
    if (!terminal.signal.aborted) throw error;
    terminal.log("interrupted: the job goes on, and `zonewright api list-events` shows it\n");
    return exitCode.interrupted;
  }
}

/** @throws {ProblemError} `usage` */
async function readCall(
  terminal: Terminal,
  operation: Operation,
  args: ParameterValues,
  options: OperationOptions,
): Promise<OperationCall> {
  const { endpoint } = operation;
  const params = listParameters(endpoint).map((name) => [name, readParameter(operation, name, args[kebabCase(name)])]);
  const { page, pageSize, all = false } = options;
  if (all && page !== undefined) throw usageError("--all reads every page: leave out --page.");
  const query = {
    ...(page !== undefined && { page: readNumber("--page", page, 1) }),
    ...(pageSize !== undefined && { page_size: readNumber("--page-size", pageSize, 1) }),
  };
  return {
    endpoint,
    params: Object.fromEntries(params),
    ...(Object.keys(query).length > 0 && { query }),
    filter: readFilter(endpoint, options),
    ...(endpoint.body && { body: await readInput(terminal, operation, endpoint.body, options) }),
    isAll: all,
  };
}

/** The form if there is a file to send, else the JSON. @throws {ProblemError} `usage` for an update of nothing. */
async function readInput(
  terminal: Terminal,
  { name, endpoint, openEndpoint }: Operation,
  type: z.ZodObject,
  options: OperationOptions,
): Promise<unknown> {
  const { file } = options;
  const schema = toJsonSchema(openEndpoint?.body ?? type, "input");
  if (file !== undefined) return readForm(terminal.cwd, schema, file);
  const body = await readBody(terminal, schema, options);
  if (endpoint.method === "PUT") {
    const fields = Object.keys(body);
    const [first] = fields;
    if (first === undefined)
      throw usageError(`${name} needs a field to change, such as ${bodyExample(endpoint).join(" ")}.`);
    // Other services may have further fields, but an update of these alone would look like a success.
    if (fields.every((field) => fieldAt(schema, [field]) === undefined)) throw unknownField(schema, first);
  }
  warnOfUnknown(terminal, schema, body);
  return body;
}

function parameterSchema({ endpoint: { params } }: Operation, name: string): JsonSchema {
  return (params && fieldAt(toJsonSchema(params, "input"), [name])) ?? {};
}

function readParameter(operation: Operation, name: string, given = ""): unknown {
  const schema = parameterSchema(operation, name);
  const value = readTyped(schema, given);
  // Each of these would address another path.
  if (value !== undefined && !["", ".", ".."].includes(given)) return value;
  const found = findListOf(operation.endpoint, name);
  const hint = found === undefined ? "" : ` Find it with \`zonewright api ${found.name}\`.`;
  throw usageError(`<${kebabCase(name)}> must be ${typePhrase(schema)}, not "${escapeControl(given)}".${hint}`);
}

async function isConfirmed(terminal: Terminal, wanted: OperationCall): Promise<boolean> {
  const { endpoint, params } = wanted;
  const { method, summary, destructive } = endpoint;
  if (!terminal.ask) throw usageError("no terminal to confirm on: run the same command with --yes.");
  const consequence = destructive === undefined ? "" : ` ${destructive}.`;
  const object = escapeControl(nameObject(endpoint, params));
  const [action] = summary.split(";"); // notes on the reply follow
  const question = `${action}${object && `: ${object}`} (${method} ${escapeControl(pathOf(wanted))})?`;
  const answer = await terminal.ask(`${question}${consequence} [y/N] `);
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}

/** The path of the request, without the version. */
function pathOf({ endpoint, params }: OperationCall): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

/** Adds to an error how to find out what the operation accepts, if its help tells. */
function withHelp(error: unknown, { name }: Operation, wanted: OperationCall): unknown {
  if (!(error instanceof ApiError) || error.kind !== "invalid" || !isAnsweredByHelp(error, wanted)) return error;
  const fix = `\`zonewright api ${name} --help\` lists what the operation accepts.`;
  return new ProblemError({ fix, ...error.problem }, { cause: error });
}

/** Whether a field is missing, or breaks a type, a limit or an enumeration, all of which are in the help. */
function isAnsweredByHelp({ reasons }: ApiError, { endpoint, body, query }: OperationCall): boolean {
  if (reasons.every(({ field }) => field === undefined)) return false;
  if (endpoint.media || reasons.some(({ reason }) => /\brequired\b| is not valid$/.test(reason))) return true;
  const checks = [endpoint.body?.safeParse(body), endpoint.query?.safeParse(query ?? {})];
  return checks.some((check) => check?.error?.issues.some(({ code }) => shownInHelp.includes(code)));
}

const shownInHelp: readonly z.core.$ZodIssue["code"][] = ["invalid_type", "invalid_value", "too_big", "too_small"];

function printReply(terminal: Terminal, wanted: OperationCall, reply: unknown, options: OperationOptions): void {
  const { endpoint } = wanted;
  if (options.json) {
    if (reply !== undefined) terminal.print(jsonText(reply));
    return;
  }
  if (isList(endpoint)) {
    const page = readPage(reply);
    if (page === undefined) throw notShaped(wanted, "a page of a list");
    printPage(terminal, wanted, page, options);
  } else if (reply === undefined) terminal.log(`${endpoint.noContent ?? "no content"}\n`);
  else if (!isObject(reply)) throw notShaped(wanted, "an object");
  else if (Object.keys(reply).length > 0) {
    terminal.print(replyLines(reply, terminal.printWidth()));
    if (endpoint.done !== undefined) terminal.log(`${escapeControl(doneText(wanted))}\n`);
  } else if (endpoint.reply.safeParse(reply).success) terminal.log(`${escapeControl(doneText(wanted))}\n`);
  else throw notShaped(wanted, "an object with fields");
}

function printPage(
  terminal: Terminal,
  { endpoint, isAll }: OperationCall,
  { data, page, pages, results }: Page<unknown>,
  options: OperationOptions,
): void {
  const order = listColumns(endpoint);
  const wanted = options.columns?.split(",");
  const unknown = wanted?.find((name) => !isColumn(name, [...order, ...columnsOf(data, [])]));
  if (unknown !== undefined) throw unknownColumn(unknown, order);
  const width = terminal.printWidth();
  const { ellipsis } = palette(terminal.printStyle);
  const { text, omitted } = replyTable(data, { wanted, order, width, ellipsis });
  const notes: string[] = [];
  if (data.length > 0) terminal.print(text);
  else notes.push(page > 1 ? `page ${page} is empty` : "no items");
  if (pages > 1 && !isAll) notes.push(`page ${page} of ${pages}, ${count(results, "item")} in all; --all shows them`);
  if (omitted.length > 0)
    notes.push(`columns not shown (terminal too narrow): ${omitted.join(", ")}; choose with --columns, or use --json`);
  for (const note of notes) terminal.log(`${escapeControl(note)}\n`);
}

/** Whether a value, or an object with values, has this path. */
function isColumn(name: string, known: readonly string[]): boolean {
  return known.some((path) => path === name || path.startsWith(`${name}.`));
}

function unknownColumn(name: string, known: readonly string[]): ProblemError {
  const near = nearest(name, known);
  const hint = near === undefined ? `Columns: ${known.join(", ")}.` : `Did you mean "${near}"?`;
  return usageError(`--columns: the list has no column "${escapeControl(name)}". ${hint}`);
}

/** The result of a request whose reply does not tell it: `record 7 of domain 12 deleted`. */
function doneText({ endpoint, params }: OperationCall): string {
  return (endpoint.done ?? "done")
    .replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
    .replace(/\{call (\w+) (\w+)\}/g, (_, call: string, arg: string) => `\`${commandLine({ call, args: [arg] })}\``);
}
