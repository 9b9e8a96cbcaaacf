import { advise, type Fix } from "../../diagnostics/advice.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { type NameKey, nameKey, relativeTo, shownName } from "../../dns/name/name.ts";
import { specialBlock } from "../../dns/name/special-address.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { isReferring, isUnresolved, labelKey, type ReferringRecord } from "../../dns/zone/node-reference.ts";
import { copyRecord, isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { groupBy } from "../../group-by.ts";
import type { AddressedNode, PlanningTarget } from "../../targets/target.ts";
import type { Project } from "../project/project.ts";
import { InvalidZonesError } from "./invalid-zones.ts";
import { mergeByCause, type ReadZones, refuseErrors, resolveRead } from "./zones.ts";

/** The part of a target that knows the nodes of the account. */
interface NodesTarget extends Pick<PlanningTarget, "name"> {
  readonly read: Pick<PlanningTarget["read"], "findNodes" | "snapshot">;
}

/** A record that refers to a node, and its zone. */
interface Reference {
  readonly read: ZoneOfFile;
  readonly record: ReferringRecord;
}

/** Zones as the service will store them, with the addresses of nodes. */
export interface ResolvedZones {
  readonly desired: readonly DesiredZone[];
  readonly notes: readonly Problem[];
  /** The zones that were read, with the addresses. */
  readonly zones: readonly ZoneOfFile[];
}

/**
 * Converts zones to what the service will store. Errors in the files are reported before any request; nodes are read in
 * one request for every 50 labels, and not at all if no zone refers to one. Nodes that a snapshot does not know stay
 * unresolved.
 * @throws {InvalidZonesError} with all errors, if there are any.
 */
export async function resolveZones(
  project: Project,
  read: ReadZones,
  target: NodesTarget & Pick<PlanningTarget, "accept">,
): Promise<ResolvedZones> {
  if (refersToNodes(read.zones)) await refuseErrors(read, project, target.accept);
  const { zones, notes: ofNodes } = await resolveNodes(project, read.zones, target);
  const { desired, problems: notes } = await refuseErrors({ ...read, zones }, project, target.accept);
  if (target.read.snapshot === undefined && desired.some(({ records }) => records.some(isUnresolved)))
    throw new Error("the addresses of nodes must be known before a zone is compared or written");
  return { desired, notes: [...ofNodes, ...notes], zones };
}

/** The labels of the nodes that zones refer to, each once. */
export function labelsOf(zones: readonly ZoneOfFile[]): string[] {
  const labels = zones.flatMap(({ zone }) => zone.records.filter(isReferring).map(({ node }) => node.label));
  return [...new Map(labels.map((label) => [labelKey(label), label])).values()];
}

/** Whether zones refer to nodes of the service. */
export function refersToNodes(zones: readonly ZoneOfFile[]): boolean {
  return zones.some(({ zone }) => zone.records.some(isReferring));
}

/**
 * The zones with the addresses of the nodes that they refer to, and a note for each address, and for each node that a
 * snapshot does not know.
 * @throws {ProblemError} `node-access`, `node-address`, `node-label-unknown`
 */
export async function resolveNodes(
  project: Pick<Project, "signal">,
  zones: readonly ZoneOfFile[],
  target: NodesTarget,
): Promise<Omit<ResolvedZones, "desired">> {
  const references = zones.flatMap((read) =>
    read.zone.records.filter(isReferring).map((record): Reference => ({ read, record })),
  );
  const [first] = references;
  if (!first) return { zones, notes: [] };
  const nodes = await findNodes(project, references, first, target);
  const { snapshot } = target.read;
  const faults: NodeFault[] = [];
  let all: readonly AddressedNode[] | undefined;
  for (const reference of references) {
    const { record } = reference;
    const cause = labelKey(record.node.label);
    const node = nodes.get(cause);
    if (node && addressFor(record, node) !== undefined) continue;
    if (snapshot !== undefined) faults.push({ cause, read: reference.read, found: snapshotNote(reference, snapshot) });
    else if (node) faults.push(addressFault(reference, node));
    else {
      all ??= (await target.read.findNodes?.("all", { signal: project.signal })) ?? [];
      faults.push({ cause, read: reference.read, found: unknownProblem(reference, all) });
    }
  }
  if (faults.length > 0 && snapshot === undefined) throw faultyZones(zones, faults);
  const addressOf = (record: ReferringRecord) => {
    const node = nodes.get(labelKey(record.node.label));
    return node && addressFor(record, node);
  };
  return {
    zones: zones.map((zone) => resolveRead(zone, addressOf)),
    notes: [
      ...references.flatMap((reference) => {
        const node = nodes.get(labelKey(reference.record.node.label));
        return node && addressFor(reference.record, node) !== undefined ? [addressNote(reference, node)] : [];
      }),
      ...mergeByNode(faults),
    ],
  };
}

/**
 * Zones planned against a snapshot: where it does not know a node, a record gets an address that is stored at its name
 * and that no other record has, because most plans change no such record.
 */
export function assumeAddresses(
  desired: readonly DesiredZone[],
  live: ReadonlyMap<NameKey, LiveZone>,
): readonly DesiredZone[] {
  return desired.map((zone) => {
    if (!zone.records.some(isUnresolved)) return zone;
    const keyOf = ({ owner, type }: ZoneRecord) => `${type} ${nameKey(owner)}`;
    const stored = (live.get(nameKey(zone.name))?.records ?? []).flatMap((record) =>
      isType(record, "A", "AAAA") ? [{ key: keyOf(record), address: record.data.address }] : [],
    );
    const known = new Set(
      zone.records.flatMap((record) =>
        isType(record, "A", "AAAA") ? [`${keyOf(record)} ${record.data.address}`] : [],
      ),
    );
    const free = stored.filter(({ key, address }) => !known.has(`${key} ${address}`));
    const records = zone.records.map((record) => {
      if (!isUnresolved(record)) return record;
      const ofName = free.filter(({ key }) => key === keyOf(record));
      const fits = ({ address }: (typeof free)[number]) =>
        (specialBlock(address)?.purpose === "private") === (record.node?.isPrivate === true);
      const found = ofName.find(fits) ?? ofName[0];
      if (!found) return record;
      free.splice(free.indexOf(found), 1);
      return copyRecord(record, { data: { address: found.address } });
    });
    return { ...zone, records };
  });
}

/** An error about the node of a reference. Errors with the same cause have the same fix. */
interface NodeFault {
  readonly cause: string;
  readonly read: ZoneOfFile;
  readonly found: Problem;
}

function faultyZones(zones: readonly ZoneOfFile[], faults: readonly NodeFault[]): InvalidZonesError {
  const invalid = [...new Set(faults.map(({ read }) => read))].map((read) => ({
    read,
    errors: faults.filter((fault) => fault.read === read).map(({ found }) => found),
  }));
  return new InvalidZonesError(mergeByNode(faults), { invalid, valid: zones.length - invalid.length });
}

/** Places that an error lists; it counts the others. */
const mostPlaces = 5;

/** One error for each cause, at the first reference; it lists the places of the others. */
function mergeByNode(faults: readonly NodeFault[]): Problem[] {
  return [...groupBy(faults, ({ cause }) => cause).values()].flatMap((group) => {
    const [first, ...others] = mergeByCause(group.map(({ found }) => found));
    if (!first || others.length === 0) return first ?? [];
    const places = others.flatMap(({ place }) => (place ? `${place.file}:${place.line}:${place.column}` : []));
    const listed = places.slice(0, mostPlaces);
    const more = places.length - listed.length;
    const last = more > 0 ? count(more, "other place") : listed.pop();
    const also = `Also at ${listed.length > 0 ? `${listed.join(", ")} and ` : ""}${last}.`;
    return { ...first, detail: first.detail === undefined ? also : `${first.detail} ${also}` };
  });
}

/** The nodes with the labels of references, by key. */
async function findNodes(
  { signal }: Pick<Project, "signal">,
  references: readonly Reference[],
  first: Reference,
  { read, name }: NodesTarget,
): Promise<ReadonlyMap<string, AddressedNode>> {
  const labels = [...new Set(references.map(({ record }) => record.node.label))];
  const where = placesOf(first);
  if (!read.findNodes) {
    const summary = `${subjectOf(first)}: the ${name} has no nodes to refer to`;
    throw problemError("node-access", summary, { ...where, fix: "Write the address." });
  }
  try {
    const found = await read.findNodes(labels, { signal });
    // A node that is being deleted has no address left; another one may have its label.
    return new Map(
      found.toSorted((a, b) => countAddresses(a) - countAddresses(b)).map((node) => [labelKey(node.label), node]),
    );
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.id !== "node-access") throw error;
    if (read.snapshot !== undefined) return new Map();
    throw new ProblemError({ ...error.problem, ...where });
  }
}

