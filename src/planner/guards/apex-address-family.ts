import { canonical } from "../../dns/zone/zone.ts";
import { effectsAt, type Finding, type Guard, recordsAt } from "../risk/guard.ts";

/** An apex that loses its addresses of one family and keeps or gets those of the other. */
export const apexAddressFamily: Guard = {
  guard: "G15",
  title: "apex address family",
  about: "deletes all IPv4 or all IPv6 addresses of the apex",
  of: { kinds: ["change", "delete"] },
  counts: `Counts the A and the AAAA records of the apex. At least one of each has to remain if there was one.`,
  examples: {
    valid: ["- @ A 192.0.2.1", "+ @ A 192.0.2.2", "  @ AAAA 2001:db8::1"],
    invalid: {
      lines: ["  @ A 192.0.2.1", "- @ AAAA 2001:db8::1"],
      finding: "example.com AAAA: deletes the last IPv6 address (1 AAAA record); 1 A record remains",
    },
  },
  *check(zone) {
    for (const [lost, kept, family] of [
      ["A", "AAAA", "IPv4"],
      ["AAAA", "A", "IPv6"],
    ] as const) {
      const count = recordsAt(zone.before, zone.zone, lost).length;
      if (count === 0 || recordsAt(zone.after, zone.zone, lost).length > 0) continue;
      const keptRecords = recordsAt(zone.after, zone.zone, kept);
      const stays = keptRecords.length;
      if (stays === 0) continue; // the last address: G03
      const records = `${count} ${lost} record${count === 1 ? "" : "s"}`;
      const text = `deletes the last ${family} address (${records}); ${stays} ${kept} record${stays === 1 ? "" : "s"} remain${stays === 1 ? "s" : ""}`;
      const facts = keptRecords.map((record) => `${zone.zone} ${kept} ${canonical(record)}`);
      yield { text, effects: effectsAt(zone, zone.zone, lost), facts } satisfies Finding;
    }
  },
};
