import { join, relative } from "node:path";
import type { Metafile, Plugin } from "esbuild";

/** What a file costs at a start, in octets of text: Node takes 0.3 to 0.5 ms to find, read and link a file. */
const octetsOfFile = 8000;

/**
 * Lets esbuild make fewer chunks. It makes one for each set of entries that share modules: most files of a start have
 * less than 5 KB. Here each module that is imported in the middle of a function becomes an entry that also imports what
 * it is to share a chunk with, last, after all that the module itself imports. So no module runs before its imports.
 *
 * @param metafile of a build without this plugin
 * @param options `strict`: the entries that load no module more than they need; `optional`: packages that may be missing,
 *   whose chunks nothing else joins
 */
export function joinChunks(
  metafile: Metafile,
  root: string,
  { strict, optional }: { readonly strict: readonly string[]; readonly optional: readonly string[] },
): Plugin {
  const imports = sharedImports(chunkGraph(metafile, optional), strict);
  const nameOf = (path: string) => relative(root, path).replaceAll("\\", "/"); // as the metafile has it
  return {
    name: "join-chunks",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path, resolveDir }) =>
        kind === "dynamic-import" ? { namespace: "entry", path: nameOf(join(resolveDir, path)) } : undefined,
      );
      onLoad({ filter: /./, namespace: "entry" }, ({ path }) => {
        const lines = (imports.get(path) ?? []).map((other) => `import "./${other}";`);
        return { contents: [`export * from "./${path}";`, ...lines].join("\n"), resolveDir: root };
      });
    },
  };
}

interface Chunk {
  readonly path: string;
  readonly octets: number;
  /** The source of an entry. */
  readonly entry: string | undefined;
  /** The modules of `src/` whose code is in it. */
  readonly sources: readonly string[];
  /** Whether it imports a package that may be missing. */
  readonly isOptional: boolean;
  /** The chunk, and all that is loaded before it. */
  readonly needs: ReadonlySet<Chunk>;
  /** The entries that it loads later. */
  readonly later: readonly string[];
}

function chunkGraph({ outputs }: Metafile, optional: readonly string[]): Chunk[] {
  const chunks = new Map<string, Chunk>();
  const add = (path: string): Chunk => {
    const known = chunks.get(path);
    if (known) return known;
    const { bytes, entryPoint, imports, inputs } = outputs[path] as Metafile["outputs"][string];
    const own = imports.filter(({ external }) => !external);
    const needs = new Set<Chunk>();
    const later = own.flatMap(({ kind, path }) => (kind === "dynamic-import" ? path : []));
    const used = Object.entries(inputs).flatMap(([source, { bytesInOutput }]) => (bytesInOutput > 0 ? source : []));
    const sources = used.filter((source) => source.startsWith("src/"));
    const isOptional = imports.some(({ external, path }) => external && optional.includes(path));
    const chunk = { path, octets: bytes, entry: entryPoint, sources, isOptional, needs, later };
    chunks.set(path, chunk);
    for (const { kind, path } of own) {
      if (kind === "import-statement") for (const need of add(path).needs) needs.add(need);
    }
    needs.add(chunk);
    return chunk;
  };
  for (const path of Object.keys(outputs)) if (path.endsWith(".js")) add(path);
  return [...chunks.values()];
}

/** By entry, the modules that it is to import as well. */
function sharedImports(chunks: readonly Chunk[], strict: readonly string[]): Map<string, string[]> {
  const groups = joinGroups(chunks, loadedChunks(chunks), strict);
  const groupOf = new Map(groups.flatMap((group) => group.chunks.map((chunk) => [chunk, group])));
  return new Map(
    chunks.flatMap(({ entry, needs }) => {
      const all = new Set(needs); // grows while it is walked
      for (const chunk of all) {
        for (const other of groupOf.get(chunk)?.chunks ?? []) for (const need of other.needs) all.add(need);
      }
      const added = [...all].filter((chunk) => groupOf.has(chunk) && !needs.has(chunk));
      return entry === undefined ? [] : [[entry, added.flatMap(({ sources }) => sources)] as const];
    }),
  );
}

/** By entry, the chunks that are loaded when it runs: its own, and what each way to it has loaded. */
function loadedChunks(chunks: readonly Chunk[]): Map<Chunk, Set<Chunk>> {
  const entries = chunks.filter(({ entry }) => entry !== undefined);
  const loaders = new Map(
    entries.map((entry) => {
      const places = chunks.filter(({ later }) => later.includes(entry.path));
      return [entry, entries.filter(({ needs }) => places.some((place) => needs.has(place)))];
    }),
  );
  const loaded = new Map(entries.map((entry) => [entry, new Set(chunks)]));
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const [entry, before] of loaded) {
      const ways = (loaders.get(entry) ?? []).map((loader) => loaded.get(loader) ?? new Set());
      const now = chunks.filter(
        (chunk) => entry.needs.has(chunk) || (ways.length > 0 && ways.every((way) => way.has(chunk))),
      );
      if (now.length === before.size) continue;
      loaded.set(entry, new Set(now));
      isStable = false;
    }
  }
  return loaded;
}

interface Group {
  readonly chunks: readonly Chunk[];
  /** The entries that load it. */
  readonly entries: ReadonlySet<Chunk>;
  /** By entry that does not load it, the octets that it would load more. */
  readonly price: ReadonlyMap<Chunk, number>;
}

/** Joins the two groups that save most, until nothing is saved. */
function joinGroups(chunks: readonly Chunk[], loaded: ReadonlyMap<Chunk, Set<Chunk>>, strict: readonly string[]) {
  const group = (chunks: readonly Chunk[]): Group => {
    const needs = [...new Set(chunks.flatMap(({ needs }) => [...needs]))];
    const price = [...loaded].map(([entry, has]) => {
      const octets = needs.reduce((sum, need) => sum + (has.has(need) ? 0 : need.octets), 0);
      return [entry, octets && strict.includes(entry.entry ?? "") ? Number.POSITIVE_INFINITY : octets] as const;
    });
    const entries = price.flatMap(([entry, octets]) => (octets === 0 ? entry : []));
    return { chunks, entries: new Set(entries), price: new Map(price) };
  };
  const groups = chunks
    .filter(({ entry, sources, isOptional }) => entry === undefined && sources.length > 0 && !isOptional)
    .map((chunk) => group([chunk]));
  for (;;) {
    let best: { readonly a: number; readonly b: number; readonly saved: number } | undefined;
    for (const [b, second] of groups.entries()) {
      for (const [a, first] of groups.slice(0, b).entries()) {
        const saved = savedOctets(first, second);
        if (saved > (best?.saved ?? 0)) best = { a, b, saved };
      }
    }
    if (!best) return groups;
    const [second] = groups.splice(best.b, 1) as [Group];
    const [first] = groups.splice(best.a, 1) as [Group];
    const joined = group([...first.chunks, ...second.chunks]);
    for (const [entry, has] of loaded) {
      if (!first.entries.has(entry) && !second.entries.has(entry)) continue;
      for (const { needs } of joined.chunks) for (const need of needs) has.add(need);
    }
    groups.push(joined);
    groups.splice(0, groups.length, ...groups.map(({ chunks }) => group(chunks)));
  }
}

function savedOctets(first: Group, second: Group): number {
  let saved = 0;
  for (const [entry, price] of first.price) {
    const other = second.price.get(entry) ?? 0;
    if (price === 0 && other === 0) saved += octetsOfFile;
    else if (price === 0 || other === 0) saved -= price + other;
  }
  return saved;
}
