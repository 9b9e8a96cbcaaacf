import { accountOf } from "../../../entities/account.ts";
import type { Settings } from "../../../entities/context.ts";
import { applyDueWork } from "../../../entities/jobs.ts";
import { listRows } from "../../../store/rows.ts";
import { chargeNode, chargeVolume, hasPrices } from "../../billing/charges.ts";
import { listChargedEntities, listPayers } from "../../billing/charges-rows.ts";

/**
 * Adjusts the charges of all accounts to the catalogue, whose prices may have changed since the last start. Due work is
 * settled first at the old prices.
 */
export async function applyPrices(settings: Settings, now: Date): Promise<void> {
  const { store, catalog } = settings;
  const accounts = await store.read(hasPrices(catalog) ? listPayers : listChargedEntities);
  for (const accountId of accounts) {
    let isDue = true;
    while (isDue) isDue = await store.write((db) => applyDueWork(db, { accountId }, now, settings));
    await store.write(async (db) => {
      await accountOf(db, accountId);
      for (const node of await listRows(db, "nodes", { account_id: accountId }))
        await chargeNode(db, node, { catalog, now });
      for (const volume of await listRows(db, "volumes", { account_id: accountId }))
        await chargeVolume(db, volume, { catalog, now });
    });
  }
}
