import type { RecordsSetting } from "./resources/open-record.ts";

/** The values of the setting, the default first; apart from the schemas of records, which a config does not need. */
export const recordsSettings = ["documented", "open"] as const satisfies readonly RecordsSetting[];

/** The header with which a server says that its records are open. */
export const recordsHeader = "X-Records";
