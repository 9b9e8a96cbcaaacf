import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { onTestFinished } from "vitest";
import { rcode } from "../../src/dns/transfer/codes.ts";
import { addFrame, Frames } from "../../src/dns/transfer/frames.ts";
import { type Message, readMessage } from "../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../src/dns/transfer/message-writer.ts";
import type { ServerAddress } from "../../src/dns-client/server-address.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { readZone } from "../dns/transfer/zones.ts";

/** The reaction of a resolver to a question: it answers with records, as lines of a zone file, or is silent. */
export type Behaviour =
  | "silent"
  | {
      readonly answer?: readonly string[];
      readonly authority?: readonly string[];
      readonly rcode?: keyof typeof rcode;
      /** Changes the message, for example its id or question. */
      readonly lie?: Partial<NewMessage>;
      /** Whether a datagram has only the header and the question. */
      readonly truncates?: boolean;
    };

const records = (lines: readonly string[] = []) =>
  readZone(`$ORIGIN .\n${lines.map((line) => `${line}\n`).join("")}`).records.map(({ owner, type, ttl = 0, data }) => ({
    ...{ owner, type, class: 1, ttl, data },
  }));

/**
 * A resolver over UDP and TCP, for the time of a test. `behave` gives its behaviour for a question such as
 * `www.example.net. A`; without one it says that the name does not exist. `questions` are those that it has received.
 */
export async function startResolver(
  behave: (question: string, transport: "UDP" | "TCP") => Behaviour | undefined,
): Promise<{ at: ServerAddress; questions: string[]; take(): string[] }> {
  const questions: string[] = [];
  const reply = (octets: Buffer, transport: "UDP" | "TCP"): Buffer | undefined => {
    const query = readMessage(octets);
    const [question] = query.questions;
    const asked = `${question?.name} ${question?.type}`;
    questions.push(`${asked} ${transport}${query.rd ? "" : ", no recursion"}`);
    const does = behave(asked, transport) ?? { rcode: "NXDOMAIN" };
    return does === "silent" ? undefined : messageOf(query, does, transport);
  };
  const port = await freePort();
  const udp = createSocket("udp4");
  udp.on("message", (octets, from) => {
    const message = reply(octets, "UDP");
    if (message) udp.send(message, from.port, from.address);
  });
  udp.bind(port, "127.0.0.1");
  const tcp = createServer((socket) => {
    const frames = new Frames();
    socket.on("error", () => {}); // the client may hang up
    socket.on("data", (chunk) => {
      for (const query of frames.take(chunk)) {
        const message = reply(query, "TCP");
        if (message) socket.write(addFrame(message));
      }
    });
  });
  tcp.listen(port, "127.0.0.1");
  await Promise.all([once(udp, "listening"), once(tcp, "listening")]);
  onTestFinished(() => {
    udp.close();
    tcp.close();
  });
  return { at: { host: "127.0.0.1", port }, questions, take: () => questions.splice(0) };
}

function messageOf({ id, questions }: Message, does: Exclude<Behaviour, "silent">, transport: "UDP" | "TCP"): Buffer {
  const { answer, authority, rcode: code = "NOERROR", lie, truncates = false } = does;
  const head = { id, questions, qr: true, rd: true, ra: true, rcode: rcode[code] };
  if (truncates && transport === "UDP") return Buffer.from(writeMessage({ ...head, tc: true }));
  return Buffer.from(writeMessage({ ...head, answers: records(answer), authorities: records(authority), ...lie }));
}
