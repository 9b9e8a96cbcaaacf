import { specialBlock } from "../../dns/name/special-address.ts";
import { newAddresses } from "../risk/addresses.ts";
import { excusedNames, type Guard, noLimit } from "../risk/guard.ts";

export const specialPurposeAddress: Guard = {
  guard: "G12",
  title: "special-purpose address",
  about: "publishes a special-purpose address, if its name is not `lenient` for the rule `private-address`",
  ofNew: true,
  counts: `Looks for new addresses in the IANA special-purpose registries and similar blocks. ${noLimit}`,
  zoneSetting: "lenient: [private-address]",
  examples: {
    valid: ["+ intranet A 198.51.100.1"],
    invalid: {
      lines: ["+ intranet A 10.0.0.1"],
      finding: "intranet.example.com A: publishes the private address 10.0.0.1 (10.0.0.0/8, RFC 1918)",
    },
  },
  *check(zone) {
    const excused = excusedNames(zone, "private-address");
    for (const { effect, address } of newAddresses(zone)) {
      const special = excused.has(effect.name) ? undefined : specialBlock(address);
      if (special === undefined) continue;
      const text = `publishes the ${special.purpose} address ${address} (${special.block}, ${special.source})`;
      yield { text, effects: [effect] };
    }
  },
};
