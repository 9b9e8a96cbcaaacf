import * as imports from "../actions/domains.ts";
import type { Handlers } from "../kit/context.ts";
import * as account from "../resources/account.ts";
import * as domains from "../resources/domains.ts";
import * as events from "../resources/events.ts";
import * as nodeTypes from "../resources/node-types.ts";
import * as profile from "../resources/profile.ts";
import * as records from "../resources/records.ts";
import * as zoneFile from "../resources/zone-file.ts";

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
