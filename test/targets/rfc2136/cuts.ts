import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addFrame } from "../../../src/dns/transfer/frames.ts";
import { updateBounds } from "../../../src/dns-client/send-update.ts";
import { type Configuration, type UpdateServer, withOtherSoa, zoneRecords } from "../../updates/servers.ts";
import { openDesk } from "./desk.ts";
import type { startJudge } from "./edits.ts";
import { nsupdate } from "./nsupdate.ts";
import { type Passing, startUpdateRelay } from "./update-relay.ts";

/** Where the way of an update to the server, or of its reply, ends. */
interface Cut {
  /** Whether our client finds nobody who listens. */
  readonly isRefused?: true;
  /** What the server gets; returns its reply, if it has one. */
  readonly serve?: (update: Passing) => Promise<Buffer | undefined>;
  /** Whether the server gets the update when the next one comes, or after the run. */
  readonly isLate?: true;
  /** What our client gets of the reply; by default, the connection is reset. */
  readonly tell?: (update: Passing, reply: Buffer) => unknown;
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
    idleMs: 500,
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

/** Changes of all kinds, and names that are too many for their message. */
const edited = zoneRecords
  .replace("192.0.2.10", "192.0.2.12")
  .replace("ns3 A", "ns3 600 A")
  .replace(/^ns4 .*\n/m, "")
  .replace("alias CNAME www", "alias CNAME host");
const longText = ` "${"x".repeat(250)}"`.repeat(2);
const names = Array.from({ length: 125 }, (_, index) => `t${index} TXT${longText}\n`);

/** The number of messages of a run, and the records of its file. The last message has all changes but additions. */
const files = { 1: `${edited}${names[0]}`, 2: `${edited}${names.join("")}` };

/** An edit by another client of an RRset that the last message changes. */
const theirs = { line: "update add www.ZONE A 198.51.100.7", record: "www A 198.51.100.7\n" };

export interface CutServer {
  readonly configuration: Configuration;
  readonly server: UpdateServer;
  readonly judge: ReturnType<typeof startJudge>;
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
  /** What comes of a new plan, applied unless another client was in between. */
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
    const stateNow = () => nameState(cutting.isInFirst, files[messages], compare);
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
    if (cut.isRefused && cutting.sent === messages - 1) relay.refuse();
    update.reply(reply);
  };
  let transfers = 0;
  relay.onQuery = async ({ questions: [question] }) => {
    if (question?.type === "AXFR") transfers++;
    // The plan is made from the first one; the second one is the last question before the first update.
    if (cut.isRefused && messages === 1 && transfers === 2) relay.refuse();
  };
  return cutting;
}

/** Which records a zone has, in words. */
async function nameState(
  isInFirst: (line: string) => boolean,
  file: string,
  compare: (records: string) => ReturnType<ReturnType<typeof startJudge>["compare"]>,
): Promise<string> {
  const added = names.filter(isInFirst).join("");
  const states = {
    "as the file": file,
    "as before": zoneRecords,
    "as after the first message": `${zoneRecords}${added}`,
  };
  const all = Object.entries(states).flatMap(([name, records]): [string, string][] => [
    [name, records],
    [`${name}, with the other edit`, `${records}${theirs.record}`],
  ]);
  for (const [name, records] of all) {
    const { missing, more, doubled } = await compare(records);
    if ([missing, more, doubled].flat().length === 0) return name;
  }
  return JSON.stringify(await compare(file));
}

function masterFile(zone: string, records: string): string {
  return `$ORIGIN ${zone}\n$TTL 300\n@ SOA ns1 hostmaster 1 3600 600 86400 60\n${records}`;
}

/** Sends a message over a connection of its own, and waits for the reply. */
async function exchange({ port }: UpdateServer, octets: Uint8Array): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port });
  socket.write(addFrame(octets));
  await once(socket, "data");
  socket.destroy();
}
