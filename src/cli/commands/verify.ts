import { accept } from "../../targets/api/accept.ts";
import type { ApiOptions } from "../../workflow/connect.ts";
import { openProject, type ProjectOptions } from "../../workflow/project.ts";
import { type VerifyingOptions, verifyZones } from "../../workflow/verify.ts";
import { desiredZones, readZones } from "../../workflow/zones.ts";
import type { Context } from "../context.ts";
import type { ExitCode } from "../exit-code.ts";
import { showVerified } from "../show-verified.ts";
import { withApi } from "../with-api.ts";

/** `zonewright verify`: are the zones answered as their files say, by every server? Writes nothing. */
export async function verify(
  context: Context,
  args: readonly string[],
  options: ProjectOptions & ApiOptions & VerifyingOptions,
): Promise<ExitCode> {
  const project = openProject(context, options);
  const { desired } = desiredZones(project, readZones(project, args), accept);
  return withApi(context, project, options, async (target) =>
    showVerified(
      context,
      await verifyZones(context, target, new Map(desired.map((zone) => [zone, undefined])), options),
    ),
  );
}
