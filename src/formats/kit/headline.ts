import { type Name, relativeTo, shownName } from "../../dns/name/name.ts";

/** The subject of a problem, as far as known. */
export interface ProblemSubject {
  readonly owner?: Name | undefined;
  readonly type?: string | undefined;
  /** The invalid part as written. */
  readonly value?: string | undefined;
}

const longestValue = 60;

/** The message of an error after owner, type and value, without those that the message already contains. */
export function headline(message: string, zone: Name, { owner, type, value }: ProblemSubject): string {
  const part = value?.replace(/^'(.*)'$/s, "$1"); // quotes of YAML
  const words = [
    ...(owner === undefined ? [] : [shownName(relativeTo(owner, zone))]),
    ...(type === undefined || hasWord(message, type) ? [] : [type]),
    ...(part === undefined || part === "" || isNamed(message, part) ? [] : [quotedValue(part)]),
  ];
  return words.length === 0 ? message : `${words.join(" ")}: ${message}`;
}

/** Unless it is quoted, a short value may be part of any word, and one letter an article. */
function isNamed(message: string, value: string): boolean {
  if (value.length > 3) return message.includes(value);
  return hasWord(message, value) && (value.length > 1 || message.includes(`"${value}"`));
}

function hasWord(message: string, word: string): boolean {
  return ` ${message.replace(/[,:;]/g, " ")} `.includes(` ${word} `) || message.includes(`"${word}"`);
}

function quotedValue(written: string): string {
  const value = written.replace(/\s+/g, " ").trim();
  const shown = value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
  return /^"/.test(shown) ? `${shown}${shown === value ? "" : '"'}` : `"${shown}"`;
}
