/**
 * A value as JSON over several lines. What a terminal or a runner would obey (control characters beyond ASCII,
 * bidirectional overrides, `##[command]`) is escaped, so the text is safe to show and means the same.
 */
export function json(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  const escaped = text.replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${escaped.replaceAll("##[", "#\\u0023[")}\n`;
}
