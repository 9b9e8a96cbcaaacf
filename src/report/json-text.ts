/**
 * A value as JSON, indented, with a final line end. What a terminal or a CI's log would act on (control characters,
 * bidirectional overrides, `##[…]`) is an escape: the same JSON, safe to look at.
 */
export function jsonText(value: unknown): string {
  const json = JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|#(?=#(?:vso)?\[)/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${json}\n`;
}
