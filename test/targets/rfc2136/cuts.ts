import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addFrame } from "../../../src/dns/transfer/frames.ts";
import { updateBounds } from "../../../src/dns-client/send-update.ts";
import { type Configuration, type UpdateServer, withOtherSoa, zoneRecords } from "../../updates/servers.ts";
import { openDesk } from "./desk.ts";
import type { Judge } from "./edits.ts";
import { nsupdate } from "./nsupdate.ts";
import { type Passing, startUpdateRelay } from "./update-relay.ts";

/** A cut of the connection on the way of an update, or of its reply. */
interface Cut {
  /** Whether the connection of our client is refused. */
  readonly isRefused?: true;
  /** Gives the update, or a part of it, to the server, and returns its reply to a whole one. */
  readonly serve?: (update: Passing) => Promise<Buffer | undefined>;
  /** Whether the server gets the update when the next one comes, or after the run. */
  readonly isLate?: true;
  /** Gives the reply, or a part of it, to our client; by default, the connection is reset. */
  readonly tell?: (update: Passing, reply: Buffer) => unknown;
  /** Whether the transfer that follows is cut, too. */
  readonly isReadCut?: true;
  /** Whether our client has the whole reply. */
  readonly isTold?: true;
  /** Limit for the answer, in milliseconds. */
  readonly idleMs?: number;
}

const serveWhole = ({ forward }: Passing) => forward();

async function serveOctets({ forwardPart }: Passing, ofFrame: number): Promise<undefined> {
  await forwardPart(ofFrame);
}

/** The reply to another message. */
function withOtherId(reply: Buffer): Buffer {
  const other = Buffer.from(reply);
  other.writeUInt16BE(other.readUInt16BE(0) ^ 1, 0);
  return other;
}

export const cuts: Readonly<Record<string, Cut>> = {
  "the connection is refused": { isRefused: true },
  "cut before the first octet of the request": {},
  "cut after the length of the request": { serve: (update) => serveOctets(update, 2) },
  "cut after half of the request": { serve: (update) => serveOctets(update, update.octets.length / 2) },
  "cut before the last octet of the request": { serve: (update) => serveOctets(update, update.octets.length + 1) },
  "cut after the request, which the server gets after the next one was sent": { isLate: true },
  "cut before the first octet of the reply": { serve: serveWhole },
  "cut before the first octet of the reply, and in the transfer that follows": { serve: serveWhole, isReadCut: true },
  "closed before the first octet of the reply": { serve: serveWhole, tell: ({ client }) => void client.end() },
  "closed after the length of the reply": {
    serve: serveWhole,
    tell: ({ client }, reply) => void client.end(addFrame(reply).subarray(0, 2)),
  },
  "closed after half of the reply": {
    serve: serveWhole,
    tell: ({ client }, reply) => void client.end(addFrame(reply).subarray(0, reply.length / 2)),
  },
  "closed before the last octet of the reply": {
    serve: serveWhole,
    tell: ({ client }, reply) => void client.end(addFrame(reply).subarray(0, -1)),
  },
  "closed after the reply": {
    serve: serveWhole,
    tell: ({ client }, reply) => void client.end(addFrame(reply)),
    isTold: true,
  },
  "the reply comes after the time limit": {
    serve: serveWhole,
    tell: ({ client, reply }, octets) => once(client, "close").then(() => reply(octets)),
    idleMs: 1_000,
  },
  "the reply comes twice": {
    serve: serveWhole,
    tell: ({ client }, reply) => void client.write(Buffer.concat([addFrame(reply), addFrame(reply)])),
    isTold: true,
  },
  "a reply with another id comes first": {
    serve: serveWhole,
    tell: ({ client }, reply) => void client.write(Buffer.concat([addFrame(withOtherId(reply)), addFrame(reply)])),
    isTold: true,
  },
};

/** The records of a zone after changes of all kinds but additions, at four names. */
export const edited = zoneRecords
  .replace("192.0.2.10", "192.0.2.12")
  .replace("ns3 A", "ns3 600 A")
  .replace(/^ns4 .*\n/m, "")
  .replace("alias CNAME www", "alias CNAME host");

const longText = ` "${"x".repeat(250)}"`.repeat(2);
/** Additions, too many for one message. */
const names = Array.from({ length: 125 }, (_, index) => `t${index} TXT${longText}\n`);

/** The number of messages of a run, and the records of its file. The last message has the changes of all kinds. */
const files = { 1: `${edited}${names[0]}`, 2: `${edited}${names.join("")}` };

/** An edit by another client of an RRset that the last message changes. */
const theirs = { line: "update add www.ZONE A 198.51.100.7", record: "www A 198.51.100.7\n" };

export interface CutServer {
  readonly configuration: Configuration;
  readonly server: UpdateServer;
  readonly judge: Judge;
}

export interface CutRun {
  readonly zone: string;
  readonly cut: Cut;
  /** The number of messages of the run: the connection of the last one is cut. */
  readonly messages: keyof typeof files;
  /** Whether another client edits an RRset of ours after the cut, before our client notices it. */
  readonly isOvertaken: boolean;
}

export interface CutResult {
  /** The number of updates that our client sent, and the lines that a person reads. */
  readonly sent: number;
  readonly said: readonly string[];
  /** The records of the zone, in words. */
  readonly zone: string;
  /** The number of zones that were served one after the other; undefined if the server tells only the last one. */
  readonly states: number | undefined;
  /** The result of a new plan, which is applied unless another client was in between. */
  readonly next: string;
}

