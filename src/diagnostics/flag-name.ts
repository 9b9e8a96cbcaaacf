/** `dnsRateLimit` is `--dns-rate-limit`. */
export function flagName(name: string): string {
  return `--${spellWithHyphens(name)}`;
}

/** `listDomains` is `list-domains`. */
export function spellWithHyphens(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
