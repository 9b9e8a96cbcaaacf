/** The values of the records setting, the default first. */
export const recordsSettings = ["documented", "open"] as const;

/**
 * The records of a server: those that the documents describe, or those of every type, with any TTL. This service has
 * the setting; others hold documented ones.
 */
export type RecordsSetting = (typeof recordsSettings)[number];

/** The header with which a server says that its records are open. */
export const recordsHeader = "X-Records";
