import type { FirewallRules } from "../../contract/resources/firewall.ts";
import type { Handler } from "../kit/context.ts";
import { firewallEntity } from "../kit/entities.ts";
import { addEvent } from "../kit/events.ts";
import { timestamp } from "../kit/timestamp.ts";
import { findFirewall, rulesColumn } from "../nodes/firewalls.ts";
import * as firewalls from "../store/firewalls.ts";
import type { FirewallRow } from "../store/tables.ts";

export const getFirewallRules: Handler<"getFirewallRules"> = ({ firewallId }, context) =>
  context.store.read(async (db) => rulesOf(await findFirewall(db, firewallId, context)));

/** Replaces the rules whole: the firewall keeps them and does not enforce them. */
export const updateFirewallRules: Handler<"updateFirewallRules"> = ({ firewallId, body }, context) =>
  context.store.write(async (db) => {
    const { id } = await findFirewall(db, firewallId, context, "read_write");
    const changes = { rules: rulesColumn(body), updated: timestamp(context.now) };
    const firewall = await firewalls.update(db, id, changes);
    await addEvent(db, context, "firewall_update", { entity: firewallEntity(firewall) });
    return rulesOf(firewall);
  });

function rulesOf({ rules }: FirewallRow): FirewallRules {
  return JSON.parse(rules);
}
