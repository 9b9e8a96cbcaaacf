import createClient from "openapi-fetch";
import type { paths } from "./api";

declare const process: { argv: string[] };

async function main([, , url, token]: string[]): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const client = createClient<paths>({ baseUrl: `${url}/v4`, headers });
  const path = { domainId: 1 };
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
}

void main(process.argv);
