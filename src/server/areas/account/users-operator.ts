import { randomUUID } from "node:crypto";
import { type AdvisedStep, advise, type Fix } from "../../../diagnostics/advice.ts";
import { problemError } from "../../../diagnostics/problem.ts";
import { findLockedAccount } from "../../entities/accounts-rows.ts";
import { userEntity } from "../../entities/entities.ts";
import { addGrants, listGrants, removeGrants } from "../../entities/grants-rows.ts";
import { addOperatorEvent } from "../../entities/operator-note.ts";
import { operatorName } from "../../entities/operator-rows.ts";
import { hashPassword } from "../../kit/passwords.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { Store } from "../../store/store.ts";
import type { Database, GrantedType, Permissions, UserRow } from "../../store/tables.ts";
import { findDomainByName, findDomainRow } from "../domains/domains-rows.ts";
import { findEntity, parseEntityId } from "../users/entities-operator.ts";
import { findSimilarUser, findUserByName, isPasswordSet as someHasPassword } from "../users/users-rows.ts";

/** A user to create; the account is created with its first user. */
export interface NewUser {
  readonly username: string;
  /** Account that owns the user's domains; by default one of the user's name. */
  readonly account?: string | undefined;
  readonly email?: string;
  /** Whether the user may do only what grants allow. */
  readonly restricted?: boolean;
  /** Whether a restricted user may create domains. */
  readonly addDomains?: boolean;
  /** Whether a restricted user may create nodes. */
  readonly addNodes?: boolean;
  /** Access of a restricted user to the account's own data; by default none. */
  readonly accountAccess?: Permissions | undefined;
  readonly now: Date;
}

/** A user as it is listed. */
export interface ShownUser {
  readonly username: string;
  readonly account: string;
  readonly restricted: boolean;
  readonly addDomains: boolean;
  readonly addNodes: boolean;
  readonly accountAccess: Permissions | null;
  readonly grants: readonly { type: Grantable; label: string; permissions: Permissions }[];
}

/** Whether a user or an account can have this name, which is a part of URLs. */
export function isName(name: string): boolean {
  return /^[\w.@-]{1,64}$/.test(name) && name !== "." && name !== "..";
}

/** Creates the user, and says whether the account is new. @throws {ProblemError} `user-exists` */
export function addUser(store: Store, wanted: NewUser): Promise<{ isNewAccount: boolean }> {
  return store.writeAlone(async (db) => {
    const account = await findAccount(db, wanted.account ?? wanted.username);
    const user = await insertUser(db, wanted);
    await addOperatorEvent(db, user.account_id, "user_create", userEntity(user), wanted.now);
    return { isNewAccount: account === undefined };
  });
}

export function listAllUsers(store: Store): Promise<ShownUser[]> {
  return store.read(async (db) => {
    const users = await db
      .selectFrom("users")
      .innerJoin("accounts", "accounts.id", "users.account_id")
      .select(["users.id", "users.username", "accounts.name as account", "users.restricted", "users.add_domains"])
      .select(["users.account_access", "users.add_nodes"])
      .orderBy("users.username")
      .execute();
    const grants = await listAllGrants(db);
    return users.map(({ id, username, account, restricted, add_domains, add_nodes, account_access }) => ({
      username,
      account,
      restricted: restricted === 1,
      addDomains: add_domains === 1,
      addNodes: add_nodes === 1,
      accountAccess: account_access,
      grants: grants.filter(({ user_id }) => user_id === id),
    }));
  });
}

/** The types of entities that the operator can grant access to. */
export const grantable = ["domain", "node", "volume", "firewall"] as const satisfies readonly GrantedType[];
type Grantable = (typeof grantable)[number];

/** The grants of all users by type, then by label. */
async function listAllGrants(db: Database) {
  const all = [];
  for (const type of grantable) all.push(...(await listGrants(db, type)).map((row) => ({ type, ...row })));
  return all;
}

/**
 * Sets the grant of a restricted user on an entity of their account, which a label or an id names; undefined removes
 * it.
 * @throws {ProblemError} `user-unknown`, `user-unrestricted`, `grant-domain`, `grant-node`, `grant-volume`,
 * `grant-firewall`.
 */
