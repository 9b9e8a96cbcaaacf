export declare class Advice {
    toString(): string;
    toJSON(): string;
}

export type AlgorithmName = keyof typeof algorithms;

export interface AskOptions {
    readonly key?: Key | undefined;
    readonly bounds?: Partial<UdpBounds & TimeBounds>;
    readonly signal?: AbortSignal;
    readonly now?: () => number;
}

export interface AtmAddress {
    readonly format: number;
    readonly octets: string;
}

export interface Bounds {
    readonly records: number;
    readonly octets: number;
}

export interface DotlessTarget {
    readonly name: Name;
    readonly written: string;
    readonly at: Place;
    readonly source?: SourceText;
    readonly owner: Name;
    readonly type: string;
}

export interface Excuse {
    readonly owner: Name;
    readonly rule: string;
    readonly targets?: readonly TargetOfZone[];
    readonly at?: Place;
}

export declare class Fault extends ProblemError {
    constructor(id: ProblemId, summary: string, fix?: Fix);
}

export type Fix = string | Advice;

export interface Gateway {
    readonly type: number;
    readonly text: string;
}

export interface HostIdentity {
    readonly algorithm: number;
    readonly tag: string;
    readonly key: string;
    readonly servers: readonly Name[];
}

export interface Ignore {
    readonly name?: string;
    readonly type?: string;
    readonly value?: string;
    readonly reason: string;
    readonly until?: string;
    readonly at?: Place;
}

export declare class IndexedZone implements LookupZone<RRset, OwnerSets> {
    #private;
    readonly zone: Zone;
    readonly apex: NameKey;
    readonly owners: ReadonlyMap<NameKey, OwnerSets>;
    constructor(zone: Zone);
    sets<T extends string>(...types: readonly T[]): readonly RRset<T>[];
    has(name: Name, type: string): boolean;
    isApex(name: Name): boolean;
    isInside(name: Name): boolean;
    show(name: Name): string;
    delegation(name: Name): NameKey | undefined;
    rrsets(name: NameKey): OwnerSets | undefined;
    isUnread(name: Name): boolean;
    isInDoubt(name: Name, types?: readonly string[]): boolean;
    isAliased(name: Name): boolean;
    isEmpty(name: Name): boolean;
    findSets(name: Name, type: string): OwnerSets | undefined;
    answers(name: Name): boolean;
}

export interface IpsecKey {
    readonly algorithm: number;
    readonly gateway: Gateway;
    readonly key: string;
}

export interface Key {
    readonly name: Name;
    readonly algorithm: AlgorithmName;
    readonly secret: Uint8Array;
}

export type KnownType = keyof RdataByType;

export type Lookup<Set> = {
    readonly kind: "answer";
    readonly set: Set;
} | {
    readonly kind: "alias";
    readonly cname: Set;
} | {
    readonly kind: "nodata";
} | Exclude<Node<Set>, {
    kind: "node";
}>;

export interface LookupZone<Set, Sets extends RrsetsByType<Set> = RrsetsByType<Set>> {
    readonly apex: NameKey;
    rrsets(name: NameKey): Sets | undefined;
}

export type Mnemonic = keyof typeof known;

export type Name = string & {
    readonly [absolute]: true;
};

export type NameKey = Name & {
    readonly [lowerCase]: true;
};

export type Node<Set, Sets extends RrsetsByType<Set> = RrsetsByType<Set>> = 
{
    readonly kind: "node";
    readonly owner: NameKey;
    readonly sets: Sets;
}
 | {
    readonly kind: "referral";
    readonly cut: NameKey;
    readonly servers: Set;
}
 | {
    readonly kind: "renamed";
    readonly owner: NameKey;
    readonly dname: Set;
} | {
    readonly kind: "nxdomain";
};

export interface NodeReference {
    readonly label: string;
    readonly isPrivate: boolean;
    readonly at: Place;
}

export interface Override {
    readonly owner: Name;
    readonly type: string;
    readonly at?: Place;
}

