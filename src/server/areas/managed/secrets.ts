import * as z from "zod";
import type { Secrets } from "../../kit/secrets.ts";
import type { Database, ManagedCredentialRow } from "../../store/tables.ts";
import { createSshKeyPair } from "./openssh-key.ts";
import { findManagedSshKeyRow, type StoredSshKey, storeManagedSshKey } from "./ssh-keys-rows.ts";

const login = z.object({ username: z.string(), password: z.string() });
export type CredentialSecrets = z.output<typeof login>;

export function sealLogin(secrets: Secrets, id: number, { username, password }: CredentialSecrets): string {
  return secrets.seal(JSON.stringify({ username, password }), placeOfCredential(id));
}

/** Undefined if it was sealed with another key. */
export function openLogin(secrets: Secrets, { id, sealed }: ManagedCredentialRow): CredentialSecrets | undefined {
  const opened = secrets.open(sealed, placeOfCredential(id));
  return opened === undefined ? undefined : login.parse(JSON.parse(opened));
}

function placeOfCredential(id: number): string {
  return `managed credential ${id}`;
}

const comment = "managed@zonewright";

/** The operator's key pair for an account that is locked; it is made at first need. */
export async function sshKeyOf(db: Database, account_id: number, secrets: Secrets): Promise<StoredSshKey> {
  return (await findManagedSshKeyRow(db, account_id)) ?? replaceSshKey(db, account_id, secrets);
}

/** Makes a key pair for an account that is locked, and forgets the one before. */
export async function replaceSshKey(db: Database, account_id: number, secrets: Secrets): Promise<StoredSshKey> {
  const { publicKey, privateKey } = createSshKeyPair(comment);
  const key = { public_key: publicKey, sealed: secrets.seal(privateKey, placeOfKey(account_id)) };
  await storeManagedSshKey(db, account_id, key);
  return key;
}

/** Undefined if it was sealed with another key. */
export function openSshKey(secrets: Secrets, account_id: number, { sealed }: StoredSshKey): string | undefined {
  return secrets.open(sealed, placeOfKey(account_id));
}

function placeOfKey(account_id: number): string {
  return `managed ssh key ${account_id}`;
}
