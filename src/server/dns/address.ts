import { readAddress6 } from "../../zone/address.ts";

/** An address of a peer in its one spelling: a socket of both families shows 192.0.2.1 as ::ffff:192.0.2.1, and a zone behind %. */
export function plainAddress(address: string): string {
  const [bare = ""] = address.split("%");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined || !bare.includes(":")) return mapped ?? bare;
  return readAddress6(bare);
}
