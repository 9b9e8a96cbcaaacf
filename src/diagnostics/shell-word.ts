/** A word of a command line, to be pasted into a shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** `dnsRateLimit` is `--dns-rate-limit`. */
export function flagName(name: string): string {
  return `--${spellWithHyphens(name)}`;
}

/** `listDomains` is `list-domains`. */
export function spellWithHyphens(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
