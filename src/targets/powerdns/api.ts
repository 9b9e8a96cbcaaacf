import type * as z from "zod";
import { createRedactor } from "../../client/secret.ts";
import type { Send } from "../../client/send.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { type Name, nameKey, root } from "../../dns/name/name.ts";
import {
  type FailedReply,
  type FailedRequest,
  foreignError,
  noServerError,
  noZoneError,
  PowerDnsError,
  refusalError,
  unansweredError,
  unreadableZoneError,
  zoneExistsError,
} from "./failure.ts";
import {
  anyZone,
  configReply,
  metadataList,
  type PowerDnsVersion,
  type Rrset,
  serverReply,
  type ZoneFieldsReply,
  type ZoneHeadReply,
  type ZoneReply,
  zoneFields,
  zoneList,
  zoneReply,
} from "./replies.ts";

/** The API of a PowerDNS. */
export interface PowerDnsOptions {
  /** Scheme and host, with or without the path `/api/v1`. */
  readonly url: string;
  readonly serverId: string;
  readonly key: string;
  readonly send: Send;
}

/** A request with the segments of its path below the server, which are encoded already. */
interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly zone?: Name;
  readonly signal?: AbortSignal | undefined;
  /** Whether PowerDNS stores something else afterwards, so that a lost reply leaves the outcome unknown. */
  readonly isWrite?: boolean;
}

/** The fields of a zone that requests change. */
export interface ZoneFields {
  readonly kind?: string;
  readonly api_rectify?: boolean;
  readonly soa_edit_api?: string;
}

/** An RRset to store instead of the one with its name and type, or to delete. */
export type RrsetChange =
  | (Rrset & { readonly changetype: "REPLACE" })
  | { readonly name: string; readonly type: string; readonly changetype: "DELETE" };

/** Calls the HTTP API of PowerDNS. The methods reject with `PowerDnsError`, which never contains the key. */
export class PowerDnsApi {
  /** The number of requests so far. */
  requests = 0;
  readonly #options: PowerDnsOptions;
  readonly #base: URL;

  /** @throws {ProblemError} `powerdns/url`; `powerdns/key` for one that no header can contain; it is not quoted. */
  constructor(options: PowerDnsOptions) {
    if (!/^[\x21-\x7e]+$/.test(options.key)) {
      const summary = "the API key contains a space, a line break or a character outside ASCII";
      throw problemError("powerdns/key", summary, { fix: "Replace it with the key only." });
    }
    this.#options = options;
    this.#base = readUrl(options.url);
  }

  /** The address of the server in the API. */
  get address(): string {
    return `${this.#base.href}/servers/${encodeURIComponent(this.#options.serverId)}`;
  }

  readServer(signal?: AbortSignal): Promise<PowerDnsVersion> {
    return this.#read({ method: "GET", path: [], signal }, serverReply);
  }

  /**
   * The settings of the server by name. Undefined if it does not tell them, as behind a proxy that passes on only
   * requests for zones.
   */
  async readConfig(signal?: AbortSignal): Promise<ReadonlyMap<string, string> | undefined> {
    try {
      const settings = await this.#read({ method: "GET", path: ["config"], signal }, configReply);
      return new Map(settings.map(({ name, value }) => [name, value]));
    } catch (error) {
      if (error instanceof PowerDnsError) return undefined;
      throw error;
    }
  }

  listZones(signal?: AbortSignal): Promise<readonly ZoneHeadReply[]> {
    return this.#read({ method: "GET", path: ["zones"], query: { dnssec: "false" }, signal }, zoneList);
  }

  /** A zone without its RRsets; undefined if the server does not have it. */
  async findZone(zone: Name): Promise<ZoneHeadReply | undefined> {
    const list = await this.#read({ method: "GET", path: ["zones"], query: { zone, dnssec: "false" }, zone }, zoneList);
    return list.find(({ name }) => name.toLowerCase() === nameKey(zone));
  }

  /** A zone with its settings; undefined if the server does not have it. */
  readFields(zone: Name): Promise<ZoneFieldsReply | undefined> {
    return this.#readStored({ method: "GET", path: pathOf(zone), query: { rrsets: "false" }, zone }, zoneFields);
  }

  /**
   * A zone with its RRsets; undefined if the server does not have it.
   * @throws {PowerDnsError} `powerdns/records` if PowerDNS reads the zone, and not its records
   */
  async readZone(zone: Name, signal?: AbortSignal): Promise<ZoneReply | undefined> {
    try {
      return await this.#readStored({ method: "GET", path: pathOf(zone), zone, signal }, zoneReply);
    } catch (error) {
      const isFailure = error instanceof PowerDnsError && error.problem.id === "powerdns/failed";
      if (!isFailure || !(await this.readFields(zone))) throw error;
      throw unreadableZoneError(zone, error);
    }
  }

  /** Whether a zone states that it is rectified after changes by the API, or not; undefined without a statement. */
  async readRectify(zone: Name): Promise<boolean | undefined> {
    const list = await this.#read({ method: "GET", path: [...pathOf(zone), "metadata"], zone }, metadataList);
    const [value] = list.find(({ kind }) => kind === "API-RECTIFY")?.metadata ?? [];
    return value === undefined ? undefined : value === "1";
  }

