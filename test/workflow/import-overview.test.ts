import { expect, test } from "vitest";
import { Desk } from "../cli/run.ts";

const zone = (extra = "") =>
  `$TTL 1h\n@ SOA ns1.test. hostmaster.test. 1 2h 1h 2w 5m\n@ MX 10 mail\nmail A 192.0.2.1\n${extra}`;

test("an import names delegated zones that do not move, and zones that are equal", async () => {
  const desk = new Desk({
    ...Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [`old/${name}.test.zone`, zone()])),
    "old/f.test.zone": zone("own A 192.0.2.2\n"),
    "old/parent.test.zone": zone("here NS ns1.test.\nthere NS ns1.test.\nthere NS ns2.test.\nold NS ns1.test.\n"),
    "old/here.parent.test.zone": zone("x A 192.0.2.3\n"),
    "zones/old.parent.test.yaml": "soa_email: a@example.com\nrecords: { www: { A: 192.0.2.4 } }\n",
  });
  const { code, talk } = await desk.run("import file old");
  expect([code, talk.replace(/^warning.*\n(?: .*\n)*\n?/gm, "")]).toEqual([
    0,
    [
      "note[import-delegated] the imported zones delegate there.parent.test, which has no zone file",
      "  If their zones move as well, import them by name.",
      "",
      "note[import-equal-zones] 5 zones have the same records: a.test, b.test, c.test and 2 more",
      "  A template describes them once: see `zonewright help zone-files`, Templates.",
      "",
    ].join("\n"),
  ]);
});
