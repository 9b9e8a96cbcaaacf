import { lookup } from "node:dns/promises";
import { ProblemError } from "../../diagnostics/problem.ts";
import { asName, isRoot, isSameName, type Name, parent, withoutDot } from "../../dns/name/name.ts";
import { dnsClass, rcode } from "../../dns/transfer/codes.ts";
import type { Message } from "../../dns/transfer/message.ts";
import { rcodeError } from "../../dns/transfer/transfer-error.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import { ask, shortBounds, signedEdns } from "../../dns-client/ask.ts";
import { dnsPort, readServerAddress, type ServerAddress } from "../../dns-client/server-address.ts";
import type { RunContext } from "../project/run-context.ts";
import type { TargetServer } from "../zones/target-servers.ts";

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

/** The addresses at which a name server is asked: those that targets declare, or else those of its name. */
export async function placesOf(declared: readonly TargetServer[] = [], name: Name): Promise<readonly ServerAddress[]> {
  const addresses = declared.flatMap(({ address }) => address ?? []);
  return addresses.length > 0 ? addresses : addressesOf(name);
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
  const isAnswer = reply.rcode === rcode.NOERROR && reply.aa;
  return isAnswer ? reply : { failure: failureOf(reply, "it is not authoritative for the zone") };
}

/** Finds the addresses of a name server. */
type FindAddresses = (name: Name) => Promise<readonly ServerAddress[]>;

/** The delegation of a zone, as the servers of its parent zone have it; none if it has none. */
export async function askParentNs(
  { resolvers, signal }: Pick<RunContext, "resolvers" | "signal">,
  zone: Name,
  find: FindAddresses = addressesOf,
): Promise<Asked<readonly ZoneRecord[]>> {
  let last: Failure = { failure: "this machine has no resolver" };
  for (const resolver of resolvers().flatMap((text) => readServerAddress(text) ?? [])) {
    const reply = await askOne(resolver, zone, "NS", { signal, rd: true });
    const isAnswer = !("failure" in reply) && reply.rcode === rcode.NOERROR;
    const referral = isAnswer ? ownRecords(reply.authorities, zone, "NS") : [];
    if (referral.length > 0) return referral;
    // A resolver answers with the NS records of the zone instead of the delegation, and with reduced TTLs.
    const found = "failure" in reply ? reply : await askAbove({ resolver, find, signal }, zone);
    if (!("failure" in found)) return found;
    last = found;
  }
  return last;
}

/** Has a resolver find the servers of the parent zone, and asks them. */
async function askAbove(
  { resolver, find, signal }: { resolver: ServerAddress; find: FindAddresses; signal: AbortSignal },
  zone: Name,
): Promise<Asked<readonly ZoneRecord[]>> {
  for (let above = zone; !isRoot(above); ) {
    above = parent(above);
    const reply = await askOne(resolver, above, "NS", { signal, rd: true });
    if ("failure" in reply) return reply;
    const { rcode: code, aa, ra, answers } = reply;
    // A name without NS records is inside the parent zone. Errors and referrals do not tell whether it has some.
    const isAnswer = (code === rcode.NOERROR || code === rcode.NXDOMAIN) && (aa || ra);
    if (!isAnswer) return { failure: `the resolver did not find it: ${failureOf(reply, "it does not resolve names")}` };
    const servers = ownRecords(answers, above, "NS").flatMap((one) => (isType(one, "NS") ? [one.data.nsdname] : []));
    if (servers.length > 0) return askDelegation((await Promise.all(servers.map(find))).flat(), zone, signal);
  }
  return { failure: "it was not found" };
}

/** Asks all servers of the parent zone: while it changes, some still have the old delegation. */
async function askDelegation(
  servers: readonly ServerAddress[],
  zone: Name,
  signal: AbortSignal,
): Promise<Asked<readonly ZoneRecord[]>> {
  const replies = await Promise.all(
    servers.map(async (server) => delegationIn(await askOne(server, zone, "NS", { signal }), zone)),
  );
  const found = replies.flatMap((reply) => ("failure" in reply ? [] : [reply]));
  const [failed = { failure: "its servers have no address" }] = replies.filter((reply) => "failure" in reply);
  return found.length > 0 ? found.flat() : failed;
}

/** The NS records of a zone in the reply of a server of its parent zone. That server may have the zone itself. */
function delegationIn(reply: Asked<Message>, zone: Name): Asked<readonly ZoneRecord[]> {
  if ("failure" in reply) return reply;
  const { rcode: code, aa, answers, authorities } = reply;
  if (code === rcode.NXDOMAIN && aa) return [];
  const found = ownRecords([...answers, ...authorities], zone, "NS");
  const isAnswer = code === rcode.NOERROR && (aa || found.length > 0);
  return isAnswer ? found : { failure: failureOf(reply, "its server is not authoritative for it") };
}

/** Why a reply is no answer; `why` if it is no error. */
function failureOf({ rcode: code }: Message, why: string): string {
  return code === rcode.NOERROR ? why : rcodeError(code).message;
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
    const query = { question: { name, type, class: dnsClass.in }, rd, ...(isSigned && { edns: signedEdns }) };
    return await ask(server, query, { bounds: shortBounds, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProblemError) return { failure: error.problem.summary, isLost: true };
    throw error;
  }
}

function ownRecords(records: Message["answers"], owner: Name, ...types: readonly string[]): ZoneRecord[] {
  return records
    .filter((record) => types.includes(record.type) && isSameName(record.owner, owner))
    .map(({ owner, ttl, type, data }) => ({ owner, ttl, type, data }) as ZoneRecord);
}
