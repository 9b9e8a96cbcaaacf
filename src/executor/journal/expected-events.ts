import { nameKey } from "../../dns/name/name.ts";
import { addToList } from "../../group-by.ts";
import type { JournalLine, JournalLineOf, JournalRecord } from "./journal-line.ts";
import { visibleAfterMs } from "./once.ts";

/** An event that a write of a run causes at the service. */
export interface ExpectedEvent {
  /** Zone, action, owner name and type, as of the event. */
  readonly key: string;
  /** False if it may be missing, because the reply to the write was lost. */
  readonly isCertain: boolean;
  /** Times between which the write took effect, by the clock of this machine, in milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The lines of the journal at which it was sent and confirmed; infinite if it never was. */
  readonly sent: number;
  readonly confirmed: number;
}

type Sending = { -readonly [Key in keyof ExpectedEvent]: ExpectedEvent[Key] } & { isRefused: boolean };

/** The longest time that a write without a later line takes, with the waits for the rate limit, in milliseconds. */
const longestMs = 10 * 60 * 1000;

/** Lists the events that the writes of a run cause, in the order in which these were sent. */
export function expectedEvents(lines: readonly JournalLine[]): ExpectedEvent[] {
  const intents = new Map<string, JournalLineOf<"intent">>();
  /** The sendings of each write that are neither confirmed nor refused. */
  const open = new Map<string, Sending[]>();
  const all: Sending[] = [];
  const timeAfter = nextTimes(lines);
  for (const [index, line] of lines.entries()) {
    if (line.kind === "intent") intents.set(`${line.zone} ${line.step}`, line);
    if (!("write" in line) || line.kind === "ambiguous") continue;
    const write = `${line.zone} ${line.step} ${line.write} ${line.back === true}`;
    if (line.kind === "sent") {
      const sending = findSending(line, index, intents.get(`${line.zone} ${line.step}`));
      if (sending) addToList(open, write, sending);
      if (sending) all.push(sending);
      continue;
    }
    settleSendings(open.get(write) ?? [], line, index, timeAfter[index]);
    if (line.kind !== "resolved" || line.done) open.delete(write);
  }
  return all.filter(({ isRefused }) => !isRefused).map(({ isRefused, ...expected }) => expected);
}

/** A request of a write, as long as its reply is unknown; none if the journal does not show its event and time. */
function findSending(
  line: JournalLineOf<"sent">,
  sent: number,
  intent: JournalLineOf<"intent"> | undefined,
): Sending | undefined {
  const key = keyOfWrite(line, intent);
  const from = Date.parse(line.at);
  if (key === undefined || Number.isNaN(from)) return undefined;
  const bounds = { from, to: from + longestMs, sent, confirmed: Number.POSITIVE_INFINITY };
  return { key, isCertain: false, ...bounds, isRefused: false };
}

/** Notes a reply, or the result of a check, on the open sendings of its write. */
function settleSendings(
  sendings: readonly Sending[],
  line: JournalLineOf<"acked" | "refused" | "resolved">,
  index: number,
  end: number | undefined,
): void {
  const last = sendings.at(-1);
  if (!last) return;
  const isAlready = line.kind === "acked" && line.already === true;
  // The service refused the last one: nothing was stored, or nothing was left to do.
  if (line.kind === "refused" || isAlready) last.isRefused = true;
  // Of several, the journal does not tell which took effect.
  if (line.kind === "acked" && !isAlready && sendings.length === 1)
    Object.assign(last, { isCertain: true, confirmed: index });
  if (end === undefined) return;
  for (const sending of sendings) sending.to = sending.isCertain ? end : Math.max(end, sending.from + visibleAfterMs);
}

/** For each line the first time at it or after it. */
function nextTimes(lines: readonly JournalLine[]): (number | undefined)[] {
  const times: (number | undefined)[] = [];
  let next: number | undefined;
  for (const [index, line] of [...lines.entries()].reverse()) {
    if ("at" in line) next = Date.parse(line.at);
    times[index] = next;
  }
  return times;
}

function keyOfWrite(
  { zone, step, write, back }: JournalLineOf<"sent">,
  intent: JournalLineOf<"intent"> | undefined,
): string | undefined {
  const name = nameKey(zone);
  if (step === "zone") return `${name} dns_zone_create`;
  if (step === "delete-zone") return `${name} dns_zone_delete`;
  if (typeof step === "string") return `${name} dns_zone_update`;
  const { before, after } = intent?.records?.[write] ?? {};
  const key = (action: string, { owner, type }: JournalRecord) => `${name} ${action} ${nameKey(owner)} ${type}`;
  if (before && after) return key("dns_record_update", after);
  const record = before ?? after;
  if (!record) return undefined;
  return key((after === undefined) === (back === true) ? "dns_record_create" : "dns_record_delete", record);
}
