import type { Name } from "../name/name.ts";
import type { ZoneRecord } from "../zone/zone.ts";
import { dnsClass, opcode } from "./codes.ts";
import { largestMessage } from "./message.ts";
import { MessageWriter, type WrittenRecord } from "./message-writer.ts";
import { type Key, tsigLength } from "./tsig.ts";

/** A record whose TTL does not matter. */
type Value = Pick<ZoneRecord, "owner" | "type" | "data">;

/** A condition of an update (RFC 2136 §2.4): unless all hold, nothing takes effect. Two more forms are not used. */
export type Prerequisite =
  /** All records of one RRset. The server compares their RDATA, not their TTLs; otherwise NXRRSET. */
  | { readonly kind: "set equals"; readonly records: readonly Value[] }
  /** Otherwise YXRRSET. */
  | { readonly kind: "no set"; readonly owner: Name; readonly type: string }
  /** No record has this owner; otherwise YXDOMAIN. */
  | { readonly kind: "no name"; readonly owner: Name };

/** A step of an update (RFC 2136 §2.5). The server takes the steps in order, and others see them together. */
export type UpdateStep =
  /** TTL in seconds. */
  | { readonly kind: "add"; readonly record: Value & { readonly ttl: number } }
  | { readonly kind: "delete record"; readonly record: Value }
  | { readonly kind: "delete set"; readonly owner: Name; readonly type: string }
  /** All RRsets of a name, of all types; at the apex, SOA and NS stay. */
  | { readonly kind: "delete name"; readonly owner: Name };

/** Changes of one zone of class IN that take effect together or not at all. */
export interface Update {
  readonly zone: Name;
  readonly prerequisites: readonly Prerequisite[];
  readonly steps: readonly UpdateStep[];
}

/**
 * Writes the message, unsigned, with room for the signature of `key`.
 * @throws {RangeError} if it does not fit into 65,535 octets with it, or if an RRset to compare has no record.
 */
export function writeUpdate(update: Update, id: number, key?: Key): Buffer {
  const writer = compose(update, id);
  if (sizeOf(writer, key) > largestMessage)
    throw new RangeError(`an update has at most ${largestMessage} octets with its signature`);
  return writer.bytes();
}

/** The exact size of the message, in octets, with the signature of `key`; it may be above 65,535. */
export function updateOctets(update: Update, key?: Key): number {
  return sizeOf(compose(update, 0), key);
}

function sizeOf({ length }: MessageWriter, key: Key | undefined): number {
  return length + (key ? tsigLength(key) : 0);
}

function compose({ zone, prerequisites, steps }: Update, id: number): MessageWriter {
  const questions = [{ name: zone, type: "SOA", class: dnsClass.in }];
  const writer = new MessageWriter({ id, opcode: opcode.update, questions }, Infinity);
  writer.add("answers", prerequisites.flatMap(conditionRecords));
  writer.add("authorities", steps.map(stepRecord));
  return writer;
}

function conditionRecords(condition: Prerequisite): WrittenRecord[] {
  switch (condition.kind) {
    case "set equals":
      if (condition.records.length === 0) throw new RangeError("an RRset has at least one record");
      return condition.records.map((record) => valued(record, dnsClass.in));
    case "no set":
      return [empty(condition.owner, condition.type, dnsClass.none)];
    case "no name":
      return [empty(condition.owner, "ANY", dnsClass.none)];
  }
}

function stepRecord(step: UpdateStep): WrittenRecord {
  switch (step.kind) {
    case "add":
      return valued(step.record, dnsClass.in, step.record.ttl);
    case "delete record":
      return valued(step.record, dnsClass.none);
    case "delete set":
      return empty(step.owner, step.type, dnsClass.any);
    case "delete name":
      return empty(step.owner, "ANY", dnsClass.any);
  }
}

function valued({ owner, type, data }: Value, recordClass: number, ttl = 0): WrittenRecord {
  return { owner, type, class: recordClass, ttl, data };
}

function empty(owner: Name, type: string, recordClass: number): WrittenRecord {
  return { owner, type, class: recordClass, ttl: 0, data: undefined };
}
