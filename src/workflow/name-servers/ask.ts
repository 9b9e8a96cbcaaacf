import { lookup } from "node:dns/promises";
import { ProblemError } from "../../diagnostics/problem.ts";
import { asName, isRoot, isSameName, type Name, parent, withoutDot } from "../../dns/name/name.ts";
import { dnsClass, rcode } from "../../dns/transfer/codes.ts";
import type { Message } from "../../dns/transfer/message.ts";
import { rcodeError } from "../../dns/transfer/transfer-error.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import { ask, shortBounds } from "../../dns-client/ask.ts";
import { dnsPort, readServerAddress, type ServerAddress } from "../../dns-client/server-address.ts";
import type { RunContext } from "../project/run-context.ts";

/** The answer of a name server, or why there is none, without a full stop. */
export type Asked<T> = T | Failure;

interface Failure {
  readonly failure: string;
  /** Whether the server gave no reply at all. */
  readonly isLost?: boolean;
}

/** The addresses that this machine resolves a host name to. */
export async function addressesOf(name: Name): Promise<readonly ServerAddress[]> {
  const found = await lookup(withoutDot(name), { all: true }).catch(() => []);
  return found.map(({ address }) => ({ host: address, port: dnsPort }));
}

/** Whether a name server gives any reply. */
export async function isReplying(server: ServerAddress, signal: AbortSignal): Promise<boolean> {
  return !("failure" in (await askOne(server, asName("."), "NS", { signal })));
}

/** Asks name servers, in this order, until one gives an answer with authority about the apex of a zone. */
export async function askApex(
  servers: readonly ServerAddress[],
  zone: Name,
  type: string,
  { signal }: Pick<RunContext, "signal">,
): Promise<Asked<readonly ZoneRecord[]>> {
  let last: Failure = { failure: "it has no address" };
  for (const server of servers) {
    const reply = withAuthority(await askOne(server, zone, type, { signal }));
    if (!("failure" in reply)) return ownRecords(reply.answers, zone, type);
    last = reply;
  }
  return last;
}

/** Asks a name server for records of the apex of a zone with their signatures. */
export async function askSigned(
  server: ServerAddress,
  zone: Name,
  type: string,
  { signal }: Pick<RunContext, "signal">,
): Promise<Asked<readonly ZoneRecord[]>> {
  const reply = withAuthority(await askOne(server, zone, type, { signal, isSigned: true }));
  return "failure" in reply ? reply : ownRecords(reply.answers, zone, type, "RRSIG");
}

function withAuthority(reply: Asked<Message>): Asked<Message> {
  if ("failure" in reply) return reply;
  if (reply.rcode !== rcode.NOERROR) return { failure: rcodeError(reply.rcode).message };
  return reply.aa ? reply : { failure: "it is not authoritative for the zone" };
}

/** The delegation of a zone, as the servers of its parent zone have it; none if it has none. */
export async function askParentNs(
  { resolvers, signal }: Pick<RunContext, "resolvers" | "signal">,
  zone: Name,
): Promise<Asked<readonly ZoneRecord[]>> {
  let failure = "this machine has no resolver";
  for (const resolver of resolvers().flatMap((text) => readServerAddress(text) ?? [])) {
    const reply = await askOne(resolver, zone, "NS", { signal, rd: true });
    const referral = "failure" in reply ? [] : ownRecords(reply.authorities, zone, "NS");
    if (referral.length > 0) return referral;
    // A resolver answers with the NS records of the zone itself, and with what is left of their TTL.
    const found = "failure" in reply ? reply : await askAbove(resolver, zone, signal);
    if (!("failure" in found)) return found;
    ({ failure } = found);
  }
  return { failure };
}

/** Has a resolver find the servers of the parent zone, and asks them. */
async function askAbove(
  resolver: ServerAddress,
  zone: Name,
  signal: AbortSignal,
): Promise<Asked<readonly ZoneRecord[]>> {
  for (let above = parent(zone); !isRoot(above); above = parent(above)) {
    const servers = await askOne(resolver, above, "NS", { signal, rd: true });
    if ("failure" in servers) return servers;
    const [first] = ownRecords(servers.answers, above, "NS").filter((record) => isType(record, "NS"));
    if (!first) continue;
    const [address] = await addressesOf(first.data.nsdname);
    if (!address) return { failure: "its servers have no address" };
    const found = await askOne(address, zone, "NS", { signal });
    return "failure" in found ? found : ownRecords([...found.authorities, ...found.answers], zone, "NS");
  }
  return { failure: "it was not found" };
}

interface AskOptions extends Pick<RunContext, "signal"> {
  /** Whether a resolver is to find the answer. */
  readonly rd?: boolean;
  /** Whether the answer is to have signatures. */
  readonly isSigned?: boolean;
}

async function askOne(
  server: ServerAddress,
  name: Name,
  type: string,
  { signal, rd = false, isSigned = false }: AskOptions,
): Promise<Asked<Message>> {
  try {
    const query = { question: { name, type, class: dnsClass.in }, rd, ...(isSigned && { edns: withSignatures }) };
    // Many questions at once would all listen to the signal of the run, of which Node warns.
    return await ask(server, query, { bounds: shortBounds, signal: AbortSignal.any([signal]) });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProblemError) return { failure: error.problem.summary, isLost: true };
    throw error;
  }
}

/** The size is that which networks do not fragment. */
const withSignatures = { udpSize: 1232, version: 0, do: true, options: [] };

function ownRecords(records: Message["answers"], owner: Name, ...types: readonly string[]): ZoneRecord[] {
  return records
    .filter((record) => types.includes(record.type) && isSameName(record.owner, owner))
    .map(({ owner, ttl, type, data }) => ({ owner, ttl, type, data }) as ZoneRecord);
}
