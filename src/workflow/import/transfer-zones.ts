import { pMapIterable } from "p-map";
import { advise, type Fix } from "../../diagnostics/advice.ts";
import { aroundSummary, type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { isSameName, type Name, nameKey } from "../../dns/name/name.ts";
import { isLater } from "../../dns/name/serial.ts";
import type { AxfrZone, Bounds } from "../../dns/transfer/axfr-receiver.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { Key } from "../../dns/transfer/tsig.ts";
import { verifyZonemd } from "../../dns/transfer/zonemd.ts";
import { canonical, isType } from "../../dns/zone/zone.ts";
import { type AskOptions, askSoa } from "../../dns-client/ask.ts";
import { type ServerAddress, serverText } from "../../dns-client/server-address.ts";
import { receiveZone, type TransferOptions } from "../../dns-client/transfer-zone.ts";
import { type ParentDs, ParentDsFinder } from "../zones/parent-ds.ts";
import { type CompletenessEvidence, isSigning } from "./build-zone.ts";

export interface TransferRequest {
  readonly zones: readonly Name[];
  /** Tried in this order for each zone. */
  readonly servers: readonly ServerAddress[];
  readonly key?: Key | undefined;
  /** The maximum numbers of transfers at the same time, in all and from one server. */
  readonly jobs: number;
  readonly perServer: number;
  /** A larger zone fails. */
  readonly maxRecords?: number;
  readonly bounds?: TransferOptions["bounds"];
  /** Asked for the DS records of each zone at its parent; none if absent. */
  readonly resolvers?: readonly ServerAddress[];
  /** Whether a zone is transferred from a second server with the same serial as well, and compared. */
  readonly isConfirmed?: boolean;
  /** Waits, in milliseconds; by default not at all. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** The serial of the zone on a server that it was not transferred from. */
interface OtherSerial {
  readonly server: ServerAddress;
  readonly serial: number;
}

interface NoSerial {
  readonly reason: string;
}

/** The transfer of one zone: the first server that had it, or the reason of each that did not. */
export type Transfer = { readonly name: Name } & (
  | {
      readonly server: ServerAddress;
      readonly zone: AxfrZone;
      readonly ds: ParentDs;
      readonly evidence: CompletenessEvidence;
      /** Warnings about its evidence, and about servers that have another version. */
      readonly notes: readonly Problem[];
    }
  | { readonly problems: readonly Problem[]; readonly ds: ParentDs }
);

/**
 * Transfers zones side by side, and yields them in the order of the request. A zone that no server gives does not stop
 * the others. A server that does not answer several times in a row is not asked again.
 * @throws the reason of the signal
 */
export async function* transferZones(
  {
    zones,
    servers,
    key,
    jobs,
    perServer,
    maxRecords = mostTransferredRecords,
    bounds,
    resolvers = [],
    isConfirmed = false,
    sleep = async () => {},
    signal: outer,
  }: TransferRequest,
  transfer: (options: TransferOptions) => Promise<AxfrZone> = receiveZone,
): AsyncGenerator<Transfer> {
  // Without this, transfers would go on after a caller that stops early.
  const stop = new AbortController();
  const signal = AbortSignal.any([outer, stop.signal]);
  const queues = servers.map((server) => new ServerQueue(server, perServer, sleep));
  const parents = new ParentDsFinder(resolvers);
  const transferOne = async (name: Name): Promise<Transfer> => {
    const problems: Problem[] = [];
    const ds = parents.find(name, signal);
    const transferFrom = (queue: ServerQueue) =>
      queue.run(signal, () =>
        askTwice(() =>
          transfer({ zone: name, server: queue.server, key, signal, bounds: { ...boundsOf(maxRecords), ...bounds } }),
        ),
      );
    for (const queue of queues) {
      const { server } = queue;
      try {
        const zone = await transferFrom(queue);
        const digest = checkDigest(name, zone);
        const asked = queues.filter((other) => other !== queue);
        const others = await Promise.all(
          asked.map(async (queue) => ({ queue, answer: await queue.serialOf(name, { key, signal }) })),
        );
        signal.throwIfAborted();
        const wrongDigests = problems.filter(({ id }) => id === "transfer/zonemd");
        const notes = [
          ...wrongDigests.map((found): Problem => ({ ...found, severity: "warning" })),
          ...digest.notes.map((note) => withServer(note, server)),
          ...serialNotes(
            { name, server, zone },
            others.map(({ answer }) => answer).filter((answer) => "serial" in answer),
          ),
        ];
        if (!isConfirmed) return { name, server, zone, ds: await ds, evidence: digest.evidence, notes };
        const second = await confirmTransfer({ name, server, zone }, others, transferFrom);
        signal.throwIfAborted();
        const evidence = { ...digest.evidence, ...second.evidence };
        return { name, server, zone, ds: await ds, evidence, notes: [...notes, ...second.notes] };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ProblemError)) throw error;
        problems.push(...error.problems.map((one) => withServer(one, server)));
      }
    }
    return { name, problems, ds: await ds };
  };
  try {
    yield* pMapIterable(zones, transferOne, { concurrency: jobs, backpressure: 4 * jobs });
  } finally {
    stop.abort();
  }
}

