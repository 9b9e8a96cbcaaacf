import { advise } from "../../../diagnostics/advice.ts";
import { type ProblemError, problemError } from "../../../diagnostics/problem.ts";
import { accountOf } from "../../entities/account.ts";
import { sshKeyEntity } from "../../entities/entities.ts";
import { addOperatorEvent } from "../../entities/operator-note.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { Store } from "../../store/store.ts";
import type { SshKeyRow } from "../../store/tables.ts";
import { isPublicKey, isSameKey, longestPublicKey } from "../users/public-key.ts";
import * as sshKeys from "../users/ssh-keys-rows.ts";
import { requireUser } from "./users-operator.ts";

/** A public SSH key to add to a user. */
export interface NewSshKey {
  readonly username: string;
  /** Name of the key. */
  readonly label: string;
  /** As in OpenSSH's `.pub` files. */
  readonly key: string;
  readonly now: Date;
}

/**
 * Adds a public SSH key to a user and returns its id. Nodes can then be deployed with the user in `authorized_users`.
 * @throws {ProblemError} `user-unknown`, `ssh-key` if the text is not a public key, `ssh-key-exists`
 */
export function addSshKey(store: Store, { username, label, key, now }: NewSshKey): Promise<number> {
  const ssh_key = key.trim();
  if (!isPublicKey(ssh_key) || ssh_key.length > longestPublicKey) throw notPublic(ssh_key);
  return store.write(async (db) => {
    const user = await requireUser(db, username);
    await accountOf(db, user.account_id); // locked, so that two processes do not add the same key
    const keys = (await sshKeys.listSshKeysOfUser(db, [user.id])).get(user.id) ?? [];
    const same = keys.find((known) => isSameKey(known.ssh_key, ssh_key));
    if (same) throw alreadyAdded(username, same);
    const row = await sshKeys.insertSshKeyRow(db, { user_id: user.id, label, ssh_key, created: timestamp(now) });
    await addOperatorEvent(db, user.account_id, "user_ssh_key_add", sshKeyEntity(row), now);
    return row.id;
  });
}

function alreadyAdded(username: string, { id, label }: SshKeyRow): ProblemError {
  const fix = advise`To give it another label, remove it with ${{ run: "server user key remove", args: [id] }} and add it again.`;
  return problemError("ssh-key-exists", `user "${username}" has this SSH key already: ${id} "${label}"`, { fix });
}

/** The text is not shown, because it may be a private key. */
function notPublic(text: string): ProblemError {
  const isPrivate = text.includes("PRIVATE KEY");
  const summary = isPrivate ? "the file contains a private key" : "the file does not contain a public SSH key";
  const fix = isPrivate
    ? "Name the file of the public key, which ends in .pub; the private one was not stored."
    : "Name a file with one line such as `ssh-ed25519 AAAA… user@host`, for example ~/.ssh/id_ed25519.pub.";
  return problemError("ssh-key", summary, { fix });
}

/** The public SSH keys of all users, by user. */
export function listSshKeys(store: Store): Promise<sshKeys.OwnedKey[]> {
  return store.read(sshKeys.listAllSshKeys);
}

/** Removes a public SSH key and returns whose it was. @throws {ProblemError} `ssh-key-unknown` */
export function removeSshKey(store: Store, id: number, now: Date): Promise<sshKeys.OwnedKey> {
  return store.write(async (db) => {
    const key = await sshKeys.findSshKeyRow(db, id);
    if (key === undefined) {
      const fix = advise`Run ${{ run: "server user key list" }} to list the keys.`;
      throw problemError("ssh-key-unknown", `SSH key ${id} does not exist`, { fix });
    }
    await sshKeys.removeSshKeyRow(db, id);
    await addOperatorEvent(db, key.account_id, "user_ssh_key_delete", sshKeyEntity(key), now);
    return key;
  });
}
