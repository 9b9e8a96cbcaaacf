import { count } from "../../diagnostics/quantities.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";

/** Parts of a zone beside its records, which no undo of its deletion restores. */
export interface ZoneLosses {
  readonly disabled?: number | undefined;
  /** Records of unknown types, and others that are neither read nor written. */
  readonly others?: number | undefined;
  readonly isSigned?: true | undefined;
}

export function lossesOf({ unknownRecords = [], isSigned }: LiveZone): ZoneLosses {
  const stored = unknownRecords.filter(({ isOfService }) => !isOfService);
  const disabled = stored.filter(({ isDisabled }) => isDisabled).length;
  const others = stored.length - disabled;
  return { ...(disabled > 0 && { disabled }), ...(others > 0 && { others }), ...(isSigned && { isSigned }) };
}

/** The losses in words, such as "1 disabled record and the DNSSEC keys"; empty without one. */
export function lossesText({ disabled, others, isSigned }: ZoneLosses): string {
  const texts = [
    ...(disabled ? [count(disabled, "disabled record")] : []),
    ...(others ? [`${count(others, "record")} of other types`] : []),
    ...(isSigned ? ["the DNSSEC keys"] : []),
  ];
  const last = texts.pop() ?? "";
  return texts.length > 0 ? `${texts.join(", ")} and ${last}` : last;
}
