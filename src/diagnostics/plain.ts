/**
 * Text from outside, safe to show on a terminal or in a log: control characters, ANSI sequences and bidirectional
 * overrides become visible escapes (`\x1b`, `\u202e`). Line breaks too: what comes from outside stays on its line.
 */
export function plain(text: string): string {
  const shown = text.replace(hostile, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
  // Runners of GitHub Actions and Azure obey ##[command] wherever it stands in a line.
  return shown.replaceAll("##[", "##\\x5b");
}

/** A line that starts with text from outside: runners of GitHub Actions obey one that begins with `::`, also behind spaces. */
export function plainLine(text: string): string {
  return plain(text).replace(/^(\s*):(?=:)/, "$1\\x3a");
}

const hostile =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff]/gu;
