/** The OAuth scopes (both documents, Authentication). */
export const scopes = [
  "account:read_only",
  "account:read_write",
  "domains:read_only",
  "domains:read_write",
  "events:read_only",
  "maintenance:read_only",
  "nodes:read_only",
  "nodes:read_write",
] as const;

export type Scope = (typeof scopes)[number];

/** The words for scopes of a token: scopes, all of an area, or everything. */
export const scopeWords: readonly string[] = [
  "*",
  ...scopes,
  ...new Set(scopes.map((scope) => `${scope.slice(0, scope.indexOf(":"))}:*`)),
];

/** The scopes of a token: `"*"` for all, or items of `scopes` separated by spaces or commas. */
export function parseScopes(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/**
 * Whether a token with these scopes may call an endpoint that requires `needed`. `read_write` includes `read_only`, and
 * `*` includes everything.
 */
export function allows(granted: readonly string[], needed: Scope): boolean {
  const area = needed.slice(0, needed.indexOf(":"));
  return granted.some(
    (scope) => scope === "*" || scope === needed || scope === `${area}:*` || scope === `${area}:read_write`,
  );
}

/** Whether a token with these scopes may do all that one with `word`, one of `scopeWords`, may. */
export function covers(granted: readonly string[], word: string): boolean {
  if (word === "*") return granted.includes("*");
  return scopes.every((scope) => !allows([word], scope) || allows(granted, scope));
}

/** An area of scopes, as people know it. */
const areas: Readonly<Record<string, string>> = {
  account: "the account: its data, sign-ins, applications, tags and tickets",
  domains: "domains and their records",
  events: "events",
  maintenance: "maintenance",
  nodes: "compute nodes",
};

/** The actions that one of `scopeWords` allows, for people. */
export function describeScope(word: string): string {
  if (word === "*") return "Do everything that you may do";
  const [area = "", access] = word.split(":");
  return `${access === "read_only" ? "Read" : "Read and change"} ${areas[area] ?? area}`;
}
