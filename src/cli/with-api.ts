import { type ApiOptions, withClient } from "../workflow/connect.ts";
import type { Project } from "../workflow/project.ts";
import type { Context } from "./context.ts";

/** `withClient`, saying each wait that the service asks for. */
export function withApi<T>(
  context: Context,
  project: Project,
  options: ApiOptions,
  action: Parameters<typeof withClient<T>>[3],
): Promise<T> {
  const onWait = (why: string | undefined, seconds: number) => context.talk(`${why}; trying again in ${seconds} s\n`);
  return withClient(context, project, { ...options, onWait }, action);
}
