import { checkPolicy, type TagPolicy, uris } from "../policies/tag-rules.ts";
import type { Rule } from "../rule.ts";

const tlsrpt: TagPolicy = {
  name: "TLSRPT",
  version: "TLSRPTv1",
  isAt: ([first, second]) => first?.toLowerCase() === "_smtp" && second?.toLowerCase() === "_tls",
  tags: { rua: { ...uris("mailto", "https"), isRequired: true } },
};

export const tlsrptSyntax: Rule = {
  id: "tlsrpt-syntax",
  set: "practice",
  severity: "warning",
  why: "Senders ignore a malformed TLSRPT record and send no reports (RFC 8460 §3).",
  example: {
    ok: "records:\n  _smtp._tls: { TXT: v=TLSRPTv1; rua=mailto:reports@example.com }",
    ko: "records:\n  _smtp._tls: { TXT: v=TLSRPTv1; rua=reports@example.com }",
  },
  check: (zone) => checkPolicy(zone, tlsrpt),
};
