/**
 * The text of a master file, safe to show: what a terminal would obey is written as `\027` (RFC 1035 §5.1), and no line
 * holds what a CI takes for a command (`::error::`, `##[…]`). To a name server it says the same.
 */
export function masterText(text: string): string {
  return text
    .replace(/^(\s*):(?=:)/gm, "$1\\058")
    .replace(hostile, (character) =>
      [...Buffer.from(character)].map((octet) => `\\${String(octet).padStart(3, "0")}`).join(""),
    );
}

/** As `plain`, except that tabs and line ends stay. */
const hostile =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|#(?=#(?:vso)?\[)/gi;
