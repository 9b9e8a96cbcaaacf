import { isIP } from "node:net";
import type { ApiErrorEntry } from "../../../../contract/errors.ts";
import type { NewInterface } from "../../../../contract/resources/node.ts";
import type { Profile } from "../../../entities/context.ts";
import { errorEntry } from "../../../kit/api-error.ts";

/** An interface of a configuration profile as replies show it. */
export interface StoredInterface {
  readonly purpose: "public" | "vlan";
  readonly label: string | null;
  readonly ipam_address: string | null;
}

/** The interfaces of a request as they are stored, and their errors (decisions/nodes#interfaces). */
export function readInterfaces(
  sent: readonly NewInterface[],
  { hasVlans, profile }: { readonly hasVlans: boolean; readonly profile: Profile },
): { interfaces: StoredInterface[]; errors: ApiErrorEntry[] } {
  const unset = profile === "documented" ? "" : null;
  const isLater = (index: number, isSame: (other: NewInterface) => boolean) => sent.slice(0, index).some(isSame);
  const errors = sent.flatMap(({ purpose, label, ipam_address }, index) => {
    const field = `interfaces[${index}]`;
    const isSet = (value: string | null | undefined) => value != null && value !== "";
    if (purpose === "public")
      return [
        ...(isLater(index, (other) => other.purpose === "public")
          ? [errorEntry(`${field}.purpose`, "Only one public interface is allowed")]
          : []),
        ...(isSet(label) ? [errorEntry(`${field}.label`, "A public interface has no label")] : []),
        ...(isSet(ipam_address) ? [errorEntry(`${field}.ipam_address`, "A public interface has no address")] : []),
      ];
    if (purpose !== "vlan") return [errorEntry(`${field}.purpose`, "Must be one of public, vlan")];
    const isRepeated = isLater(index, (other) => other.purpose === "vlan" && other.label === label);
    return [
      ...(hasVlans ? [] : [errorEntry("region", "region does not support VLANs")]),
      ...(/^[a-z0-9-]{1,64}$/.test(label ?? "")
        ? []
        : [errorEntry(`${field}.label`, "Must be 1-64 lower-case letters, digits and dashes")]),
      ...(isRepeated ? [errorEntry(`${field}.label`, "Must be unique")] : []),
      ...(isSet(ipam_address) && !isCidr(ipam_address ?? "")
        ? [errorEntry(`${field}.ipam_address`, "Must be an address with a prefix length, such as 10.0.0.1/24")]
        : []),
    ];
  });
  const interfaces = sent.map(({ purpose, label, ipam_address }): StoredInterface => {
    if (purpose === "vlan") return { purpose, label: label ?? "", ipam_address: ipam_address ?? "" };
    return { purpose: "public", label: unset, ipam_address: unset };
  });
  return { interfaces, errors: unique(errors) };
}

function isCidr(text: string): boolean {
  const [, address = "", prefix = ""] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  return isIP(address) !== 0 && Number(prefix) <= (isIP(address) === 4 ? 32 : 128);
}

/** Without repeated errors: each VLAN in a region without them would give the same. */
function unique(errors: readonly ApiErrorEntry[]): ApiErrorEntry[] {
  return [...new Map(errors.map((error) => [`${error.field} ${error.reason}`, error])).values()];
}
