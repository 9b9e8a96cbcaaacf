import { expect, test } from "vitest";
import { apiDesk, Desk, lines } from "./run.ts";

const files = {
  "zonewright.yaml": lines`
    zones: [zones, { path: octo, format: octodns }]
    defaults: { soa_email: hostmaster@example.com }
  `,
  "zones/example.net.yaml": lines`
    records:
      www:
        A: 192.0.2.20
  `,
  "octo/example.com.yaml": lines`
    ---
    www:
      value: 192.0.2.10
      type: A
      ttl: 300
    '':
      - type: MX
        ttl: 3600
        values:
          - {preference: 10, exchange: mail.example.org}
      - type: TXT
        value: v=spf1 mx -all
      - type: Route53Provider/ALIAS
        value: www
  `,
  "octo/README.md": "How we keep them.\n",
};

test("a folder of octoDNS beside one of our own: plan, apply, plan", async () => {
  const desk = await apiDesk(files);
  expect(await desk.run("plan")).toEqual({
    code: 0,
    out: lines`
      example.com                               +4
        + create  (zone)  master; soa_email hostmaster@example.com  disabled until its records are there
        + create  @       MX   3600  10 mail.example.org.           octo/example.com.yaml:10
        + create  @       TXT  3600  "v=spf1 mx -all"               octo/example.com.yaml:12
        + create  www     A    300   192.0.2.10                     octo/example.com.yaml:3
      example.net                               +2
        + create  (zone)  master; soa_email hostmaster@example.com  disabled until its records are there
        + create  www     A  86400  192.0.2.20                      zones/example.net.yaml:3
      effects 93dc2e02 · 1 read · 8 writes ≈ 1 s at 800/min · 6 changes in 2 of 2 zones
    `,
    talk: "",
  });
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect(await desk.run("plan")).toEqual({ code: 0, out: "in sync: 2 zones, nothing to do\n", talk: "" });
});

test("import api leaves the files of octoDNS alone", async () => {
  const desk = await apiDesk(files);
  expect((await desk.run("apply --yes")).code).toBe(0);
  await desk.call("POST", "/domains/1/records", { type: "A", name: "new", target: "192.0.2.99" });
  const before = desk.files();
  const { code, talk } = await desk.run("import api example.com --yes");
  expect([code, talk]).toEqual([
    5,
    "octo/example.com.yaml is kept: it differs from the live zone, and octodns files are only read\n0 zones written, 0 the same, 1 kept as they were\n",
  ]);
  expect(desk.files()).toEqual(before);
});

test.each(["", " octo/example.com.yaml zones/example.net.yaml", " example.com example.net"])(
  "validate%s: what only one provider knows is a warning at its place",
  async (args) => {
    expect(await new Desk(files).run(`validate${args}`)).toEqual({
      code: 0,
      out: lines`
        warning[provider-specific] Route53Provider/ALIAS is known to some providers only; the record set is left out
          octo/example.com.yaml:13:11
           13 |   - type: Route53Provider/ALIAS
              |           ^^^^^^^^^^^^^^^^^^^^^

        valid: 2 zones, 4 records, 1 warning
      `,
      talk: "",
    });
  },
);

test("the folder is read as what the config calls it, not as what its files look like", async () => {
  const desk = new Desk({ ...files, "octo/example.org.yaml": "records: { type: A, vlue: 192.0.2.1 }\n" });
  expect(await desk.run("validate example.org")).toEqual({
    code: 3,
    out: lines`
      error[unknown-key] vlue is no key of a record set
        octo/example.org.yaml:1:21
          1 | records: { type: A, vlue: 192.0.2.1 }
            |                     ^^^^
        Did you mean value?

      error[value-missing] the A set has no values
        octo/example.org.yaml:1:10
          1 | records: { type: A, vlue: 192.0.2.1 }
            |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        Write values: and the list.

      not valid: 1 zone, 0 records, 2 errors
    `,
    talk: "",
  });
});

test.each([
  ["fmt", "0 files written, 1 left as they were"],
  ["fmt --check", "0 files would change"],
  ["fmt --to bind", "0 files written, 1 left as they were"],
])("%s leaves the files of octoDNS alone, and says so once for each", async (command, last) => {
  const desk = new Desk(files);
  const before = desk.files();
  expect(await desk.run(`${command} example.com`)).toEqual({
    code: 0,
    out: "",
    talk: lines`
      note[fmt-left-alone] octo/example.com.yaml is left alone: files of octodns are only read
        To keep the zone in another form from now on: zonewright export --to yaml, or --to bind.
      ${last}
    `,
  });
  expect(desk.files()).toEqual(before);
});
