import { problem } from "../../diagnostics/problem.ts";
import { decodeText } from "../../diagnostics/source-text.ts";
import type { ForeignFormat } from "./foreign-format.ts";

/** `dnsconfig.js`, which only DNSControl can run: recognised for advice. */
export const dnscontrolJs: ForeignFormat = {
  name: "configuration of DNSControl",
  endings: [".js"],
  recognises: ({ bytes }) => /\b(?:NewDnsProvider|NewRegistrar)\s*\(|^\s*D\(\s*["']/m.test(decodeText(bytes).text),
  read: ({ file }) => {
    const fix =
      "Run `dnscontrol print-ir > print-ir.json` and import that file; for live zones, `dnscontrol get-zones --format=zone`.";
    return { zones: [], problems: [problem("file-format", `${file} is a program of DNSControl`, { fix })] };
  },
};
