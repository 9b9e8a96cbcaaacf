import { advise } from "../../../diagnostics/advice.ts";
import { type ProblemError, problemError } from "../../../diagnostics/problem.ts";
import { managedOn } from "../../entities/account.ts";
import { updateAccountRow } from "../../entities/accounts-rows.ts";
import { accountEntity } from "../../entities/entities.ts";
import { addOperatorEvent } from "../../entities/operator-note.ts";
import type { Secrets } from "../../kit/secrets.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { Store } from "../../store/store.ts";
import { requireAccount } from "../users/accounts-operator.ts";
import { updateCredentialRow } from "./credentials-rows.ts";
import { keyProblem } from "./secret-key.ts";
import { type CredentialSecrets, openLogin, openSshKey, replaceSshKey, sshKeyOf } from "./secrets.ts";
import type { StoredSshKey } from "./ssh-keys-rows.ts";

/**
 * Enables or disables managed monitoring for an account. Returns false if nothing changes.
 * @throws {ProblemError} `account-unknown`
 */
export function setManaged(store: Store, name: string, isManaged: boolean, now: Date): Promise<boolean> {
  return store.write(async (db) => {
    const account = await requireAccount(db, name);
    const managed = isManaged ? managedOn : 0;
    if (account.managed === managed) return false;
    await updateAccountRow(db, account.id, { managed });
    await addOperatorEvent(
      db,
      account.id,
      isManaged ? "managed_enabled" : "managed_disabled",
      accountEntity(account),
      now,
    );
    return true;
  });
}

/** A credential as the operator lists it. */
export interface ListedCredential {
  readonly id: number;
  readonly account: string;
  readonly label: string;
  readonly last_decrypted: string | null;
}

/** The credentials of all accounts, in the order of their creation. */
export function listCredentials(store: Store): Promise<ListedCredential[]> {
  return store.read((db) =>
    db
      .selectFrom("managed_credentials")
      .innerJoin("accounts", "accounts.id", "managed_credentials.account_id")
      .select(["managed_credentials.id", "accounts.name as account", "label", "last_decrypted"])
      .orderBy("managed_credentials.id")
      .execute(),
  );
}

/**
 * Decrypts a credential, whose user sees when that was done last.
 * @throws {ProblemError} `credential-unknown`, `secret-key`
 */
export function showCredential(store: Store, id: number, secrets: Secrets, now: Date): Promise<CredentialSecrets> {
  return store.write(async (db) => {
    const credential = await db.selectFrom("managed_credentials").selectAll().where("id", "=", id).executeTakeFirst();
    if (credential === undefined)
      throw problemError("credential-unknown", `credential ${id} does not exist`, {
        fix: advise`Run ${{ run: "server operator credential list" }} to list the credentials.`,
      });
    const login = openLogin(secrets, credential);
    if (login === undefined) throw otherKey(`credential ${id}`);
    await updateCredentialRow(db, id, { last_decrypted: timestamp(now) });
    return login;
  });
}

/** The operator's key pair for an account. */
export interface ShownSshKey extends Pick<StoredSshKey, "public_key"> {
  readonly privateKey: string;
}

/**
 * Reads the operator's key pair for an account, and makes it at first need.
 * @throws {ProblemError} `account-unknown`, `secret-key`
 */
export function showSshKey(store: Store, name: string, secrets: Secrets): Promise<ShownSshKey> {
  return store.write(async (db) => {
    const { id } = await requireAccount(db, name);
    const key = await sshKeyOf(db, id, secrets);
    const privateKey = openSshKey(secrets, id, key);
    if (privateKey === undefined) throw otherKey(`the SSH key of the account "${name}"`);
    return { public_key: key.public_key, privateKey };
  });
}

/**
 * Makes a new key pair of the operator for an account, and returns its public key.
 * @throws {ProblemError} `account-unknown`, `secret-key`
 */
export function renewSshKey(store: Store, name: string, secrets: Secrets): Promise<string> {
  return store.write(async (db) => {
    const { id } = await requireAccount(db, name);
    return (await replaceSshKey(db, id, secrets)).public_key;
  });
}

function otherKey(what: string): ProblemError {
  return keyProblem(
    `${what} was encrypted with another key`,
    "Use the key of the server that stored it: its ZONEWRIGHT_SECRET_KEY, or the file secret.key in its data folder.",
  );
}
