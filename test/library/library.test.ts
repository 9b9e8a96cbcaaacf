import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Consumer } from "./package.ts";
import { readSurfaces, type Surface } from "./surface.ts";

const entries = ["client", "dns", "server"] as const;
let consumer: Consumer;

beforeAll(() => {
  consumer = new Consumer();
}, 120_000);
afterAll(() => consumer.remove());

describe("a strict project compiles against the package", () => {
  test.each(["nodenext", "bundler"] as const)("module resolution %s", (resolution) => {
    expect(consumer.compile(resolution)).toBe("");
  });
});

test("zonewright/client loads the client, the contract and zod, and undici not before the first request", () => {
  const modules = consumer.modulesOf("zonewright/client");
  const [own, others] = [
    modules.filter((name) => name.endsWith(".js")),
    modules.filter((name) => !name.endsWith(".js")),
  ];
  const rooms = new Set(own.map((file) => file.split("/")[0]));
  expect({ rooms: [...rooms].sort(), others }).toEqual({
    rooms: ["client", "contract", "diagnostics", "library"],
    others: ["zod"],
  });
  expect(own.filter((file) => file.includes("openapi"))).toEqual([]);
});

describe("the public surface", () => {
  let surfaces: Record<string, Surface>;
  beforeAll(() => {
    const fileOf = (entry: string) => join(consumer.folder, `node_modules/zonewright/dist/library/${entry}.d.ts`);
    surfaces = readSurfaces(
      consumer.configFile("nodenext"),
      Object.fromEntries(entries.map((entry) => [entry, fileOf(entry)])),
    );
  });

  test.each(entries)("%s is as it was reviewed (npx vitest -u writes it anew)", async (entry) => {
    await expect(surfaces[entry]?.text).toMatchFileSnapshot(`surface/${entry}.d.ts`);
  });

  test.each(entries)("%s exports every type that it shows, or zonewright/dns does", (entry) => {
    const ofDns = new Set(surfaces.dns?.names);
    expect(surfaces[entry]?.hidden.filter(({ type }) => !ofDns.has(type))).toEqual([]);
  });
});
