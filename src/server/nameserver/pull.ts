import { asName, relativeTo } from "../../dns/name.ts";
import type { TransferredZone } from "../../dns/transfer/axfr-receiver.ts";
import type { ServerAddress } from "../../dns/transfer/server-address.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import { isType, rdataText } from "../../dns/zone.ts";
import type { Slots } from "../kit/fair-limiter.ts";
import type { Remote } from "../kit/remote.ts";
import { isLater } from "../kit/serial.ts";
import { nextTurn, Pace } from "../store/event-loop.ts";
import type { Due } from "../store/slaves.ts";

export interface PulledZone {
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  /** Of a master file. */
  readonly lines: readonly string[];
}

/** What the masters of a slave domain have said. */
export type Pulled =
  | { readonly kind: "new"; readonly zone: PulledZone }
  /** The zone that is here is theirs. */
  | { readonly kind: "same" }
  | { readonly kind: "failed"; readonly reasons: readonly string[] };

interface PullOptions {
  readonly remote: Remote;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly transfers: Slots;
}

/**
 * Asks the masters one after another until one of them has the zone, and transfers it where it is another version. The
 * signal ends that; who was not asked by then is not.
 */
export async function pull(domain: Due, options: PullOptions): Promise<Pulled> {
  const reasons: string[] = [];
  for (const host of JSON.parse(domain.master_ips) as string[]) {
    if (options.signal.aborted) return { kind: "failed", reasons: [...reasons, "there was no time for the others"] };
    try {
      return await pullFrom(domain, { host, port: options.port }, options);
    } catch (error) {
      if (!(error instanceof TransferError)) throw error;
      reasons.push(`${host}: ${error.message}`);
    }
  }
  return { kind: "failed", reasons };
}

async function pullFrom(
  domain: Due,
  server: ServerAddress,
  { remote, signal, transfers }: PullOptions,
): Promise<Pulled> {
  const name = asName(`${domain.domain}.`);
  const known = domain.zone?.serial ?? undefined;
  const there = (await remote.soa(name, server, signal)).data.serial;
  if (known === there) return { kind: "same" };
  if (known !== undefined && !isLater(there, known))
    throw new TransferError(
      "transfer/soa",
      `its serial ${there} is older than ${known} here`,
      "Raise the serial there.",
    );
  const zone = await transfers.run("", () => remote.transfer(name, server, signal));
  const [unread] = zone.unread;
  if (unread)
    throw new TransferError(
      "transfer/message",
      `${unread.owner} ${unread.type} cannot be read: ${unread.fault.message}`,
    );
  return { kind: "new", zone: await stored(domain, zone) };
}

async function stored({ domain, id }: Due, { records }: TransferredZone): Promise<PulledZone> {
  const [soa] = records;
  if (!soa || !isType(soa, "SOA")) throw new Error("a transferred zone begins with its SOA record");
  const { serial, refresh, retry, expire } = soa.data;
  const lines = [`; ${domain} [${id}]`];
  const pace = new Pace();
  for (const record of records) {
    const line = [relativeTo(record.owner, asName(`${domain}.`)), record.ttl, record.type, rdataText(record)].join(" ");
    lines.push(line);
    if (pace.isSpent(cost.record + line.length * cost.character)) await nextTurn();
  }
  return { serial, refresh, retry, expire, lines };
}

/** Cost of writing the line of a record, and of one of its characters, in nanoseconds. */
const cost = { record: 5000, character: 100 };
