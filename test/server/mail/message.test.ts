import fc from "fast-check";
import { expect, test } from "vitest";
import { composeMessage, type Mail } from "../../../src/server/areas/mail/message.ts";
import { isMissing } from "../../judges.ts";
import { judgeMails } from "./judge.ts";

const mail: Mail = {
  from: { name: "zonewright", email: "zonewright@dns.example.com" },
  to: { name: "Ada Lovelace", email: "ada@example.com" },
  subject: "[ticket 1] Web shop is down",
  text: "It is down.\n\nNow.",
  date: new Date("2026-03-04T12:01:10Z"),
  token: "0123456789abcdef",
};

test("a message of ASCII is readable as it is", () => {
  expect(composeMessage(mail).split("\r\n")).toEqual([
    "Date: Wed, 04 Mar 2026 12:01:10 +0000",
    "From: zonewright",
    " <zonewright@dns.example.com>",
    "To: Ada Lovelace",
    " <ada@example.com>",
    "Subject: [ticket 1] Web shop is down",
    "Message-ID: <0123456789abcdef@dns.example.com>",
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "It is down.",
    "",
    "Now.",
    "",
  ]);
});

const long = "x".repeat(200);

test.each<[what: string, changed: Partial<Pick<Mail, "subject" | "text">>, lines: string[]]>([
  ["a subject of other characters", { subject: "Größe" }, ["Subject: =?UTF-8?B?R3LDtsOfZQ==?="]],
  ["a subject like an encoded word", { subject: "=?a?q?b?=" }, ["Subject: =?UTF-8?B?PT9hP3E/Yj89?="]],
  [
    "a subject of two lines",
    { subject: "a\r\nBcc: b@c.example" },
    ["Subject: =?UTF-8?B?YVx4MGRceDBhQmNjOiBiQGMuZXhhbXBsZQ==?="],
  ],
  ["a text of other characters", { text: "Größe = 5 €" }, ["Gr=C3=B6=C3=9Fe =3D 5 =E2=82=AC"]],
  ["a text with blanks at the end", { text: "a \nb" }, ["a=20", "b"]],
  ["a text with control characters", { text: "a\r\nb\u001b[31m" }, ["a\\x0d", "b\\x1b[31m"]],
  ["a text with a dot alone", { text: ".\n.." }, ["=2E", "=2E."]],
  ["a text of a long line", { text: long }, [`${"x".repeat(75)}=`, `${"x".repeat(75)}=`, "x".repeat(50)]],
])("%s is encoded", (_, changed, lines) => {
  expect(composeMessage({ ...mail, ...changed })).toContain(`\r\n${lines.join("\r\n")}\r\n`);
});

test.each<[email: string, written: string]>([
  ["ada@example.com", "ada@example.com"],
  ["ada.l+dns@example.com", "ada.l+dns@example.com"],
  ['"a,b"@example.com', '"a,b"@example.com'],
  ["a,b@example.com", '"a,b"@example.com'],
  [".a@example.com", '".a"@example.com'],
  ["a..b@example.com", '"a..b"@example.com'],
  ["<root>@example.com", '"<root>"@example.com'],
  ['a"b\\c@example.com', '"a\\"b\\\\c"@example.com'],
])("the address %s is written as one address", (email, written) => {
  expect(composeMessage({ ...mail, to: { name: "", email } })).toContain(`\r\nTo: <${written}>\r\n`);
});

/** Characters that end headers or lines, and that are invisible, as they are shown. */
const escapes: Record<string, string> = {
  "\r": "\\x0d",
  "\n": "\\x0a",
  "\0": "\\x00",
  "\t": "\\x09",
  "\u0085": "\\x85",
  "\u2028": "\\u2028",
  "\u202e": "\\u202e",
};
const escaped = (text: string) => [...text].map((character) => escapes[character] ?? character).join("");

/** These, characters that mean something in headers, and whole characters of other scripts. */
const character = fc.oneof(
  fc.constantFrom(...'\r\n\0\t \u0085\u2028\u202e.,;:<>()@"\\=?_-/'),
  fc.constantFrom(
    "a",
    "B",
    "7",
    "ü",
    "€",
    "字",
    "👩‍💻",
    "=?UTF-8?Q?a?=",
    "\r\nBcc: eve@example.org\r\n",
    "\n\n",
    "From ",
  ),
);
const text = fc.array(character, { maxLength: 120 }).map((parts) => parts.join(""));

test.skipIf(isMissing("python3"))("Python's e-mail package reads what was written, whatever the texts", () => {
  const sample = fc.sample(fc.tuple(text, text, text), 500);
  const sent = sample.map(([name, subject, text]) => ({ name, subject, text }));
  const messages = sent.map(({ name, subject, text }) =>
    composeMessage({ ...mail, to: { name, email: "ada@example.com" }, subject, text }),
  );
  for (const [index, read] of judgeMails(messages).entries()) {
    const { name, subject, text } = sent[index] ?? expect.fail();
    const { longest, ...rest } = read;
    expect(longest).toBeLessThanOrEqual(76);
    expect(rest).toEqual({
      names: [
        "Date",
        "From",
        "To",
        "Subject",
        "Message-ID",
        "Auto-Submitted",
        "MIME-Version",
        "Content-Type",
        "Content-Transfer-Encoding",
      ],
      from: [["zonewright", "zonewright@dns.example.com"]],
      to: [[escaped(name), "ada@example.com"]],
      addresses: ["ada@example.com"],
      subject: escaped(subject),
      date: "2026-03-04T12:01:10+00:00",
      id: "<0123456789abcdef@dns.example.com>",
      text: `${text.split("\n").map(escaped).join("\r\n")}\r\n`,
      defects: [],
      "other line ends": 0,
      "lines of a dot": 0,
      "is ASCII": true,
    });
  }
});