/** Bounds of a zone. Several zones are in memory, and a hostile server may send without end. */
function boundsOf(records: number): Bounds {
  return { records, octets: Math.max(2 ** 26, 512 * records) };
}

/** The default of `maxRecords`: more than services store, and few enough for the memory of small machines. */
export const mostTransferredRecords = 100_000;

function withServer(problem: Problem, server: ServerAddress): Problem {
  const { id, fix } = problem;
  const see = advise`See ${{ run: "help", args: ["import.md"] }}.`;
  const help = helped.has(id) ? { fix: fix === undefined ? see : advise`${fix} ${see}` } : {};
  const limit =
    id === "transfer/too-large" ? { fix: advise`If the zone may be that large, raise ${{ set: "maxRecords" }}.` } : {};
  return { ...aroundSummary(problem, `${serverText(server)}: `), ...help, ...limit };
}

interface FirstTransfer {
  readonly name: Name;
  readonly server: ServerAddress;
  readonly zone: AxfrZone;
}

interface Checked {
  readonly evidence: CompletenessEvidence;
  readonly notes: readonly Problem[];
}

/** Checks the ZONEMD records of the zone. @throws {TransferError} if its digest is wrong. */
function checkDigest(name: Name, { records, unread }: AxfrZone): Checked {
  const result = verifyZonemd(name, records);
  if (result.state === "absent") return { evidence: {}, notes: [] };
  if (result.state === "verified") return { evidence: { zonemd: "verified" }, notes: [] };
  // The octets of records with invalid data are in the digest, but they are not kept.
  const isPartial = unread.some(({ owner, type }) => type !== "ZONEMD" || !isSameName(owner, name));
  const reason = isPartial ? "the zone has records with invalid data" : result.reason;
  if (result.state === "wrong" && !isPartial)
    throw new TransferError(
      "transfer/zonemd",
      `the ZONEMD record does not match the zone: ${reason}`,
      "Import the zone from its primary server, or have it make the digest again.",
    );
  const summary = `the ZONEMD record of ${name.slice(0, -1)} was not checked: ${reason}`;
  return { evidence: {}, notes: [problem("transfer/zonemd", summary, { severity: "note" })] };
}

/** The warning that other servers have another version of the zone. */
function serialNotes({ name, server, zone }: FirstTransfer, others: readonly OtherSerial[]): Problem[] {
  const serial = serialOf(zone);
  const differing = others.filter((other) => other.serial !== serial);
  if (differing.length === 0) return [];
  const list = differing.map((other) => `${serverText(other.server)} has serial ${other.serial}`).join(", ");
  const isNewer = differing.some((other) => isLater(other.serial, serial));
  const fix = isNewer
    ? "The transferred version is older. Name the primary server first, then import the zone again."
    : "The transferred version is the newest one. The other servers may still be transferring it.";
  const summary = `${name.slice(0, -1)} was transferred from ${serverText(server)} with serial ${serial}, but ${list}`;
  return [problem("transfer/serial", summary, { fix })];
}

/**
 * Transfers the zone from the first other server with the same serial that gives it, and compares the records. DNSSEC
 * records are left out: each server may sign the zone itself.
 */
async function confirmTransfer(
  { name, server, zone }: FirstTransfer,
  others: readonly { readonly queue: ServerQueue; readonly answer: OtherSerial | NoSerial }[],
  transferFrom: (queue: ServerQueue) => Promise<AxfrZone>,
): Promise<Checked> {
  const unconfirmed = (summary: string, fix?: Fix): Checked => ({
    evidence: {},
    notes: [problem("transfer/unconfirmed", summary, { fix })],
  });
  const failures: string[] = [];
  for (const { queue, answer } of others) {
    const other = serverText(queue.server);
    if ("reason" in answer) failures.push(`${other}: ${answer.reason}`);
    if ("reason" in answer || answer.serial !== serialOf(zone)) continue;
    try {
      const second = await transferFrom(queue);
      if (serialOf(second) !== answer.serial) {
        failures.push(`${other}: it has serial ${serialOf(second)} by now`);
        continue;
      }
      const [first, own] = [ttlsOf(zone), ttlsOf(second)];
      const missing = [...first.keys()].filter((record) => !own.has(record));
      const added = [...own.keys()].filter((record) => !first.has(record));
      if (missing.length + added.length === 0)
        return { evidence: { confirmedBy: other }, notes: ttlNotes({ name, server, zone }, other, [first, own]) };
      const [example = ""] = [...missing, ...added];
      return unconfirmed(
        `${name.slice(0, -1)} has ${count(missing.length, "record")} on ${serverText(server)} that ${other} does not have, and ${other} has ${count(added.length, "other")}, with the same serial, for example ${example}`,
        "Find out which server is right, name it first, and import the zone again.",
      );
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      failures.push(...error.problems.map(({ summary }) => `${other}: ${summary}`));
    }
  }
  const reason = failures.join("; ") || "none answers with the same serial";
  return unconfirmed(`${name.slice(0, -1)} was not compared with the zone on another server: ${reason}`);
}