export declare class OwnerSets {
    #private;
    get<T extends string>(type: T): RRset<T> | undefined;
    recordsOf(type: string): readonly ZoneRecord[];
    of(record: ZoneRecord): RRset | undefined;
    has(type: string): boolean;
    keys(): string[];
    values(): readonly RRset[];
    addRecord(owner: NameKey, record: ZoneRecord): void;
    add(set: RRset): void;
}

export interface Place {
    file: string;
    line: number;
    column: number;
    length: number;
}

export interface Prefix {
    readonly isNegated: boolean;
    readonly family: number;
    readonly address: string;
    readonly length: number;
}

export interface Problem {
    readonly id: ProblemId;
    readonly kind: ProblemKind;
    readonly severity: Severity;
    readonly summary: string;
    readonly headline?: Advice;
    readonly detail?: Fix;
    readonly fix?: Fix;
    readonly place?: Place;
    readonly owner?: string;
    readonly via?: readonly Place[];
}

export declare class ProblemError extends Error {
    readonly problems: readonly Problem[];
    get problem(): Problem;
    constructor(problems: Problem | readonly Problem[], options?: ErrorOptions);
}

export type ProblemId = RuleId | keyof typeof reading | keyof typeof project | keyof typeof service | keyof typeof github;

export type ProblemKind = "input" | "usage" | "refused" | "later" | "failed";

export interface RRset<T extends string = string> {
    readonly owner: NameKey;
    readonly type: T;
    readonly records: ZoneRecord<T>[];
}

export type Rdata = object;

