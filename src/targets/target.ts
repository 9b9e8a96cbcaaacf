import type { Problem } from "../diagnostics/problem.ts";
import type { FreedAddress } from "../dns/name/freed-address.ts";
import type { Name, NameKey } from "../dns/name/name.ts";
import type { Message, MessageQuestion } from "../dns/transfer/message.ts";
import type {
  DesiredRecord,
  DesiredZone,
  Id,
  LiveRecord,
  LiveZone,
  RecordChange,
  UnknownRecord,
} from "../dns/zone/desired-live.ts";
import type { Zone, ZoneRecord } from "../dns/zone/zone.ts";
import type { ZoneEvent } from "../dns/zone/zone-event.ts";
import type { Setting, ZoneSettings } from "../dns/zone/zone-settings.ts";
import type { ServerAddress } from "../dns-client/server-address.ts";

/** A kind of service that hosts zones: everything known about it without a connection. */
export interface TargetKind {
  /** The name of the service in results of checks. */
  readonly name: string;
  /** The setting by which services of this kind lower TTLs silently; absent if each is stored as it is sent. */
  readonly ttlLimit?: string;
  readonly capabilities: Capabilities;
  /** Settings that zone files can have beside those of `capabilities`: they are used, and not stored. */
  readonly fileSettings?: readonly Setting[];
  /** Whether records of a type are the service's own, neither stored nor compared; absent if none are. */
  readonly isOwnType?: (type: string) => boolean;
  /**
   * Whether records of a type are left behind when a zone moves to the service, which does not sign it; unless given,
   * all types of DNSSEC that a signer makes are.
   */
  readonly isLeftBehind?: (type: string) => boolean;
  /** A zone as the service will store it. */
  readonly accept: (zone: Zone, options?: AcceptOptions) => Accepted;
  /**
   * Limits on single records. A record that exceeds one is not sent, and does not fail the zone if the severity is
   * lowered.
   */
  readonly recordLimits: ReadonlySet<string>;
  /** Rules whose severity cannot be lowered: the service rejects such zones, and omitting a record would not help. */
  readonly strictRules: ReadonlySet<string>;
}

/** A service that hosts zones, as planner, executor and workflows see it. */
export interface Target extends TargetKind {
  readonly read: TargetReads;
  readonly writes: TargetWrites;
}

/** A service that is only read. */
export type ReadingTarget = Omit<Target, "writes">;

/** The part of a target that planning needs; a stored copy of the zones can be one. */
export interface PlanningTarget extends TargetKind {
  readonly read: PlanningReads;
}

/** The differences between services, as far as plans and runs depend on them. */
export interface Capabilities {
  /** The settings of its zones, in the order in which files have them. Without `status`, a zone is always served. */
  readonly settings: readonly Setting[];
  /** `stored`: the service gives each record an id. `content`: a record is its owner, type and RDATA (`contentId`). */
  readonly ids: "stored" | "content";
  /** `zone`: changes to records of a zone can take effect atomically, by `changeRecords`. */
  readonly changeSets: "none" | "zone";
  /**
   * The maximum size of a change set, in octets of the records that it names and of those that the lock compares;
   * absent if there is none.
   */
  readonly maxChangeOctets?: number;
  /**
   * The number of RRsets that a change set requires not to exist where a name with records gets a CNAME; absent if it
   * requires none. Each counts for `maxChangeOctets` as a record without RDATA.
   */
  readonly conditionsPerAlias?: number;
  /**
   * Whether the service refuses a write if another client has changed the data since it was read: the records that the
   * write replaces or deletes, or their whole RRsets. `compared`: the target reads the RRsets right before a write, and
   * does not send it if they changed; an edit in between is lost.
   */
  readonly lock: "none" | "record" | "rrset" | "compared";
  /** Whether zones can be created and deleted. */
  readonly zones: "create and delete" | "neither";
  /**
   * `ours`: the NS records of the apex are records like any other, and the SOA record is read. `servers`: only the NS
   * records are, and a zone without any has those of the service. With `service`, neither is read.
   */
  readonly apex: "service" | "servers" | "ours";
  /**
   * `ours`: the SOA record is written as well; each write chooses a serial, and records have 0 in its place, so that it
   * is not compared. With `service`, the SOA record is not written.
   */
  readonly serial: "service" | "ours";
  /** Whether the service keeps a log of events. */
  readonly events: boolean;
  /** Whether a write ends with the process that makes it; otherwise one without a reply may still take effect. */
  readonly isLocal?: boolean;
  /** The maximum number of records that one read request returns. */
  readonly recordsPerRead: number;
  /** The maximum number of records of a zone; absent if there is none. */
  readonly recordsPerZone?: number;
}

export interface AcceptOptions {
  /** Whether a time that would be rounded is an error. */
  readonly strict?: boolean;
}