export function setGrant(
  store: Store,
  username: string,
  label: string,
  permissions: Permissions | undefined,
  now: Date,
  type: Grantable = "domain",
): Promise<void> {
  return store.write(async (db) => {
    const user = await requireRestrictedUser(db, username);
    const entity_id = await (type === "domain"
      ? requireDomainOf(db, user, label)
      : requireEntity(db, user, type, label));
    const entity = { entity_type: type, entity_id };
    if (permissions) await addGrants(db, { user_id: user.id, ...entity, permissions });
    else await removeGrants(db, user.id, entity);
    await addOperatorEvent(db, user.account_id, "user_update", userEntity(user), now);
  });
}

/** The domain of a user's account, locked, because its deletion also deletes the grants on it. */
async function requireDomainOf(db: Database, { username, account_id }: UserRow, domain: string): Promise<number> {
  const id = parseEntityId(domain);
  const found = await (id === undefined ? findDomainByName(db, account_id, domain) : findDomainRow(db, account_id, id));
  if (found) return found.id;
  const fields = [`domain=${domain}`, "type=master", "soa_email=<address>"];
  const fix = advise`Create it with a token of this account: ${{ call: "createDomain", with: { set: fields } }}.`;
  throw problemError("grant-domain", `the account of "${username}" has no domain "${domain}"`, { fix });
}

/** For entities that are granted: the id of the problem of unknown ones, and the command that lists them. */
const unknownEntity = {
  node: ["grant-node", { run: "server operator node list" }],
  volume: ["grant-volume", { call: "listVolumes" }],
  firewall: ["grant-firewall", { call: "listFirewalls" }],
} as const;

/** An entity of a user's account, which is locked, because the deletion of the entity also deletes the grants on it. */
async function requireEntity(
  db: Database,
  { username, account_id }: UserRow,
  type: Exclude<Grantable, "domain">,
  name: string,
): Promise<number> {
  const [problemId, command] = unknownEntity[type];
  await findLockedAccount(db, "id", account_id);
  const id = await findEntity(db, account_id, { type, name }, problemId);
  if (id !== undefined) return id;
  const fix = advise`Run ${command} to list the ${type}s.`;
  throw problemError(problemId, `the account of "${username}" has no ${type} "${name}"`, { fix });
}

/** Rights of a restricted user beside grants; what is undefined stays as it is. */
export interface AccessChange {
  /** Access to the account's own data; null for none. */
  readonly accountAccess?: Permissions | null | undefined;
  /** Whether the user may create domains. */
  readonly addDomains?: boolean | undefined;
  /** Whether the user may create nodes. */
  readonly addNodes?: boolean | undefined;
}

/** @throws {ProblemError} `user-unknown`, `user-unrestricted`. */
export function setAccess(
  store: Store,
  username: string,
  { accountAccess, addDomains, addNodes }: AccessChange,
  now: Date,
): Promise<void> {
  return store.write(async (db) => {
    const user = await requireRestrictedUser(db, username);
    const { account_access, add_domains, add_nodes } = user;
    const rights = {
      account_access: accountAccess === undefined ? account_access : accountAccess,
      add_domains: addDomains === undefined ? add_domains : Number(addDomains),
      add_nodes: addNodes === undefined ? add_nodes : Number(addNodes),
    };
    await db.updateTable("users").set(rights).where("id", "=", user.id).execute();
    await addOperatorEvent(db, user.account_id, "user_update", userEntity(user), now);
  });
}

/** Limits on a password: in characters, and in different ones. */
const shortest = 12;
const longest = 1024;
const leastVaried = 5;

/**
 * Sets the password with which a user signs in, and ends the user's sessions.
 * @throws {ProblemError} `user-unknown`, `password-weak`
 */
export async function setPassword(store: Store, username: string, password: string, now: Date): Promise<void> {
  const user = await store.read((db) => requireUser(db, username));
  requireStrong(password, username);
  const derived = await hashPassword(password);
  await store.write(async (db) => {
    await db.updateTable("users").set({ password: derived }).where("id", "=", user.id).execute();
    await db.deleteFrom("sessions").where("user_id", "=", user.id).execute();
    await addOperatorEvent(db, user.account_id, "user_update", userEntity(user), now);
  });
}

