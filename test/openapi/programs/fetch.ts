import createClient from "openapi-fetch";
import type { paths } from "./api";

declare function require(file: string): Operation[];

interface Operation {
  id: string;
  method: string;
  path: string;
  body?: unknown;
}

declare const process: { argv: string[] };

async function main([, , url, token, domain]: string[]): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const client = createClient<paths>({ baseUrl: `${url}/v4`, headers });
  const path = { domainId: Number(domain) };
  const print = (value: unknown) => console.log(JSON.stringify(value));

  const created = await client.POST("/domains/{domainId}/records", {
    params: { path },
    body: { type: "A", name: "www", target: "192.0.2.1" },
  });
  if (created.data === undefined) throw new Error(created.error.errors[0]?.reason);
  const { id, name, target, created: moment, tag } = created.data;
  print({ id, name, target, created: moment, tag });

  const list = await client.GET("/domains/{domainId}/records", { params: { path, query: { page_size: 25 } } });
  print({ results: list.data?.results, names: list.data?.data.map((record) => record.name) });

  const refused = await client.POST("/domains/{domainId}/records", {
    params: { path },
    body: { type: "A", target: "x" },
  });
  const [entry] = refused.error?.errors ?? [];
  print({ status: refused.response.status, reason: entry?.reason, field: entry?.field });

  let reply = "";
  client.use({
    onResponse: async ({ response }) => {
      reply = await response.clone().text();
    },
  });
  const request = client.request as (method: string, path: string, init: object) => ReturnType<typeof client.request>;
  // The types of these replies are checked afterwards.
  for (const { id, method, path, body } of require("../operations.json")) {
    const { data, error, response } = await request(method, path, { body });
    const understood: unknown = data ?? error;
    print({ id, status: response.status, reply: reply && JSON.parse(reply), understood: understood ?? "" });
  }
}

void main(process.argv);
