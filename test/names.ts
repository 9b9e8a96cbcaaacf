import { type Name, type NameKey, readExactName } from "../src/dns/name/name.ts";

/** A name as tests write it, checked; in lower case it is its own key. */
export function domainName<T extends string>(text: T): T extends Lowercase<T> ? NameKey : Name {
  return readExactName(text) as T extends Lowercase<T> ? NameKey : Name;
}

/** The same name in other letters. */
export function inUpperCase(name: Name): Name {
  return name.toUpperCase() as Name;
}
