import { type Rule, slipsOf } from "../rule.ts";

export const hashOwner: Rule = {
  id: "hash-owner",
  set: "practice",
  severity: "warning",
  why: 'A comment in a master file starts with ";" (RFC 1035 §5.1); a line that starts with "#" is a record like any other.',
  example: {
    format: "bind",
    ok: "$TTL 1h\n; old A 192.0.2.1",
    ko: "$TTL 1h\n#old A 192.0.2.1",
  },
  check: slipsOf("hash-owner"),
};
