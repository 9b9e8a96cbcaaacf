import type { CommandGroup } from "../command.ts";
import { group as account } from "./operator-account.ts";

export const command: CommandGroup = {
  commands: {
    account: ["list accounts, reopen cancelled ones", account],
  },
};