export interface Accepted {
  readonly desired: DesiredZone;
  /** Errors if the service cannot store the zone; notes if it will store different values. */
  readonly problems: readonly Problem[];
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface RecordReadOptions extends ReadOptions {
  /** Called for each record of an unknown type. */
  readonly onUnknown?: ((record: UnknownRecord) => void) | undefined;
  /** Called with what the list of zones does not tell of a zone. */
  readonly onHead?: ((head: Pick<LiveZone, "settings" | "serial" | "isSigned">) => void) | undefined;
}

/** A stored zone without its records. */
export type ZoneHead = Omit<LiveZone, "records" | "unknownRecords">;

/** A stored zone, for requests about its records. */
export type ZoneRef = Pick<LiveZone, "id" | "name">;

/** A fact about the service of a zone that its user may have to change, for a check of the project's setup. */
export interface ServiceFact {
  readonly subject: string;
  readonly state: "ok" | "warn" | "fail";
  readonly text: string;
  /** The next step, unless it is ok. */
  readonly next?: string;
}

/** A zone with ALIAS records, as it will be. */
export interface AliasZone {
  readonly name: Name;
  readonly settings: ZoneSettings;
  readonly isSigned: boolean;
  /** The number of its ALIAS records. */
  readonly count: number;
  /** The number of those that the service does not have yet. */
  readonly added: number;
}

/** The lookups of ALIAS records of zones, as far as the service tells how it answers them. */
export interface AliasReview {
  /** By zone, why resolvers get no addresses for its ALIAS records. */
  readonly unanswered: ReadonlyMap<NameKey, string>;
  /** Warnings about these zones, and notes about transfers; each names its zone. */
  readonly problems: readonly Problem[];
}

/** A node of the account, to whose addresses zone files can refer. */
export interface AddressedNode {
  readonly id: Id;
  readonly label: string;
  /** The first public IPv4 address. */
  readonly publicIpv4: string | undefined;
  readonly privateIpv4: string | undefined;
  readonly ipv6: string | undefined;
}

export interface PlanningReads {
  /** The name and the age of the snapshot that is read, in words; absent for the service itself. */
  readonly snapshot?: string;
  /** All zones of the account. */
  listZones(options?: ReadOptions): Promise<readonly ZoneHead[]>;
  /** Records of unknown types are omitted. Of equal records the oldest comes first. */
  readRecords(zone: ZoneRef, options?: RecordReadOptions): Promise<readonly LiveRecord[]>;
  /**
   * Selects the addresses, in canonical form, that a node of the account had and none has now; `all` selects every such
   * address. Absent if the service has no nodes.
   */
  readFreedAddresses?(addresses: ReadonlySet<string> | "all", options?: ReadOptions): Promise<FreedAddresses>;
  /**
   * The nodes with these labels, compared without regard to letter case, or all of them. Nodes that the token may not
   * see are missing. Absent if the service has no nodes. @throws {ProblemError} `node-access`
   */
  findNodes?(labels: readonly string[] | "all", options?: ReadOptions): Promise<readonly AddressedNode[]>;
  /**
   * Selects the zones that the user of the token created, and whose settings have not changed since, as far as the
   * event log tells. Absent if the service has no event log.
   */
  findUnactivated?(zones: readonly ZoneRef[], options?: ReadOptions): Promise<ReadonlySet<Id>>;
  /** Examines whether ALIAS records of zones are answered with addresses; absent if all that are stored are. */
  reviewAliases?(zones: readonly AliasZone[], options?: ReadOptions): Promise<AliasReview>;
  /** Notes on zones that were read; absent if the service has none. */
  listNotes?(): ReadonlyMap<NameKey, Problem>;
  /** The number of requests that these methods have sent so far. */
  countRequests(): number;
  /** The requests per minute that the service allows; undefined before it announced them. */
  announcedLimit(): number | "unlimited" | undefined;
}

/** A name server, and how it is asked. */
export interface AnsweringServer {
  readonly address: ServerAddress;
  /** Rejects with a `TransferError` without a response. */
  readonly ask: (question: MessageQuestion, options?: ReadOptions) => Promise<Message>;
}

/** All reads of a service. The methods reject with errors that `failureOf` classifies. */
export interface TargetReads extends PlanningReads {
  /** @internal The name server that the service itself is, asked as its zones are read; absent if it is none. */
  readonly ownServer?: AnsweringServer;
  readZone(id: Id, options?: ReadOptions): Promise<LiveZone>;
  /**
   * Tries whether writes to zones would be accepted, and how, without one; absent if there is nothing to try. New
   * zones are among them where they can be created.
   */
  examine?(zones: readonly ZoneRef[], options?: ReadOptions): Promise<readonly ServiceFact[]>;
  readSettings(id: Id): Promise<LiveZone["settings"]>;
  /** `isBlank`: disabled and without records, as `createZone` leaves it. */
  findZone(name: Name): Promise<{ readonly id: Id; readonly isBlank: boolean } | undefined>;
  /** Everything that the service stores of a zone, in its own JSON; absent if `readZone` returns all of it. */
  readStored?(zone: ZoneRef): Promise<string>;
  readRecord(zone: ZoneRef, id: Id): Promise<LiveRecord>;
  /** At least the records with the owner name and type of `record`; of equal records the oldest first. */
  findRecords(zone: ZoneRef, record: DesiredRecord): Promise<readonly LiveRecord[]>;
  /**
   * The zone file that the service gives to its name servers; empty if there is none, for example for a disabled zone.
   */
  readZoneFile(zone: ZoneRef, options?: ReadOptions): Promise<string>;
  /** External unique identifier of the account; null if the token may not read it. */
  readAccount(options?: ReadOptions): Promise<string | null>;
  /** The user of the token; undefined if the token may not read it. */
  readUsername(options?: ReadOptions): Promise<string | undefined>;
  /** The id of the newest event; undefined if the token may not read events. */
  readLastEvent(options?: ReadOptions): Promise<Id | undefined>;
  /**
   * Events of zones after an id of `readLastEvent`, or from a time on in the service's format, or the reason why they
   * cannot be read.
   */
  readEvents(start: EventStart, options?: ReadOptions): Promise<EventLog | { readonly unknown: string }>;
}

export interface FreedAddresses {
  readonly freed: readonly FreedAddress[];
  /** The reason why others may have been missed. */
  readonly unknown?: string;
}

export type EventStart = { readonly after: Id } | { readonly from: string };

export interface EventLog {
  /** Oldest first. */
  readonly events: readonly ZoneEvent[];
  /** False if older events were omitted because there were too many. */
  readonly isWhole: boolean;
}

/**
 * The reason of a failed write. `lost`: it may have taken effect. `invalid`: the service rejects its content. `gone`:
 * its zone or record does not exist. `changed`: the live data is not what the lock expects. `unavailable`: the service
 * accepts no writes at present. `refused`: any other reason. Nothing was stored unless it is `lost`.
 */
export type WriteFailure = "lost" | "invalid" | "gone" | "changed" | "unavailable" | "refused";

/** The records of a name and type as they must be stored for a write to take effect; none if the set must not exist. */
export interface ExpectedSet {
  readonly owner: Name;
  readonly type: string;
  readonly records: readonly ZoneRecord[];
}

export interface RecordWriteOptions {
  /** Whether it is sent before other waiting requests. */
  readonly isUrgent?: boolean;
  /**
   * What the write requires, unless nothing compares it: the whole set of each record that it names, or of those that
   * it replaces or deletes the records themselves.
   */
  readonly expected?: readonly ExpectedSet[] | undefined;
}

/** Single writes. */
export interface TargetWrites {
  /** Creates a zone, if it has a status disabled, so that it is not served before its records exist. */
  createZone(zone: Pick<DesiredZone, "name" | "settings" | "formerSerial">): Promise<Id>;
  /**
   * Has the service transfer a zone from a name server, and create it as a primary zone. `server` is a host or address,
   * with a port if it is not 53. Fails as `invalid` if the service cannot transfer or store the zone.
   */
  importZone?(name: Name, server: string): Promise<Id>;
  changeSettings(id: Id, settings: ZoneSettings): Promise<void>;
  /** Deletes a zone with all its records. */
  deleteZone(id: Id): Promise<void>;
  createRecord(zone: ZoneRef, record: DesiredRecord, options?: RecordWriteOptions): Promise<Id>;
  updateRecord(zone: ZoneRef, id: Id, record: DesiredRecord, options?: RecordWriteOptions): Promise<void>;
  deleteRecord(zone: ZoneRef, id: Id, options?: RecordWriteOptions): Promise<void>;
  /** Makes all changes atomically. Returns the id of each record, in the order of the changes. */
  changeRecords?(zone: ZoneRef, changes: readonly RecordChange[], options?: RecordWriteOptions): Promise<readonly Id[]>;
  /**
   * Called after the last write of a zone, for what a service is to do once. Returns the problems of it; the zone is as
   * written all the same. Absent if there is nothing to do.
   */
  finishZone?(id: Id): Promise<readonly Problem[]>;
  /** Classifies the error of a rejected write or read. */
  failureOf(error: unknown): WriteFailure;
}

export interface Live {
  /** The existing ones of the requested zones. */
  readonly zones: ReadonlyMap<NameKey, LiveZone>;
  /** Names of the other zones of the account. */
  readonly others: readonly Name[];
  /** The other zones that `besideOf` selected. */
  readonly neighbors: readonly LiveZone[];
}
