import { serversIn } from "../../config/target-kinds.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { toLookupZone } from "../../dns/lookup/lookup.ts";
import { isSameName, type Name, type NameKey, nameKey, withLabel } from "../../dns/name/name.ts";
import { type AnswerQuestion, answerQuestions, type ZoneVersion } from "../../dns/transfer/answer-questions.ts";
import { type ComparedApex, compareRecords, type RrsetDifference } from "../../dns/transfer/compare-records.ts";
import { readServer, type ServerAddress, serverText } from "../../dns-client/server-address.ts";
import type { ApiOptions } from "../connect/connection.ts";
import { reportTask } from "../project/progress.ts";
import { type Project, toName } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { type CutOver, cutOverOf } from "./cut-over.ts";
import { ParentResolverClient } from "./parent-zone.ts";
import { type AnswerComparison, compareReplies, type Replies, type SideName } from "./replies.ts";
import {
  type AskingOptions,
  type Authority,
  answersOf,
  ResolverClient,
  type ServerReply,
  transfersOf,
} from "./servers.ts";
import { type KnownZone, readSides, type Side, toKnownZone } from "./sides.ts";

export interface CompareRequest extends ApiOptions, Omit<AskingOptions, "signal"> {
  /** The old version of the zones, as the user names it. */
  readonly a: string;
  readonly b: string;
  /** The zones to compare; all that a side lists if there are none. */
  readonly zones: readonly string[];
  /** Whether to find out how long old answers live. */
  readonly ttl: boolean;
  /** A name server of the parent zones, or a resolver. */
  readonly parent?: ServerAddress | undefined;
}

/** Why something of a side is unknown. */
export interface SideNote {
  readonly side: SideName;
  readonly reason: string;
}

export interface ZoneComparison {
  readonly zone: Name;
  readonly verdict: "equal" | "differs" | "unanswered";
  /** The sides without the zone. */
  readonly missing: readonly SideNote[];
  /** Name servers that could not be asked about the zone. */
  readonly silent: readonly SideNote[];
  /** Absent if a side does not give its records; then `notTransferred` has the reasons. */
  readonly records?: readonly RrsetDifference[];
  readonly notTransferred: readonly SideNote[];
  /** Absent if no side is a name server. */
  readonly answers?: AnswerComparison;
  readonly cutOver?: CutOver;
}

export interface Comparison {
  readonly a: string;
  readonly b: string;
  readonly zones: readonly ZoneComparison[];
  /** Slave zones, whose records are on other servers. */
  readonly skipped: readonly Name[];
}

/**
 * Compares two versions of zones: their records, and the answers of name servers.
 * @throws {ProblemError} for unknown sides, files with errors, and zones that neither side has.
 */
export async function compare(context: RunContext, project: Project, request: CompareRequest): Promise<Comparison> {
  const { a, b, ...options } = request;
  const sides = await readSides(context, project, [a, b], options);
  const names = zonesOf(sides, request.zones);
  const asking = { ...options, signal: context.signal };
  const openers = [openSide("a", sides[0], names, asking), openSide("b", sides[1], names, asking)] as const;
  const report = reportTask(context.onProgress, "comparing zones", "zone");
  const zones: ZoneComparison[] = [];
  const parent = request.parent && new ParentResolverClient(request.parent, context.signal);
  const label = `zw-${context.nonce().slice(-16)}`;
  const ownsServers = ownServersTest(project, sides);
  try {
    for (const [index, name] of names.entries()) {
      report(index, names.length);
      const [versionA, versionB] = await Promise.all([openers[0].open(name), openers[1].open(name)]);
      const hasOwnServers = ownsServers(name);
      zones.push(await compareZone({ name, hasOwnServers, label, request, parent, context }, versionA, versionB));
    }
  } finally {
    await Promise.all(openers.map((opener) => opener.close()));
  }
  const skipped = sides.flatMap((side) => (side.server ? [] : side.slaves));
  return { a: sides[0].text, b: sides[1].text, zones, skipped: uniqueNames(skipped) };
}

