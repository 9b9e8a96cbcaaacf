import * as z from "zod";
import { moment, openEnum, word } from "../meta.ts";

/** A kernel of the catalogue (decisions/documents#kernels). */
export const kernel = z.object({
  id: word("id", z.string().describe("Id of the kernel")),
  label: z.string().describe("Name of the kernel"),
  version: z.string().describe("Version of Linux or of the boot loader"),
  kvm: z.boolean().describe("Whether the kernel runs on KVM"),
  xen: z.boolean().optional().describe("Whether the kernel runs on Xen; absent in profile live"),
  architecture: openEnum(["x86_64", "i386"]),
  pvops: z.boolean().describe("Whether the kernel is paravirtualized"),
  deprecated: z.boolean().describe("Whether the kernel should no longer be chosen"),
  built: moment("When the kernel was built"),
});

export type Kernel = z.output<typeof kernel>;

/** Attributes of a kernel that `X-Filter` supports. */
export const kernelFilterable = [
  "architecture",
  "deprecated",
  "id",
  "kvm",
  "label",
  "pvops",
  "version",
  "xen",
] as const;
