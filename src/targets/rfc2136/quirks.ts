import type { ServerProgram } from "./server-program.ts";

/**
 * The treatment of some updates by a server, so that they are sent in another way (decisions/dynamic-updates#order).
 */
export interface Quirks {
  /**
   * A CNAME that is added after the RRsets of its name were deleted one by one is lost, and the name is empty. One that
   * is added after the name was deleted is not. Signed zones of Knot 3.2, 2026-11.
   */
  readonly losesCnameAfterSets: boolean;
  /**
   * A record of the zone's NS set that is added again keeps its TTL, unless another one joins the set. Knot 3.2,
   * 2026-11.
   */
  readonly keepsTtlOfNs: boolean;
}

/** The effects of quirks on updates, in words. */
export function quirkTexts({ losesCnameAfterSets, keepsTtlOfNs }: Quirks): string[] {
  return [
    ...(losesCnameAfterSets ? ["a name is deleted before it gets a CNAME"] : []),
    ...(keepsTtlOfNs ? ["NS records of the zone get another TTL one by one, and a single one never does"] : []),
  ];
}

/** The quirks of a server. One whose program is unknown may be Knot. */
export function quirksOf(program: ServerProgram | undefined, { isSigned }: { readonly isSigned: boolean }): Quirks {
  const mayBeKnot = program === undefined || program === "Knot";
  return { losesCnameAfterSets: mayBeKnot && isSigned, keepsTtlOfNs: mayBeKnot };
}
