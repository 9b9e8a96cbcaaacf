import type { FileToSend } from "../contract/endpoint.ts";

/**
 * Builds a body of multipart/form-data from files by the names of their fields. Contents are read first, because a call
 * may be sent repeatedly. @throws {TypeError} if a value is not a file, and the errors of its content
 */
export async function buildForm(body: unknown): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (!isFile(value)) throw new TypeError(`${name} is not a file`);
    form.set(name, await readFile(value));
  }
  return form;
}

function isFile(value: unknown): value is FileToSend {
  if (value instanceof File) return true;
  return typeof value === "object" && value !== null && "name" in value && "content" in value;
}

async function readFile(file: FileToSend): Promise<File> {
  if (file instanceof File) return file;
  const { name, content } = file;
  if (content instanceof Blob) return new File([content], name);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return new File(chunks, name);
}