export type RdataByType = {
  A: { readonly address: string; };
  A6: { readonly suffix: Suffix; };
  AAAA: { readonly address: string; };
  AFSDB: { readonly subtype: number; readonly hostname: Name; };
  ALIAS: { readonly target: Name; };
  AMTRELAY: { readonly relay: Relay; };
  APL: { readonly prefixes: readonly Prefix[]; };
  ATMA: { readonly address: AtmAddress; };
  AVC: { readonly strings: readonly string[]; };
  BRID: { readonly data: string; };
  CAA: { readonly flags: number; readonly tag: string; readonly value: string; };
  CDNSKEY: { readonly flags: number; readonly protocol: number; readonly algorithm: number; readonly public_key: string; };
  CDS: { readonly key_tag: number; readonly algorithm: number; readonly digest_type: number; readonly digest: string; };
  CERT: { readonly certificate_type: number; readonly key_tag: number; readonly algorithm: number; readonly certificate: string; };
  CLA: { readonly strings: readonly string[]; };
  CNAME: { readonly cname: Name; };
  CSYNC: { readonly serial: number; readonly flags: number; readonly types: readonly string[]; };
  DHCID: { readonly data: string; };
  DLV: { readonly key_tag: number; readonly algorithm: number; readonly digest_type: number; readonly digest: string; };
  DNAME: { readonly target: Name; };
  DNSKEY: { readonly flags: number; readonly protocol: number; readonly algorithm: number; readonly public_key: string; };
  DOA: { readonly enterprise: number; readonly doa_type: number; readonly location: number; readonly media_type: string; readonly data: string; };
  DS: { readonly key_tag: number; readonly algorithm: number; readonly digest_type: number; readonly digest: string; };
  DSYNC: { readonly rrtype: string; readonly scheme: number; readonly port: number; readonly target: Name; };
  EID: { readonly data: string; };
  EUI48: { readonly address: string; };
  EUI64: { readonly address: string; };
  GPOS: { readonly longitude: string; readonly latitude: string; readonly altitude: string; };
  HHIT: { readonly data: string; };
  HINFO: { readonly cpu: string; readonly os: string; };
  HIP: { readonly identity: HostIdentity; };
  HTTPS: { readonly priority: number; readonly target: Name; readonly params: readonly ServiceParam[]; };
  IPN: { readonly node: string; };
  IPSECKEY: { readonly precedence: number; readonly key: IpsecKey; };
  ISDN: { readonly address: string; readonly subaddress: string | undefined; };
  KEY: { readonly flags: number; readonly protocol: number; readonly algorithm: number; readonly public_key: string; };
  KX: { readonly preference: number; readonly exchanger: Name; };
  L32: { readonly preference: number; readonly locator: string; };
  L64: { readonly preference: number; readonly locator: string; };
  LOC: { readonly location: string; };
  LP: { readonly preference: number; readonly fqdn: Name; };
  MB: { readonly madname: Name; };
  MG: { readonly mgmname: Name; };
  MINFO: { readonly rmailbx: Name; readonly emailbx: Name; };
  MR: { readonly newname: Name; };
  MX: { readonly preference: number; readonly exchange: Name; };
  NAPTR: { readonly order: number; readonly preference: number; readonly flags: string; readonly services: string; readonly regexp: string; readonly replacement: Name; };
  NID: { readonly preference: number; readonly node_id: string; };
  NIMLOC: { readonly data: string; };
  NINFO: { readonly strings: readonly string[]; };
  NS: { readonly nsdname: Name; };
  NSAP: { readonly address: string; };
  NSAP-PTR: { readonly target: Name; };
  NSEC: { readonly next: Name; readonly types: readonly string[]; };
  NSEC3: { readonly hash_algorithm: number; readonly flags: number; readonly iterations: number; readonly salt: string; readonly next: string; readonly types: readonly string[]; };
  NSEC3PARAM: { readonly hash_algorithm: number; readonly flags: number; readonly iterations: number; readonly salt: string; };
  NXT: { readonly next: Name; readonly types: readonly string[]; };
  OPENPGPKEY: { readonly public_key: string; };
  PTR: { readonly ptrdname: Name; };
  PX: { readonly preference: number; readonly map822: Name; readonly mapx400: Name; };
  RESINFO: { readonly strings: readonly string[]; };
  RKEY: { readonly flags: number; readonly protocol: number; readonly algorithm: number; readonly public_key: string; };
  RP: { readonly mailbox: Name; readonly text: Name; };
  RRSIG: { readonly type_covered: string; readonly algorithm: number; readonly labels: number; readonly original_ttl: number; readonly expiration: string; readonly inception: string; readonly key_tag: number; readonly signer: Name; readonly signature: string; };
  RT: { readonly preference: number; readonly intermediate_host: Name; };
  SIG: { readonly type_covered: string; readonly algorithm: number; readonly labels: number; readonly original_ttl: number; readonly expiration: string; readonly inception: string; readonly key_tag: number; readonly signer: Name; readonly signature: string; };
  SINK: { readonly meaning: number; readonly coding: number; readonly subcoding: number; readonly data: string; };
  SMIMEA: { readonly usage: number; readonly selector: number; readonly matching_type: number; readonly certificate: string; };
  SOA: { readonly mname: Name; readonly rname: Name; readonly serial: number; readonly refresh: number; readonly retry: number; readonly expire: number; readonly minimum: number; };
  SPF: { readonly strings: readonly string[]; };
  SRV: { readonly priority: number; readonly weight: number; readonly port: number; readonly target: Name; };
  SSHFP: { readonly algorithm: number; readonly fingerprint_type: number; readonly fingerprint: string; };
  SVCB: { readonly priority: number; readonly target: Name; readonly params: readonly ServiceParam[]; };
  TA: { readonly key_tag: number; readonly algorithm: number; readonly digest_type: number; readonly digest: string; };
  TALINK: { readonly previous: Name; readonly next: Name; };
  TLSA: { readonly usage: number; readonly selector: number; readonly matching_type: number; readonly certificate: string; };
  TXT: { readonly strings: readonly string[]; };
  URI: { readonly priority: number; readonly weight: number; readonly target: string; };
  WALLET: { readonly strings: readonly string[]; };
  WKS: { readonly address: string; readonly services: Services; };
  X25: { readonly address: string; };
  ZONEMD: { readonly serial: number; readonly scheme: number; readonly hash_algorithm: number; readonly digest: string; };
};

