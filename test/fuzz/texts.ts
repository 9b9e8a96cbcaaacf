import * as fc from "fast-check";

/** Texts that mean something to a database, a page, a header, a path, a template or a reader of JSON. */
const hostileTexts = [
  ...["\0", "\ud800", "\u202e", "a\r\nSet-Cookie: a=b", "' or 1=1 --", '"; drop table users; --', "%", "_", "\\"],
  ...[
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{7*7}}",
    "$" + "{jndi:ldap://a}",
    "../../etc/passwd",
  ],
  ...["__proto__", "constructor", "NaN", "1e999", "x".repeat(5000), "é".repeat(300)],
];

/** Any text at all. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(...hostileTexts),
);
/** Most of the time the one, now and then the other. */
export function mostly<T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: rare });
}
