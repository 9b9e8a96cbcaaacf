import { listFirst } from "../../diagnostics/quantities.ts";
import { findSetting, type SettingValue } from "../../dns/zone/zone-settings.ts";
import { addressesIn } from "../risk/addresses.ts";
import { type Finding, type Guard, noLimit } from "../risk/guard.ts";

/** Changes of the addresses that may transfer the zone, and of its masters. */
export const zoneTransfers: Guard = {
  guard: "G22",
  title: "zone transfers",
  about: "opens zone transfers (axfr_ips), or changes the masters (master_ips)",
  ofNew: true,
  of: { kinds: ["setting"] },
  counts: `Looks for new addresses in \`axfr_ips\`, and for changes of \`master_ips\`. ${noLimit}`,
  examples: {
    valid: ["- ;@ axfr_ips: 192.0.2.53, 192.0.2.54", "+ ;@ axfr_ips: 192.0.2.53"],
    invalid: { lines: ["+ ;@ axfr_ips: 192.0.2.53"], finding: "example.com: lets 192.0.2.53 transfer the zone" },
  },
  *check({ effects, plan }, { secondaries, settings }) {
    for (const effect of effects.filter(({ kind }) => kind === "setting")) {
      const { transfers } = findSetting(settings, effect.type) ?? {};
      if (transfers === undefined) continue;
      const [were, are] = [effect.before, effect.after].map((text) =>
        text === null ? [] : addressesIn(JSON.parse(text) as SettingValue),
      );
      const isNew = plan.domainId === undefined;
      const added = (are ?? []).filter((address) => !were?.includes(address) && !(isNew && secondaries().has(address)));
      const text =
        transfers === "to"
          ? added.length > 0 && `lets ${list(added)} transfer the zone`
          : !isNew &&
            (were?.length ?? 0) > 0 &&
            `transfers the zone from ${list(are ?? [])} instead of ${list(were ?? [])}`;
      if (text) yield { text, effects: [effect] } satisfies Finding;
    }
  },
};

function list(addresses: readonly string[]): string {
  return addresses.length === 0 ? "no server" : listFirst(addresses);
}
