import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { Plugin } from "esbuild";

/** Modules of Node that take up to 10 ms to load, and that most runs do not need. */
const lazyBuiltins = [
  "node:buffer",
  "node:child_process",
  "node:crypto",
  "node:dns",
  "node:net",
  "node:timers/promises",
];

const exportsOf = (module: string) => Object.entries(createRequire(import.meta.url)(module));

/** Loads these modules of Node at the first call of one of their functions. */
export const loadBuiltinsLazily: Plugin = {
  name: "lazy-builtins",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: new RegExp(`^(?:${lazyBuiltins.join("|")})$`) }, ({ path, namespace, kind }) => {
      if (namespace.startsWith("lazy-")) return { path, external: true };
      return { path, namespace: kind === "require-call" ? "lazy-require" : "lazy-import", sideEffects: false };
    });
    // Classes and constants cannot wait. Each is a module of its own, which only its users load.
    onResolve({ filter: /#/, namespace: "lazy-import" }, ({ path }) => ({
      path,
      namespace: "lazy-constant",
      sideEffects: false,
    }));
    onLoad({ filter: /./, namespace: "lazy-constant" }, ({ path }) => {
      const [module, name] = path.split("#");
      return { contents: `export const ${name} = require("${module}").${name};` };
    });
    onLoad({ filter: /./, namespace: "lazy-import" }, ({ path }) => ({
      contents: exportsOf(path)
        .map(([name, value]) => {
          if (typeof value !== "function" || /^[A-Z]/.test(name)) return `export { ${name} } from "${path}#${name}";`;
          const wrapper = `(...args) => require("${path}").${name}(...args)`;
          const symbol = 'Symbol.for("nodejs.util.promisify.custom")';
          const promisified = `get [${symbol}]() { return require("${path}").${name}[${symbol}]; }`;
          return promisify.custom in value
            ? `export const ${name} = /* @__PURE__ */ Object.defineProperties(${wrapper}, Object.getOwnPropertyDescriptors({${promisified}}));`
            : `export const ${name} = ${wrapper};`;
        })
        .join("\n"),
    }));
    onLoad({ filter: /./, namespace: "lazy-require" }, ({ path }) => ({
      contents: `module.exports = {${exportsOf(path)
        .map(([name]) => `get ${name}() { return require("${path}").${name}; }`)
        .join(", ")}};`,
    }));
  },
};
