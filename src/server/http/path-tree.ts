/** A path with its value, and the names of its parameters. */
interface Leaf<T> {
  readonly names: readonly string[];
  readonly value: T;
}

/** A part of a path, up to a slash. */
interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter?: Node<T>;
  leaf?: Leaf<T>;
  /** The path whose last parameter matches all segments from here on. */
  rest?: Leaf<T>;
}

export interface Match<T> {
  readonly value: T;
  /** Decoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Finds paths such as `/domains/{domainId}/records`. A segment matches its literal before a parameter, and a parameter
 * matches one segment that is not empty.
 */
export class PathTree<T> {
  readonly #root: Node<T> = { literals: new Map() };

  /** `takesRest` tells whether a parameter, which is the last segment of its path, matches slashes too. */
  add(path: string, value: T, takesRest: (parameter: string) => boolean = () => false): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of segmentsOf(path)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name !== undefined) names.push(name);
      if (name !== undefined && takesRest(name)) {
        node.rest = { names, value };
        return;
      }
      const below = (name === undefined ? node.literals.get(segment) : node.parameter) ?? { literals: new Map() };
      if (name === undefined) node.literals.set(segment, below);
      else node.parameter = below;
      node = below;
    }
    node.leaf = { names, value };
  }

  find(path: string): Match<T> | undefined {
    const values: string[] = [];
    const leaf = findLeaf(this.#root, segmentsOf(path), 0, values);
    if (leaf === undefined) return undefined;
    const parameters: Record<string, string> = {};
    for (const [index, name] of leaf.names.entries()) parameters[name] = values[index] ?? "";
    return { value: leaf.value, parameters };
  }
}

/** The path of the segments from `at` on; its parameters are added to `values`. */
function findLeaf<T>(node: Node<T>, segments: readonly string[], at: number, values: string[]): Leaf<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.leaf;
  const literal = node.literals.get(segment);
  const found = literal && findLeaf(literal, segments, at + 1, values);
  if (found) return found;
  if (node.parameter && segment !== "") {
    values.push(segment);
    const found = findLeaf(node.parameter, segments, at + 1, values);
    if (found) return found;
    values.pop();
  }
  const rest = segments.slice(at).join("/");
  if (node.rest === undefined || rest === "") return undefined;
  values.push(rest);
  return node.rest;
}

/** The decoded segments of a path. */
export function segmentsOf(path: string): string[] {
  const segments = path.slice(1).split("/");
  return path.includes("%") ? segments.map(decode) : segments;
}

/** A segment that cannot be decoded matches as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
