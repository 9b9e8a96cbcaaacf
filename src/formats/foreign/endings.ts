/** The endings of the files of other tools, with the dot. */
export const foreignEndings = [".json", ".tfstate", ".tsv", ".js", ".zone", ".zones", ".db"] as const;

export type ForeignEnding = (typeof foreignEndings)[number];
