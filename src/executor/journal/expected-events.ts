import { nameKey } from "../../dns/name/name.ts";
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
    if (!("write" in line)) continue;
    const write = `${line.zone} ${line.step} ${line.write} ${line.back === true}`;
    const sendings = open.get(write) ?? [];
    const last = sendings.at(-1);
    const end = timeAfter[index];
    if (line.kind === "sent") {
      const key = keyOfWrite(line, intents.get(`${line.zone} ${line.step}`));
      const from = Date.parse(line.at);
      if (key === undefined || Number.isNaN(from)) continue;
      const bounds = { from, to: from + longestMs, sent: index, confirmed: Number.POSITIVE_INFINITY };
      const sending = { key, isCertain: false, ...bounds, isRefused: false };
      open.set(write, [...sendings, sending]);
      all.push(sending);
    } else if (line.kind !== "ambiguous" && last) {
      const isConfirmed = line.kind === "acked" && !line.already;
      // The service refused the last one: nothing was stored, or nothing was left to do.
      if (line.kind === "refused" || (line.kind === "acked" && line.already)) last.isRefused = true;
      // Of several, the journal does not tell which took effect.
      if (isConfirmed && sendings.length === 1) Object.assign(last, { isCertain: true, confirmed: index });
      for (const sending of sendings)
        if (end !== undefined) sending.to = sending.isCertain ? end : Math.max(end, sending.from + visibleAfterMs);
      if (line.kind !== "resolved" || line.done) open.delete(write);
    }
  }
  return all.filter(({ isRefused }) => !isRefused).map(({ isRefused, ...expected }) => expected);
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
