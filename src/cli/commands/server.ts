import type { CommandGroup } from "../command.ts";
import { command as backup } from "./backup.ts";
import { command as operator } from "./operator.ts";
import { command as token } from "./token.ts";
import { command as user } from "./user.ts";

/** `zonewright server`: commands on the database of the server, which need no running server. */
export const command: CommandGroup = {
  example: `  zonewright server token create             a token for a client
  zonewright server user add ci --account admin --restricted
  zonewright server user grant ci example.com read_write
  zonewright server backup zonewright-backup.db
  zonewright server operator ticket list
`,
  commands: {
    token: ["manage the server's tokens", token],
    user: ["manage the server's users and their grants", user],
    backup: ["copy the server's SQLite database, also while it serves", backup],
    operator: ["manage accounts, nodes, tickets and more as the operator", operator],
  },
};
