import { isIPv6 } from "node:net";
import pMap from "p-map";
import type { Clock } from "../../clock.ts";
import type { Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { isSameName, type Name, nameKey } from "../../dns/name/name.ts";
import { isLater } from "../../dns/name/serial.ts";
import { dnsClass } from "../../dns/transfer/codes.ts";
import type { MessageQuestion } from "../../dns/transfer/message.ts";
import { rcodeError } from "../../dns/transfer/transfer-error.ts";
import { copyRecord, isType, setKeyOf, targets, type ZoneRecord } from "../../dns/zone/zone.ts";
import { ask, shortBounds } from "../../dns-client/ask.ts";
import { type ServerAddress, serverText } from "../../dns-client/server-address.ts";
import type { AnsweringServer, ReadOptions } from "../../targets/target.ts";
import { messageOf } from "../journal/apply-problems.ts";
import { type AnswerFault, checkAlias } from "./verify-aliases.ts";
import { delegationOf, differences, type Question, type SetTexts, setsOf } from "./verify-sets.ts";

export type Verdict = "pass" | "fail" | "inconclusive";

/** A zone file rendered by the service. */
export interface RenderedFile {
  readonly name: Name;
  readonly serial: number;
  readonly records: readonly ZoneRecord[];
  readonly sets: SetTexts;
}

/** Resolves the addresses of a name server. */
export type Resolve = (name: Name) => Promise<readonly ServerAddress[]>;

interface AskContext {
  readonly clock: Clock;
  /** Resolvers that are asked for the targets of ALIAS records that a server does not answer. */
  readonly resolvers?: readonly ServerAddress[];
  readonly signal?: AbortSignal;
}

/** The expected zone, the RRsets to query, and the deadline. */
interface Expected {
  /** Without a serial, any version counts that has the records. */
  readonly zone: Pick<RenderedFile, "name" | "sets"> & Partial<Pick<RenderedFile, "serial" | "records">>;
  readonly questions: readonly Question[];
  /** Whether only values are compared; the sets of the zone then have the TTL 0. */
  readonly ignoresTtls?: boolean;
  /** Whether the serial is the one that secondaries compare: a server with a later one transfers nothing. */
  readonly isLastSerial?: boolean;
  /** Milliseconds since 1970. */
  readonly until: number;
}

interface Answered {
  readonly where: string;
  readonly verdict: Verdict;
  readonly text: Fix;
}

const pauseMs = 5_000;
const atOnce = 8;

/** A name server that is asked without a key. */
export function publicServer(address: ServerAddress): AnsweringServer {
  const asked = (question: MessageQuestion, { signal }: ReadOptions = {}) =>
    ask(address, { question }, { bounds: shortBounds, ...(signal && { signal }) });
  return { address, ask: asked };
}

/** All addresses of the servers in the apex NS set. */
export async function serversOf(records: readonly ZoneRecord[], resolve: Resolve): Promise<ServerAddress[]> {
  const soa = records.find(({ type }) => type === "SOA");
  const isApexNs = ({ type, owner }: ZoneRecord) => type === "NS" && soa !== undefined && isSameName(owner, soa.owner);
  const names = new Set(records.filter(isApexNs).flatMap(targets));
  const found = await Promise.all([...names].map((name) => resolve(name).catch(() => [])));
  return [...new Map(found.flat().map((server) => [serverText(server), server])).values()];
}

/**
 * Checks the answers of one server. A server with an older serial is asked again until the deadline; no reply, a
 * refusal or a non-authoritative answer is inconclusive.
 */
export async function checkAnswers(
  server: AnsweringServer,
  { zone, questions, until, ignoresTtls = false, isLastSerial = false }: Expected,
  { clock, resolvers = [], signal }: AskContext,
): Promise<Answered> {
  // Each question listens to the signal, and Node warns of more than ten listeners.
  const context = { clock, resolvers, ...(signal && { signal: AbortSignal.any([signal]) }) };
  const { host, port } = server.address;
  const where = isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
  try {
    const serial = await serialAt(server, zone, until, context);
    if (zone.serial !== undefined && isLater(zone.serial, serial))
      return { where, verdict: "inconclusive", text: `it still has the serial ${serial} instead of ${zone.serial}` };
    const faults = (
      await pMap(questions, (question) => compareAnswers(server, { zone, ignoresTtls, until }, question, context), {
        concurrency: atOnce,
      })
    ).flat();
    const certain = faults.filter(({ isUncertain }) => isUncertain !== true);
    const [first, ...more] = certain.length > 0 ? certain : faults;
    const answered = `serial ${serial}, ${questions.length} RRsets answered`;
    const differing = `${first?.text}${more.length > 0 ? ` (and ${more.length} more)` : ""}`;
    if (first?.isUncertain) return { where, verdict: "inconclusive", text: differing };
    if (!isLastSerial || zone.serial === undefined || !isLater(serial, zone.serial))
      return first === undefined
        ? { where, verdict: "pass", text: answered }
        : { where, verdict: "fail", text: differing };
    const above = `its serial ${serial} is above ${zone.serial}, that of the zone file`;
    if (first === undefined)
      return {
        where,
        verdict: "pass",
        text: `${answered}; ${above}: unless it signs the zone, it will not transfer it`,
      };
    const advice = "Write a higher one into the SOA record of the zone's file, and apply.";
    return { where, verdict: "fail", text: `${above}: it will not transfer the zone. ${advice} ${differing}` };
  } catch (error) {
    return { where, verdict: "inconclusive", text: messageOf(error) };
  }
}

async function serialAt(
  server: AnsweringServer,
  zone: Expected["zone"],
  until: number,
  context: AskContext,
): Promise<number> {
  for (;;) {
    const { rcode, aa, answers } = await askServer(server, { owner: nameKey(zone.name), type: "SOA" }, context);
    if (rcode !== 0) throw rcodeError(rcode);
    const soa = answers.find((record) => isType(record, "SOA"));
    if (!aa || !soa) throw new Error(`the server is not authoritative for ${escapeControl(zone.name)}`);
    const serial = soa.data.serial;
    if (zone.serial === undefined || !isLater(zone.serial, serial) || context.clock.now() >= until) return serial;
    await context.clock.sleep(Math.min(pauseMs, until - context.clock.now()));
  }
}

async function compareAnswers(
  server: AnsweringServer,
  { zone, ignoresTtls, until }: Pick<Expected, "zone" | "ignoresTtls" | "until">,
  question: Question,
  context: AskContext,
): Promise<AnswerFault[]> {
  const cut = delegationOf(question.owner, nameKey(zone.name), zone.sets);
  if (cut !== undefined && (cut !== question.owner || question.type !== "NS")) return []; // glue is not answered with authority
  if (question.type === "ALIAS") return compareAlias(server, { zone, until }, question, context);
  const { rcode, aa, answers, authorities } = await askServer(server, question, context);
  const isMissing = rcode === 3 && (aa || !zone.sets.has(setKeyOf(question)));
  if (rcode !== 0 && !isMissing) throw rcodeError(rcode);
  const records = cut === undefined ? answers : [...answers, ...authorities];
  const own = records.filter(({ owner, type }) => type === question.type && nameKey(owner) === question.owner);
  const found = ignoresTtls ? own.map((record) => copyRecord(record, { ttl: 0 })) : own;
  return differences([question], zone.sets, setsOf(found, 0)).map((text) => ({ text }));
}

/**
 * Compares the addresses in the place of an ALIAS record, if there is one. Some servers look them up after the record
 * is written.
 */
async function compareAlias(
  server: AnsweringServer,
  { zone, until }: Pick<Expected, "zone" | "until">,
  { owner }: Question,
  { clock, resolvers = [], signal }: AskContext,
): Promise<AnswerFault[]> {
  const alias = zone.records?.find((record) => record.type === "ALIAS" && nameKey(record.owner) === owner);
  if (alias === undefined || !isType(alias, "ALIAS")) return [];
  for (;;) {
    const faults = await checkAlias(server, { owner, target: alias.data.target }, { resolvers, signal });
    if (faults.length === 0 || clock.now() >= until) return faults;
    await clock.sleep(Math.min(pauseMs, until - clock.now()));
  }
}

function askServer(server: AnsweringServer, { owner, type }: Question, { signal }: AskContext) {
  return server.ask({ name: owner, type, class: dnsClass.in }, { signal });
}
