import type { Fix } from "../../../diagnostics/advice.ts";
import type { ProblemId } from "../../../diagnostics/registry.ts";
import { relativeTo } from "../../../dns/name/name.ts";
import { isLater } from "../../../dns/name/serial.ts";
import type { TransferredZone } from "../../../dns/transfer/axfr-receiver.ts";
import { TransferError } from "../../../dns/transfer/transfer-error.ts";
import { isType, rdataText } from "../../../dns/zone/zone.ts";
import type { ServerAddress } from "../../../dns-client/server-address.ts";
import { toStoredName } from "../../areas/domains/lookups.ts";
import type { DueSlave } from "../../areas/zones/slaves-rows.ts";
import type { FairLimiter } from "../../kit/fair-limiter.ts";
import type { Remote } from "../../kit/remote.ts";
import { TimeSlice, yieldToEventLoop } from "../../store/event-loop.ts";

export interface PulledZone {
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  /** Lines of a zone file. */
  readonly lines: readonly string[];
}

/** Result of asking the masters of a slave domain. */
export type PullResult =
  | { readonly kind: "new"; readonly zone: PulledZone }
  /** The stored zone is current. */
  | { readonly kind: "same" }
  /** `isCrowded` if that is because of other transfers. */
  | { readonly kind: "failed"; readonly failures: readonly PullFailure[]; readonly isCrowded?: boolean };

/** Why there is no zone from a master, and what the operator can do. */
export interface PullFailure {
  readonly reason: string;
  readonly fix?: Fix | undefined;
}

interface PullOptions {
  readonly remote: Remote;
  readonly port: number;
  /** Aborts a transfer, which has a limit of its own on its time. */
  readonly signal: AbortSignal;
  /** Aborts the queries, and the wait for a place; a transfer that has begun has a limit of its own. */
  readonly limit: AbortSignal;
  readonly transfers: FairLimiter;
}

/**
 * Asks the masters in order until one has the zone, and transfers it if its version differs. After the limit no further
 * master is asked.
 */
export async function pull(domain: DueSlave, options: PullOptions): Promise<PullResult> {
  const failures: PullFailure[] = [];
  for (const host of JSON.parse(domain.master_ips) as string[]) {
    if (options.limit.aborted)
      return { kind: "failed", failures: [...failures, { reason: "no time was left for the other masters" }] };
    try {
      return await pullFrom(domain, { host, port: options.port }, options);
    } catch (error) {
      if (error === options.limit.reason) return { kind: "failed", failures: [...failures, noRoom], isCrowded: true };
      if (!(error instanceof TransferError)) throw error;
      const { id, summary, fix } = error.problem;
      failures.push({ reason: `${host}: ${summary}`, fix: advice[id] ?? fix });
    }
  }
  return { kind: "failed", failures };
}

const noRoom: PullFailure = {
  reason: "other transfers left no room for it in time",
  fix: "The master is asked again. If this goes on, find the masters whose transfers are slow.",
};

const askedAgain = "The master is asked again. If this goes on, check its load and the network.";

/** Advice for the operator, where it differs from that for the caller of one transfer. */
const advice: { readonly [Id in ProblemId]?: string } = {
  "transfer/incomplete": askedAgain,
  "transfer/timeout": askedAgain,
  "transfer/too-large": "Raise the limit on the records of slave zones if the zone may be that large.",
};

async function pullFrom(
  domain: DueSlave,
  server: ServerAddress,
  { remote, signal, limit, transfers }: PullOptions,
): Promise<PullResult> {
  const name = toStoredName(domain.domain);
  const known = domain.zone?.serial ?? undefined;
  const there = (await remote.soa(name, server, limit)).data.serial;
  if (known === there) return { kind: "same" };
  if (known !== undefined && !isLater(there, known))
    throw new TransferError(
      "transfer/soa",
      `its serial ${there} is older than the stored ${known}`,
      "Increase the serial on the master.",
    );
  const zone = await transfers.run(String(domain.account_id), () => remote.transfer(name, server, signal), limit);
  const [unread] = zone.unread;
  if (unread)
    throw new TransferError(
      "transfer/message",
      `${unread.owner} ${unread.type} cannot be read: ${unread.fault.message}`,
      "Fix the record on the master.",
    );
  return { kind: "new", zone: await toLines(domain, zone) };
}

async function toLines({ domain, id }: DueSlave, { records }: TransferredZone): Promise<PulledZone> {
  const [soa] = records;
  if (!soa || !isType(soa, "SOA")) throw new Error("a transferred zone begins with its SOA record");
  const { serial, refresh, retry, expire } = soa.data;
  const lines = [`; ${domain} [${id}]`];
  const budget = new TimeSlice();
  for (const record of records) {
    const line = [relativeTo(record.owner, toStoredName(domain)), record.ttl, record.type, rdataText(record)].join(" ");
    lines.push(line);
    if (budget.isSpent(cost.record + line.length * cost.character)) await yieldToEventLoop();
  }
  return { serial, refresh, retry, expire, lines };
}

/** Cost of writing the line of a record, and of one of its characters, in nanoseconds. */
const cost = { record: 5000, character: 100 };
