import { type Rule, slipsOf } from "../rule.ts";

export const textUnquoted: Rule = {
  id: "text-unquoted",
  set: "dns",
  severity: "error",
  why: "In a master file a semicolon outside of quotes begins a comment, and words without quotes are strings of their own, which readers join without spaces (RFC 1035 §5.1, RFC 7208 §3.3).",
  example: {
    format: "bind",
    ok: '$TTL 1h\n@ TXT "v=spf1 mx -all"',
    ko: "$TTL 1h\n@ TXT v=spf1 mx -all\nmail._domainkey TXT v=DKIM1; k=rsa; p=",
  },
  check: slipsOf("text-unquoted"),
};
