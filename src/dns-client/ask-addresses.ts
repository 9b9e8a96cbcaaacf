import { addressOctets } from "../dns/name/address.ts";
import { type Name, type NameKey, nameKey } from "../dns/name/name.ts";
import { dnsClass, rcodeName, rcode as rcodes } from "../dns/transfer/codes.ts";
import type { Message, MessageRecord } from "../dns/transfer/message.ts";
import { TransferError } from "../dns/transfer/transfer-error.ts";
import { isType } from "../dns/zone/zone.ts";
import { type AskOptions, ask } from "./ask.ts";
import type { ServerAddress } from "./server-address.ts";

/** The answer of a resolver to a question for addresses. */
export interface AddressAnswer {
  /** `partial`: the answer ends with a CNAME record, and says nothing about its target. */
  readonly kind: "addresses" | "nodata" | "nxdomain" | "partial";
  /** The name of the question, and the targets of the CNAME records that follow. */
  readonly names: readonly NameKey[];
  /** Distinct, sorted by their octets. */
  readonly addresses: readonly string[];
  /** The smallest of the records that the answer depends on, in seconds; of a negative one as in RFC 2308 §5. */
  readonly ttl: number;
}

/** Limits on an answer. */
export const answerLimits = { addresses: 32, aliases: 12 } as const;

/** Of a negative answer without a SOA record, in seconds. */
const negativeTtl = 60;

/** Networks do not fragment replies of this size. */
const edns = { udpSize: 1232, version: 0, do: false, options: [] };

/**
 * Asks a resolver for the addresses of a name. Only the records of the name and of the targets that it leads to are
 * read; an answer beyond the limits is an error.
 * @throws {TransferError}
 */
export async function askAddresses(
  server: ServerAddress,
  { name, type }: { readonly name: Name; readonly type: "A" | "AAAA" },
  options: AskOptions = {},
): Promise<AddressAnswer> {
  const message = await ask(server, { question: { name, type, class: dnsClass.in }, rd: true, edns }, options);
  const { rcode, ra, aa } = message;
  if (rcode !== rcodes.NOERROR && rcode !== rcodes.NXDOMAIN)
    throw new TransferError("transfer/rcode", `the resolver replied ${rcodeName(rcode)}`, another);
  // A server without recursion replies with a referral, which says nothing about the name.
  if (!ra && !aa) throw new TransferError("transfer/answer", "the server does not resolve names", another);
  return readAddresses(message, nameKey(name), type);
}

const another = "Name a server that resolves names for this one.";

/** Reads the addresses of a name from a message about it. @throws {TransferError} if it is beyond the limits */
export function readAddresses(message: Message, name: NameKey, type: "A" | "AAAA"): AddressAnswer {
  const answers = message.answers.filter((record) => record.class === dnsClass.in);
  const aliases = followAliases(answers, name);
  const names = [name, ...aliases.map(({ data }) => nameKey(data.cname))];
  const last = names.at(-1) ?? name;
  const records = answers.filter((record) => isType(record, type)).filter(({ owner }) => nameKey(owner) === last);
  const addresses = sortAddresses(records.map(({ data }) => data.address));
  const ttls = [...aliases, ...records].map(({ ttl }) => ttl);
  if (addresses.length > answerLimits.addresses) throw answerError(tooMany(addresses.length));
  if (addresses.length > 0) return { kind: "addresses", names, addresses, ttl: Math.min(...ttls) };
  const isMissing = message.rcode === rcodes.NXDOMAIN;
  const soa = message.authorities.find((record) => isType(record, "SOA"));
  const isPartial = !isMissing && aliases.length > 0 && soa === undefined;
  const negative = soa && isType(soa, "SOA") ? Math.min(soa.ttl, soa.data.minimum) : negativeTtl;
  const kind = isMissing ? "nxdomain" : isPartial ? "partial" : "nodata";
  return { kind, names, addresses, ttl: Math.min(...ttls, negative) };
}

/** The CNAME records that lead on from a name, in their order. @throws {TransferError} */
function followAliases(answers: readonly MessageRecord[], name: NameKey): MessageRecord<"CNAME">[] {
  const found = new Map<NameKey, MessageRecord<"CNAME">>();
  for (const record of answers) {
    if (!isType(record, "CNAME")) continue;
    const owner = nameKey(record.owner);
    const other = found.get(owner);
    if (other && nameKey(other.data.cname) !== nameKey(record.data.cname))
      throw answerError(`the answer has several CNAME records of ${owner}`);
    found.set(owner, record);
  }
  const aliases: MessageRecord<"CNAME">[] = [];
  for (let at = found.get(name); at !== undefined; at = found.get(nameKey(at.data.cname))) {
    if (aliases.includes(at)) throw answerError("the CNAME records of the answer form a loop");
    aliases.push(at);
    if (aliases.length > answerLimits.aliases)
      throw answerError(`the answer has more than ${answerLimits.aliases} CNAME records in a row`);
  }
  return aliases;
}

/** Distinct addresses, sorted by their octets. */
export function sortAddresses(addresses: readonly string[]): string[] {
  const keyed = [...new Set(addresses)].map((address) => ({ address, key: addressOctets(address) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ address }) => address);
}

export function tooMany(addresses: number): string {
  return `the target has ${addresses} addresses; the limit is ${answerLimits.addresses}`;
}

function answerError(summary: string): TransferError {
  return new TransferError("transfer/answer", summary, "Check the records of the target, and the resolver.");
}
