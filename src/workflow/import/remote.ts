import pMap, { pMapIterable } from "p-map";
import type { Clock } from "../../clock.ts";
import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { isSameName, type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import { dnsClass } from "../../dns/transfer/codes.ts";
import { rcodeError } from "../../dns/transfer/transfer-error.ts";
import { withAliases } from "../../dns/transfer/transferred-alias.ts";
import type { Id, LiveZone } from "../../dns/zone/desired-live.ts";
import { canonical, type ZoneRecord } from "../../dns/zone/zone.ts";
import { ask } from "../../dns-client/ask.ts";
import { type ServerAddress, serverText } from "../../dns-client/server-address.ts";
import { isForAll, recordText } from "../../executor/journal/apply-problems.ts";
import { checkSchedules, lookFor } from "../../executor/journal/once.ts";
import type { Target } from "../../targets/target.ts";
import { isReplaced } from "./build-zone.ts";
import { unreadForLedger } from "./ledger.ts";
import { type Transfer, type TransferRequest, transferZones } from "./transfer-zones.ts";
import type { Acquired, ImportSource, NotAcquired, RequestLog } from "./zones.ts";

export interface RemoteRequest extends Omit<TransferRequest, "signal"> {
  readonly target: Pick<Target, "read" | "writes" | "capabilities" | "isOwnType" | "isLeftBehind">;
  readonly clock: Clock;
}

/**
 * Zones that the service transfers from name servers. Each is also transferred to this machine, if the name server
 * allows it, so that the ledger compares both. Zones of the account are left alone.
 */
export function remoteSource(request: RemoteRequest): ImportSource {
  const { zones, servers, target } = request;
  return {
    request: JSON.stringify(["remote", zones.map(nameKey).sort(), servers.map(serverText)]),
    zones,
    isRepeatable: false,
    acquire: async function* (zones: readonly Name[], signal: AbortSignal, log: RequestLog) {
      if (zones.length === 0) return;
      const heads = await target.read.listZones({ signal });
      const ids = new Map(heads.map(({ name, id }) => [nameKey(name), id]));
      const isOthers = (name: Name) => ids.has(nameKey(name)) && !log.isRequested(name);
      for (const name of zones.filter(isOthers)) yield existsAlready(name);
      const wanted = zones.filter((name) => !isOthers(name));
      const importer = { ...request, signal, log, ids };
      const imports = pMapIterable(
        transferZones({ ...request, zones: wanted, signal }),
        (transfer) => importOne(importer, transfer),
        { concurrency: request.jobs },
      );
      for await (const one of imports) {
        signal.throwIfAborted();
        yield one;
      }
    },
  };
}

interface Importer extends RemoteRequest {
  readonly signal: AbortSignal;
  readonly log: RequestLog;
  /** The zones that the account had at the start. */
  readonly ids: ReadonlyMap<NameKey, Id>;
}

function existsAlready(name: Name): NotAcquired {
  const summary = "the account has this domain already, so it was not imported";
  const fix = advise`Write its file with ${{ run: "import api" }}. To import it again, delete the domain first.`;
  return { name, from: undefined, problems: [problem("remote-exists", summary, { fix })] };
}

async function importOne(importer: Importer, transfer: Transfer): Promise<Acquired | NotAcquired> {
  const { name } = transfer;
  const created = await createZone(importer, transfer);
  if ("problems" in created) return { name, from: undefined, problems: created.problems };
  const { server, id } = created;
  const live = await importer.target.read.readZone(id, { signal: importer.signal });
  const original = await readOriginal(importer, transfer, { server, live });
  const from = serverText(server);
  return {
    name,
    from,
    head: `Imported by the service from ${from}`,
    settings: {},
    ...original,
    live,
    problems: [...original.problems, ...addedNote(importer.target, { from, original, live })],
  };
}

/**
 * Has the service create the zone from the first name server from which it can. After a lost reply it is looked for, so
 * that it is neither created twice nor forgotten.
 */
async function createZone(
  { target, servers, log, ids, clock }: Importer,
  { name, ...transfer }: Transfer,
): Promise<{ readonly id: Id; readonly server: ServerAddress } | { readonly problems: readonly Problem[] }> {
  // The server that gave us the zone first.
  const first = "server" in transfer ? transfer.server : undefined;
  const inOrder = first ? [first, ...servers.filter((server) => server !== first)] : servers;
  const [usual] = inOrder;
  const earlier = ids.get(nameKey(name)); // an interrupted import asked for it
  if (earlier !== undefined && usual) return { id: earlier, server: usual };
  const problems: Problem[] = [];
  for (const server of inOrder) {
    log.noteRequested(name);
    try {
      const id = await target.writes.importZone?.(name, serverText(server));
      if (id !== undefined) return { id, server };
      log.noteRefused(name);
    } catch (error) {
      const failure = target.writes.failureOf(error);
      if (failure === "lost") {
        const look = () => target.read.findZone(name);
        const found = await lookFor({ target, clock }, { look }, checkSchedules.afterRefusal);
        if (found?.id !== undefined) return { id: found.id, server };
        const summary = `the reply of the service was lost, and ${name.slice(0, -1)} does not exist in the account so far`;
        const fix = "Run the same command again: it checks first.";
        return { problems: [...problems, problem("remote-failed", summary, { fix })] };
      }
      // A request of an interrupted import may have ended after the list was read.
      const late = log.isRequested(name) ? await target.read.findZone(name) : undefined;
      if (late) return { id: late.id, server };
      log.noteRefused(name);
      if (!(error instanceof ProblemError) || failure !== "invalid" || isForAll({ writes: target.writes }, error))
        throw error;
      problems.push(failureProblem(server, error));
    }
  }
  return { problems };
}

function failureProblem(server: ServerAddress, { problem: { summary, detail } }: ProblemError): Problem {
  const fix = advise`The service transfers zones itself, so the name server must allow its addresses, not this machine. If it can, ${{ run: "import axfr" }} also imports zones that the service refuses. See ${{ run: "help", args: ["import.md"] }}.`;
  return problem("remote-failed", `the service did not import it from ${serverText(server)}: ${summary}`, {
    detail,
    fix,
  });
}

type Original = Pick<Acquired, "records" | "unread" | "ds" | "evidence" | "problems">;

/** The zone on the name server: as it was transferred, or else its answers for the names and types of the live zone. */
async function readOriginal(
  importer: Importer,
  transfer: Transfer,
  { server, live }: { readonly server: ServerAddress; readonly live: LiveZone },
): Promise<Original> {
  if ("zone" in transfer) {
    const { zone, ds, evidence, notes } = transfer;
    return {
      records: withAliases(zone.records),
      unread: zone.unread.map(unreadForLedger),
      ds,
      evidence,
      problems: notes,
    };
  }
  const { name, problems: reasons, ds } = transfer;
  const reason = reasons.map(({ summary }) => summary).join("; ");
  const fix = "Allow this machine to transfer the zone, too, then compare it with the file, or check the file by hand.";
  try {
    const records = await askForRecords(server, live, importer.signal);
    const summary = `${name.slice(0, -1)} was compared by queries, because it cannot be transferred to this machine (${reason}): records that the service left out are not in the ledger`;
    return { records, unread: [], ds, problems: [problem("remote-unseen", summary, { fix })] };
  } catch (error) {
    importer.signal.throwIfAborted();
    if (!(error instanceof ProblemError)) throw error;
    const summary = `${name.slice(0, -1)} has no ledger: it cannot be transferred to this machine (${reason}), and the name server does not answer queries (${error.problem.summary})`;
    return { records: [], unread: [], ds, problems: [problem("remote-unseen", summary, { fix })] };
  }
}

/** Short, because the zone is stored already. */
const bounds = { timeoutMs: 1500, attempts: 2, connectMs: 2000, idleMs: 2000, totalMs: 4000 };

/** The answers of a name server for every name and type of a zone. @throws {TransferError} */
async function askForRecords(server: ServerAddress, live: LiveZone, signal: AbortSignal): Promise<ZoneRecord[]> {
  const sets = new Map(live.records.map(({ owner, type }) => [`${nameKey(owner)} ${type}`, { name: owner, type }]));
  const answers = await pMap(
    sets.values(),
    async ({ name, type }) => {
      const question = { name, type, class: dnsClass.in };
      const { rcode, answers, authorities, additionals } = await ask(server, { question }, { bounds, signal });
      if (rcode !== 0 && rcode !== 3) throw rcodeError(rcode);
      // A delegation and its glue are in the other sections.
      const all = [...answers, ...authorities, ...additionals];
      return all.filter((record) => record.type === type && isSameName(record.owner, name));
    },
    { concurrency: 4, signal },
  );
  return answers.flat().map(({ owner, type, ttl, data }) => ({ owner, type, ttl, data }));
}

interface ImportedByService {
  readonly from: string;
  readonly original: Original;
  readonly live: LiveZone;
}

/** The warning that the service has records that the name server does not have. */
function addedNote(target: RemoteRequest["target"], { from, original, live }: ImportedByService): Problem[] {
  const { records } = original;
  const { name } = live;
  if (records.length === 0) return [];
  // Strings of a TXT record are joined by the service.
  const keyOf = (record: ZoneRecord) =>
    `${nameKey(record.owner)} ${record.type} ${canonical(record).replaceAll('" "', "")}`;
  const known = new Set(records.map(keyOf));
  const added = live.records.filter((record) => !isReplaced(name, record, target) && !known.has(keyOf(record)));
  const [example] = added;
  if (example === undefined) return [];
  const summary = `the service has ${count(added.length, "record")} of ${name.slice(0, -1)} that ${from} does not have, for example ${recordText(example)}`;
  return [
    problem("remote-added", escapeControl(summary), { fix: "Delete them from the file, unless they are right." }),
  ];
}
