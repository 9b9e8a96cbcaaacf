/**
 * The text of a zone file, safe to show: control sequences of terminals are written as `\027` (RFC 1035 §5.1), and
 * commands of CI systems (`::error::`, `##[…]`) are broken up. Its meaning to a name server is unchanged.
 */
export function zoneFileText(text: string): string {
  return text
    .replace(/^(\s*):(?=:)/gm, "$1\\058")
    .replace(hostile, (character) =>
      [...Buffer.from(character)].map((octet) => `\\${String(octet).padStart(3, "0")}`).join(""),
    );
}

/** Like `escapeControl`, but tabs and line ends stay. */
const hostile =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|#(?=#(?:vso)?\[)/gi;