function countAddresses({ publicIpv4, privateIpv4, ipv6 }: AddressedNode): number {
  return [publicIpv4, privateIpv4, ipv6].filter((address) => address !== undefined).length;
}

function addressFor(record: ReferringRecord, { publicIpv4, privateIpv4, ipv6 }: AddressedNode): string | undefined {
  if (isType(record, "AAAA")) return ipv6;
  return record.node.isPrivate ? privateIpv4 : publicIpv4;
}

function addressFault(reference: Reference, { label, id }: AddressedNode): NodeFault {
  const { record } = reference;
  const [what, fix] = isType(record, "AAAA")
    ? ["IPv6 address", "Remove the record, or refer to another node."]
    : record.node.isPrivate
      ? [
          "private IPv4 address",
          advise`Add one with ${{ call: "createNodeAddress", args: [id], with: { set: ["type=ipv4", "public=false"] } }}, or remove \`private\`.`,
        ]
      : ["public IPv4 address", "Refer to another node, or wait if it is being created."];
  const summary = `${subjectOf(reference)}: the node ${label} (${id}) has no ${what}`;
  const found = problem("node-address", summary, { ...placesOf(reference), owner: record.owner, fix });
  return { cause: `${labelKey(label)} ${what}`, read: reference.read, found };
}

