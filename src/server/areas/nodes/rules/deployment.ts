import type { ApiErrorEntry } from "../../../../contract/errors.ts";
import type { NewNode } from "../../../../contract/resources/node.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import type { Context, Profile } from "../../../entities/context.ts";
import { errorEntry } from "../../../kit/api-error.ts";
import type { Database } from "../../../store/tables.ts";
import { isPublicKey } from "../../users/public-key.ts";
import { findSshKeyHolders } from "../../users/ssh-keys-rows.ts";

/** The fields of a request about the image to deploy. */
export type Deployment = Pick<
  NewNode,
  "image" | "root_pass" | "authorized_keys" | "authorized_users" | "deployscript_id" | "deployscript_data"
>;

export type CatalogImage = Catalog["images"][number];

/** The image of a deployment, if it has one that exists, and the errors of its fields (decisions/nodes#creation). */
export async function readDeployment(
  db: Database,
  sent: Deployment,
  { catalog, profile, caller }: Pick<Context, "catalog" | "profile" | "caller">,
): Promise<{ image: CatalogImage | undefined; errors: ApiErrorEntry[] }> {
  const users = sent.authorized_users ?? [];
  const holders = await findSshKeyHolders(db, caller.accountId, users);
  const image = catalog.images.find(({ id }) => id === sent.image);
  const errors = [
    ...(sent.image != null && image === undefined ? [errorEntry("image", "image is not valid")] : []),
    ...(sent.image != null ? missingCredentials(sent, profile) : []),
    ...passwordErrors("root_pass", sent.root_pass),
    ...(sent.authorized_keys ?? []).flatMap((key, index) =>
      isPublicKey(key) ? [] : [notValid(`authorized_keys[${index}]`)],
    ),
    ...users.flatMap((user, index) => (holders.has(user) ? [] : [notValid(`authorized_users[${index}]`)])),
    ...scriptErrors(sent, catalog),
  ];
  return { image, errors };
}

function notValid(field: string): ApiErrorEntry {
  return errorEntry(field, `${field} is not valid`);
}

function missingCredentials({ root_pass, authorized_keys, authorized_users }: Deployment, profile: Profile) {
  if (root_pass != null) return [];
  if (profile === "documented") return [errorEntry("root_pass", "root_pass is required")];
  if (authorized_keys?.length || authorized_users?.length) return [];
  return [{ reason: "Must provide valid root_pass, authorized_keys, or authorized_users" }];
}

/** Kinds of characters, of which a password needs two. */
const characterKinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];

/** An error for a password that is too simple; the contract has checked its length. */
export function passwordErrors(field: string, password: string | null | undefined): ApiErrorEntry[] {
  if (password == null || characterKinds.filter((kind) => kind.test(password)).length >= 2) return [];
  return [errorEntry(field, "Password does not meet strength requirement")];
}

function scriptErrors({ deployscript_id, deployscript_data, image }: Deployment, catalog: Catalog): ApiErrorEntry[] {
  if (deployscript_id == null) return [];
  const script = catalog.deployscripts.find(({ id }) => id === deployscript_id);
  if (script === undefined) return [notValid("deployscript_id")];
  if (image == null) return [errorEntry("image", "image is required")];
  const missing = script.fields.filter(
    ({ name, default: usual }) => usual === undefined && deployscript_data?.[name] == null,
  );
  return [
    ...(script.images.includes(image) ? [] : [errorEntry("image", "The script does not support this image")]),
    ...missing.map(({ name }) => errorEntry(`deployscript_data.${name}`, `${name} is required`)),
  ];
}
