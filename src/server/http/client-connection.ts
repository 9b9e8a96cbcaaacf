import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { ApiRequest } from "../kit/request.ts";
import { yieldToEventLoop } from "../store/event-loop.ts";
import { tokenHashIn } from "./auth.ts";

/**
 * A request of Node as the API reads it; a text says why it is not valid. HTTP/1.0 requests may lack a host, which is
 * then `host`. `signal` is that of its connection.
 */
export function readRequest(incoming: IncomingMessage, host: string, signal: AbortSignal): NodeRequest | string {
  const { httpVersion, headers, rawHeaders, url: target = "" } = incoming;
  const hosts = countOf(rawHeaders, "host");
  // RFC 9112 §3.2. Of several, Node silently keeps the first.
  if (hosts > 1) return "More than one host header";
  if (hosts === 0 && httpVersion === "1.1") return "Missing host header";
  const url = urlOf(target, headers.host || host);
  if (url === undefined) return /^https?:/i.test(target) ? "Invalid absolute URL" : "Invalid URL";
  return new NodeRequest(incoming, url, signal);
}

export class NodeRequest implements ApiRequest {
  readonly #incoming: IncomingMessage;
  readonly url: string;
  readonly signal: AbortSignal;

  constructor(incoming: IncomingMessage, url: string, signal: AbortSignal) {
    this.#incoming = incoming;
    this.url = url;
    this.signal = signal;
  }

  get method(): string {
    return this.#incoming.method ?? "GET";
  }

  get headers(): Pick<Headers, "get"> {
    return this;
  }

  get body(): Readable {
    return this.#incoming;
  }

