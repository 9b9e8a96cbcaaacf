import type { CommandGroup } from "../command.ts";
import { backupCommand } from "./backup.ts";
import { copyCommand } from "./copy.ts";
import { operatorCommand } from "./operator.ts";
import { tokenCommand } from "./token.ts";
import { userCommand } from "./user.ts";

/** `zonewright server`: commands on the database of the server, which need no running server. */
export const serverCommand: CommandGroup = {
  example: `  zonewright server token create             a token for a client
  zonewright server user add ci --account admin --restricted
  zonewright server user grant ci example.com read_write
  zonewright server backup zonewright-backup.db
  zonewright server copy --to postgres://zonewright@localhost/zones
  zonewright server operator ticket list
`,
  commands: {
    token: ["manage the server's tokens", tokenCommand],
    user: ["manage the server's users and their grants", userCommand],
    backup: ["copy the server's SQLite database, also while it serves", backupCommand],
    copy: ["copy the server's SQLite database into an empty PostgreSQL database", copyCommand],
    operator: ["manage accounts, nodes, tickets and more as the operator", operatorCommand],
  },
};
