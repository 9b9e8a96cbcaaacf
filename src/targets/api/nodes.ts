import { ApiError } from "../../client/api-error.ts";
import type { CallOptions, ReadingClient } from "../../client/client.ts";
import { all } from "../../client/pages.ts";
import type { Conditions } from "../../contract/filter.ts";
import type { Node } from "../../contract/resources/node.ts";
import { nodeLabel } from "../../contract/resources/node-label.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { readAddress4, readAddress6 } from "../../dns/name/address.ts";
import { Fault } from "../../dns/name/fault.ts";
import { specialBlock } from "../../dns/name/special-address.ts";
import { asId } from "../../dns/zone/desired-live.ts";
import { labelKey } from "../../dns/zone/node-reference.ts";
import type { AddressedNode } from "../target.ts";

/** Labels in the filter of one request; with labels of 64 characters, the header has 4 KiB. */
const labelsAtOnce = 50;

/**
 * The nodes with these labels, or all that the token may see.
 * @throws {ProblemError} `node-access` if the token may not list nodes.
 */
export async function findNodes(
  listNodes: ReadingClient["listNodes"],
  labels: readonly string[] | "all",
  options: CallOptions = {},
): Promise<readonly AddressedNode[]> {
  try {
    if (labels === "all") return (await all(listNodes, {}, options)).map(addressesOf);
    const possible = labels.filter((label) => nodeLabel.safeParse(label).success);
    const wanted = new Map(possible.map((label) => [labelKey(label), label]));
    const spelled = [...wanted.values()];
    const found: AddressedNode[] = [];
    for (let at = 0; at < spelled.length; at += labelsAtOnce) {
      const filter = filterOf(spelled.slice(at, at + labelsAtOnce));
      found.push(...(await all(listNodes, { filter }, options)).map(addressesOf));
    }
    return found.filter(({ label }) => wanted.has(labelKey(label)));
  } catch (error) {
    if (!isRefusedToList(error)) throw error;
    const { detail, fix = "It needs the scope nodes:read_only." } = error.problem;
    throw problemError("node-access", "the token may not read the nodes that zone files refer to", { detail, fix });
  }
}

/** Whether the service refused to list nodes because of the token's scopes or its user. */
export function isRefusedToList(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.kind === "scope" || error.kind === "grant");
}

function filterOf(labels: readonly string[]): Conditions<"label"> {
  const [first, ...rest] = labels.map((label): Conditions<"label"> => ({ label }));
  return first && rest.length === 0 ? first : { "+or": [...(first ? [first] : []), ...rest] };
}

/**
 * The list of IPv4 addresses starts with the public ones. A private one after them is in a private network (RFC 1918);
 * an installation may also number its public addresses from such networks.
 */
function addressesOf({ id, label, ...lists }: Pick<Node, "id" | "label" | "ipv4" | "ipv6">): AddressedNode {
  const ipv4 = lists.ipv4.flatMap((text) => read(readAddress4, text));
  const [ipv6] = lists.ipv6 === null ? [] : read(readAddress6, lists.ipv6.replace(/\/\d+$/, ""));
  const publicIpv4 = ipv4.find((address) => !isPrivate(address)) ?? ipv4[0];
  const privateIpv4 = ipv4.findLast((address) => isPrivate(address) && address !== publicIpv4);
  return { id: asId(id), label, publicIpv4, privateIpv4, ipv6 };
}

/** An address in canonical form; none for a text that is invalid. */
function read(readAddress: (text: string) => string, text: string): string[] {
  try {
    return [readAddress(text)];
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

function isPrivate(address: string): boolean {
  return specialBlock(address)?.purpose === "private";
}
