import type { Socket } from "node:net";
import { addFrame } from "../../src/dns/transfer/frames.ts";
import { writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { domainName } from "../names.ts";

/** The use that a client makes of its connection. */
type Behaviour = (socket: Socket) => void;

const question = (name: string, type: string) => ({ name: domainName(name), type, class: 1 });
const repeat = (count: number, query: Buffer) => Buffer.concat(Array(count).fill(addFrame(query)));
const questions = repeat(1500, writeMessage({ questions: [question("h1.small.example.", "A")] }));
const transfers = repeat(100, writeMessage({ questions: [question("large.example.", "AXFR")] }));
const rareNames = Buffer.concat(
  Array.from({ length: 1500 }, (_, id) =>
    addFrame(writeMessage({ id, questions: [question(`h\\001${id}.small.example.`, "A")] })),
  ),
);

/** Writes as long as the server takes more. */
function pour(block: Buffer): Behaviour {
  return (socket) => {
    const more = () => {
      while (socket.write(block));
    };
    socket.on("drain", more);
    more();
  };
}

/** The OpenAPI document, which needs no token and is the largest reply of the API. */
const documents = Buffer.from("GET /v4/openapi.json HTTP/1.1\r\nHost: api\r\n\r\n".repeat(2000));

const read: Behaviour = (socket) => socket.resume();
const readSlowly: Behaviour = (socket) =>
  socket.on("data", () => {
    socket.pause();
    setTimeout(() => socket.resume(), 20);
  });
const never: Behaviour = (socket) => socket.pause();
const sendAnOctetASecond: Behaviour = (socket) => {
  const timer = setInterval(() => socket.write(Buffer.of(0x20)), 1000);
  socket.on("close", () => clearInterval(timer));
};

interface Attack {
  /** Whether it is on the API instead of the name server. */
  readonly isOnApi?: boolean;
  readonly addresses: number;
  /** Connections from each of them. */
  readonly each: number;
  readonly behaviours: readonly Behaviour[];
}

/** Attacks on the name server over TCP, and on the API. */
export const attacks: Record<string, Attack> = {
  "8 × pipelined A": { addresses: 1, each: 8, behaviours: [pour(questions), readSlowly] },
  "31 connections": { addresses: 1, each: 31, behaviours: [pour(questions), read] },
  "8 × names of rare octets": { addresses: 1, each: 8, behaviours: [pour(rareNames), read] },
  "4 × pipelined AXFR": { addresses: 1, each: 4, behaviours: [pour(transfers), read] },
  "30 readers that never read": { addresses: 1, each: 30, behaviours: [pour(questions), never] },
  "256 pipelining connections": { addresses: 8, each: 32, behaviours: [pour(questions), read] },
  "256 silent sockets": { addresses: 8, each: 32, behaviours: [read] },
  "256 half-sent questions": { addresses: 8, each: 32, behaviours: [sendAnOctetASecond, read] },
  "1 × pipelined OpenAPI": { isOnApi: true, addresses: 1, each: 1, behaviours: [pour(documents), read] },
  "8 × pipelined OpenAPI": { isOnApi: true, addresses: 1, each: 8, behaviours: [pour(documents), readSlowly] },
  "30 readers of OpenAPI that never read": {
    isOnApi: true,
    addresses: 1,
    each: 30,
    behaviours: [pour(documents), never],
  },
};