/**
 * A test whether all sides are zone files or targets where the NS records of the apex are those of the files. Where the
 * service has others for a zone without any, they are those of the files if each version that is known has some.
 */
function ownServersTest({ selected, target, file }: Project, sides: readonly Side[]): (zone: Name) => boolean {
  const own = new Set(selected.flatMap(serversIn).map((text) => serverText(readServer(text, file))));
  const isOurs = ({ server }: Side) => server === undefined || own.has(serverText(server));
  const kinds = selected.length === 0 ? [target] : selected.map((one) => one.target);
  const apexes = new Set(kinds.map(({ capabilities }) => capabilities.apex));
  if (apexes.has("service") || !sides.every(isOurs)) return () => false;
  if (!apexes.has("servers")) return () => true;
  return (zone) => {
    const known = sides.flatMap((side) => (side.server ? [] : (side.zones.get(nameKey(zone)) ?? [])));
    return known.every(({ owners }) => owners.get(nameKey(zone))?.has("NS"));
  };
}

/** @throws {ProblemError} `zone-unknown` */
function zonesOf(sides: readonly Side[], given: readonly string[]): Name[] {
  const listed = sides.flatMap((side) => (side.server ? [] : [...side.zones.values()].map(({ name }) => name)));
  const slaves = new Set(sides.flatMap((side) => (side.server ? [] : side.slaves.map(nameKey))));
  const hasServer = sides.some(({ server }) => server);
  const wanted = uniqueNames(given.length > 0 ? given.map(toName) : listed).filter(
    (name) => !slaves.has(nameKey(name)),
  );
  const unknown = hasServer ? [] : wanted.filter((name) => !listed.some((one) => isSameName(one, name)));
  if (unknown.length === 0) return wanted.sort();
  const fix = "Check the spelling.";
  throw new ProblemError(unknown.map((name) => problem("zone-unknown", `neither side has the zone ${name}`, { fix })));
}

function uniqueNames(names: readonly Name[]): Name[] {
  return [...new Map(names.map((name) => [nameKey(name), name])).values()];
}

/** A side's version of one zone. */
interface Version {
  readonly side: SideName;
  /** Present if its records are known. */
  readonly known?: KnownZone;
  /** Why its records are not known. */
  readonly untransferred?: string;
  /** Present for a name server. */
  readonly asker?: ResolverClient;
  readonly authority: Authority;
}

/** Opens the versions of a side, one zone after the other. */
interface Opener {
  open(name: Name): Promise<Version>;
  close(): Promise<unknown>;
}

function openSide(side: SideName, source: Side, names: readonly Name[], options: AskingOptions): Opener {
  if (source.server === undefined) {
    return {
      open: async (name) => {
        const known = source.zones.get(nameKey(name));
        if (known) return { side, known, authority: { state: "served", soa: known.soa } };
        return { side, authority: { state: "missing", reason: "it does not contain the zone" } };
      },
      close: async () => {},
    };
  }
  const asker = new ResolverClient(source.server, options);
  const transfers = transfersOf(source.server, names, options);
  return {
    open: async (name) => {
      const [transfer, authority] = await Promise.all([transfers.next(), asker.authority(name)]);
      const transferred = transfer.value;
      if (transferred && "zone" in transferred) {
        const { records, unread } = transferred.zone;
        return { side, asker, authority, known: { ...toKnownZone(name, records, 0), unread } };
      }
      const [reason] = transferred?.problems ?? [];
      return { side, asker, authority, untransferred: reason?.summary ?? "" };
    },
    close: () => transfers.return(undefined),
  };
}

interface Task extends ComparedApex {
  /** A random label for names that do not exist. */
  readonly label: string;
  readonly request: CompareRequest;
  readonly parent: ParentResolverClient | undefined;
  readonly context: RunContext;
}

