import { expect, test } from "vitest";
import { ImportState } from "../../src/workflow/import-state.ts";
import { openProject } from "../../src/workflow/project.ts";
import { domainName } from "../names.ts";
import { contextOf } from "../workflow/import-context.ts";
import { Desk, lines } from "./run.ts";

const zone = "$TTL 1h\n@ SOA ns1 h 7 2h 1h 2w 5m\n@ NS ns1\n";

test("import status before any import", async () => {
  const out = "no import yet: `zonewright import axfr`, `import file` and `import remote` are listed here\n";
  expect(await new Desk().run("import status")).toEqual({ code: 0, out, talk: "" });
  expect((await new Desk().run("import status --report json")).out).toBe("null\n");
});

test("import status after an import in which zones failed and a file was kept", async () => {
  const desk = new Desk({
    "old/db.example.com": zone,
    "old/example.net.zone": zone,
    "old/it's-bad.zone": "x\n",
    "zones/example.net.yaml": "soa_email: a@example.net\nrecords: {}\n",
  });
  await desk.run("import file old/it's-bad.zone old/db.example.com old/example.net.zone --restart");
  expect((await desk.run("import status")).out).toBe(lines`
    import of 2026-03-04T12:00:00.000Z: ended 2026-03-04T12:00:00.000Z
    3 zones: 1 imported, 1 kept, 1 failed, 0 left
    kept zones/example.net.yaml: it differs; --yes overwrites it
    failed it's-bad: x: the record type is missing

    next: import the rest with
      zonewright import file 'old/it'\''s-bad.zone' old/db.example.com old/example.net.zone
  `);
});

test("import status of an interrupted import", async () => {
  const desk = new Desk();
  const context = contextOf(desk);
  const state = new ImportState(openProject(context, { config: "zonewright.yaml" }), context.now);
  state.begin({ request: "r", zones: 3, command: "zonewright import axfr --zones-file all --from 192.0.2.53" });
  const name = domainName("example.com.");
  state.imported({ zone: name, file: "zones/example.com.yaml", from: "192.0.2.53:53", serial: 7 });
  state.failed({ zone: domainName("example.net."), problems: [] });
  state.imported({ zone: domainName("Example.net."), file: "zones/example.net.yaml", from: "192.0.2.53:53" });
  expect(JSON.parse((await desk.run("import status --report json")).out)).toEqual({
    begun: "2026-03-04T12:00:00.000Z",
    command: "zonewright import axfr --zones-file all --from 192.0.2.53",
    zones: 3,
    imported: 2,
    kept: [],
    failed: [],
    left: 1,
  });
  expect((await desk.run("import status")).out).toBe(lines`
    import of 2026-03-04T12:00:00.000Z: interrupted, or still running
    3 zones: 2 imported, 0 failed, 1 left

    next: continue with
      zonewright import axfr --zones-file all --from 192.0.2.53
  `);
});