  /** A zone with its RRsets as JSON, with the fields that are not read here. */
  async readText(zone: Name): Promise<string> {
    return JSON.stringify(await this.#read({ method: "GET", path: pathOf(zone), zone }, anyZone), null, 1);
  }

  /** The RRsets at a name, without their disabled records. */
  async readName(zone: Name, owner: Name): Promise<readonly Rrset[]> {
    const query = { rrset_name: owner };
    const { rrsets } = await this.#read({ method: "GET", path: pathOf(zone), query, zone }, zoneReply);
    return rrsets;
  }

  /** Changes RRsets atomically. Deletions stand first: the API compares a new RRset with those that are left. */
  async changeRrsets(zone: Name, rrsets: readonly RrsetChange[]): Promise<void> {
    await this.#write({ method: "PATCH", path: pathOf(zone), zone, body: { rrsets }, isWrite: true });
  }

  /** Creates a zone with its RRsets. */
  async createZone(zone: Name, fields: ZoneFields, rrsets: readonly Rrset[]): Promise<void> {
    const body = { name: zone, nameservers: [], ...fields, rrsets };
    await this.#write({ method: "POST", path: ["zones"], zone, body, isWrite: true });
  }

  async changeFields(zone: Name, fields: ZoneFields): Promise<void> {
    await this.#write({ method: "PUT", path: pathOf(zone), zone, body: fields, isWrite: true });
  }

  async deleteZone(zone: Name): Promise<void> {
    await this.#write({ method: "DELETE", path: pathOf(zone), zone, isWrite: true });
  }

  /** Tells secondaries that a zone changed (RFC 1996). */
  async notify(zone: Name): Promise<void> {
    await this.#write({ method: "PUT", path: [...pathOf(zone), "notify"], zone });
  }

  /** Computes what the answers of a signed zone need beside its records. */
  async rectify(zone: Name): Promise<void> {
    await this.#write({ method: "PUT", path: [...pathOf(zone), "rectify"], zone });
  }

  /** An error about a zone of this server. */
  zoneExistsError(zone: Name): PowerDnsError {
    return zoneExistsError({ zone, origin: this.#base.origin });
  }

  async #write(call: Call): Promise<void> {
    const reply = await this.#send(call);
    if (reply.status < 200 || reply.status > 299) throw await this.#replyError(call, reply);
  }

  async #readStored<T>(call: Call, schema: z.ZodType<T>): Promise<T | undefined> {
    try {
      return await this.#read(call, schema);
    } catch (error) {
      if (error instanceof PowerDnsError && error.failure === "gone") return undefined;
      throw error;
    }
  }

  async #read<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
    const reply = await this.#send(call);
    if (reply.status < 200 || reply.status > 299) throw await this.#replyError(call, reply);
    const { success, data } = schema.safeParse(readJson(reply.text));
    if (!success) throw foreignError(this.#to(call), reply);
    return data;
  }

  /** A 404 is about the zone if the server is there; another program may reply it to everything. */
  async #replyError(call: Call, reply: FailedReply): Promise<PowerDnsError> {
    const to = this.#to(call);
    if (reply.status !== 404) return refusalError(to, reply);
    if (call.path.length === 0) return isOfApi(reply) ? noServerError(to) : foreignError(to, reply);
    await this.readServer(call.signal);
    return call.zone === undefined ? foreignError(to, reply) : noZoneError(call.zone);
  }

  async #send(call: Call): Promise<FailedReply> {
    const { method, path, query = {}, body, signal } = call;
    const url = new URL(`${this.address}${path.map((one) => `/${one}`).join("")}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const headers = { "X-API-Key": this.#options.key, Accept: "application/json", ...(body !== undefined && jsonType) };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    this.requests++;
    try {
      const response = await this.#options.send(new Request(url, { ...init, ...(signal && { signal }) }));
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      if (signal?.aborted) throw error;
      throw unansweredError(this.#to(call), error);
    }
  }

  #to({ zone, isWrite = false }: Call): FailedRequest {
    const redactor = createRedactor([{ name: "API key", value: this.#options.key }]);
    const { origin } = this.#base;
    return { zone, origin, serverId: this.#options.serverId, isWrite, redactor };
  }
}

const jsonType = { "Content-Type": "application/json" };

/** The id of a zone in the API: each octet but letters, digits, dots and hyphens is `=` and its code. */
function pathOf(zone: Name): readonly string[] {
  const hex = (character: string) => `=${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  return ["zones", zone === root ? "=2E" : nameKey(zone).replaceAll(/[^a-z0-9.-]/g, hex)];
}

/** Undefined, which is not a JSON value, if the text is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a 404 may be that of the API, which has no page of HTML. */
function isOfApi({ headers }: FailedReply): boolean {
  return !(headers.get("Content-Type") ?? "").startsWith("text/html");
}

/** @throws {ProblemError} `powerdns/url`; the text is not quoted, because it may contain a password. */
function readUrl(text: string): URL {
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    const summary = "`url` of the target contains a user name, a password, a query or a fragment";
    throw problemError("powerdns/url", summary, { fix: "Write scheme and host, such as http://127.0.0.1:8081." });
  }
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith("/api/v1") ? path : `${path}/api/v1`;
  return url;
}
