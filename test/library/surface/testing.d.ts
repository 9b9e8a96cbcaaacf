export interface AcceptOptions {
    readonly strict?: boolean;
}

export interface Accepted {
    readonly desired: DesiredZone;
    readonly problems: readonly Problem[];
}

export interface AddressedNode {
    readonly id: Id;
    readonly label: string;
    readonly publicIpv4: string | undefined;
    readonly privateIpv4: string | undefined;
    readonly ipv6: string | undefined;
}

export interface AliasReview {
    readonly unanswered: ReadonlyMap<NameKey, string>;
    readonly problems: readonly Problem[];
}

export interface AliasZone {
    readonly name: Name;
    readonly settings: ZoneSettings;
    readonly isSigned: boolean;
    readonly count: number;
    readonly added: number;
}

export interface Capabilities {
    readonly settings: readonly Setting[];
    readonly ids: "stored" | "content";
    readonly changeSets: "none" | "zone";
    readonly maxChangeOctets?: number;
    readonly conditionsPerAlias?: number;
    readonly lock: "none" | "record" | "rrset" | "compared";
    readonly zones: "create and delete" | "neither";
    readonly apex: "service" | "servers" | "ours";
    readonly serial: "service" | "ours";
    readonly events: boolean;
    readonly isLocal?: boolean;
    readonly recordsPerRead: number;
    readonly recordsPerZone?: number;
}

export interface DesiredRecord extends ZoneRecord {
    readonly otherTtl?: number;
    readonly fileTtl?: number;
}

export interface DesiredZone {
    readonly name: Name;
    readonly settings: ZoneSettings;
    readonly unstated?: readonly ("type" | "status")[];
    readonly formerSerial?: number;
    readonly isUnactivated?: boolean;
    readonly otherTimes: Partial<ZoneTimes>;
    readonly fileTimes?: Partial<ZoneTimes>;
    readonly defaultTimes: ZoneTimes;
    readonly records: readonly DesiredRecord[];
    readonly unsupported?: readonly ZoneRecord[];
    readonly apexServers?: readonly Name[];
    readonly scope?: Scope;
    readonly excused?: readonly Excuse[];
    readonly dotlessTargets?: Zone["dotlessTargets"];
    readonly file?: string;
    readonly fileFormat?: Zone["fileFormat"];
    readonly places?: Zone["places"];
    readonly isCatalog?: true;
}

export interface EventLog {
    readonly events: readonly ZoneEvent[];
    readonly isWhole: boolean;
}

export type EventStart = {
    readonly after: Id;
} | {
    readonly from: string;
};

export interface ExpectedSet {
    readonly owner: Name;
    readonly type: string;
    readonly records: readonly ZoneRecord[];
}

export interface FreedAddress {
    readonly address: string;
    readonly node: string;
    readonly until?: string;
    readonly isTransferred?: true;
}

export interface FreedAddresses {
    readonly freed: readonly FreedAddress[];
    readonly unknown?: string;
}

export type Id = (string | number) & {
    readonly [opaque]: true;
};

export interface LiveRecord extends ZoneRecord {
    readonly id: Id;
    readonly created?: string;
    readonly updated?: string;
}

export interface LiveZone {
    readonly name: Name;
    readonly id: Id;
    readonly settings: ZoneSettings;
    readonly state?: string;
    readonly secondaryOf?: readonly string[];
    readonly defaultTimes: ZoneTimes;
    readonly records: readonly LiveRecord[];
    readonly unknownRecords?: readonly UnknownRecord[];
    readonly serial?: number;
    readonly isSigned?: true;
}

export type MemoryEdit = {
    readonly add: ZoneRecord;
} | {
    readonly remove: ZoneRecord;
};

export interface MemoryMessage {
    readonly name: MemoryMessageName;
    readonly isWrite: boolean;
    readonly content: string;
}

export type MemoryMessageName = "list zones" | "find zone" | "find records" | `read ${"zone" | "settings" | "zone file" | "records" | "record"}` | `${"create" | "delete"} zone` | `change ${"settings" | "records"}` | `${RecordChange["kind"]} record`;

export interface MemoryOptions extends Partial<Omit<Capabilities, "events" | "serial">> {
    readonly leastTtl?: number;
    readonly defaultTtl?: number;
    readonly soa?: {
        readonly ttl: number;
        readonly minimum: number;
    };
    readonly onMessage?: OnMemoryMessage;
}

export type MemoryState = ReadonlyMap<NameKey, readonly LiveRecord[]>;

export interface MemoryTarget extends Target {
    readonly states: readonly MemoryState[];
    addZone(name: Name, records?: Iterable<ZoneRecord>): Id;
    edit(name: Name, changes: readonly MemoryEdit[]): void;
}

export type OnMemoryMessage = <T>(message: MemoryMessage, carryOut: () => Promise<T>, fail: (failure: WriteFailure) => Error) => Promise<T>;

export interface PlanningReads {
    readonly snapshot?: string;
    listZones(options?: ReadOptions): Promise<readonly ZoneHead[]>;
    readRecords(zone: ZoneRef, options?: RecordReadOptions): Promise<readonly LiveRecord[]>;
    readFreedAddresses?(addresses: ReadonlySet<string> | "all", options?: ReadOptions): Promise<FreedAddresses>;
    findNodes?(labels: readonly string[] | "all", options?: ReadOptions): Promise<readonly AddressedNode[]>;
    findUnactivated?(zones: readonly ZoneRef[], options?: ReadOptions): Promise<ReadonlySet<Id>>;
    reviewAliases?(zones: readonly AliasZone[], options?: ReadOptions): Promise<AliasReview>;
    listNotes?(): ReadonlyMap<NameKey, Problem>;
    countRequests(): number;
    announcedLimit(): number | "unlimited" | undefined;
}

