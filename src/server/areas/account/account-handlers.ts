import type { Account, AccountSettings } from "../../../contract/resources/account.ts";
import { hasAccountAccess, hasManaged, readAccount } from "../../entities/account.ts";
import type { Handler, Profile, Settings } from "../../entities/context.ts";
import { accountEntity } from "../../entities/entities.ts";
import { addEvent } from "../../entities/events.ts";
import { refuseIfAny } from "../../kit/api-error.ts";
import { updateRow } from "../../store/rows.ts";
import type { AccountRow, Database } from "../../store/tables.ts";
import { dollarsOf } from "../billing/amounts.ts";
import { readBalance } from "../billing/balance.ts";
import { readUninvoiced } from "../billing/invoices.ts";
import { maintenancePolicy } from "../nodes/rows/nodes.ts";
import { readContactData, unsetContactData } from "./account-rules.ts";

/** Users without access to the account see the fields that plans are bound to, and the others as unset. */
export const getAccount: Handler<"getAccount"> = (_, context) =>
  context.store.read(async (db) => {
    const { caller, now } = context;
    const account = await readAccount(db, caller);
    if (!hasAccountAccess(caller, "account:read_only"))
      return reply(withoutPersonalData(account), nothingOwed, context);
    return reply(account, await readBalances(db, account, now), context);
  });

export const updateAccount: Handler<"updateAccount"> = ({ body }, context) =>
  context.store.write(async (db) => {
    const before = await readAccount(db, context.caller);
    const { fields, errors } = readContactData(body, before);
    refuseIfAny(errors);
    const account = await updateRow(db, "accounts", before.id, fields);
    await addEvent(db, context, "account_update", { entity: accountEntity(account) });
    return reply(account, await readBalances(db, account, context.now), context);
  });

/** Amounts in US dollars: due, and used since the last invoice. */
interface Balances {
  readonly balance: number;
  readonly balance_uninvoiced: number;
}

const nothingOwed: Balances = { balance: 0, balance_uninvoiced: 0 };

async function readBalances(db: Database, account: AccountRow, now: Date): Promise<Balances> {
  return {
    balance: await readBalance(db, account),
    balance_uninvoiced: dollarsOf(await readUninvoiced(db, account, now)),
  };
}

export const getAccountSettings: Handler<"getAccountSettings"> = (_, { store, caller, profile }) =>
  store.read(async (db) => settingsReply(await readAccount(db, caller), profile));

/** Products that this service does not have are off, as in an account of the hosted service without them. */
function settingsReply(account: AccountRow, profile: Profile): AccountSettings {
  const { backups_enabled, network_helper } = account;
  return {
    backups_enabled: backups_enabled === 1,
    managed: hasManaged(account, profile),
    network_helper: network_helper === 1,
    metrics_subscription: null,
    object_storage: "disabled",
    interfaces_for_new_nodes: "legacy_config_only",
    ...(profile === "live" && { maintenance_policy: maintenancePolicy }),
  };
}

function withoutPersonalData(account: AccountRow): AccountRow {
  const { company } = account;
  return { ...account, ...unsetContactData, company, card_last_four: null, card_expiry: null };
}

/** Every account of the hosted service has an address; this one receives nothing (RFC 2606). */
const noAddress = "owner@account.invalid";

/**
 * A stored account as a reply shows it (decisions/account#account-data, decisions/service#order-of-keys). Its
 * capabilities are those of any region.
 */
function reply(
  account: AccountRow,
  { balance, balance_uninvoiced }: Balances,
  { profile, catalog }: Settings,
): Account {
  const { card_last_four: digits } = account;
  return {
    company: account.company,
    email: account.email || (profile === "live" ? noAddress : ""),
    first_name: account.first_name,
    last_name: account.last_name,
    address_1: account.address_1,
    address_2: account.address_2,
    city: account.city,
    state: account.state,
    zip: account.zip,
    country: account.country,
    phone: account.phone,
    balance,
    tax_id: account.tax_id,
    credit_card: {
      last_four: digits === null || profile === "live" ? digits : Number(digits),
      expiry: account.card_expiry,
    },
    balance_uninvoiced,
    active_since: account.created,
    capabilities: [...new Set(catalog.regions.flatMap(({ capabilities }) => capabilities))],
    active_promotions: [],
    euuid: account.euuid,
  };
}
