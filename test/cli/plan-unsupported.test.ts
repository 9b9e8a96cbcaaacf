import { expect, test } from "vitest";
import { apiDesk, lines } from "./run.ts";

/** A zone with five sets that the API cannot store, one of them of two records. */
const zone = lines`
  soa_email: h@a.test
  records:
    "@": { lenient: [type-unsupported], RP: [h.a.test. a.test., i.a.test. a.test.] }
    e: { lenient: [type-unsupported], HINFO: x y }
    f: { lenient: [type-unsupported], HINFO: x y }
    www: { A: 192.0.2.1 }
    x.e: { lenient: [type-unsupported], HINFO: x y }
    y: { lenient: [type-unsupported], HINFO: "<b> |y" }
`;
const other = "soa_email: h@b.test\nrecords: { www: { A: 192.0.2.1 } }\n";
const sets = ["a.test RP", "e.a.test HINFO", "f.a.test HINFO", "x.e.a.test HINFO", "y.a.test HINFO"];

test.each([
  ["new", "nothing"],
  ["in sync", "the zone"],
  ["in sync beside a change", "another zone"],
])("a plan of a zone that is %s names every set that is not sent", async (_, changing) => {
  const desk = await apiDesk({ "zones/a.test.yaml": zone });
  if (changing !== "nothing") expect((await desk.run("apply --yes")).code).toBe(0);
  if (changing === "another zone") desk.write("zones/b.test.yaml", other);
  const text = await desk.run("plan");
  expect(text.out.replaceAll(/\s+/g, " ")).toContain(`6 unsupported records not sent: ${sets.join(", ")}`);
  for (const format of ["markdown", "github", "gitlab", "html"]) {
    const { out } = await desk.run(`plan --report ${format}`);
    const shown = out.replaceAll(/<[^>]+>|[`*]/g, "");
    for (const set of sets) expect([format, shown]).toEqual([format, expect.stringContaining(set)]);
  }
  const { unsupported } = JSON.parse((await desk.run("plan --report json")).out);
  expect(unsupported.map(({ name, type }: Record<string, string>) => `${name?.slice(0, -1)} ${type}`)).toEqual(sets);
});

test("a plan of many unsupported sets names the first of them, and counts the others", async () => {
  const many = Array.from({ length: 60 }, (_, n) => `    n${n}: { lenient: [type-unsupported], HINFO: x y }\n`);
  const desk = await apiDesk({ "zones/a.test.yaml": `soa_email: h@a.test\nrecords:\n${many.join("")}` });
  expect((await desk.run("plan")).out.replaceAll(/\s+/g, " ")).toMatch(
    /60 unsupported records not sent: (?:n\d+\.a\.test HINFO, ){49}n\d+\.a\.test HINFO and 10 others/,
  );
});
