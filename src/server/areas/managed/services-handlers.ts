import type { ApiErrorEntry } from "../../../contract/errors.ts";
import type {
  ManagedService,
  ManagedServiceUpdate,
  NewManagedService,
} from "../../../contract/resources/managed-service.ts";
import type { Context, Handler } from "../../entities/context.ts";
import { managedServiceEntity } from "../../entities/entities.ts";
import { resource } from "../../entities/resource.ts";
import { errorEntry, refuseIfAny } from "../../kit/api-error.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { countRows, findRow, makeWrites } from "../../store/rows.ts";
import type { AccountRow, Database, ManagedServiceRow } from "../../store/tables.ts";
import { listCredentialIds } from "./credentials-rows.ts";
import { findManagedAccount, requireRoom } from "./find.ts";
import { endIssues } from "./issues.ts";
import { isPrivateAddress, readServiceAddress, type ServiceAddress } from "./service-address.ts";
import * as services from "./services-rows.ts";

const resourceOfServices = resource({
  parent: findManagedAccount,
  rows: {
    list: ({ db, parent }, wanted) => services.listServiceRows(db, parent.id, wanted),
    find: ({ db, parent }, { serviceId }: { serviceId: number }) =>
      findRow(db, "managed_services", { id: serviceId, account_id: parent.id }),
    ...makeWrites("managed_services"),
  },
  replies: (rows, { db }) => serviceReplies(db, rows),
  details: (row) => ({ entity: managedServiceEntity(row) }),
});

export const listManagedServices: Handler<"listManagedServices"> = resourceOfServices.list;
export const getManagedService: Handler<"getManagedService"> = resourceOfServices.get;

export const createManagedService: Handler<"createManagedService"> = resourceOfServices.create({
  event: "managed_service_create",
  async columns(body: NewManagedService, { db, context, parent }) {
    const { service_type, label, timeout } = body;
    const { target, errors } = readPlace(service_type, body.address, body.region ?? null, context);
    refuseIfAny([...errors, ...(await credentialErrors(db, parent, body.credentials ?? []))]);
    requireRoom(await countRows(db, "managed_services", { account_id: parent.id }), "services");
    return {
      account_id: parent.id,
      service_type,
      label,
      ...target,
      timeout,
      body: body.body || null,
      consultation_group: body.consultation_group ?? "",
      notes: body.notes ?? null,
      region: body.region ?? null,
      created: timestamp(context.now),
      updated: timestamp(context.now),
      ...pendingColumns(context),
    };
  },
  complete: ({ id }, { credentials }, { db }) => services.replaceServiceCredentials(db, id, credentials ?? []),
});

export const updateManagedService: Handler<"updateManagedService"> = resourceOfServices.update({
  async changes(body: ManagedServiceUpdate, service, { db, context, parent }) {
    const sent = <T>(value: T | undefined, stored: T) => (value === undefined ? stored : value);
    const service_type = body.service_type ?? service.service_type;
    const region = sent(body.region, service.region);
    const { target, errors } = readPlace(service_type, body.address ?? service.address, region, context);
    refuseIfAny([...errors, ...(await credentialErrors(db, parent, body.credentials ?? []))]);
    if (target.host !== service.host) await endIssues(db, service, context.now, service.id);
    const expected = sent(body.body, service.body) || null;
    const isOther =
      target.address !== service.address || service_type !== service.service_type || expected !== service.body;
    return {
      service_type,
      label: body.label ?? service.label,
      ...target,
      timeout: body.timeout ?? service.timeout,
      body: expected,
      consultation_group: body.consultation_group ?? service.consultation_group,
      notes: sent(body.notes, service.notes),
      region,
      updated: timestamp(context.now),
      ...(isOther && service.status !== "disabled" && pendingColumns(context)),
    };
  },
  async complete({ id }, { credentials }, { db }) {
    if (credentials) await services.replaceServiceCredentials(db, id, credentials);
  },
});

export const deleteManagedService: Handler<"deleteManagedService"> = resourceOfServices.remove({
  event: "managed_service_delete",
  prepare: (service, { db, context }) => endIssues(db, service, context.now, service.id),
});

const disable = resourceOfServices.update({
  changes: (_: object, { status, updated }, { context }) =>
    status === "disabled"
      ? { updated }
      : { status: "disabled" as const, next: null, failures: 0, updated: timestamp(context.now) },
  complete: (service, _, { db, context }) => endIssues(db, service, context.now),
});

const enable = resourceOfServices.update({
  changes: (_: object, { status, updated }, { context }) =>
    status === "disabled" ? { ...pendingColumns(context), updated: timestamp(context.now) } : { updated },
});

export const disableManagedService: Handler<"disableManagedService"> = (input, context) =>
  disable({ ...input, body: {} }, context);

export const enableManagedService: Handler<"enableManagedService"> = (input, context) =>
  enable({ ...input, body: {} }, context);

/** The columns of a service that is probed at once. */
function pendingColumns({ now }: Context) {
  return { status: "pending" as const, next: timestamp(now), failures: 0 };
}

/** The address as it will be stored, with the errors of address and region. */
function readPlace(
  type: ManagedServiceRow["service_type"],
  text: string,
  region: string | null,
  { catalog }: Context,
): { target: ServiceAddress; errors: ApiErrorEntry[] } {
  const target = readServiceAddress(type, text);
  const isKnown = region === null || catalog.regions.some(({ id }) => id === region);
  const isPrivate = target !== undefined && isPrivateAddress(target.host);
  return {
    target: target ?? { address: text, host: "" },
    errors: [
      ...(target === undefined ? [errorEntry("address", "address is not valid")] : []),
      ...(isKnown ? [] : [errorEntry("region", "region is not valid")]),
      ...(isPrivate && region === null ? [errorEntry("region", "region is required for a private address")] : []),
      ...(target !== undefined && !isPrivate && region !== null
        ? [errorEntry("region", "region may be set for a private address only")]
        : []),
    ],
  };
}

async function credentialErrors(
  db: Database,
  { id: account_id }: AccountRow,
  ids: readonly number[],
): Promise<ApiErrorEntry[]> {
  const known = await listCredentialIds(db, account_id, ids);
  return ids.flatMap((id, index) => {
    const field = `credentials[${index}]`;
    if (!known.includes(id)) return [errorEntry(field, `${field} is not valid`)];
    return ids.indexOf(id) < index ? [errorEntry(field, "Must be unique")] : [];
  });
}

/** Stored services as replies show them (decisions/account#managed-monitoring, decisions/service#order-of-keys). */
async function serviceReplies(db: Database, rows: readonly ManagedServiceRow[]): Promise<ManagedService[]> {
  const stored = await services.credentialsOfServices(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    service_type: row.service_type,
    label: row.label,
    address: row.address,
    timeout: row.timeout,
    body: row.body,
    consultation_group: row.consultation_group,
    notes: row.notes,
    region: row.region,
    credentials: stored.get(row.id) ?? [],
    created: row.created,
    updated: row.updated,
  }));
}
