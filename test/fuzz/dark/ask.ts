import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import * as packet from "dns-packet";

/** A record of a reply; names in lower case with a final dot. `target` is where it points, `undefined` for others. */
export interface ReplyRecord {
  readonly owner: string;
  readonly type: string;
  readonly target: string | undefined;
}

export interface Reply {
  readonly rcode: string;
  readonly answers: readonly ReplyRecord[];
  readonly authorities: readonly ReplyRecord[];
  readonly additionals: readonly ReplyRecord[];
}

export type Ask = (name: string, type: string) => Promise<Reply>;

const inFlight = 64;

interface Ends {
  readonly port: number;
  readonly localAddress: string;
}

/** Asks a name server on this machine by UDP, many questions at once, and by TCP where a reply is truncated. */
export class Asker {
  readonly #socket: Socket;
  readonly #port: number;
  readonly #localAddress: string;
  readonly #waiting = new Map<number, (octets: Buffer) => void>();
  readonly #queue: (() => void)[] = [];
  #id = 0;
  asked = 0;

  private constructor(socket: Socket, { port, localAddress }: Ends) {
    this.#socket = socket;
    this.#port = port;
    this.#localAddress = localAddress;
    socket.on("message", (octets) => {
      const id = octets.readUInt16BE(0);
      const resolve = this.#waiting.get(id);
      this.#waiting.delete(id);
      this.#queue.shift()?.();
      resolve?.(octets);
    });
  }

  /** `localAddress` is the address from which it asks: servers may answer each client in another way. */
  static async open(port: number, localAddress = "127.0.0.1"): Promise<Asker> {
    const socket = createSocket("udp4");
    socket.bind(0, localAddress);
    await once(socket, "listening");
    socket.connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new Asker(socket, { port, localAddress });
  }

  readonly ask: Ask = async (name, type) => {
    this.asked++;
    const id = this.#nextId();
    const question = { type: type as packet.RecordType, name: name.slice(0, -1) };
    const additionals = [{ type: "OPT" as const, name: ".", udpPayloadSize: 1232 }] as unknown as packet.OptAnswer[];
    const message = packet.encode({ type: "query", id, questions: [question], additionals });
    const octets = await new Promise<Buffer>((resolve) => {
      const send = () => {
        this.#waiting.set(id, resolve);
        this.#socket.send(message);
      };
      if (this.#waiting.size < inFlight) send();
      else this.#queue.push(send);
    });
    const reply = packet.decode(octets);
    return read(reply.flag_tc ? packet.decode(await this.#askByTcp(message)) : reply);
  };

  close(): void {
    this.#socket.close();
  }

  #nextId(): number {
    this.#id = (this.#id + 1) % 65_536;
    return this.#id;
  }

  async #askByTcp(message: Buffer): Promise<Buffer> {
    const socket = connect({ port: this.#port, host: "127.0.0.1", localAddress: this.#localAddress });
    const head = Buffer.alloc(2);
    head.writeUInt16BE(message.length);
    socket.write(Buffer.concat([head, message]));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) {
      chunks.push(chunk as Buffer);
      const all = Buffer.concat(chunks);
      if (all.length >= 2 && all.length >= 2 + all.readUInt16BE(0)) break;
    }
    socket.destroy();
    return Buffer.concat(chunks).subarray(2);
  }
}

function read(message: packet.DecodedPacket): Reply {
  return {
    rcode: (message as unknown as { rcode: string }).rcode,
    answers: (message.answers ?? []).map(toReplyRecord),
    authorities: (message.authorities ?? []).map(toReplyRecord),
    additionals: (message.additionals ?? []).filter(({ type }) => type !== "OPT").map(toReplyRecord),
  };
}

function toReplyRecord(record: packet.Answer): ReplyRecord {
  return { owner: absolute(record.name), type: record.type, target: targetOf(record) };
}

function targetOf(record: packet.Answer): string | undefined {
  switch (record.type) {
    case "CNAME":
    case "DNAME":
    case "NS":
    case "PTR":
      return absolute(record.data);
    case "MX":
      return absolute(record.data.exchange);
    case "SRV":
      return absolute(record.data.target);
    default:
      return undefined;
  }
}

function absolute(name: string): string {
  return name === "" || name === "." ? "." : `${name.toLowerCase().replace(/\.$/, "")}.`;
}
