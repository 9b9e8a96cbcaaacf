export type { FreedAddress } from "../dns/name/freed-address.ts";
export {
  asId,
  type DesiredRecord,
  type DesiredZone,
  type Id,
  type LiveRecord,
  type LiveZone,
  type RecordChange,
  type UnknownRecord,
} from "../dns/zone/desired-live.ts";
export type { ZoneEvent } from "../dns/zone/zone-event.ts";
export type { Setting, ZoneTimes } from "../dns/zone/zone-settings.ts";
export { apiSettings } from "../targets/api/settings.ts";
export {
  createMemoryTarget,
  type MemoryEdit,
  type MemoryMessage,
  type MemoryMessageName,
  type MemoryOptions,
  type MemoryState,
  type MemoryTarget,
  type OnMemoryMessage,
} from "../targets/memory/memory-target.ts";
export type {
  Accepted,
  AcceptOptions,
  AddressedNode,
  AliasReview,
  AliasZone,
  Capabilities,
  EventLog,
  EventStart,
  ExpectedSet,
  FreedAddresses,
  PlanningReads,
  ReadOptions,
  RecordReadOptions,
  RecordWriteOptions,
  ServiceFact,
  Target,
  TargetKind,
  TargetReads,
  TargetWrites,
  WriteFailure,
  ZoneHead,
  ZoneRef,
} from "../targets/target.ts";
