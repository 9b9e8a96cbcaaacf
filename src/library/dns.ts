export type { Advice, Fix } from "../diagnostics/advice.ts";
export type { ProblemKind, Severity } from "../diagnostics/ids/entry.ts";
export { type Place, type Problem, ProblemError } from "../diagnostics/problem.ts";
export type { ProblemId, RuleId } from "../diagnostics/registry.ts";
export type { SourceText } from "../diagnostics/source-text.ts";
export { checkZone } from "../dns/check.ts";
export { type Lookup, type LookupZone, lookUp, type Node, type RrsetsByType } from "../dns/lookup/lookup.ts";
export { IndexedZone } from "../dns/lookup/rule.ts";
export { Fault } from "../dns/name/fault.ts";
export {
  isInside,
  isSameName,
  labels,
  type Name,
  type NameKey,
  nameKey,
  parent,
  readName,
  relativeTo,
  root,
  shownName,
  withLabel,
} from "../dns/name/name.ts";
export type { Gateway } from "../dns/rdata/gateway.ts";
export type { Rdata } from "../dns/rdata/record-type.ts";
export type { ServiceParam } from "../dns/rdata/service-params.ts";
export type { Mnemonic } from "../dns/rdata/type-codes.ts";
export type { Bounds } from "../dns/transfer/axfr-receiver.ts";
export { readKeys } from "../dns/transfer/key-file.ts";
export type { UnreadRecord } from "../dns/transfer/message.ts";
export { TransferError } from "../dns/transfer/transfer-error.ts";
export type { AlgorithmName, Key } from "../dns/transfer/tsig.ts";
export type { Suffix } from "../dns/types/a6.ts";
export type { Relay } from "../dns/types/amtrelay.ts";
export type { Prefix } from "../dns/types/apl.ts";
export type { AtmAddress } from "../dns/types/atma.ts";
export type { HostIdentity } from "../dns/types/hip.ts";
export type { KnownType, RdataByType, RdataOf } from "../dns/types/index.ts";
export type { IpsecKey } from "../dns/types/ipseckey.ts";
export type { UnknownRdata } from "../dns/types/unknown.ts";
export type { Services } from "../dns/types/wks.ts";
export type { OwnerSets } from "../dns/zone/owners.ts";
export type { Ignore, Scope } from "../dns/zone/scope.ts";
export {
  canonical,
  type DotlessTarget,
  type Excuse,
  isType,
  type NodeReference,
  type Override,
  placeOf,
  type RecordList,
  type RRset,
  rdataText,
  type Slip,
  type TargetOfZone,
  type TemplateArgument,
  type TemplateUse,
  type TypedRecord,
  targets,
  type Unread,
  type Zone,
  type ZoneRecord,
} from "../dns/zone/zone.ts";
export type { SettingValue, ZoneSettings } from "../dns/zone/zone-settings.ts";
export { type AskOptions, askSoa } from "../dns-client/ask.ts";
export type { ServerAddress, TimeBounds } from "../dns-client/server-address.ts";
export type { TransferOptions } from "../dns-client/transfer-zone.ts";
export type { UdpBounds } from "../dns-client/udp.ts";
export type { ReadRecord, ReadRecordOf, ReadZone } from "./read-record.ts";
export { readZoneFile, type ZoneFile } from "./read-zone-file.ts";
export { type TransferredZone, transferZone } from "./transfer-zone.ts";
export { type WritingOptions, writeZoneFile } from "./write-zone-file.ts";
