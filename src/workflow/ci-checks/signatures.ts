import type { Examination } from "../start/doctor.ts";
import type { ActionStep } from "./workflow-files.ts";

/** Whether plans are signed, and apply requires it. */
export function examineSignatures(steps: readonly ActionStep[]): Examination[] {
  const subject = "signatures";
  const has = (role: string, variable: string) => steps.some((step) => step.role === role && variable in step.env);
  const [isSigned, isVerified] = [has("plan", "ZONEWRIGHT_SIGNING_KEY"), has("apply", "ZONEWRIGHT_VERIFY_KEYS")];
  if (isSigned && isVerified)
    return [{ subject, state: "ok", text: "plan signs, and apply has ZONEWRIGHT_VERIFY_KEYS" }];
  if (isVerified) {
    const text = "apply has ZONEWRIGHT_VERIFY_KEYS, but plan has no ZONEWRIGHT_SIGNING_KEY: apply refuses every plan";
    return [{ subject, state: "fail", text, next: "Add ZONEWRIGHT_SIGNING_KEY to `env` of the step that plans." }];
  }
  if (isSigned) {
    const text = "plan signs, but apply has no ZONEWRIGHT_VERIFY_KEYS, so it takes plans without a signature";
    return [{ subject, state: "warn", text, next: "Add ZONEWRIGHT_VERIFY_KEYS to `env` of the step that applies." }];
  }
  return [{ subject, state: "ok", text: "none required: apply has no ZONEWRIGHT_VERIFY_KEYS" }];
}
