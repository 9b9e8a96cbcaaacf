import { expect, test } from "vitest";
import { apiDesk, Desk } from "./run.ts";

const zoneOf = (address: string) => `soa_email: a@example.com\nrecords: { www: { A: ${address} } }\n`;
const zones = Object.fromEntries(
  Array.from({ length: 5 }, (_, index) => [`zones/z${index}.example.yaml`, zoneOf("192.0.2.1")]),
);

test("apply --quiet shows the plan and the last line, and no line per zone", async () => {
  const desk = await apiDesk(zones);
  const { code, out, talk } = await desk.run("apply --yes --quiet");
  expect([code, talk]).toEqual([0, ""]);
  expect(out.match(/create {2}www/g)).toHaveLength(5);
  expect(out).toMatch(/\napplied and verified: 5 zones are as planned\n$/);
});

test("apply --quiet shows a zone that fails, and --verbose shows each write all the same", async () => {
  let isFailing = true;
  const desk = await apiDesk(zones, (server) => async (request, connection) => {
    const isDomain = request.method === "POST" && new URL(request.url).pathname === "/v4/domains";
    if (isFailing && isDomain && (await request.clone().text()).includes("z3.example"))
      return Response.json({ errors: [{ reason: "No." }] }, { status: 400 });
    return server(request, connection);
  });
  const { code, talk } = await desk.run("apply --yes --quiet");
  expect(code).toBe(5);
  expect(talk.split("\n").map((line) => line.replace(/: .*/, ""))).toEqual([
    "z3.example",
    "1 of 5 zones failed. Fix the error above, then run `zonewright apply --resume`.",
    "",
  ]);
  isFailing = false;
  const again = await desk.run("apply --resume --yes --quiet --verbose");
  expect(again.talk).toMatch(/^z3\.example: 3 writes$/m);
});

test("undo, imports and fmt have no line per zone or file with --quiet either", async () => {
  const desk = await apiDesk(zones);
  await desk.run("apply --yes");
  const undone = await desk.run("undo last --yes --quiet --allow G01,G02,G03,G06,G14");
  expect([undone.code, undone.talk]).toEqual([0, ""]);
  await desk.run("apply --yes --quiet");
  expect((await desk.run("import api --zones copies --quiet")).talk).toBe("5 zones written, 0 unchanged, 0 skipped\n");
  expect((await desk.run("fmt --zones copies --sort --to bind --quiet")).talk).toBe(
    "5 files written, 0 left as they were\n",
  );
});

test("an import with --quiet keeps the zones whose records change, and the totals", async () => {
  const soa = "@ IN SOA ns1 a 1 14400 3600 1209600 300\n";
  const desk = new Desk({
    "old/db.a.example": `$ORIGIN a.example.\n$TTL 300\n${soa}www A 192.0.2.1\n`,
    "old/db.b.example": `$ORIGIN b.example.\n$TTL 300\n${soa}www 77 A 192.0.2.1\n`,
  });
  const { out } = await desk.run("import file old --quiet");
  expect(out.split("\n").filter((line) => line.startsWith("wrote"))).toEqual([
    expect.stringContaining("zones/b.example.yaml"),
  ]);
  expect(out).toContain("2 zones: 2 written");
});
