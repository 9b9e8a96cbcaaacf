/** Carries out jobs, and so decides how long they take (decisions/nodes#simulation). */
export interface JobDriver {
  readonly name: string;
  /** Duration of a job that takes this many seconds at the hosted service. */
  seconds(usual: number): number | "until told";
}

/** Duration of simulated jobs by default, as a factor of that at the hosted service (decisions/nodes#jobs). */
export const defaultJobTime = 0.1;

/**
 * A driver that carries out nothing: each job takes the time that it takes at the hosted service, multiplied by
 * `factor`. With 0, it has ended when anyone looks.
 */
export function simulatedDriver(factor: number): JobDriver {
  return { name: "simulated", seconds: (usual) => usual * factor };
}

/** A driver whose jobs last until `tellJob` ends them, for tests. */
export const manualDriver: JobDriver = { name: "manual", seconds: () => "until told" };
