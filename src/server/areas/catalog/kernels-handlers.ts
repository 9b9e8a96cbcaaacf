import type { Kernel } from "../../../contract/resources/kernel.ts";
import type { Catalog } from "../../catalog/schema.ts";
import type { Handler, Profile } from "../../entities/context.ts";
import { notFound } from "../../kit/api-error.ts";
import { pageList } from "../../kit/list-of.ts";

export const listKernels: Handler<"listKernels"> = ({ query, filter }, { catalog, profile }) =>
  pageList(
    catalog.kernels.map((kernel) => kernelReply(kernel, profile)),
    { filter, ...query },
  );

export const getKernel: Handler<"getKernel"> = async ({ kernelId }, { catalog, profile }) => {
  const kernel = catalog.kernels.find(({ id }) => id === kernelId);
  if (kernel === undefined) throw notFound();
  return kernelReply(kernel, profile);
};

/** The live service no longer has Xen. */
function kernelReply({ xen, ...kernel }: Catalog["kernels"][number], profile: Profile): Kernel {
  const { id, label, version, kvm, ...rest } = kernel;
  return { id, label, version, kvm, ...(profile === "documented" && { xen }), ...rest };
}
