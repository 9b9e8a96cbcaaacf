import { type ApiOptions, withTarget } from "../workflow/connect.ts";
import type { Project } from "../workflow/project.ts";
import type { Context } from "./context.ts";

/** `withTarget`, saying each wait that the service asks for. */
export function withApi<T>(
  context: Context,
  project: Project,
  options: ApiOptions,
  action: Parameters<typeof withTarget<T>>[3],
): Promise<T> {
  const onWait = (why: string | undefined, seconds: number) => context.talk(`${why}; trying again in ${seconds} s\n`);
  return withTarget(context, project, { ...options, onWait }, action);
}
