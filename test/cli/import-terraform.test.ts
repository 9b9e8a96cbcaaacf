import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cases } from "../formats/foreign.ts";
import { type ApiDesk, apiDesk } from "./run.ts";

interface Instance {
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Makes an account as Terraform made it: the same domains and records in the order of their ids, with the same ids. */
async function recreate(desk: ApiDesk, state: string): Promise<void> {
  const { resources } = JSON.parse(state) as {
    resources: { mode: string; type: string; instances: { attributes: Instance["attributes"] }[] }[];
  };
  const managed = resources.filter(({ mode }) => mode === "managed");
  const instances = managed.flatMap(({ type, instances }) => instances.map(({ attributes }) => ({ type, attributes })));
  const create = async (wanted: string, path: (attributes: Instance["attributes"]) => string) => {
    const found = instances.filter(({ type }) => type === wanted).map(({ attributes }) => attributes);
    for (const { id, domain_id, record_type, ...fields } of found.sort((a, b) => Number(a.id) - Number(b.id))) {
      const given = Object.entries(fields).filter(([, value]) => value !== null && value !== "");
      const type = wanted === "linode_domain" ? fields.type : record_type;
      const body = { ...Object.fromEntries(given), type };
      expect((await desk.call("POST", path({ domain_id }), body)).id).toBe(Number(id));
    }
  };
  await create("linode_domain", () => "/domains");
  await create("linode_domain_record", ({ domain_id }) => `/domains/${domain_id}/records`);
}

const read = (file: string) => readFileSync(join(cases, "terraform", file), "utf8");

test.each(["terraform.tfstate", "show.json"])("%s: nothing is created again", async (file) => {
  const desk = await apiDesk();
  await recreate(desk, read("terraform.tfstate"));
  desk.secrets.push("correct horse battery staple");
  desk.write(file, read(file));
  desk.write("zonewright.yaml", "rules: { mx-elsewhere: warning }\n"); // example.net has no mail servers there
  const imported = await desk.run(`import file ${file} --report json`);
  expect([imported.code, imported.talk.match(/example\.com is the domain 1 of the account/g)?.length]).toEqual([0, 1]);
  expect(imported.out).toContain('"linode_domain_record.caa, record 3"');
  desk.writes.length = 0;
  const plan = await desk.run("plan --detailed-exitcode");
  expect([plan.code, desk.writes]).toEqual([0, []]);
  expect(plan.out).toBe("in sync: 3 zones, nothing to do\n");
});

test("a state with a sensitive value: its zone fails, and nothing shows the value", async () => {
  const desk = await apiDesk({ "partial.tfstate": read("partial.tfstate") });
  desk.secrets.push("verification=9f2c");
  const { code, talk } = await desk.run("import file partial.tfstate --report json");
  expect(code).toBe(5);
  expect(talk).toContain('Terraform marks "target" of linode_domain_record.verification as sensitive');
  expect(Object.keys(desk.files()).filter((name) => name.startsWith("zones/"))).toEqual(["zones/example.com.yaml"]);
});
