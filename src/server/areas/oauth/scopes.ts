import { parseScopes, scopeWords } from "../../../contract/scopes.ts";
import { spell } from "../../../contract/words.ts";
import type { Profile } from "../../entities/context.ts";
import { OAuthError } from "./errors.ts";

/**
 * Reads scopes that a client asks for; profile live knows both spellings.
 * @throws {OAuthError} for none and for unknown ones.
 */
export function readScopes(text: string, profile: Profile): string[] {
  const wanted = parseScopes(profile === "live" ? spell("scopes", text, "documented") : text);
  if (wanted.length === 0) throw new OAuthError("invalid_scope", "scope is missing");
  if (!wanted.every((word) => scopeWords.includes(word)))
    throw new OAuthError("invalid_scope", "scope has an unknown word");
  return [...new Set(wanted)];
}

/** Scopes in the words of the profile. */
export function writeScopes(scopes: string, profile: Profile): string {
  return profile === "live" ? spell("scopes", scopes, "live") : scopes;
}
