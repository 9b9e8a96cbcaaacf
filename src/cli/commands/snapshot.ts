import { resolve } from "node:path";
import { count } from "../../diagnostics/plain.ts";
import { jsonText } from "../../report/json-text.ts";
import { type ApiOptions, baseUrl } from "../../workflow/connect.ts";
import { targetOf } from "../../workflow/plan-file.ts";
import { openProject, type ProjectOptions } from "../../workflow/project.ts";
import { writeFiles } from "../../workflow/write-files.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { withApi } from "../with-api.ts";

export interface SnapshotOptions extends ProjectOptions, ApiOptions {
  readonly out?: string;
}

/** `zonewright snapshot`: the live zones of the account as one file, to plan against without a token. */
export async function snapshot(context: Context, options: SnapshotOptions): Promise<ExitCode> {
  const time = `${context.now().toISOString().slice(0, 19)}Z`;
  const project = openProject(context, options);
  const taken = await withApi(context, project, options, async (service) => {
    const target = await targetOf(service, baseUrl(context, project, options), context.signal);
    return service.takeSnapshot({ time, target }, context.signal);
  });
  if (options.out === undefined) {
    context.out(jsonText(taken));
    return exitCode.done;
  }
  const fix = "Name a file in a folder that this user may write.";
  writeFiles([{ path: resolve(context.cwd, options.out), file: options.out, text: jsonText(taken) }], fix);
  const records = taken.domains.reduce((sum, domain) => sum + domain.records.length, 0);
  context.talk(`${count(taken.domains.length, "zone")} with ${count(records, "record")} in ${options.out}\n`);
  return exitCode.done;
}
