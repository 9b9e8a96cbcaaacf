import { expect, test } from "vitest";
import { apiDesk, lines } from "./run.ts";

const zones = { "zones/example.com.yaml": "soa_email: hostmaster@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n" };

const plan = lines`
  example.com                               +2 create
    1 + create  (zone)  master; soa_email hostmaster@example.com  disabled until its records are written
    2 + create  www     A  86400  192.0.2.1                       zones/example.com.yaml:4
  plan: 2 changes in 1 of 1 zone · effects 2af64ceb · 1 read
  apply sends 3 writes and 6 reads (no rate limit)
`;

test("reports a wrong token", async () => {
  const desk = await apiDesk(zones);
  desk.secrets.push("0123456789abcdef");
  expect(await desk.run("apply --yes", { env: { ZONEWRIGHT_TOKEN: "0123456789abcdef" } })).toEqual({
    code: 1,
    out: "",
    talk: lines`
      error[api/token] GET /v4/domains: 401 Invalid Token
        The token is from ZONEWRIGHT_TOKEN. It is unknown, expired or revoked. Replace it with a valid one.
    `,
  });
  expect(desk.writes).toEqual([]);
});

test.each([
  ["--token-file", "api list-domains --token-file other", {}],
  ["--token-file", "plan --token-file other", {}],
  ["ZONEWRIGHT_TOKEN_FILE", "plan", { ZONEWRIGHT_TOKEN: "", ZONEWRIGHT_TOKEN_FILE: "other" }],
])("reports the file of a wrong token: %s, %s", async (setting, command, env) => {
  const desk = await apiDesk({ ...zones, other: "0123456789abcdef\n" });
  expect((await desk.run(command, { env })).talk).toBe(lines`
    error[api/token] GET /v4/domains: 401 Invalid Token
      The token is from the file other (${setting}). It is unknown, expired or revoked. Replace it with a valid one.
  `);
});

test("reports a token without any domain scope", async () => {
  const desk = await apiDesk(zones);
  const env = { ZONEWRIGHT_TOKEN: await desk.mint({ scopes: "linodes:read_only" }) };
  expect(await desk.run("plan", { env })).toEqual({
    code: 1,
    out: "",
    talk: lines`
      error[api/scope] GET /v4/domains: 401 Your OAuth token is not authorized to use this endpoint
        The token is from ZONEWRIGHT_TOKEN. It needs the scope domains:read_only; it has linodes:read_only. Replace it with one that has it.
    `,
  });
});

test.each(["apply --yes", "undo last --yes"])(
  "a read-only token: plan works, %s fails before it plans",
  async (command) => {
    const desk = await apiDesk(zones);
    const env = { ZONEWRIGHT_TOKEN: await desk.mint({ scopes: "domains:read_only events:*" }) };
    expect(await desk.run("plan", { env })).toEqual({ code: 0, out: plan, talk: "" });
    if (command !== "apply --yes") await desk.run("apply --yes");
    desk.writes.length = 0;
    expect(await desk.run(command, { env })).toEqual({
      code: 1,
      out: "",
      talk: lines`
      error[api/scope] the token may not write: it has the scopes domains:read_only events:*
        The token is from ZONEWRIGHT_TOKEN. Replace it with one that has domains:read_write.
    `,
    });
    expect(desk.writes).toEqual([]);
  },
);

test("a zone of another account: plan cannot know, apply reports the conflict", async () => {
  const desk = await apiDesk(zones);
  const env = { ZONEWRIGHT_TOKEN: await desk.mint({ username: "somebody", account: "else" }) };
  const { id } = await desk.call("POST", "/domains", {
    domain: "example.com",
    type: "master",
    soa_email: "a@b.example",
  });
  expect(await desk.run("plan", { env })).toEqual({ code: 0, out: plan, talk: "" });
  expect(await desk.run("apply --yes", { env })).toEqual({
    code: 1,
    out: plan,
    talk: lines`
      example.com: 3 writes
      example.com: failed after 0 of 3 writes: POST /v4/domains: 400 domain: DNS zone already exists. If ${"`"}zonewright api list-domains${"`"} does not show it, it belongs to another user or account: use a token of its owner, or have it released there.
      1 of 1 zone failed. Fix the error above, then run ${"`"}zonewright apply --resume${"`"}.
    `,
  });
  expect((await desk.call("GET", `/domains/${id}/records`)).results).toBe(0);
});

test.each(["export --live --to bind example.com", "export --rendered --to bind example.com", "import api example.com"])(
  "%s: treats a zone of another account as missing",
  async (command) => {
    const desk = await apiDesk();
    const env = { ZONEWRIGHT_TOKEN: await desk.mint({ username: "somebody", account: "else" }) };
    await desk.call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "a@b.example" });
    expect(await desk.run(command, { env })).toEqual({
      code: 3,
      out: "",
      talk: lines`
        error[zone-unknown] the account has no zone example.com
          It may not exist, or this token may not see it.
      `,
    });
    expect(desk.files()).toEqual({});
  },
);
