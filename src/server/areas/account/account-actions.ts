import { reasons } from "../../../contract/errors.ts";
import { hasManaged, managedOn, readAccount } from "../../entities/account.ts";
import type { Handler } from "../../entities/context.ts";
import { accountEntity } from "../../entities/entities.ts";
import { addEvent } from "../../entities/events.ts";
import { errorEntry, Refusal, refuseIfAny } from "../../kit/api-error.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { updateRow } from "../../store/rows.ts";
import { payBalance, readBalance } from "../billing/balance.ts";
import { invoiceNow } from "../billing/invoices.ts";
import { deleteAll } from "../nodes/jobs/delete.ts";
import { cancelAll } from "../transfers/cancel.ts";

/** Stores the last four digits and the expiry, nothing else of the card, and pays what the account owes. */
export const setCreditCard: Handler<"setCreditCard"> = ({ body }, context) =>
  context.store.write(async (db) => {
    const { now } = context;
    const month = `${body.expiry_year}-${String(body.expiry_month).padStart(2, "0")}`;
    if (month < timestamp(now).slice(0, "YYYY-MM".length))
      refuseIfAny([errorEntry("expiry_year", "Expiration date cannot be in the past")]);
    const { id } = await readAccount(db, context.caller);
    const [year, monthOfYear] = month.split("-");
    const account = await updateRow(db, "accounts", id, {
      card_last_four: body.card_number.slice(-4),
      card_expiry: `${monthOfYear}/${year}`,
    });
    await addEvent(db, context, "credit_card_updated", { entity: accountEntity(account) });
    await payBalance(db, account, context);
    return {};
  });

/** An account with managed monitoring stays as it is. */
export const enableManaged: Handler<"enableManaged"> = (_, context) =>
  context.store.write(async (db) => {
    const account = await readAccount(db, context.caller);
    if (hasManaged(account, context.profile)) return {};
    await updateRow(db, "accounts", account.id, { managed: managedOn });
    await addEvent(db, context, "managed_enabled", { entity: accountEntity(account) });
    return {};
  });

/**
 * Invoices the running month, charges the balance and closes the account: its tokens become invalid, its nodes, volumes
 * and firewalls are deleted, and its domains are not served until the operator reopens it.
 * @throws {Refusal} 409 for a balance that cannot be charged, 401 if another request has just closed the account;
 * nothing changes.
 */
export const cancelAccount: Handler<"cancelAccount"> = ({ body }, context) =>
  context.store.write(async (db) => {
    const { caller, now, surveyLink } = context;
    const account = await readAccount(db, caller);
    if (account.closed !== null) throw new Refusal(401, [{ reason: reasons.invalidToken }]);
    await invoiceNow(db, account, context);
    await payBalance(db, account, context);
    if ((await readBalance(db, account)) > 0) throw new Refusal(409, [{ reason: reasons.balanceOwed }]);
    await cancelAll(db, context);
    await deleteAll(db, context);
    await updateRow(db, "accounts", account.id, { closed: timestamp(now), closing_comments: body.comments ?? null });
    return { survey_link: surveyLink };
  });