async function compareZone(task: Task, a: Version, b: Version): Promise<ZoneComparison> {
  const { name, request, context } = task;
  const versions = [a, b];
  const notes = (state: "missing" | "silent") =>
    versions.flatMap(({ side, authority }) => (authority.state === state ? [{ side, reason: authority.reason }] : []));
  const [missing, silent] = [notes("missing"), notes("silent")];
  const notTransferred = versions.flatMap(({ side, untransferred }) =>
    untransferred === undefined ? [] : [{ side, reason: untransferred }],
  );
  const head = { zone: name, missing, silent, notTransferred };
  if (missing.length > 0) return { ...head, verdict: missing.length === 1 ? "differs" : "unanswered" };
  const servers = versions.filter(({ asker }) => asker).length;
  const records = a.known && b.known && compareRecords({ ...task, isTransferred: servers > 0 }, a.known, b.known);
  const isAsked = servers > 0 && silent.length === 0;
  const replies = isAsked ? await askBoth(task, a, b) : undefined;
  const lists = versions.length - servers;
  const answers = replies && compareReplies(task, replies, { known: mergeKnown(a, b), records: records ?? [], lists });
  const isDifferent = [...(records ?? []), ...(answers?.differences ?? [])].some(({ isExpected }) => !isExpected);
  // Without the names of either side, or with a key that a server does not accept, equal answers prove little.
  const isUnread = notTransferred.length > 0 && (request.key !== undefined || (!a.known && !b.known));
  const isComplete = silent.length === 0 && (answers?.unanswered.length ?? 0) === 0 && !isUnread;
  const verdict = isDifferent ? "differs" : isComplete ? "equal" : "unanswered";
  const compared = { ...head, verdict, ...(records && { records }), ...(answers && { answers }) } as const;
  if (!request.ttl) return compared;
  const parent = await task.parent?.find(name);
  const cutOver = cutOverOf({ ...compared, old: oldVersion(a, replies), parent, now: context.now() });
  return { ...compared, cutOver };
}

async function askBoth({ name, label, context }: Task, a: Version, b: Version): Promise<Replies> {
  const known = mergeKnown(a, b);
  const questions =
    known.length > 0 ? answerQuestions(nameKey(name), known, label) : apexQuestions(nameKey(name), label);
  const report = reportTask(context.onProgress, `asking about ${name.slice(0, -1)}`, "question");
  const servers = [a, b].filter(({ asker }) => asker).length;
  let done = 0;
  const reply = async ({ asker, known }: Version): Promise<ServerReply[]> => {
    if (asker) return asker.replies(name, questions, () => report(++done, servers * questions.length));
    return known ? answersOf(known, questions) : [];
  };
  const [repliesA, repliesB] = await Promise.all([reply(a), reply(b)]);
  return { questions, a: repliesA, b: repliesB };
}

function mergeKnown(...versions: readonly Version[]): ZoneVersion[] {
  const known = versions.flatMap(({ known }) => known ?? []);
  return known.map(({ name, owners, unread = [] }) => ({
    owners,
    lookup: toLookupZone(nameKey(name), owners),
    unread,
  }));
}

/** The questions about a zone of which no names are known. */
function apexQuestions(apex: NameKey, label: string): AnswerQuestion[] {
  const types = ["SOA", "NS", "A", "AAAA", "CAA", "DNSKEY", "MX", "TXT"];
  const questions = types.map((type): AnswerQuestion => ({ name: apex, type, reason: "record" }));
  return [...questions, { name: withLabel(label, apex) as NameKey, type: "A", reason: "absent name" }];
}

/** The old version of a zone, for its TTLs. */
function oldVersion({ known, authority }: Version, replies: Replies | undefined) {
  const answers = (replies?.a ?? []).flatMap((reply) => ("answer" in reply ? [reply.answer] : []));
  return { known, answers, soa: authority.state === "served" ? authority.soa : undefined };
}
