import type { ApiErrorEntry } from "../../contract/errors.ts";
import type { NewNode } from "../../contract/resources/node.ts";
import type { Catalog } from "../catalog/schema.ts";
import { errorEntry } from "../kit/api-error.ts";
import type { Profile } from "../kit/context.ts";

/** The fields of a request about the image to deploy. */
export type Deployment = Pick<
  NewNode,
  "image" | "root_pass" | "authorized_keys" | "authorized_users" | "deployscript_id" | "deployscript_data"
>;

export type CatalogImage = Catalog["images"][number];

/** The image of a deployment, if it has one that exists, and the errors of its fields (nodes: Resources, Create). */
export function readDeployment(
  sent: Deployment,
  { catalog, profile }: { readonly catalog: Catalog; readonly profile: Profile },
): { image: CatalogImage | undefined; errors: ApiErrorEntry[] } {
  const image = catalog.images.find(({ id }) => id === sent.image);
  const errors = [
    ...(sent.image != null && image === undefined ? [errorEntry("image", "image is not valid")] : []),
    ...(sent.image != null ? missingCredentials(sent, profile) : []),
    ...passwordErrors("root_pass", sent.root_pass),
    ...(sent.authorized_keys ?? []).flatMap((key, index) =>
      isPublicKey(key) ? [] : [notValid(`authorized_keys[${index}]`)],
    ),
    // No user of this service has an SSH key in their profile.
    ...(sent.authorized_users ?? []).map((_, index) => notValid(`authorized_users[${index}]`)),
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

/** Whether the text is a public key of OpenSSH: a type, Base64 that begins with the same type, and a comment. */
function isPublicKey(text: string): boolean {
  const [, type = "", encoded = ""] = /^([a-z0-9@.-]+) +([A-Za-z0-9+/]+={0,2})(?: [^\n]*)?\n?$/.exec(text) ?? [];
  if (!/^(?:ssh-|ecdsa-|sk-)/.test(type)) return false;
  const key = Buffer.from(encoded, "base64");
  const length = key.length < 4 ? 0 : key.readUInt32BE();
  return length === type.length && key.toString("latin1", 4, 4 + length) === type && key.length > 4 + length;
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
    ...(script.images.includes(image) ? [] : [errorEntry("image", "The deploy script does not support this image")]),
    ...missing.map(({ name }) => errorEntry(`deployscript_data.${name}`, `${name} is required`)),
  ];
}
