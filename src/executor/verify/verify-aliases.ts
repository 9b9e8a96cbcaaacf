import { escapeControl } from "../../diagnostics/escape.ts";
import { type Name, type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import { dnsClass, rcodeName, rcode as rcodes } from "../../dns/transfer/codes.ts";
import type { Message } from "../../dns/transfer/message.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import { shortBounds } from "../../dns-client/ask.ts";
import { type AddressAnswer, answerLimits, askAddresses, readAddresses } from "../../dns-client/ask-addresses.ts";
import { type ServerAddress, serverText } from "../../dns-client/server-address.ts";
import type { AnsweringServer } from "../../targets/target.ts";

/** The difference between the answers of a server and a zone. */
export interface AnswerFault {
  readonly text: string;
  /** Whether the server may be right. */
  readonly isUncertain?: boolean;
}

/** An ALIAS record; `owner` is asked for. */
export interface AliasToCheck {
  readonly owner: NameKey;
  readonly target: Name;
}

interface AliasContext {
  /** Resolvers that are asked for addresses of targets. */
  readonly resolvers: readonly ServerAddress[];
  readonly signal?: AbortSignal | undefined;
}

type AddressType = "A" | "AAAA";
const bothTypes = ["A", "AAAA"] as const;

/** Why a target has no addresses of a type, as far as it is known; undefined if it has some. */
type Missing = { readonly reason: string } | undefined;

/**
 * Checks that a server answers an ALIAS record with addresses of each type that its target has. Targets are looked up
 * only where addresses are missing: at the server itself, which may have their zone, then by the resolvers.
 */
export async function checkAlias(
  server: AnsweringServer,
  { owner, target }: AliasToCheck,
  context: AliasContext,
): Promise<AnswerFault[]> {
  const answers = await Promise.all(bothTypes.map((type) => findUnanswered(server, owner, type, context)));
  const unanswered = answers.filter((one) => one !== undefined);
  const alias = escapeControl(`${withoutDot(owner)} ALIAS`);
  const leads = escapeControl(`its target "${withoutDot(target)}"`);
  const found = await Promise.all(
    unanswered.map(async (one) => ({ ...one, missing: await findMissing(server, target, one.type, context) })),
  );
  const lost = found.filter(({ missing }) => missing === undefined);
  const wrong = lost.length > 0 ? lost : found;
  const [error] = wrong.flatMap((one) => one.error ?? []);
  const answered = error ?? (wrong.length < bothTypes.length ? `no ${wrong[0]?.type} record` : "no address");
  if (lost.length > 0) return [{ text: `${alias} is answered with ${answered}, although ${leads} has some` }];
  if (unanswered.length < bothTypes.length) return [];
  const reason = found.map(({ missing }) => missing?.reason).find((one) => one !== undefined) ?? "";
  return [{ text: `${alias} is answered with ${answered}, and ${leads} ${escapeControl(reason)}`, isUncertain: true }];
}

/** A type for which a server has no address at a name, and its error if it replied with one. */
interface Unanswered {
  readonly type: AddressType;
  readonly error?: string;
}

async function findUnanswered(
  server: AnsweringServer,
  owner: NameKey,
  type: AddressType,
  { signal }: AliasContext,
): Promise<Unanswered | undefined> {
  const { rcode, answers } = await server.ask({ name: owner, type, class: dnsClass.in }, { signal });
  if (rcode !== rcodes.NOERROR && rcode !== rcodes.NXDOMAIN) return { type, error: rcodeName(rcode) };
  return answers.some((record) => record.type === type) ? undefined : { type };
}

/** Follows the CNAME records of a target through the zones of a server, and then by resolvers. */
async function findMissing(
  server: AnsweringServer,
  target: Name,
  type: AddressType,
  { resolvers, signal }: AliasContext,
): Promise<Missing> {
  let name = nameKey(target);
  for (let passed = 0; passed <= answerLimits.aliases; passed++) {
    const answer = (await askOwn(server, name, type, signal)) ?? (await askResolvers(resolvers, name, type, signal));
    if (typeof answer === "string") return { reason: `cannot be resolved: ${answer}` };
    if (answer.kind === "addresses") return undefined;
    if (answer.kind !== "partial") return { reason: `has none${answer.kind === "nxdomain" ? " (NXDOMAIN)" : ""}` };
    name = answer.names.at(-1) ?? name;
  }
  return { reason: `leads to more than ${answerLimits.aliases} CNAME records in a row` };
}

/** The answer of a server with authority; undefined if it has none. */
async function askOwn(
  server: AnsweringServer,
  name: NameKey,
  type: AddressType,
  signal: AbortSignal | undefined,
): Promise<AddressAnswer | undefined> {
  try {
    const message: Message = await server.ask({ name, type, class: dnsClass.in }, { signal });
    const isAnswer = message.rcode === rcodes.NOERROR || message.rcode === rcodes.NXDOMAIN;
    return isAnswer && message.aa ? readAddresses(message, name, type) : undefined;
  } catch (error) {
    if (error instanceof TransferError) return undefined;
    throw error;
  }
}

/** The answer of the first resolver that has one, or why none has. */
async function askResolvers(
  resolvers: readonly ServerAddress[],
  name: NameKey,
  type: AddressType,
  signal: AbortSignal | undefined,
): Promise<AddressAnswer | string> {
  let last = "this machine has no resolver";
  for (const resolver of resolvers) {
    try {
      return await askAddresses(resolver, { name, type }, { bounds: shortBounds, ...(signal && { signal }) });
    } catch (error) {
      if (!(error instanceof TransferError)) throw error;
      last = `${serverText(resolver)}: ${error.problem.summary}`;
    }
  }
  return last;
}