/** Cuts the connection in a run, and runs again. */
export async function tryCut(cutServer: CutServer, run: CutRun): Promise<CutResult> {
  const { server, judge } = cutServer;
  const { zone, cut, messages, isOvertaken } = run;
  await server.untilServed(zone);
  const cutting = await startCutting(cutServer, run);
  const root = mkdtempSync(join(tmpdir(), "zonewright-cuts-"));
  try {
    const text = `$TTL 300\n${files[messages]}`;
    const bounds = cut.idleMs === undefined ? {} : { bounds: { ...updateBounds, idleMs: cut.idleMs } };
    const desk = openDesk(root, cutting.relay, zone, bounds);
    const compare = (records: string) => judge.compare({ zone, port: server.port, text: masterFile(zone, records) });
    await compare(zoneRecords);
    const { said } = await desk.run(text);
    const { sent } = cutting;
    await cutting.deliver();
    const { states, dark } = await compare(files[messages]);
    if (dark.length > 0) throw new Error(`no records in between: ${dark}`);
    const stateNow = () => nameState(cutServer, zone, statesOf(files[messages], cutting.isInFirst));
    const result = { sent, said, zone: await stateNow(), states: states ?? undefined };
    if (cut.isRefused) await cutting.relay.listen();
    const left = await desk.left();
    if (left === 0) return { ...result, next: "is empty" };
    if (isOvertaken) return { ...result, next: "has changes" };
    await desk.run(text);
    return { ...result, next: `has changes; applied: ${await stateNow()}, ${await desk.left()} to change` };
  } finally {
    cutting.relay.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Passes updates on, and cuts the connection at the last one. */
async function startCutting({ configuration, server }: CutServer, { zone, cut, messages, isOvertaken }: CutRun) {
  const relay = await startUpdateRelay({ host: "127.0.0.1", port: server.port });
  const ofFirst = new Set<string>();
  let late: Uint8Array | undefined;
  let isNextReadCut = false;
  let isRefusing = cut.isRefused ?? false;
  const refuse = () => {
    relay.refuse();
    isRefusing = false;
  };
  const cutting = {
    relay,
    sent: 0,
    /** Whether a line of the file is part of the first message. */
    isInFirst: (line: string) => ofFirst.has(`${line.replace(/ .*/s, "")}.${zone}`),
    /** Gives a late update to the server. */
    async deliver() {
      if (late) await exchange(server, late);
      late = undefined;
    },
  };
  const cutAt = async (update: Passing) => {
    const reply = await cut.serve?.(update);
    if (cut.isLate) late = update.octets;
    isNextReadCut = cut.isReadCut ?? false;
    if (isOvertaken) await nsupdate(server, zone, [theirs.line]);
    if (reply && cut.tell) await cut.tell(update, reply);
    else update.client.resetAndDestroy();
  };
  relay.onUpdate = async (update) => {
    await cutting.deliver();
    const { answers, authorities } = update.message;
    // Such a server refuses it, cut or not.
    const isIgnored = withOtherSoa.has(configuration) && answers.some(({ type }) => type === "SOA");
    if (!isIgnored && ++cutting.sent === 1) for (const { owner } of authorities) ofFirst.add(owner);
    if (!isIgnored && !cut.isRefused && cutting.sent === messages) return cutAt(update);
    const reply = await update.forward();
    if (isRefusing && !isIgnored && cutting.sent === messages - 1) refuse();
    update.reply(reply);
  };
  let transfers = 0;
  relay.onQuery = ({ questions: [question] }) => {
    if (question?.type !== "AXFR") return true;
    transfers++;
    // The plan is made from the first one; the second one is the last question before the first update.
    if (isRefusing && messages === 1 && transfers === 2) refuse();
    const isCut = isNextReadCut;
    isNextReadCut = false;
    return !isCut;
  };
  return cutting;
}

/** The records that the zone may have after a run. */
function statesOf(file: string, isInFirst: (line: string) => boolean): Record<string, string> {
  const first = zoneRecords + names.filter(isInFirst).join("");
  const states = { "as the file": file, "as before": zoneRecords, "as after the first message": first };
  const overtaken = Object.entries(states).map(([name, records]) => [
    `${name}, with the other edit`,
    `${records}${theirs.record}`,
  ]);
  return { ...states, ...Object.fromEntries(overtaken) };
}

/** The name of the state that a zone has, of several master files. */
async function nameState(
  { judge, server }: Pick<CutServer, "judge" | "server">,
  zone: string,
  states: Readonly<Record<string, string>>,
): Promise<string> {
  const faults: string[] = [];
  for (const [name, records] of Object.entries(states)) {
    const { missing, more, doubled } = await judge.compare({
      zone,
      port: server.port,
      text: masterFile(zone, records),
    });
    if ([missing, more, doubled].flat().length === 0) return name;
    faults.push(JSON.stringify({ name, missing, more, doubled }));
  }
  return faults.join("\n");
}

/** A zone of a server as a file. */
export function masterFile(zone: string, records: string): string {
  return `$ORIGIN ${zone}\n$TTL 300\n@ SOA ns1 hostmaster 1 3600 600 86400 60\n${records}`;
}

/** Sends a message over a connection of its own, and waits for the reply. */
async function exchange({ port }: UpdateServer, octets: Uint8Array): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port });
  socket.write(addFrame(octets));
  await once(socket, "data");
  socket.destroy();
}
