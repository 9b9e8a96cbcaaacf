import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A request that a function of the hosted service's client sends. */
export interface HostedRequest {
  readonly name: string;
  /** Such as `PUT /domains/any-text`; undefined if the function sends none. */
  readonly request: string | undefined;
  /** Keys that the body may have, nested ones with dots. */
  readonly keys: readonly string[];
}

const require = createRequire(import.meta.url);
const main = require.resolve("@linode/api-v4");
// biome-ignore lint/suspicious/noExplicitAny: its types name imports without endings, so TypeScript finds none.
const client: Readonly<Record<string, any>> = await import("@linode/api-v4");

/** Exported functions that request nothing by themselves. */
const helpers = ["baseRequest", "convertYupToLinodeErrors", "isEmpty", "setToken"];

/** The text of every parameter of a path. */
export const anyText = "any-text";

/** An argument that is a text, a list and an object, with itself in every property. */
const anything: unknown = new Proxy(() => anything, {
  get(_, name) {
    if (name === Symbol.toPrimitive) return () => anyText;
    if (name === "then") return undefined; // it can be awaited
    return name === "map" ? () => [] : anything;
  },
});

interface Description {
  readonly fields?: Readonly<Record<string, Description>>;
  readonly innerType?: Description;
}

/** Calls every exported function, and lists what it would send; nothing is sent. */
export async function findRequests(): Promise<readonly HostedRequest[]> {
  const { Schema } = createRequire(main)("yup");
  const validate = Schema.prototype.validateSync;
  const types = readTypes(dirname(main));
  const found: HostedRequest[] = [];
  let request: string | undefined;
  let described: Description[] = [];
  // Without the client's own validation, functions with a body send it as it is.
  Schema.prototype.validateSync = function (value: unknown) {
    described.push(this.describe());
    return value;
  };
  const stop = client.baseRequest.interceptors.request.use(({ method, url }: { method: string; url: string }) => {
    request = `${method.toUpperCase()} ${new URL(url).pathname.replace(/^\/v4(?:beta)?/, "")}`;
    throw new Error("nothing is sent");
  });
  for (const [name, call] of Object.entries(client)) {
    if (typeof call !== "function" || helpers.includes(name)) continue;
    request = undefined;
    described = [];
    await (async () => call(anything, anything, anything, anything))().catch(() => {});
    const keys = [...described.flatMap((schema) => fieldsOf(schema)), ...types.keysSentBy(name)];
    found.push({ name, request, keys: [...new Set(keys)].sort() });
  }
  client.baseRequest.interceptors.request.eject(stop);
  Schema.prototype.validateSync = validate;
  return found;
}

/** The keys of a schema of yup. */
function fieldsOf({ fields = {}, innerType }: Description, prefix = ""): string[] {
  const own = Object.entries(fields).flatMap(([key, part]) => [prefix + key, ...fieldsOf(part, `${prefix + key}.`)]);
  return [...own, ...(innerType ? fieldsOf(innerType, prefix) : [])];
}

/** Types whose keys are no keys of a body. */
const otherTypes = new Set(["Params", "Filter", "RequestOptions", "Promise", "ResourcePage", "Page"]);

/** Reads the types of the client's functions, whose bodies often have no schema. */
function readTypes(folder: string) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".d.ts"));
  const texts = files.map((file): [folder: string, text: string] => [
    dirname(file),
    readFileSync(join(folder, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, ""),
  ]);
  const inFolders = new Map<string, string>();
  const anywhere = new Map<string, string>();
  for (const [place, text] of texts)
    for (const [, interfaceName, base = "", body = "", aliasName, alias = ""] of text.matchAll(
      /interface (\w+)(?:<[^{]*?>)?(?: extends ([^{]+))? (\{[\s\S]*?\n\})|^(?:export )?(?:declare )?type (\w+)(?:<[^=]*>)? = ([\s\S]*?);$/gm,
    )) {
      const [name, type] =
        interfaceName === undefined ? [aliasName ?? "", alias] : [interfaceName, `${base} & ${body}`];
      inFolders.set(`${place}/${name}`, type);
      anywhere.set(name, type);
    }
  /** The keys of the objects in a type. */
  const keysOf = (type: string, place: string, prefix: string, seen: readonly string[]): string[] => {
    if (seen.length > 6) return [];
    const left = new Set(
      [...type.matchAll(/Omit<[^>]*?>/g)].flatMap(([text]) => text.match(/(?<=['"])\w+(?=['"])/g) ?? []),
    );
    const { outside, members } = splitMembers(type);
    const named = [...outside.matchAll(/\b[A-Z]\w+\b/g)].flatMap(([name]) => {
      const known = inFolders.get(`${place}/${name}`) ?? anywhere.get(name);
      if (known === undefined || otherTypes.has(name) || seen.includes(name)) return [];
      return keysOf(known, place, prefix, [...seen, name]);
    });
    const own = members.flatMap(([key, value]) => [prefix + key, ...keysOf(value, place, `${prefix + key}.`, seen)]);
    return [...named, ...own].filter((key) => !left.has(key.slice(prefix.length).split(".")[0] ?? ""));
  };
  const signatures = new Map<string, { place: string; parameters: string }>();
  for (const [place, text] of texts)
    for (const [, name = "", parameters = ""] of text.matchAll(/declare const (\w+): \(([\s\S]*?)\) => Promise/g))
      signatures.set(name, { place, parameters });
  return {
    keysSentBy(name: string): string[] {
      const { place, parameters } = signatures.get(name) ?? { place: "", parameters: "" };
      return keysOf(parameters.replace(/\b\w+\??: (?:number|string)(?=,|$)/g, ""), place, "", []);
    },
  };
}

/** The members of the objects in a type, with their types, and the rest of the type. */
function splitMembers(type: string): { outside: string; members: (readonly [key: string, type: string])[] } {
  let depth = 0;
  let outside = "";
  let inside = "";
  const members: (readonly [string, string])[] = [];
  for (const sign of type) {
    if (sign === "}") depth--;
    if (depth === 0) outside += sign;
    else if (depth === 1 && sign === ";") {
      const [, key, value = ""] = /^\s*(?:readonly )?['"]?(\w+)['"]?\??:([\s\S]*)$/.exec(inside) ?? [];
      if (key !== undefined) members.push([key, value]);
      inside = "";
    } else inside += sign;
    if (sign === "{") depth++;
    if (depth === 0) inside = "";
  }
  return { outside, members };
}
