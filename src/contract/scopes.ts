/** The OAuth scopes of the specification, Authentication, in both documents. */
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

/** The scope words of one token: `"*"` for everything, or words of `scopes` apart by spaces or commas. */
export function parseScopes(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/**
 * Does a token with these scopes open an endpoint that asks for `needed`? `read_write` includes `read_only`, `*`
 * everything.
 */
export function allows(granted: readonly string[], needed: Scope): boolean {
  const area = needed.slice(0, needed.indexOf(":"));
  return granted.some(
    (scope) => scope === "*" || scope === needed || scope === `${area}:*` || scope === `${area}:read_write`,
  );
}