/** The TTLs of each record, in seconds. */
type RecordTtls = ReadonlyMap<string, ReadonlySet<number>>;

/** The warning that another server has the same records with other TTLs. */
function ttlNotes(
  { name, server }: FirstTransfer,
  other: string,
  [first, second]: readonly [RecordTtls, RecordTtls],
): Problem[] {
  const textOf = (ttls: RecordTtls, record: string) =>
    [...(ttls.get(record) ?? [])].sort((a, b) => a - b).join(" and ");
  const differing = [...first.keys()].filter((record) => textOf(first, record) !== textOf(second, record));
  const [example] = differing;
  if (example === undefined) return [];
  const [here, there] = [
    `${textOf(first, example)} on ${serverText(server)}`,
    `${textOf(second, example)} on ${other}`,
  ];
  const summary = `${name.slice(0, -1)} has the same records on both servers, and only TTLs differ: of ${count(differing.length, "record")}, for example ${here} and ${there} for ${example}`;
  const fix =
    "If its RRsets have several TTLs, give each RRset one at its source. Otherwise find out which server is right.";
  return [problem("transfer/ttl", summary, { fix })];
}

function ttlsOf({ records, unread }: AxfrZone): RecordTtls {
  const ttls = new Map<string, Set<number>>();
  const read = records.map((record) => ({ ...record, rdata: canonical(record) }));
  for (const { owner, ttl = 0, type, rdata } of [...read, ...unread]) {
    if (isSigning(type)) continue;
    const key = `${nameKey(owner)} ${type} ${rdata}`;
    ttls.set(key, (ttls.get(key) ?? new Set()).add(ttl));
  }
  return ttls;
}

function serialOf({ records }: AxfrZone): number {
  return records.find((record) => isType(record, "SOA"))?.data.serial ?? 0;
}

/** Problems that a setting of the name server solves. */
const helped: ReadonlySet<string> = new Set(["transfer/connect", "transfer/notauth", "transfer/refused"]);

/** A zone that changes during its transfer is requested once more. */
async function askTwice(transfer: () => Promise<AxfrZone>): Promise<AxfrZone> {
  try {
    return await transfer();
  } catch (error) {
    if (!(error instanceof TransferError) || error.problem.id !== "transfer/soa") throw error;
    return transfer();
  }
}

/**
 * The pause before the next transfer from a server, in milliseconds, after refusals and time-outs in a row: it may be
 * too busy. One may be the fault of the zone. The longest pause is short, because a server may refuse every zone.
 */
function pauseAfter(failures: number): number {
  return failures < 2 ? 0 : Math.min(125 * 2 ** (failures - 2), 1000);
}

/** A server that does not answer this many times in a row is left alone. */
const mostUnreachable = 3;

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return error.problem.id === "transfer/connect" || error.problem.id === "transfer/timeout";
}

function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.id === "transfer/refused";
}

/** Bounds the transfers from one server at the same time, and slows down while it refuses. */
class ServerQueue {
  readonly server: ServerAddress;
  #free: number;
  #unreachable = 0;
  #silent = 0;
  /** Refusals and time-outs in a row. */
  #failures = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #sleep: NonNullable<TransferRequest["sleep"]>;

  constructor(server: ServerAddress, most: number, sleep: NonNullable<TransferRequest["sleep"]>) {
    this.server = server;
    this.#free = most;
    this.#sleep = sleep;
  }

  async run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    try {
      signal.throwIfAborted();
      if (this.#unreachable >= mostUnreachable) throw unreachable();
      const pause = pauseAfter(this.#failures);
      if (pause > 0) await this.#sleep(pause, signal);
      signal.throwIfAborted();
      const result = await job();
      this.#unreachable = 0;
      this.#failures = 0;
      return result;
    } catch (error) {
      this.#unreachable = isUnreachable(error) ? this.#unreachable + 1 : 0;
      this.#failures = isUnreachable(error) || isRefusal(error) ? this.#failures + 1 : 0;
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  /** The serial of a zone, or the reason why the server does not answer with one. */
  async serialOf(zone: Name, options: Pick<AskOptions, "key" | "signal">): Promise<OtherSerial | NoSerial> {
    if (this.#unreachable >= mostUnreachable || this.#silent >= mostUnreachable) return { reason: notAsked };
    try {
      const { data } = await askSoa(this.server, zone, { ...options, bounds: soaBounds });
      this.#silent = 0;
      return { server: this.server, serial: data.serial };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.#silent = isUnreachable(error) ? this.#silent + 1 : 0;
      return { reason: error.problem.summary };
    }
  }
}

/** Short, because the answer only serves a warning. */
const soaBounds = { timeoutMs: 1000, attempts: 2, connectMs: 2000, idleMs: 2000, totalMs: 4000 };

const notAsked = `not asked, because it did not answer ${mostUnreachable} times in a row`;

function unreachable(): ProblemError {
  return problemError("transfer/connect", notAsked, { fix: "Check its address, then run the command again." });
}
