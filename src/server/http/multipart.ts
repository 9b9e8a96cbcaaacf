import { badRequest, errorEntry, Refusal } from "../kit/api-error.ts";
import { type ApiRequest, readBodyOctets } from "../kit/request.ts";

/** Limits of a body with a file, in octets: `around` is room for boundaries, headers and other fields. */
const limits = { file: 5 * 1024 * 1024, around: 64 * 1024, head: 16 * 1024, parts: 20 };

/**
 * Reads the body of a request as multipart/form-data (RFC 7578): its files, by the names of their fields. Other fields
 * are ignored.
 * @throws {Refusal} 413 over the limits, without buffering more; 400 for another media type, a body that is incomplete
 * or malformed, and a field with two files.
 */
export async function readFiles(request: ApiRequest): Promise<Record<string, File>> {
  const boundary = boundaryOf(request.headers.get("Content-Type") ?? "");
  const body = await readBodyOctets(request, limits.file + limits.around, {
    tooLarge: () => new Refusal(413, [{ reason: "The request body is larger than 5 MiB" }]),
    incomplete: malformedError,
  });
  const files = new Map<string, File>();
  let parts = 0;
  for (const { head, content } of partsOf(body, boundary)) {
    if (++parts > limits.parts) throw badRequest(`The request body has more than ${limits.parts} parts`);
    const { name, filename } = readHead(head);
    if (!filename) continue; // another field, or one of a form in which no file was chosen
    if (files.has(name)) throw new Refusal(400, [errorEntry(name, "Only one file can be sent at a time")]);
    if (content.length > limits.file) throw new Refusal(413, [{ reason: "The file is larger than 5 MiB" }]);
    files.set(name, new File([content], filename));
  }
  return Object.fromEntries(files);
}

function malformedError(): Refusal {
  return badRequest("Invalid multipart/form-data");
}

/** The boundary in a Content-Type: at most 70 characters (RFC 2046 §5.1.1). */
function boundaryOf(contentType: string): string {
  const [type = ""] = contentType.split(";");
  if (type.trim().toLowerCase() !== "multipart/form-data")
    throw badRequest("The request body must be multipart/form-data");
  const { boundary = "" } = parametersOf(contentType);
  if (boundary === "" || boundary.length > 70) throw malformedError();
  return boundary;
}

/** A part: its headers, and its content as a view of the body. */
interface Part {
  readonly head: string;
  readonly content: Buffer<ArrayBuffer>;
}

/** The parts between the boundaries (RFC 2046 §5.1.1). @throws {Refusal} 400 without the last boundary. */
function* partsOf(body: Buffer<ArrayBuffer>, boundary: string): Generator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const find = (text: string | Buffer, from: number) => {
    const at = body.indexOf(text, from);
    if (at < 0) throw malformedError();
    return at;
  };
  const first = delimiter.subarray(2);
  const startsAtOnce = body.subarray(0, first.length).equals(first);
  let at = startsAtOnce ? first.length : find(delimiter, 0) + delimiter.length;
  while (body.toString("latin1", at, at + 2) !== "--") {
    const start = find("\r\n", at);
    if (/[^ \t]/.test(body.toString("latin1", at, start))) throw malformedError();
    const headEnd = find("\r\n\r\n", start);
    if (headEnd - start > limits.head) throw malformedError();
    const end = find(delimiter, headEnd + 4);
    yield { head: body.toString("utf8", start, headEnd), content: body.subarray(headEnd + 4, end) };
    at = end + delimiter.length;
  }
}

/** The name of a field and the path of its file, from the headers of its part (RFC 7578 §4.2). */
function readHead(head: string): { name: string; filename: string | undefined } {
  const unfolded = head.replace(/\r\n[ \t]+/g, " ");
  const [, disposition] = /^content-disposition:\s*form-data(?=\s*;)([^\r\n]*)$/im.exec(unfolded) ?? [];
  const { name, filename, "filename*": encoded } = parametersOf(disposition ?? "");
  if (name === undefined) throw malformedError();
  return { name, filename: readEncoded(encoded) ?? filename };
}

/** The parameters of a header, by their names in lower case; of a repeated one, the first. */
function parametersOf(header: string): Partial<Record<string, string>> {
  const found = header.matchAll(/;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g);
  const parameters = Array.from(found, ([, name = "", quoted, word]) => [
    name.toLowerCase(),
    quoted === undefined ? word : unquote(quoted),
  ]);
  return Object.fromEntries(parameters.reverse());
}

/** Only quotes and backslashes are escaped: old browsers send a path of Windows as it is, new ones send `%22`. */
function unquote(text: string): string {
  return text.replace(/\\(["\\])/g, "$1").replaceAll("%22", '"');
}

/** `UTF-8''%E2%82%AC.txt` (RFC 8187 §3.2), which some clients send although RFC 7578 §4.2 forbids it. */
function readEncoded(text = ""): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text) ?? [];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
