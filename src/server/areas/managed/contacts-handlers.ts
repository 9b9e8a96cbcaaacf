import type { ApiErrorEntry } from "../../../contract/errors.ts";
import type {
  ManagedContact,
  ManagedContactUpdate,
  NewManagedContact,
} from "../../../contract/resources/managed-contact.ts";
import type { Handler, Profile } from "../../entities/context.ts";
import { resource } from "../../entities/resource.ts";
import { errorEntry, refuseIfAny } from "../../kit/api-error.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { countRows, findRow, makeWrites } from "../../store/rows.ts";
import type { ManagedContactRow } from "../../store/tables.ts";
import { isMailAddress } from "../mail/mail-address.ts";
import * as contacts from "./contacts-rows.ts";
import { findManagedAccount, requireRoom } from "./find.ts";

const resourceOfContacts = resource({
  parent: findManagedAccount,
  rows: {
    list: ({ db, parent }, wanted) => contacts.listContactRows(db, parent.id, wanted),
    find: ({ db, parent }, { contactId }: { contactId: number }) =>
      findRow(db, "managed_contacts", { id: contactId, account_id: parent.id }),
    ...makeWrites("managed_contacts"),
  },
  replies: (rows, { context }) => rows.map((row) => contactReply(row, context.profile)),
});

export const listManagedContacts: Handler<"listManagedContacts"> = resourceOfContacts.list;
export const getManagedContact: Handler<"getManagedContact"> = resourceOfContacts.get;

export const createManagedContact: Handler<"createManagedContact"> = resourceOfContacts.create({
  async columns({ name, email, phone, group }: NewManagedContact, { db, context, parent }) {
    refuseIfAny(emailErrors(email));
    requireRoom(await countRows(db, "managed_contacts", { account_id: parent.id }), "contacts");
    return {
      account_id: parent.id,
      name,
      email,
      phone_primary: phone?.primary || null,
      phone_secondary: phone?.secondary || null,
      group: group ?? null,
      updated: timestamp(context.now),
    };
  },
});

export const updateManagedContact: Handler<"updateManagedContact"> = resourceOfContacts.update({
  changes({ name, email, phone, group }: ManagedContactUpdate, contact, { context }) {
    const changed = email ?? contact.email;
    refuseIfAny(emailErrors(changed));
    const sent = <T>(value: T | undefined, stored: T) => (value === undefined ? stored : value);
    return {
      name: name ?? contact.name,
      email: changed,
      phone_primary: sent(phone?.primary, contact.phone_primary) || null,
      phone_secondary: sent(phone?.secondary, contact.phone_secondary) || null,
      group: sent(group, contact.group),
      updated: timestamp(context.now),
    };
  },
});

export const deleteManagedContact: Handler<"deleteManagedContact"> = resourceOfContacts.remove({});

function emailErrors(email: string): ApiErrorEntry[] {
  return isMailAddress(email) ? [] : [errorEntry("email", "Must be an e-mail address")];
}

/** A stored contact as a reply shows it (decisions/account#managed-monitoring, decisions/service#order-of-keys). */
function contactReply(row: ManagedContactRow, profile: Profile): ManagedContact {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: {
      primary: row.phone_primary ?? (profile === "live" ? null : ""),
      secondary: row.phone_secondary,
    },
    group: row.group,
    updated: row.updated,
  };
}