  /** A header in any letter case; null without it, and for several credentials, of which Node keeps the first. */
  get(name: string): string | null {
    const key = name.toLowerCase();
    const value = this.#incoming.headers[key];
    if (value === undefined) return null;
    if (key === "authorization" && countOf(this.#incoming.rawHeaders, key) > 1) return null;
    return String(value);
  }

  /** This request for a function that expects a `Request`. */
  asRequest(): Request {
    const { method, url, signal } = this;
    const { rawHeaders } = this.#incoming;
    const headers = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    if (method === "GET" || method === "HEAD") return new Request(url, { method, headers, signal });
    const body = Readable.toWeb(this.#incoming) as ReadableStream;
    return new Request(url, { method, headers, signal, body, duplex: "half" });
  }
}

/** The number of times that a list of names and values has a header. */
function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = indexOfHeader(rawHeaders, name); at >= 0; at = indexOfHeader(rawHeaders, name, at + 2)) count++;
  return count;
}

/** The next header of a name in lower case, as its index in a list of names and values; -1 without one. */
function indexOfHeader(rawHeaders: readonly string[], name: string, from = 0): number {
  for (let at = from; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? "";
    if (raw.length === name.length && raw.toLowerCase() === name) return at;
  }
  return -1;
}

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const label = String.raw`(?!xn--)[a-z\d_-]+`;

/**
 * Hosts and targets of requests that are already written as a URL writes them. A URL reads a host whose last label
 * starts with a digit as an IPv4 address, decodes labels of IDNA, and refuses invalid ones and ports over 65535.
 */
const plain = {
  host: new RegExp(
    String.raw`^(?:${octet}(?:\.${octet}){3}|(?:${label}\.)*(?!\d)${label})(?::(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}))?$`,
  ),
  target: /^\/(?!\/)[\w!$&'()*+,;=:@~./?%-]*$/,
};

/** The absolute URL of a request; undefined if its target or its host is not valid. */
function urlOf(target: string, host: string): string | undefined {
  const isAbsolute = /^https?:\/\//i.test(target);
  if (!isAbsolute && !target.startsWith("/")) return undefined;
  if (plain.host.test(host) && plain.target.test(target) && !/\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(target))
    return `http://${host}${target}`;
  const text = isAbsolute ? target : `http://${host}${target}`;
  if (!isAbsolute && /[/?#@\\]/.test(host)) return undefined;
  return URL.canParse(text) ? new URL(text).href : undefined;
}

/** All connections of a port. */
interface Connections {
  readonly answer: AnswerRequest;
  /** Milliseconds in which a client must take some of a reply. */
  readonly replyTimeout: number;
  readonly isClosing: boolean;
  /** Sets the octets that wait in memory for a connection. */
  setWaiting(connection: ClientConnection, octets: number): void;
  countUse(): number;
}

/** Answers a request, whose reply the connection may have to wait for. */
export type AnswerRequest = (incoming: IncomingMessage, outgoing: ServerResponse, connection: ClientConnection) => void;

/** Octets of further requests from which on no more are read while one is answered. */
const mostHeld = 2 ** 16;

/** Octets of a body that are parsed at once, so that one full of blank lines is not parsed line by line. */
const leastOfBody = 2 ** 10;

/** Pieces that are parsed in one turn of the event loop: a blank line may be one. */
const mostInTurn = 64;

const nothing = Buffer.alloc(0);
const endOfHeaders = Buffer.from("\r\n\r\n");

/** Time for a client to disconnect after its last reply, in milliseconds. */
const disconnectTimeout = 1000;

/** Made once, because making one with its stack takes a tenth of the time of a connection. */
const disconnected = new DOMException("The client disconnected", "AbortError");

/** The parser that Node gives a socket; it is not documented, but the same in Node 20 to 24. */
interface Parser {
  /** Called after the headers of a request; the parser pauses there if it returns `paused`. */
  onIncoming: (incoming: IncomingMessage, isKeptAlive: boolean) => number;
  resume(): void;
}

/** Nor is the handle. */
type SocketWithHandle = Socket & {
  readonly parser: Parser | null;
  readonly _handle: { readonly writeQueueSize: number } | null;
};

/** HPE_PAUSED of llhttp. */
const paused = 21;

/** The error of a parser that was paused while it parsed. */
export interface PausedError extends Error {
  readonly rawPacket: Buffer;
  readonly bytesParsed: number;
}

/**
 * A connection, whose requests are answered one after the other. Node would parse all requests that it has read, and
 * answer them at once: a client could ask for any number of replies with a few octets, and take none. So if a request
 * comes before the last one is answered, the parser is paused, and this class reads the socket from then on. What it
 * has read stays octets, and the socket is paused if there are many. The next request is parsed when the system has
 * taken the last reply, in a turn of the event loop that it may have to wait for.
 */
export class ClientConnection {
  /** A number that grows with each use of any connection. */
  lastUse: number;
  readonly #connections: Connections;
  readonly #socket: Socket;
  #disconnect: AbortController | undefined;
  /** Gives octets to Node's parser; undefined as long as it reads the socket by itself, which is faster. */
  #parse: ((octets: Buffer) => void) | undefined;
  /** Octets that are not parsed yet, and those of them that the parser is given. */
  #held: Buffer = nothing;
  #given = 0;
  #isPaused = false;
  /** Whether the next octets are parsed in a later turn of the event loop. */
  #isParsingLater = false;
  /** The request that was parsed before the one before it was answered: the parser is paused then. */
  #waiting: readonly [IncomingMessage, ServerResponse] | undefined;
  #isAnswering = false;
  /** The last request that was parsed, and the reply to the last one that was begun. */
  #latest: IncomingMessage | undefined;
  #reply: ServerResponse | undefined;
  /** The refusal of what follows the requests that are answered. */
  #refusal: string | undefined;
  /** Octets of a reply that the system has not taken. */
  #untaken = 0;
  /** Looks whether the client takes some of a reply. */
  #watch: NodeJS.Timeout | undefined;
  #isOver = false;
  /** The last `Authorization` header, and the hash of its token. */
  #authorization: string | undefined;
  #tokenHash: string | undefined;

  constructor(connections: Connections, socket: Socket) {
    this.#connections = connections;
    this.lastUse = connections.countUse();
    this.#socket = socket;
    this.#pauseAtWaiting();
    socket.on("error", () => {}); // Node no longer listens after a CONNECT, and an unhandled error ends the process
    socket.prependOnceListener("end", () => this.#endSide()); // before Node reports a cut request as invalid
    socket.once("close", () => {
      this.#leave();
      this.#setUntaken(0);
    });
  }

  /** The hash of the token in the headers of a request: a client usually sends the same all the time. */
  tokenHashIn({ rawHeaders }: IncomingMessage): string | undefined {
    const at = indexOfHeader(rawHeaders, "authorization");
    const authorization = at < 0 ? undefined : rawHeaders[at + 1];
    if (authorization !== this.#authorization) this.#tokenHash = tokenHashIn(authorization);
    this.#authorization = authorization;
    return this.#tokenHash;
  }

  /** Aborted when the client disconnects, or ends its side of the connection: most clients leave in that way. */
  get signal(): AbortSignal {
    this.#disconnect ??= new AbortController();
    if (this.#isOver) this.#disconnect.abort(disconnected);
    return this.#disconnect.signal;
  }

  /** Whether no more requests are read. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the connection ends after the reply under way. */
  get isEnding(): boolean {
    return this.#isOver || this.#connections.isClosing;
  }

  /** Whether a request is answered. */
  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  /** Whether the client has sent the request that is answered, and taken what there is of the reply. */
  get isServed(): boolean {
    return this.#isAnswering && this.#untaken === 0 && this.#latest?.complete !== false;
  }

  /** Answers a request that was parsed, or lets it wait. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#isOver) return;
    this.#latest = incoming;
    this.#refusal = undefined; // of a request that was late, and is here now
    if (this.#isAnswering) this.#waiting = [incoming, outgoing];
    else this.#begin(incoming, outgoing);
  }

  /** Call it once the parser is paused. From then on this class reads the socket, and gives the parser its octets. */
  readSocket({ rawPacket, bytesParsed }: PausedError): void {
    this.#parser?.resume();
    this.#given = bytesParsed;
    if (this.#parse) return;
    const socket = this.#socket;
    const [parse] = socket.listeners("data"); // Node's own listener is the way to its parser
    this.#parse = parse as (octets: Buffer) => void;
    socket.removeAllListeners("data");
    socket.on("data", (octets: Buffer) => this.#receive(octets));
    this.#receive(rawPacket.subarray(bytesParsed));
  }

  /** Drops what follows a CONNECT: Node has given the parser to another connection. */
  endParsing(): void {
    this.#parse = undefined;
  }

  /** The parser's own `pause` takes effect only after all that it was given, which may be thousands of requests. */
  #pauseAtWaiting(): void {
    const parser = this.#parser;
    if (parser === null) return;
    const { onIncoming } = parser;
    parser.onIncoming = (incoming, isKeptAlive) => onIncoming(incoming, isKeptAlive) || (this.#waiting ? paused : 0);
  }

  get #parser(): Parser | null {
    return (this.#socket as SocketWithHandle).parser;
  }

  /**
   * Waits for the client to take some of a reply, for a limited time, and reads no more from it meanwhile. `octets` is
   * the size of the whole reply.
   */
  awaitTaking(octets: number): void {
    this.#setUntaken(octets);
    let taken = this.#taken;
    this.#watch = setInterval(() => {
      if (this.#taken === taken) this.destroy();
      taken = this.#taken;
    }, this.#connections.replyTimeout);
    this.#pause();
  }

  /** Octets that the system has taken. The time limit of a socket would begin again with whatever the client sends. */
  get #taken(): number {
    const { bytesWritten, _handle: handle } = this.#socket as SocketWithHandle;
    return bytesWritten - (handle?.writeQueueSize ?? 0);
  }

  /** Refuses a request that could not be read, after the replies to those before it, and ends the connection. */
  refuse(octets: string): void {
    const isBegun = this.#latest?.complete === false;
    if (this.#isOver || this.#waiting) return; // one that waits is late because the parser is paused
    if (this.#isAnswering && !isBegun) this.#refusal ??= octets;
    else if (!isBegun || !this.#reply?.headersSent) this.end(octets);
  }

  /** Stops the work for the client, sends the last octets and ends the connection. */
  end(octets = ""): void {
    this.#leave();
    if (!this.#socket.writable) return;
    this.#socket.end(octets);
    this.#socket.resume(); // closing a socket with unread data would discard the reply (RFC 9112 §9.6)
    const end = setTimeout(() => this.#socket.destroy(), disconnectTimeout);
    this.#socket.once("close", () => clearTimeout(end));
  }

  destroy(): void {
    this.#untaken = 0;
    this.#socket.destroy();
    this.#leave();
  }

  #receive(octets: Buffer): void {
    if (this.#isOver) return;
    this.#held = this.#held.length === 0 ? octets : Buffer.concat([this.#held, octets]);
    this.#parseHeld();
  }

  #parseHeld(): void {
    for (let pieces = 0; this.#held.length > 0 && this.#mayParse(); pieces++) {
      if (pieces === mostInTurn) {
        this.#isParsingLater = true;
        void yieldToEventLoop().then(() => {
          this.#isParsingLater = false;
          this.#parseHeld();
        });
        break;
      }
      const from = this.#latest?.complete === false ? leastOfBody : 0;
      const at = this.#held.indexOf(endOfHeaders, from);
      const octets = at < 0 ? this.#held : this.#held.subarray(0, at + endOfHeaders.length);
      this.#given = octets.length;
      this.#parse?.(octets);
      this.#held = this.#held.subarray(this.#given);
    }
    if (this.#held.length > 0 || this.#isPaused) this.#pause();
  }

  /** Only the request that is answered, or that was answered before its end, is parsed further. */
  #mayParse(): boolean {
    const isWanted = !this.#isAnswering || this.#latest?.complete === false;
    return isWanted && this.#waiting === undefined && !this.#isParsingLater;
  }

  #pause(): void {
    this.#count();
    const isFull = this.#untaken > 0 || this.#held.length > mostHeld;
    // Node resumes the socket after each request, so it is paused again.
    if (isFull) this.#socket.pause();
    else if (this.#isPaused) this.#socket.resume();
    this.#isPaused = isFull;
  }

  #count(): void {
    this.#connections.setWaiting(this, this.#held.length + this.#untaken);
  }

  #begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#isAnswering = true;
    this.#reply = outgoing;
    outgoing.on("close", this.#complete);
    this.#connections.answer(incoming, outgoing, this);
  }

  /** The system has taken the reply. */
  readonly #complete = (): void => {
    this.lastUse = this.#connections.countUse();
    if (this.#untaken > 0) this.#setUntaken(0);
    if (this.#latest?.complete) {
      // Requests and replies of many idle connections would cost the garbage collector a tenth of the time.
      this.#latest = undefined;
      this.#reply = undefined;
    }
    if (this.#held.length > 0 || this.#waiting) void yieldToEventLoop().then(() => this.#next());
    else this.#next();
  };

  #next(): void {
    this.#isAnswering = false;
    if (this.isEnding) return this.end();
    if (!this.#socket.writable) return;
    const next = this.#waiting;
    this.#waiting = undefined;
    if (next) {
      this.#begin(...next);
      this.#parse?.(nothing); // its end, if it has no body
    }
    this.#parseHeld();
    if (!this.#isAnswering && this.#refusal !== undefined) this.end(this.#refusal);
  }

  /** Counts a reply again, behind those whose clients have taken nothing since. */
  #setUntaken(octets: number): void {
    clearInterval(this.#watch);
    this.#untaken = octets;
    this.#connections.setWaiting(this, 0);
    this.#count();
  }

  /** The client has ended its side. It gets the reply under way, unless that is to a request that was cut. */
  #endSide(): void {
    const isCut = this.#waiting === undefined && this.#latest?.complete === false;
    if (this.#isAnswering && (!isCut || this.#reply?.headersSent)) this.#leave();
    else this.end();
  }

  /** Drops all requests that are not begun, what the client still sends, and the work for it. */
  #leave(): void {
    this.#isOver = true;
    this.#held = nothing;
    this.#waiting = undefined;
    this.#count();
    this.#disconnect?.abort(disconnected);
  }
}

/** Limits on all connections together. */
export interface ConnectionLimits {
  /** Connections at once: beyond it, the one that is unused for the longest time is closed. */
  readonly connections: number;
  /**
   * Octets in memory of replies that are not taken and of requests that wait: beyond it, the connection is closed whose
   * client took nothing for the longest time.
   */
  readonly octets: number;
}

export const defaultLimits: ConnectionLimits = { connections: 4096, octets: 2 ** 28 };

/** The connections of a port. */
export class ClientConnections {
  readonly replyTimeout: number;
  readonly answer: AnswerRequest;
  isClosing = false;
  readonly #limits: ConnectionLimits;
  readonly #open = new Map<Socket, ClientConnection>();
  /** Octets that wait, by connection; the one whose client took nothing for the longest time first. */
  readonly #waiting = new Map<ClientConnection, number>();
  #octets = 0;
  #uses = 0;

  constructor(answer: AnswerRequest, replyTimeout: number, limits: ConnectionLimits) {
    this.answer = answer;
    this.replyTimeout = replyTimeout;
    this.#limits = limits;
  }

  add(socket: Socket): void {
    if (this.#open.size >= this.#limits.connections && !this.#closeUnused()) return void socket.destroy();
    this.#open.set(socket, new ClientConnection(this, socket));
    socket.once("close", () => this.#open.delete(socket));
  }

  of(socket: Socket): ClientConnection | undefined {
    return this.#open.get(socket);
  }

  countUse(): number {
    return ++this.#uses;
  }

  setWaiting(connection: ClientConnection, octets: number): void {
    this.#octets += octets - (this.#waiting.get(connection) ?? 0);
    if (octets === 0) return void this.#waiting.delete(connection);
    this.#waiting.set(connection, octets);
    while (this.#octets > this.#limits.octets && this.#waiting.size > 1) this.#waiting.keys().next().value?.destroy();
  }

  /** Begins no more requests, and ends each connection once its reply is taken. */
  close(): void {
    this.isClosing = true;
    for (const connection of this.#open.values()) if (!connection.isAnswering) connection.end();
  }

  /** Ends all connections at once, also those that Node no longer counts because of a CONNECT. */
  destroy(): void {
    for (const connection of this.#open.values()) connection.destroy();
  }

  /**
   * Closes the connection without a request that is unused for the longest time, or else of those that wait for their
   * clients; false if there is neither.
   */
  #closeUnused(): boolean {
    const find = (isWanted: (connection: ClientConnection) => boolean) => {
      let unused: [Socket, ClientConnection] | undefined;
      for (const entry of this.#open)
        if (isWanted(entry[1]) && entry[1].lastUse < (unused?.[1].lastUse ?? Infinity)) unused = entry;
      return unused;
    };
    const closed = find((connection) => !connection.isAnswering) ?? find((connection) => !connection.isServed);
    if (closed === undefined) return false;
    const [socket, connection] = closed;
    this.#open.delete(socket);
    connection.destroy();
    return true;
  }
}