function unknownProblem(reference: Reference, nodes: readonly AddressedNode[]): Problem {
  const { record } = reference;
  const { label } = record.node;
  // Names that differ in digits only are those of different machines.
  const near = nearest(
    label,
    nodes.map((node) => node.label).filter((other) => withoutDigits(other) !== withoutDigits(label)),
  );
  const summary = `${subjectOf(reference)}: no node has the label "${label}", or this token may not see it`;
  const list = advise`Check the label: ${{ call: "listNodes" }} lists the nodes that this token may see. A restricted user sees those with a grant.`;
  const fix = near === undefined ? list : advise`Did you mean "${near}"? ${list}`;
  return problem("node-label-unknown", summary, { ...placesOf(reference), owner: record.owner, fix });
}

/** The service may know a node that a snapshot does not: it was saved earlier, or without nodes. */
function snapshotNote(reference: Reference, snapshot: string): Problem {
  const { record } = reference;
  const address = isType(record, "AAAA") ? "IPv6 address" : record.node.isPrivate ? "private address" : "address";
  const summary = `${subjectOf(reference)}: the ${address} of the node "${record.node.label}" is not in ${snapshot}; the plan of the live zones decides`;
  return problem("node-in-snapshot", summary, placesOf(reference));
}

function withoutDigits(label: string): string {
  return labelKey(label).replace(/\d+/g, "");
}

/**
 * Refuses a file that refers to nodes whose addresses are not known.
 * @throws {ProblemError} `node-unresolved`
 */
export function refuseUnresolved({ zone, file }: ZoneOfFile, what: string, fix: Fix): void {
  const record = zone.records.filter(isReferring).find(isUnresolved);
  if (!record) return;
  const place = record.source?.via.at(-1) ?? record.node.at;
  throw problemError("node-unresolved", `${file} refers to nodes, so ${what}`, { place, fix });
}

/** `web-1 = 198.18.0.7 (node 12)`, at the reference, or at the use of its template in the zone file. */
function addressNote({ record }: Reference, node: AddressedNode): Problem {
  const { at } = record.node;
  const use = record.source?.via[0];
  const summary = `${node.label} = ${addressFor(record, node)} (node ${node.id})`;
  return problem("node-addresses", summary, { place: use ?? at });
}

function subjectOf({ read, record }: Reference): string {
  return `${shownName(relativeTo(record.owner, read.zone.name))} ${record.type}`;
}

function placesOf({ record }: Reference): Pick<Problem, "place" | "via"> {
  const via = record.source?.via ?? [];
  return { place: record.node.at, ...(via.length > 0 && { via }) };
}
