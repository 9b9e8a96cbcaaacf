import { createHmac, timingSafeEqual } from "node:crypto";
import type { Edns } from "../../dns/transfer/message.ts";

type Options = Edns["options"];

/** IANA, DNS EDNS0 Option Codes. */
const code = { nsid: 3, cookie: 10 };

/** Validity of a server cookie, in seconds before and after now (RFC 9018 §4.3). */
const cookieLife = { past: 3600, future: 300 };

/** The EDNS options of a query, evaluated. */
export interface EvaluatedOptions {
  /** The options of the answer. */
  readonly options: Options;
  /**
   * `new` is a client cookie alone; a `good` server cookie was issued to the peer's address, which proves that the
   * address is not forged.
   */
  readonly cookie: "none" | "new" | "good" | "bad";
}

/** Answers the EDNS options NSID (RFC 5001) and COOKIE (RFC 7873, in the form of RFC 9018). */
export class EdnsOptions {
  readonly #nsid: string;
  readonly #secret: Uint8Array;

  /** `nsid` identifies this server among several behind one address. `secret` is random. */
  constructor({ nsid, secret }: { readonly nsid: string; readonly secret: Uint8Array }) {
    this.#nsid = Buffer.from(nsid).toString("latin1");
    this.#secret = secret;
  }

  /** `now` in seconds since 1970. Undefined for a cookie of invalid length, which is answered with FORMERR. */
  read(edns: Edns | undefined, peer: string, now: number): EvaluatedOptions | undefined {
    const find = (wanted: number) => edns?.options.find((option) => option.code === wanted)?.data;
    const isNsidWanted = find(code.nsid) !== undefined;
    const options = isNsidWanted ? [{ code: code.nsid, data: this.#nsid }] : [];
    const sent = find(code.cookie);
    if (sent === undefined) return { options, cookie: "none" };
    // RFC 7873 §5.2.2: a client cookie alone or with a server cookie of 8 to 32 octets.
    if (sent.length !== 8 && (sent.length < 16 || sent.length > 40)) return undefined;
    const client = sent.slice(0, 8);
    const cookie = sent.length === 8 ? "new" : this.#isOwn(sent, peer, now) ? "good" : "bad";
    return { options: [...options, { code: code.cookie, data: client + this.#cookie(client, peer, now) }], cookie };
  }

  #isOwn(sent: string, peer: string, now: number): boolean {
    if (sent.length !== 24) return false;
    const octets = Buffer.from(sent, "latin1");
    const moment = octets.readUInt32BE(12);
    // Serial number arithmetic (RFC 1982): the moment has 32 bits.
    const age = (now - moment) | 0;
    if (age > cookieLife.past || age < -cookieLife.future) return false;
    return timingSafeEqual(octets.subarray(8), Buffer.from(this.#cookie(sent.slice(0, 8), peer, moment), "latin1"));
  }

  /**
   * A server cookie: version 1, three reserved octets, the moment, and a hash over these, the client cookie and the
   * address.
   */
  #cookie(client: string, peer: string, moment: number): string {
    const head = Buffer.alloc(8);
    head[0] = 1;
    head.writeUInt32BE(moment >>> 0, 4);
    const hash = createHmac("sha256", this.#secret).update(client, "latin1").update(head).update(peer).digest();
    return Buffer.concat([head, hash.subarray(0, 8)]).toString("latin1");
  }
}
