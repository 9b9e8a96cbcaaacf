import { escapeOnPage } from "../../../diagnostics/escape.ts";
import { isLocalPart } from "./mail-address.ts";

/** A person with an e-mail address. */
export interface Mailbox {
  readonly name: string;
  readonly email: string;
}

/** A message before it is written. */
export interface Mail {
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly subject: string;
  /** Lines, separated by `\n`. */
  readonly text: string;
  readonly date: Date;
  /** A word that no other message has. */
  readonly token: string;
}

/**
 * The octets of a message (RFC 5322), all ASCII, with lines that end in CRLF. Control characters of its texts become
 * visible escapes: a program that decodes an encoded line end could write it as a header.
 */
export function composeMessage({ from, to, subject, text, date, token }: Mail): string {
  const headers = [
    `Date: ${date.toUTCString().replace("GMT", "+0000")}`,
    `From: ${mailbox(from)}`,
    `To: ${mailbox(to)}`,
    `Subject: ${isPlain(subject) ? subject : encodeWords(escapeOnPage(subject))}`,
    `Message-ID: <${token}@${from.email.slice(from.email.lastIndexOf("@") + 1)}>`,
    "Auto-Submitted: auto-generated", // no automatic reply (RFC 3834 §5)
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
  ];
  return `${headers.join("\r\n")}\r\n\r\n${quotePrintable(text)}`;
}

function mailbox({ name, email }: Mailbox): string {
  // Atoms only: other characters would need quotes or be comments.
  const shown =
    /^[\w-]+(?: [\w-]+)*$/.test(name) && name.length <= longestPlain ? name : encodeWords(escapeOnPage(name));
  return name === "" ? `<${addressOf(email)}>` : `${shown}\r\n <${addressOf(email)}>`;
}

/** An address, whose local part is quoted if it has other characters than those of e-mail addresses. */
function addressOf(email: string): string {
  const at = email.lastIndexOf("@");
  const [local, host] = [email.slice(0, at), email.slice(at + 1)];
  return `${isLocalPart(local) ? local : `"${local.replace(/["\\]/g, "\\$&")}"`}@${host}`;
}

/** Limit on the characters of a text that is written as it is, so that no line needs to be folded. */
const longestPlain = 66;

/** Whether a text needs no encoding in a header: words of ASCII with single spaces, none like an encoded word. */
function isPlain(text: string): boolean {
  return /^[!-~]+(?: [!-~]+)*$/.test(text) && text.length <= longestPlain && !text.includes("=?");
}

/** Limit on the octets of an encoded word: its line has at most 76 characters, with `Subject: ` (RFC 2047 §2). */
const longestWord = 39;

/** Encodes a text in words of whole characters, each on a line of its own (RFC 2047). */
function encodeWords(text: string): string {
  const words: string[] = [];
  let word = "";
  for (const character of text) {
    if (Buffer.byteLength(word + character) > longestWord) {
      words.push(word);
      word = "";
    }
    word += character;
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString("base64")}?=`).join("\r\n ");
}

/** Limit on the characters of a line (RFC 2045 §6.7), without the `=` of a line that continues. */
const longestLine = 75;

/** Encodes a text by quoted-printable (RFC 2045 §6.7). */
function quotePrintable(text: string): string {
  return text
    .split("\n")
    .map((line) => `${foldLine(quoteLine(escapeOnPage(line)))}\r\n`)
    .join("");
}

/** The octets of a line: printable ASCII as it is, but no space at the end, which mail servers may remove. */
function quoteLine(line: string): string[] {
  const octets = [...Buffer.from(line)];
  return octets.map((octet, index) => {
    const isSpace = octet === 0x20 && index < octets.length - 1;
    const isReadable = octet > 0x20 && octet < 0x7f && octet !== 0x3d;
    if (isSpace || isReadable) return String.fromCharCode(octet);
    return `=${octet.toString(16).toUpperCase().padStart(2, "0")}`;
  });
}

function foldLine(parts: readonly string[]): string {
  const lines: string[] = [];
  let line = "";
  for (const part of parts) {
    if (line.length + part.length > longestLine) {
      lines.push(line);
      line = "";
    }
    line += line === "" && part === "." ? "=2E" : part; // a line of a dot ends a message in SMTP
  }
  return [...lines, line].join("=\r\n");
}
