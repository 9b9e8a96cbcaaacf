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