/** @throws {ProblemError} `password-weak` */
export function requireStrong(password: string, username: string): void {
  const weakness = weaknessOf(password, username);
  if (weakness === undefined) return;
  const fix = `Choose ${shortest} characters or more, not counting the user name, that are hard to guess; several random words are easy to remember.`;
  throw problemError("password-weak", `the password ${weakness}`, { fix });
}

/** Whether any user can sign in. */
export function hasPasswords(store: Store): Promise<boolean> {
  return store.read(someHasPassword);
}

function weaknessOf(password: string, username: string): string | undefined {
  const characters = [...password];
  if (characters.length < shortest) return `is shorter than ${shortest} characters`;
  if (characters.length > longest) return `is longer than ${longest} characters`;
  if (new Set(characters).size < leastVaried) return `has fewer than ${leastVaried} different characters`;
  const rest = password.toLowerCase().replaceAll(username.toLowerCase(), "");
  return [...rest].length < shortest ? `has fewer than ${shortest} characters besides the user name` : undefined;
}

/** `needed` are the options that a new user needs. @throws {ProblemError} `user-unknown` */
export async function requireUser(db: Database, username: string, needed: Needed = {}) {
  const user = await findUserByName(db, username);
  if (user) return user;
  const similar = await findSimilarUser(db, username);
  const fix = similar ? `The user is called "${similar.username}".` : adviseCreation(username, needed);
  throw problemError("user-unknown", `the user "${username}" does not exist`, { fix });
}

/** Options of the command that creates a user. */
type Needed = NonNullable<Extract<AdvisedStep, { run: "server user add" }>["with"]>;

function adviseCreation(username: string, needed: Needed): Fix {
  return isName(username) && !isOperator(username)
    ? advise`Create it: ${{ run: "server user add", args: [username], with: needed }}.`
    : advise`Run ${{ run: "server user list" }} to list the users.`;
}

const ofAccount: Needed = { account: "<account>", restricted: true };

/** @throws {ProblemError} `user-unknown`, `user-unrestricted` */
async function requireRestrictedUser(db: Database, username: string) {
  const user = await requireUser(db, username, ofAccount);
  if (user.restricted === 1) return user;
  const fix = advise`An unrestricted user may do everything in the account. Create a restricted one: ${{ run: "server user add", args: ["<name>"], with: ofAccount }}.`;
  throw problemError("user-unrestricted", `the user "${username}" is not restricted`, { fix });
}

function isOperator(username: string): boolean {
  return username.toLowerCase() === operatorName;
}

/**
 * Creates the user, and the account if it is new, in a transaction that excludes others: names are compared without
 * regard to letter case, which no index does.
 * @throws {ProblemError} `user-reserved` for the name of the operator; `user-exists` if the name is taken, in any
 * letter case.
 */
export async function insertUser(db: Database, wanted: NewUser): Promise<UserRow> {
  if (isOperator(wanted.username)) {
    const summary = `the name "${wanted.username}" belongs to the operator of the server, who answers tickets`;
    throw problemError("user-reserved", summary, { fix: "Choose another name." });
  }
  const similar = await findSimilarUser(db, wanted.username);
  if (similar) {
    const fix =
      similar.username === wanted.username ? "Choose another name." : "Names must differ by more than letter case.";
    throw problemError("user-exists", `the user "${similar.username}" already exists`, { fix });
  }
  const { username, account = username, email = "", restricted = false, now } = wanted;
  const { addDomains = false, addNodes = false } = wanted;
  const account_access = wanted.accountAccess ?? null;
  const account_id = await accountId(db, account, now);
  const row = { account_id, username, email, created: timestamp(now) };
  const rights = {
    restricted: Number(restricted),
    add_domains: Number(addDomains),
    add_nodes: Number(addNodes),
    account_access,
  };
  return db
    .insertInto("users")
    .values({ ...row, ...rights })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function accountId(db: Database, name: string, now: Date): Promise<number> {
  const known = await findAccount(db, name);
  if (known !== undefined) return known.id;
  const row = { name, company: name, created: timestamp(now), euuid: randomUUID() };
  return (await db.insertInto("accounts").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

function findAccount(db: Database, name: string) {
  return db.selectFrom("accounts").select("id").where("name", "=", name).executeTakeFirst();
}
