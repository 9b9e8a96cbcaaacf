import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { clientProgram, clientsFolder } from "./judge/suite.ts";

/** The program terraform-provider-linode. */
export const provider =
  process.env.ZONEWRIGHT_TERRAFORM_PROVIDER ?? join(clientsFolder, "terraform-provider/terraform-provider-linode");

/** Terraform, or OpenTofu. */
export const terraform = process.env.ZONEWRIGHT_TERRAFORM ?? clientProgram("terraform");

/** Lets Terraform in a folder use that provider and the API; returns the environment of its commands. */
export function terraformEnv(folder: string, { url, token }: { url: string; token: string }): Record<string, string> {
  const file = join(folder, "terraformrc");
  writeFileSync(
    file,
    `provider_installation {\n  dev_overrides {\n    "linode/linode" = "${dirname(provider)}"\n  }\n}\n`,
  );
  return {
    TF_CLI_CONFIG_FILE: file,
    CHECKPOINT_DISABLE: "1",
    LINODE_URL: url,
    LINODE_API_VERSION: "v4",
    LINODE_TOKEN: token,
  };
}
