import { type ApiErrorEntry, reasons } from "../../../contract/errors.ts";
import type {
  ManagedCredential,
  ManagedCredentialUpdate,
  NewManagedCredential,
} from "../../../contract/resources/managed-credential.ts";
import type { Handler } from "../../entities/context.ts";
import { resource } from "../../entities/resource.ts";
import { errorEntry, Refusal, refuseIfAny } from "../../kit/api-error.ts";
import { countRows, findRow, hasRow, makeWrites, updateRow } from "../../store/rows.ts";
import type { AccountRow, Database, ManagedCredentialRow } from "../../store/tables.ts";
import * as credentials from "./credentials-rows.ts";
import { findManagedAccount, requireRoom } from "./find.ts";
import { openLogin, sealLogin, sshKeyOf } from "./secrets.ts";
import { findManagedSshKeyRow } from "./ssh-keys-rows.ts";

const resourceOfCredentials = resource({
  parent: findManagedAccount,
  rows: {
    list: ({ db, parent }, wanted) => credentials.listCredentialRows(db, parent.id, wanted),
    find: ({ db, parent }, { credentialId }: { credentialId: number }) =>
      findRow(db, "managed_credentials", { id: credentialId, account_id: parent.id }),
    ...makeWrites("managed_credentials"),
  },
  replies: (rows) => rows.map(credentialReply),
});

export const listManagedCredentials: Handler<"listManagedCredentials"> = resourceOfCredentials.list;
export const getManagedCredential: Handler<"getManagedCredential"> = resourceOfCredentials.get;

export const createManagedCredential: Handler<"createManagedCredential"> = resourceOfCredentials.create({
  async columns({ label }: NewManagedCredential, { db, parent }) {
    refuseIfAny(await labelErrors(db, parent, label));
    requireRoom(await countRows(db, "managed_credentials", { account_id: parent.id }), "credentials");
    return { account_id: parent.id, label, sealed: "" };
  },
  async complete({ id }, { username, password }, { db, context }) {
    const login = { username: username ?? "", password };
    await updateRow(db, "managed_credentials", id, { sealed: sealLogin(context.secrets, id, login) });
  },
});

export const updateManagedCredential: Handler<"updateManagedCredential"> = resourceOfCredentials.update({
  async changes({ label }: ManagedCredentialUpdate, credential, { db, parent }) {
    refuseIfAny(await labelErrors(db, parent, label ?? credential.label, credential.id));
    return { label: label ?? credential.label };
  },
});

export const deleteManagedCredential: Handler<"deleteManagedCredential"> = resourceOfCredentials.remove({});
export const revokeManagedCredential: Handler<"revokeManagedCredential"> = resourceOfCredentials.remove({});

/** The username stays as it is unless the request has one, which one sealed with a lost key needs. */
export const updateManagedPassword: Handler<"updateManagedPassword"> = (input, context) =>
  context.store.write(async (db) => {
    const credential = await resourceOfCredentials.find(db, input, context, "read_write");
    const { password } = input.body;
    const username = input.body.username ?? openLogin(context.secrets, credential)?.username;
    if (username === undefined)
      throw new Refusal(400, [errorEntry("username", "username is required: the stored one cannot be decrypted")]);
    await updateRow(db, "managed_credentials", credential.id, {
      sealed: sealLogin(context.secrets, credential.id, { username, password }),
    });
    return {};
  });

/** The operator's public key for the account; the pair is made at first need. */
export const getManagedSshKey: Handler<"getManagedSshKey"> = async (_, context) => {
  const { store, secrets } = context;
  const known = await store.read(async (db) => {
    const { id } = await findManagedAccount(db, {}, context, "read_only");
    return findManagedSshKeyRow(db, id);
  });
  const { public_key } =
    known ??
    (await store.write(async (db) => {
      const { id } = await findManagedAccount(db, {}, context, "read_write");
      return sshKeyOf(db, id, secrets);
    }));
  return { ssh_key: public_key };
};

async function labelErrors(db: Database, { id }: AccountRow, label: string, except?: number): Promise<ApiErrorEntry[]> {
  const isTaken = await hasRow(db, "managed_credentials", { account_id: id, label }, except);
  return isTaken ? [errorEntry("label", reasons.labelTaken)] : [];
}

/** A stored credential as a reply shows it: never its username and password. */
function credentialReply({ id, label, last_decrypted }: ManagedCredentialRow): ManagedCredential {
  return { id, label, last_decrypted };
}