export type RdataOf<T extends string> = T extends KnownType ? RdataByType[T] : T extends `TYPE${number}` ? UnknownRdata : Rdata;

export type ReadRecord<T extends string = KnownType | Mnemonic | `TYPE${number}`> = T extends string ? ReadRecordOf<T> : never;

export interface ReadRecordOf<T extends string> extends Omit<ZoneRecord<T>, "ttl" | "ownTtl"> {
    readonly ttl: number;
    readonly statedTtl: number | undefined;
}

export interface ReadZone extends Zone {
    readonly records: RecordList<ReadRecord>;
}

export interface RecordList<R extends ZoneRecord = ZoneRecord> extends Iterable<R> {
    readonly length: number;
    at(index: number): R | undefined;
    find<S extends R>(accepts: (record: R) => record is S): S | undefined;
    find(accepts: (record: R) => boolean): R | undefined;
    some(accepts: (record: R) => boolean): boolean;
    filter<S extends R>(accepts: (record: R) => record is S): S[];
    filter(accepts: (record: R) => boolean): R[];
    map<T>(change: (record: R, index: number) => T): T[];
    flatMap<T>(change: (record: R, index: number) => T | readonly T[]): T[];
}

export interface Relay {
    readonly precedence: number;
    readonly discovery: number;
    readonly relay: Gateway;
    readonly octets?: string;
}

export interface RrsetsByType<Set> {
    get(type: string): Set | undefined;
}

export type RuleId = keyof typeof api | keyof typeof dns | keyof typeof practice;

export interface Scope {
    readonly manage?: "all" | "listed";
    readonly ignore: readonly Ignore[];
}

export interface ServerAddress {
    readonly host: string;
    readonly port: number;
}

export interface ServiceParam {
    readonly key: number;
    readonly value: string;
}

export interface Services {
    readonly protocol: number;
    readonly ports: readonly number[];
}

export type SettingValue = string | number | readonly string[];

export type Severity = "error" | "warning" | "note";

export interface Slip {
    readonly rule: RuleId;
    readonly summary: string;
    readonly fix: string;
    readonly at: Place;
    readonly source?: SourceText;
    readonly owner: Name;
    readonly type: string;
}

export declare class SourceText {
    #private;
    readonly file: string;
    readonly text: string;
    readonly encoding: "latin1" | "utf16";
    readonly via: readonly Place[];
    constructor(file: string, text: string, encoding?: "latin1" | "utf16", via?: readonly Place[]);
    toJSON(): string;
    place(start: number, end?: number): Place;
    isLineStart(offset: number): boolean;
    line(line: number): string;
    textAt({ line, column, length }: Place): string;
}

export interface Suffix {
    readonly prefix: number;
    readonly suffix: string | undefined;
    readonly name: Name | undefined;
}

export interface TargetOfZone {
    readonly name: string;
    readonly at?: Place;
}

export interface TemplateArgument {
    readonly name: string;
    readonly texts: readonly string[] | undefined;
    readonly isList: boolean;
    readonly at?: Place;
}

export interface TemplateUse {
    readonly name: string;
    readonly at?: Place;
    readonly parameters: readonly TemplateArgument[];
}

export interface TimeBounds {
    readonly connectMs: number;
    readonly idleMs: number;
    readonly totalMs: number;
}

export declare class TransferError extends ProblemError {
    constructor(id: ProblemId, summary: string, fix?: Fix);
}

export interface TransferOptions {
    readonly zone: Name;
    readonly server: ServerAddress;
    readonly key?: Key | undefined;
    readonly bounds?: Partial<Bounds & TimeBounds>;
    readonly signal?: AbortSignal;
    readonly now?: () => number;
}

export interface TransferredZone {
    readonly records: readonly ReadRecord[];
    readonly unread: readonly UnreadRecord[];
}