export interface ReadOptions {
    readonly signal?: AbortSignal | undefined;
}

export type RecordChange = {
    readonly kind: "create";
    readonly after: DesiredRecord;
} | {
    readonly kind: "update";
    readonly before: LiveRecord;
    readonly after: DesiredRecord;
} | {
    readonly kind: "delete";
    readonly before: LiveRecord;
};

export interface RecordReadOptions extends ReadOptions {
    readonly onUnknown?: ((record: UnknownRecord) => void) | undefined;
    readonly onHead?: ((head: Pick<LiveZone, "settings" | "serial" | "isSigned">) => void) | undefined;
}

export interface RecordWriteOptions {
    readonly isUrgent?: boolean;
    readonly expected?: readonly ExpectedSet[] | undefined;
}

export interface ServiceFact {
    readonly subject: string;
    readonly state: "ok" | "warn" | "fail";
    readonly text: string;
    readonly next?: string;
}

export interface Setting {
    readonly name: string;
    readonly kind: "text" | "list" | "duration" | "choice";
    readonly choices?: readonly [string, ...string[]];
    readonly default: SettingValue;
    readonly about: string;
    readonly example: string;
    readonly isInherited?: boolean;
    readonly transfers?: "to" | "from";
}

export interface Target extends TargetKind {
    readonly read: TargetReads;
    readonly writes: TargetWrites;
}

export interface TargetKind {
    readonly name: string;
    readonly ttlLimit?: string;
    readonly capabilities: Capabilities;
    readonly fileSettings?: readonly Setting[];
    readonly isOwnType?: (type: string) => boolean;
    readonly isLeftBehind?: (type: string) => boolean;
    readonly accept: (zone: Zone, options?: AcceptOptions) => Accepted;
    readonly recordLimits: ReadonlySet<string>;
    readonly strictRules: ReadonlySet<string>;
}

export interface TargetReads extends PlanningReads {
    readZone(id: Id, options?: ReadOptions): Promise<LiveZone>;
    examine?(zones: readonly ZoneRef[], options?: ReadOptions): Promise<readonly ServiceFact[]>;
    readSettings(id: Id): Promise<LiveZone["settings"]>;
    findZone(name: Name): Promise<{
        readonly id: Id;
        readonly isBlank: boolean;
    } | undefined>;
    readStored?(zone: ZoneRef): Promise<string>;
    readRecord(zone: ZoneRef, id: Id): Promise<LiveRecord>;
    findRecords(zone: ZoneRef, record: DesiredRecord): Promise<readonly LiveRecord[]>;
    readZoneFile(zone: ZoneRef, options?: ReadOptions): Promise<string>;
    readAccount(options?: ReadOptions): Promise<string | null>;
    readUsername(options?: ReadOptions): Promise<string | undefined>;
    readLastEvent(options?: ReadOptions): Promise<Id | undefined>;
    readEvents(start: EventStart, options?: ReadOptions): Promise<EventLog | {
        readonly unknown: string;
    }>;
}

export interface TargetWrites {
    createZone(zone: Pick<DesiredZone, "name" | "settings" | "formerSerial">): Promise<Id>;
    importZone?(name: Name, server: string): Promise<Id>;
    changeSettings(id: Id, settings: ZoneSettings): Promise<void>;
    deleteZone(id: Id): Promise<void>;
    createRecord(zone: ZoneRef, record: DesiredRecord, options?: RecordWriteOptions): Promise<Id>;
    updateRecord(zone: ZoneRef, id: Id, record: DesiredRecord, options?: RecordWriteOptions): Promise<void>;
    deleteRecord(zone: ZoneRef, id: Id, options?: RecordWriteOptions): Promise<void>;
    changeRecords?(zone: ZoneRef, changes: readonly RecordChange[], options?: RecordWriteOptions): Promise<readonly Id[]>;
    finishZone?(id: Id): Promise<readonly Problem[]>;
    failureOf(error: unknown): WriteFailure;
}

export interface UnknownRecord {
    readonly name: string;
    readonly type: string;
    readonly ttl?: number;
    readonly isOfService?: boolean;
    readonly isDisabled?: boolean;
    readonly hasUpperCase?: boolean;
}

export type WriteFailure = "lost" | "invalid" | "gone" | "changed" | "unavailable" | "refused";

export interface ZoneEvent {
    readonly id: Id;
    readonly zone: NameKey;
    readonly action: string;
    readonly username: string;
    readonly created: string;
    readonly records: readonly {
        readonly owner: NameKey;
        readonly type: string;
    }[];
}

export type ZoneHead = Omit<LiveZone, "records" | "unknownRecords">;

export type ZoneRef = Pick<LiveZone, "id" | "name">;

export interface ZoneTimes {
    readonly ttl_sec: number;
    readonly [name: string]: number;
}

export declare const apiSettings: readonly Setting[];

export declare function asId(id: string | number): Id;

export declare function createMemoryTarget(options?: MemoryOptions): MemoryTarget;
