import { apply, connect, createRunContext, openProject, type ProblemId, planZones, validateZones } from "zonewright";

const context = createRunContext(process);
const project = openProject(context, { config: "zonewright.yaml" });

export const ids: ProblemId[] = (await validateZones(project, [])).problems.map(({ id }) => id);

export async function run(): Promise<number> {
  return connect(context, project, {}, async (service) => {
    const { report } = await planZones(context, project, service, { names: [] });
    const { state, ...rest } = await apply(context, project, service, { names: [], confirm: async () => true });
    return report.plan.zones.length + (state === "run" && "run" in rest ? rest.run.written : 0);
  });
}

// @ts-expect-error `confirm` is required
void connect(context, project, {}, (service) => apply(context, project, service, { names: [] }));
