import { basename } from "node:path";
import { nearest } from "../../diagnostics/nearest.ts";
import {
  hasErrors,
  type Place,
  type Problem,
  ProblemError,
  problem,
  problemError,
  type Severity,
} from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { decodeText, SourceText } from "../../diagnostics/source-text.ts";
import { readAddress4, readAddress6 } from "../../dns/name/address.ts";
import { readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import { asName, type Name, readName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import type { RecordType } from "../../dns/rdata/record-type.ts";
import { findType } from "../../dns/types/index.ts";
import type { TemplateUse } from "../../dns/zone/zone.ts";
import { findSetting, type Setting } from "../../dns/zone/zone-settings.ts";
import { findForeignContent, findZoneFileInside } from "../kit/other-format.ts";
import type { ZoneFileBytes } from "../kit/source.ts";
import { referenceKeys, takesReference } from "./node-reference.ts";
import { isSet, readTemplateContent, type TemplateContent } from "./read.ts";
import { entryOf, readTree, type YamlEntry, type YamlMap, type YamlNode, type YamlText } from "./tree.ts";

/** A template file, read once for all zones that use it. */
export interface Template {
  readonly name: string;
  readonly source: SourceText;
  /** Undefined if the file has errors. */
  readonly root: YamlMap | undefined;
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** The settings that a template may have. */
  readonly settings: readonly Setting[];
  readonly problems: readonly Problem[];
}

interface Parameter {
  readonly type: ParameterType;
  readonly isList: boolean;
  readonly default: readonly string[] | undefined;
}

/** The value of a parameter in one zone. */
interface Argument extends Pick<Parameter, "isList"> {
  /** Whether its type is `text`, so that it can contain quotes and white space. */
  readonly isText: boolean;
  /** Undefined after an error, which is reported. */
  readonly texts: readonly string[] | undefined;
}

interface TypeOfParameter {
  readonly noun: string;
  /** A sample for a parameter without a default; if absent, the name of the parameter. */
  readonly sample?: string;
  /** @throws {Fault} */
  readonly check: (text: string) => void;
}

/** Types of parameters. Only `text` can contain white space and quotes, which separate words of RDATA. */
export const parameterTypes = {
  hostname: {
    noun: 'a host name such as "mx1" or "mx1.example.net."',
    check(text) {
      if (text === "@") return;
      if (!/^[\p{L}\p{M}\p{N}_.-]+$/u.test(text)) throw new Fault("template-parameter", "not a host name");
      readName(toOctets(text));
    },
  },
  ipv4: { noun: "an IPv4 address", sample: "192.0.2.1", check: readAddress4 },
  ipv6: { noun: "an IPv6 address", sample: "2001:db8::1", check: readAddress6 },
  integer: {
    noun: "a whole number from 0 to 4294967295",
    sample: "1",
    check(text) {
      if (!/^\d{1,10}$/.test(text) || Number(text) > 4_294_967_295)
        throw new Fault("template-parameter", "not a number");
    },
  },
  ttl: { noun: "a time such as 300 or 1h", sample: "1h", check: readDuration },
  text: { noun: "a text", check: () => {} },
} as const satisfies Readonly<Record<string, TypeOfParameter>>;

type ParameterType = keyof typeof parameterTypes;

/** `$$(`, which stands for the text `$(`, or a reference to a parameter. */
const reference = /\$\$\(|\$\(([^()]*)\)/g;
/** References in the forms of other tools: `${ip}`, `{{ ip }}`, `%{ip}`, `{ip}` and `$ip`. */
const otherReference = /(?:[$%]?\{|\{\{-? *) *\.?([a-z][a-z0-9_-]*) *-?\}{1,2}|(?<!\$)\$([a-z][a-z0-9_-]*)/g;
/** A macro of SPF (RFC 7208 §7.1), such as `%{i}`, which may have the name of a parameter. */
const spfMacro = /^%\{[a-z]\d*r?[-.+,/_=]*\}$/i;
/** A reference without its closing parenthesis. */
const openReference = /(?<!\$)\$\(([a-z][a-z0-9_-]*)(?![a-z0-9_)-])/g;
export const parameterName = /^[a-z][a-z0-9_-]*$/;
const listOf = "list of ";
const typeNames = Object.keys(parameterTypes).flatMap((type) => [type, listOf + type]);
/** Limit of a list parameter, since a template of many records could multiply it. */
const longestList = 1000;

/** Reads a template file. Its records are read again for each zone, to which names are relative. */
export function readTemplate(
  name: string,
  { file, bytes }: Pick<ZoneFileBytes, "file" | "bytes">,
  settings: readonly Setting[],
): Template {
  const { text, undecodable } = decodeText(bytes);
  const source = new SourceText(file, text);
  const problems: Problem[] = [];
  const report = (id: ProblemId, summary: string, place: Place, fix?: string) =>
    void problems.push(problem(id, summary, { place, fix }));
  const binary = findForeignContent(source);
  const bind = findZoneFileInside(source);
  const otherFormat = binary ?? bind;
  if (binary) problems.push(binary);
  else if (bind?.place)
    report(
      "file-format",
      "the template is a BIND zone file, not YAML",
      bind.place,
      "Write it in YAML. BIND zone files share records with `$INCLUDE`.",
    );
  else if (undecodable !== undefined)
    report("encoding", "the file is not UTF-8 from this character on", source.place(undecodable), "Save it as UTF-8.");
  const root = otherFormat ? undefined : readTree(source, (found) => void problems.push(found))?.root;
  const parameters = new Map<string, Parameter>();
  if (root?.kind !== "map" || root.entries.length === 0) {
    const fix = "Write `records:`, with names and types as in a zone file.";
    if (problems.length === 0) report("template-syntax", "the template has no records", source.place(0), fix);
    return { name, source, root: undefined, parameters, settings, problems };
  }
  const nested = entryOf(root, "templates");
  if (nested)
    report(
      "template-syntax",
      "a template cannot use templates",
      nested.keyAt,
      "List both in the zones that need them.",
    );
  const declared = entryOf(root, "parameters")?.value;
  if (declared?.kind === "map")
    for (const entry of declared.entries) {
      try {
        parameters.set(entry.key, readParameter(entry));
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        problems.push(...error.problems);
      }
    }
  else if (declared && !(declared.kind === "text" && declared.isEmpty))
    report("template-syntax", "`parameters` must be a map", declared.at, parameterExample);
  return { name, source, root: problems.length > 0 ? undefined : root, parameters, settings, problems };
}

const parameterExample = "Write `parameters: { host: { type: hostname, default: mx1 } }`.";

function readParameter({ key, keyAt, value }: YamlEntry): Parameter {
  const fail = (summary: string, place: Place, fix: string) => problemError("template-syntax", summary, { place, fix });
  if (!parameterName.test(key) || key === "zone") {
    const fix =
      key === "zone"
        ? "`$(zone)` is the name of the zone that uses the template."
        : "Start with a lower-case letter, and go on with lower-case letters, digits, - and _.";
    throw fail(`"${key}" cannot be the name of a parameter`, keyAt, fix);
  }
  const known = ["type", "default", "description"];
  const entries = value.kind === "map" ? value.entries : [];
  for (const { key, keyAt } of entries) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    throw fail(`"${key}" is not a key of a parameter`, keyAt, near ? `Did you mean "${near}"?` : parameterExample);
  }
  const type = value.kind === "map" ? entryOf(value, "type")?.value : value;
  if (type?.kind !== "text" || type.isEmpty) throw fail(`the parameter "${key}" has no type`, keyAt, parameterExample);
  const isList = type.text.startsWith(listOf);
  const word = isList ? type.text.slice(listOf.length) : type.text;
  if (!isParameterType(word)) {
    const near = nearest(type.text, typeNames);
    const fix = near ? `Did you mean "${near}"?` : `Types: ${typeNames.join(", ")}.`;
    throw fail(`"${type.text}" is not a type of parameters`, type.at, fix);
  }
  const description = value.kind === "map" ? entryOf(value, "description")?.value : undefined;
  if (description && description.kind !== "text")
    throw fail(`the description of "${key}" must be a text`, description.at, "Write it in one string.");
  const usual = value.kind === "map" ? entryOf(value, "default")?.value : undefined;
  if (!usual) return { type: word, isList, default: undefined };
  const items = usual.kind === "list" ? usual.items : [usual];
  const texts = items.flatMap((item) => (item.kind === "text" && !item.isEmpty ? [item.text] : []));
  const parameter = { type: word, isList, default: texts };
  const other = texts
    .flatMap((text) => [...text.matchAll(reference)])
    .find(([, name]) => name !== undefined && name !== "zone");
  if (other) throw fail(`the default of "${key}" contains ${other[0]}`, usual.at, "A default can use only $(zone).");
  const wrong =
    texts.length < items.length
      ? "must be a value or a list of values"
      : faultOf(parameter, usual.kind === "list", texts);
  if (wrong !== undefined)
    throw fail(
      `the default of "${key}" ${wrong}`,
      usual.at,
      `Write \`default:\` with ${describeParameter(parameter)}.`,
    );
  return parameter;
}

/** The values that a parameter takes. */
function describeParameter({ type, isList }: Pick<Parameter, "type" | "isList">): string {
  return `${isList ? "a list, each " : ""}${parameterTypes[type].noun}`;
}

function isParameterType(word: string): word is ParameterType {
  return Object.hasOwn(parameterTypes, word);
}

/** The problem with a value, as a clause. */
function faultOf({ type, isList }: Parameter, isListed: boolean, texts: readonly string[]): string | undefined {
  const { noun }: TypeOfParameter = parameterTypes[type];
  if (isListed && !isList) return `must be one value: ${noun}`;
  if (texts.length > longestList) return `has ${texts.length} values; the limit is ${longestList}`;
  const wrong = texts.find((text) => !isOfType(type, text));
  return wrong === undefined ? undefined : `is "${wrong}", which is not ${noun}`;
}

function isOfType(type: ParameterType, text: string): boolean {
  try {
    parameterTypes[type].check(text);
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/** A template without a zone, with defaults and samples as its arguments. */
export interface TemplateFile extends TemplateContent {
  /** Without a byte order mark. */
  readonly text: string;
  readonly parameters: Template["parameters"];
}

/**
 * Reads a template without a zone. A parameter without a default gets a sample of its type. Errors in strings that
 * contain such a parameter are skipped, because the values of zones may be valid.
 */
export function readTemplateAlone({
  file,
  bytes,
  settings,
}: Pick<ZoneFileBytes, "file" | "bytes" | "settings">): TemplateFile {
  const template = readTemplate(basename(file, ".yaml"), { file, bytes }, settings);
  const { parameters, source, name } = template;
  const samples = [...parameters].flatMap(([name, { type, isList, default: usual }]) => {
    const { sample = name }: TypeOfParameter = parameterTypes[type];
    return usual ? [] : { name, texts: [sample], isList };
  });
  const content = applyTemplate(template, { name, parameters: samples }, asName("example.com."));
  const isSampled = ({ place }: Problem) =>
    place !== undefined && samples.some(({ name }) => source.textAt(place).includes(`$(${name})`));
  const problems = content.problems.filter((found) => found.id === "template-parameter" || !isSampled(found));
  return { ...content, problems, text: source.text, parameters };
}

/** The records and settings of a template in a zone. `via` of places is the use of the template in the zone file. */
export function applyTemplate(template: Template, use: TemplateUse, origin: Name): TemplateContent {
  const via = use.at ? [use.at] : [];
  const source = new SourceText(template.source.file, template.source.text, "utf16", via);
  const problems: Problem[] = template.problems.map((found) => ({ ...found, via }));
  const name = origin.slice(0, -1);
  const given = givenArguments(template, { use, zone: name }, (found) => problems.push(found));
  const ofZone = { isText: false, isList: false, texts: [name] };
  const values = new Map([...given, ["zone", ofZone] as const]);
  const substitution = new Substitution(values, template.settings, (found) => problems.push({ ...found, via }));
  const { root } = template;
  const replaced: YamlMap | undefined = root && {
    ...root,
    entries: root.entries.map((entry) => substitution.entry(entry)),
  };
  // Values that contain a parameter with an error would be reported again.
  if (!replaced || hasErrors(problems) || use.parameters.some(({ texts }) => !texts)) {
    const zone = { name: origin, settings: {}, records: [], places: {}, dotlessTargets: [] };
    return { zone, problems, owners: [] };
  }
  const {
    zone,
    problems: found,
    owners,
  } = readTemplateContent(source, replaced, { origin, settings: template.settings });
  const { dotlessTargets, slips = [] } = zone;
  return {
    zone: {
      ...zone,
      dotlessTargets: dotlessTargets.map((target) => ({ ...target, source })),
      slips: slips.map((slip) => ({ ...slip, source })),
    },
    problems: [...problems, ...found.map((one) => ({ ...one, via }))],
    owners,
  };
}

/** The values of all parameters of a template in a zone. */
function givenArguments(
  { name, parameters, root }: Template,
  { use, zone }: { readonly use: TemplateUse; readonly zone: string },
  report: (found: Problem) => void,
): Map<string, Argument> {
  const error = (summary: string, place: Place | undefined, fix: string) =>
    report(problem("template-parameter", summary, { place, fix }));
  for (const argument of use.parameters) {
    if (parameters.has(argument.name) || !root) continue;
    const near = nearest(argument.name, parameters.keys());
    const known = parameters.size > 0 ? `Parameters: ${[...parameters.keys()].join(", ")}.` : "It has no parameters.";
    const summary = `the template "${name}" has no parameter "${argument.name}"`;
    error(summary, argument.at, near ? `Did you mean "${near}"?` : known);
  }
  return new Map(
    [...parameters].map(([key, parameter]) => {
      const argument = use.parameters.find(({ name }) => name === key);
      const { isList } = parameter;
      const isText = parameter.type === "text";
      const texts = argument ? argument.texts : parameter.default?.map((text) => withZone(text, zone));
      const fix = `Write \`{ ${name}: { ${key}: … } }\` under \`templates\`, with ${describeParameter(parameter)}.`;
      const wrong = argument?.texts && faultOf(parameter, argument.isList, argument.texts);
      if (!texts && !argument) error(`the template "${name}" needs the parameter "${key}"`, use.at, fix);
      if (wrong !== undefined) error(`the parameter "${key}" of the template "${name}" ${wrong}`, argument?.at, fix);
      return [key, { isText, isList, texts: wrong === undefined ? texts : undefined }] as const;
    }),
  );
}

/** A default with the name of the zone filled in. Values that a zone gives are not expanded. */
function withZone(text: string, zone: string): string {
  return text.replaceAll(reference, (_, name?: string) => (name === undefined ? "$(" : zone));
}

type Fields = RecordType["fields"];

/** Whether a value is any text, or a word; for RDATA of several words, their fields. */
type Position = "text" | "word" | Fields;

function isTextKind({ json }: Fields[number]["kind"]): boolean {
  return json === "text" || json === "texts";
}

/** A text parameter where a word is needed, `before` being the text before it. */
interface MisplacedText extends Argument {
  readonly position: "word" | Fields;
  readonly before: string;
}

/** The types of single words, the narrowest first. */
const wordTypes = ["ipv4", "ipv6", "integer", "ttl", "hostname"] as const satisfies readonly ParameterType[];

/** Advice that holds for the present values of the parameter. */
function fixText({ texts = [], isList, position, before }: MisplacedText): string {
  const word = wordTypes.find((type) => texts.length > 0 && texts.every((text) => isOfType(type, text)));
  const isTextField = position !== "word" && position[before.split(/\s+/).length - 1]?.kind.json === "text";
  const type = word && `the type \`${isList ? listOf : ""}${word}\``;
  if (isTextField) return `${type ? `Give it ${type}, or write` : "Write"} the value as an object with its fields.`;
  return type ? `Give it ${type}.` : "Use a parameter of another type for each word of its value.";
}

/** One item of the list that a value is repeated for. */
interface Item {
  readonly list: string;
  readonly text: string;
}

/**
 * Replaces `$(name)` in the strings of a template by the values of its parameters. The file has been parsed by then: a
 * value becomes part of a string and never of the YAML around it.
 */
class Substitution {
  readonly #values: ReadonlyMap<string, Argument>;
  readonly #settings: readonly Setting[];
  readonly #report: (found: Problem) => void;
  readonly #reported = new Set<string>();

  constructor(values: ReadonlyMap<string, Argument>, settings: readonly Setting[], report: (found: Problem) => void) {
    this.#values = values;
    this.#settings = settings;
    this.#report = report;
  }

  /** An entry at the top of a template. */
  entry(entry: YamlEntry): YamlEntry {
    const { key, value } = entry;
    if (key === "records" && value.kind === "map")
      return { ...entry, value: { ...value, entries: value.entries.map((owner) => this.#owner(owner)) } };
    const { kind } = findSetting(this.#settings, key) ?? {};
    if (kind === undefined) return entry;
    if (kind === "list") return { ...entry, value: this.#valuesOf(value, () => "text") };
    return { ...entry, value: this.#node(value, () => (kind === "text" ? "text" : "word")) };
  }

  #owner(entry: YamlEntry): YamlEntry {
    const { key, keyAt, value } = entry;
    const fresh = this.#text(key, keyAt, "word");
    if (value.kind !== "map") return { ...entry, key: fresh };
    const types = value.entries.map((type) => (type.key === "lenient" ? type : this.#set(type)));
    return { ...entry, key: fresh, value: { ...value, entries: types } };
  }

  #set(entry: YamlEntry): YamlEntry {
    const type = entry.key.toUpperCase();
    const fields = findType(type)?.fields ?? [];
    const isText = fields[0]?.kind.json === "texts";
    const positionOf = (field?: string): Position => {
      if (field === undefined) return isText ? "text" : fields;
      if (takesReference(type) && referenceKeys.includes(field)) return "text"; // never read as words
      const found = fields.find(({ name, apiName }) => name === field || apiName === field);
      return found && isTextKind(found.kind) ? "text" : "word";
    };
    const part = (value: YamlNode): YamlNode => {
      if (!isSet(value)) return this.#valuesOf(value, positionOf);
      const entries = value.entries.map((one) => {
        if (one.key === "values") return { ...one, value: this.#valuesOf(one.value, positionOf) };
        return { ...one, value: this.#node(one.value, () => "word") };
      });
      return { ...value, entries };
    };
    const { value } = entry;
    const isSplit = value.kind === "list" && value.items.some(isSet);
    return { ...entry, value: isSplit ? { ...value, items: value.items.map(part) } : part(value) };
  }

  /** Values of a set or a setting: one with a list parameter is repeated for each item. */
  #valuesOf(value: YamlNode, positionOf: (field?: string) => Position): YamlNode {
    const items = value.kind === "list" ? value.items : [value];
    const all = items.map((item) => this.#repeatByList(item, positionOf));
    const [only] = all;
    if (value.kind !== "list" && only?.length === 1 && only[0]) return only[0];
    const { at, start, end, via } = value;
    return { kind: "list", items: all.flat(), at, start, end, via };
  }

  #repeatByList(value: YamlNode, positionOf: (field?: string) => Position): YamlNode[] {
    const [list, second] = this.#findLists(value);
    if (second !== undefined) {
      const fix = "Use one list in a value.";
      this.#error(`"$(${list})" and "$(${second})" are both lists`, value.at, fix);
      return [];
    }
    if (list === undefined) return [this.#node(value, positionOf)];
    const { texts = [] } = this.#values.get(list) ?? {};
    return texts.map((text) => this.#node(value, positionOf, { list, text }));
  }

  /** The list parameters in the strings of a value. */
  #findLists(node: YamlNode): string[] {
    const found = new Set<string>();
    const walk = (node: YamlNode): void => {
      if (node.kind === "list") node.items.forEach(walk);
      else if (node.kind === "map") for (const { value } of node.entries) walk(value);
      else
        for (const [, name] of node.text.matchAll(reference))
          if (name !== undefined && this.#values.get(name)?.isList) found.add(name);
    };
    walk(node);
    return [...found];
  }

  #node(node: YamlNode, positionOf: (field?: string) => Position, item?: Item): YamlNode {
    if (node.kind === "list") return { ...node, items: node.items.map((one) => this.#node(one, positionOf, item)) };
    if (node.kind === "map") {
      const [first, ...others] = node.entries;
      // `{ip}` without quotes is a map to YAML.
      if (first?.value.kind === "text" && first.value.isEmpty && others.length === 0)
        this.#checkReference(`{${first.key}}`, first.key, { at: node.at, position: "word" });
      const entries = node.entries.map((entry) => ({
        ...entry,
        value: this.#node(entry.value, () => positionOf(entry.key), item),
      }));
      return { ...node, entries };
    }
    return this.#scalar(node, positionOf(), item);
  }

  #scalar(node: YamlText, position: Position, item?: Item): YamlText {
    if (!/[$%{]/.test(node.text)) return node;
    return { ...node, text: this.#text(node.text, node.at, position, item), verbatimAt: undefined };
  }

  #text(text: string, at: Place, position: Position, item?: Item): string {
    for (const [written, braced, bare = ""] of text.matchAll(otherReference))
      this.#checkReference(written, braced ?? bare, { at, position });
    for (const [written, name = ""] of text.matchAll(openReference)) {
      if (this.#values.has(name)) this.#error(`"${written}" is not closed`, at, `Write "$(${name})".`);
    }
    return text.replaceAll(reference, (_, name: string | undefined, offset: number) => {
      if (name === undefined) return "$(";
      const argument = this.#values.get(name);
      if (!argument) {
        const near = nearest(name, this.#values.keys());
        const fix = near
          ? `Did you mean "$(${near})"?`
          : "Declare it under `parameters`, or write `$$(` for the text itself.";
        this.#error(`the template has no parameter "${name}"`, at, fix);
      } else if (argument.isText && position !== "text") {
        const fix = fixText({ ...argument, position, before: text.slice(0, offset) });
        this.#error(`the text parameter "${name}" is used where its value could be read as several words`, at, fix);
      } else if (argument.isList && item?.list !== name) {
        const fix = "Use a list in the values of an RRset, or in a setting that is a list.";
        this.#error(`the list parameter "${name}" is used where one value is needed`, at, fix);
      } else return item?.list === name ? item.text : (argument.texts?.[0] ?? "");
      return "";
    });
  }

  /** Reports a parameter in the form of another tool: as a warning if a text may mean it as it is, like `{ip}`. */
  #checkReference(written: string, name: string, { at, position }: { at: Place; position: Position }): void {
    if (!this.#values.has(name)) return;
    const summary = `"${written}" is not replaced by the parameter "${name}"`;
    const isInText = position === "text" || (position !== "word" && position.some(({ kind }) => isTextKind(kind)));
    if (!isInText || /^(?:\$|\{)\{/.test(written)) this.#error(summary, at, `Write "$(${name})".`);
    else if (!spfMacro.test(written))
      this.#error(summary, at, `Write "$(${name})" if it stands for the parameter.`, "warning");
  }

  /** Reports an error once, however many items of a list parameter repeat its value. */
  #error(summary: string, place: Place, fix: string, severity?: Severity): void {
    const key = JSON.stringify([place, summary]);
    if (!this.#reported.has(key)) this.#report(problem("template-parameter", summary, { place, fix, severity }));
    this.#reported.add(key);
  }
}
