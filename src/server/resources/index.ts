import type { Handlers } from "../handlers.ts";
import * as account from "./account.ts";
import * as domains from "./domains.ts";
import * as events from "./events.ts";
import * as imports from "./import.ts";
import * as nodeTypes from "./node-types.ts";
import * as profile from "./profile.ts";
import * as records from "./records.ts";
import * as zoneFile from "./zone-file.ts";

/** The whole API: what is missing here does not compile. */
export const handlers: Handlers = {
  ...account,
  ...domains,
  ...events,
  ...imports,
  ...nodeTypes,
  ...profile,
  ...records,
  ...zoneFile,
};