export type TypedRecord<T extends KnownType> = {
    [K in T]: {
        readonly type: K;
        readonly data: RdataByType[K];
    };
}[T];

export interface UdpBounds {
    readonly timeoutMs: number;
    readonly attempts: number;
}

export type UnknownRdata = Readonly<{
    octets: string;
}>;

export interface Unread {
    readonly owners: ReadonlySet<NameKey>;
    readonly isAny: boolean;
}

export interface UnreadRecord {
    readonly owner: Name;
    readonly type: string;
    readonly class: number;
    readonly ttl: number;
    readonly rdata: string;
    readonly fault: Fault;
}

export interface WritingOptions {
    readonly nameservers?: readonly Name[] | undefined;
    readonly ttl?: number;
}

export interface Zone {
    readonly name: Name;
    readonly settings: ZoneSettings;
    readonly records: RecordList;
    readonly places: Readonly<Partial<Record<string, Place>>>;
    readonly dotlessTargets: readonly DotlessTarget[];
    readonly slips?: readonly Slip[];
    readonly excused?: readonly Excuse[];
    readonly scope?: Scope;
    readonly targets?: readonly TargetOfZone[];
    readonly templates?: readonly TemplateUse[];
    readonly overrides?: readonly Override[];
    readonly unread?: Unread;
    readonly file?: string;
    readonly fileFormat?: "bind" | "octodns";
}

export interface ZoneFile {
    readonly bytes: Uint8Array;
    readonly origin: Name;
    readonly file: string;
}

export interface ZoneRecord<T extends string = string> {
    readonly owner: Name;
    readonly type: T;
    readonly ttl: number | undefined;
    readonly data: RdataOf<T>;
    readonly source?: SourceText;
    readonly start?: number;
    readonly end?: number;
    readonly ownerAt?: Place;
    readonly ownTtl?: number | undefined;
    readonly node?: NodeReference | undefined;
}

export interface ZoneSettings {
    readonly type?: "master" | "slave";
    readonly status?: "active" | "disabled";
    readonly soa_email?: string;
    readonly ttl_sec?: number;
    readonly refresh_sec?: number;
    readonly retry_sec?: number;
    readonly expire_sec?: number;
    readonly [name: string]: SettingValue | undefined;
}

export declare function askSoa(server: ServerAddress, zone: Name, options?: AskOptions): Promise<ZoneRecord<"SOA">>;

export declare function canonical({ type, data }: Pick<ZoneRecord, "type" | "data">): string;

export declare function checkZone(zone: Zone): Problem[];

export declare function isInside(name: Name, origin: Name): boolean;

export declare function isSameName(name: Name, other: Name): boolean;

export declare function isType<R extends Pick<ZoneRecord, "type">, T extends KnownType>(record: R, ...types: readonly T[]): record is R & TypedRecord<T>;

export declare function labels(name: string): string[];

export declare function lookUp<Set>(zone: LookupZone<Set>, name: NameKey, type: string): Lookup<Set>;

export declare function nameKey(name: Name): NameKey;

export declare function parent<N extends Name>(name: N): N;

export declare function placeOf({ source, start, end }: ZoneRecord): Place | undefined;

export declare function rdataText({ type, data }: Pick<ZoneRecord, "type" | "data">, spell?: (name: Name) => string): string;

export declare function readKeys(text: string, file: string): Key[];

export declare function readName(text: string, origin?: Name): Name;

export declare function readZoneFile(file: ZoneFile): {
    readonly zone: ReadZone;
    readonly problems: readonly Problem[];
};

export declare function relativeTo(name: Name, origin: Name): string;

export declare const root: NameKey;

export declare function shownName(name: string): string;

export declare function targets({ type, data }: Pick<ZoneRecord, "type" | "data">): Name[];

export declare function transferZone(options: TransferOptions): Promise<TransferredZone>;

export declare function withLabel<N extends Name>(label: string, name: N): N;

export declare function writeZoneFile(zone: Zone, { nameservers, ttl }?: WritingOptions): string;
