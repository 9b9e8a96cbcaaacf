import { withClient } from "../connect.ts";
import type { Context } from "../context.ts";
import type { ExitCode } from "../exit-code.ts";
import type { PlanningOptions } from "../planning.ts";
import { type VerifyingOptions, verifyZones } from "../verifying.ts";
import { desiredZones, readZones } from "../zones.ts";

/** `zonewright verify`: are the zones answered as their files say, by every server? Writes nothing. */
export async function verify(
  context: Context,
  args: readonly string[],
  options: PlanningOptions & VerifyingOptions,
): Promise<ExitCode> {
  const { desired } = desiredZones(context, options, readZones(context, options, args));
  return withClient(context, options, (client) =>
    verifyZones(context, client, new Map(desired.map((zone) => [zone, undefined])), options),
  );
}
