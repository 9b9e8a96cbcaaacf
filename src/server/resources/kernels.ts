import { notFound } from "../kit/api-error.ts";
import type { Handler } from "../kit/context.ts";
import { listOf } from "../kit/list-of.ts";

export const listKernels: Handler<"listKernels"> = ({ query, filter }, { catalog }) =>
  listOf(catalog.kernels, { filter, ...query });

export const getKernel: Handler<"getKernel"> = async ({ kernelId }, { catalog }) => {
  const kernel = catalog.kernels.find(({ id }) => id === kernelId);
  if (kernel === undefined) throw notFound();
  return kernel;
};
