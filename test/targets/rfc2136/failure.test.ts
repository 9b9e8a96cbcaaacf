import { expect, test } from "vitest";
import { rcode } from "../../../src/dns/transfer/codes.ts";
import { rcodeError } from "../../../src/dns/transfer/transfer-error.ts";
import { queryRefusedError, replyError, transferError } from "../../../src/targets/rfc2136/failure.ts";
import { programOf } from "../../../src/targets/rfc2136/server-program.ts";
import { domainName } from "../../names.ts";
import { updateKey } from "./desk.ts";

/** Texts in which servers state their versions, as seen in November 2026; the last one is that of no server. */
const versions = [
  "9.18.49-1~deb12u3-Debian",
  "Knot DNS 3.2.6",
  "NSD 4.6.1",
  "PowerDNS Authoritative Server 4.7.3 (built Nov 30 2022 00:00:00 by root@localhost)",
  "Technitium DNS Server 13",
  "none of your business",
];

test("advice is about the program of the server, or about all if it is unknown", async () => {
  const to = { zone: domainName("example.com."), server: { host: "192.0.2.53", port: 53 }, key: updateKey };
  const reply = { tsigError: undefined, serverTime: undefined, isProven: true };
  const pages = versions.map((version) => {
    const at = { ...to, program: programOf(version) };
    const rows = {
      "REFUSED for a query": queryRefusedError(at),
      "REFUSED for a transfer": transferError(at, rcodeError(rcode.REFUSED)),
      "REFUSED for an update": replyError(at, { ...reply, rcode: rcode.REFUSED }),
      NOTAUTH: replyError(at, { ...reply, rcode: rcode.NOTAUTH }),
      NOTIMP: replyError(at, { ...reply, rcode: rcode.NOTIMP }),
      SERVFAIL: replyError(at, { ...reply, rcode: rcode.SERVFAIL }),
      FORMERR: replyError(at, { ...reply, rcode: rcode.FORMERR }),
    };
    const lines = Object.entries(rows).map(([title, { problem }]) => `${title}: ${problem.fix}\n`);
    return `# ${version}\n${lines.join("")}`;
  });
  await expect(pages.join("\n")).toMatchFileSnapshot("../../cases/update-errors/programs.txt");
});
