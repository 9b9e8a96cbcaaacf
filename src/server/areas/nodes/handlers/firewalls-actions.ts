import type { Handler } from "../../../entities/context.ts";
import { firewallEntity } from "../../../entities/entities.ts";
import { addEvent } from "../../../entities/events.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { updateRow } from "../../../store/rows.ts";
import { findFirewall, rulesColumn, rulesReply } from "../jobs/firewalls.ts";

export const getFirewallRules: Handler<"getFirewallRules"> = ({ firewallId }, context) =>
  context.store.read(async (db) => rulesReply(await findFirewall(db, firewallId, context), context.profile));

/** Replaces the rules whole: the firewall keeps them and does not enforce them. */
export const updateFirewallRules: Handler<"updateFirewallRules"> = ({ firewallId, body }, context) =>
  context.store.write(async (db) => {
    const before = await findFirewall(db, firewallId, context, "read_write");
    const changes = { rules: rulesColumn(body, "", context.profile, before), updated: timestamp(context.now) };
    const firewall = await updateRow(db, "firewalls", before.id, changes);
    await addEvent(db, context, "firewall_update", { entity: firewallEntity(firewall) });
    return rulesReply(firewall, context.profile);
  });
