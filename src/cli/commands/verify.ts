import { type ApiOptions, withClient } from "../connect.ts";
import type { Context } from "../context.ts";
import type { ExitCode } from "../exit-code.ts";
import { openProject, type ProjectOptions } from "../project.ts";
import { type VerifyingOptions, verifyZones } from "../verifying.ts";
import { desiredZones, readZones } from "../zones.ts";

/** `zonewright verify`: are the zones answered as their files say, by every server? Writes nothing. */
export async function verify(
  context: Context,
  args: readonly string[],
  options: ProjectOptions & ApiOptions & VerifyingOptions,
): Promise<ExitCode> {
  const project = openProject(context, options);
  const { desired } = desiredZones(project, readZones(project, args));
  return withClient(context, project, options, (client) =>
    verifyZones(context, client, new Map(desired.map((zone) => [zone, undefined])), options),
  );
}
