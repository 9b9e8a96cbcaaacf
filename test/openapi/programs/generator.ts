import * as generated from "./api";
import { Configuration, DomainsApi, ErrorsFromJSON, NewDomainRecordTypeEnum, ResponseError } from "./api";

declare function require(file: string): { id: string; body?: unknown }[];

type Call = (parameters: object) => Promise<unknown>;

declare const process: { argv: string[] };

async function main([, , url, token = "", domain]: string[]): Promise<void> {
  const api = new DomainsApi(new Configuration({ basePath: `${url}/v4`, accessToken: token }));
  const domainId = Number(domain);
  const print = (value: unknown) => console.log(JSON.stringify(value));

  const newDomainRecord = { type: NewDomainRecordTypeEnum.A, name: "www", target: "192.0.2.1" };
  const { id, name, target, created, tag } = await api.createRecord({ domainId, newDomainRecord });
  print({ id, name, target, created, tag });

  const list = await api.listRecords({ domainId, pageSize: 25 });
  print({ results: list.results, names: list.data.map((record) => record.name) });

  try {
    await api.createRecord({ domainId, newDomainRecord: { type: NewDomainRecordTypeEnum.A, target: "x" } });
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const [entry] = ErrorsFromJSON(await error.response.json()).errors;
    print({ status: error.response.status, reason: entry?.reason, field: entry?.field });
  }

  let status = 0;
  let reply = "";
  const post = async ({ response }: { response: Response }) => {
    status = response.status;
    reply = await response.clone().text();
  };
  const calls = new Map<string, Call>();
  for (const [name, part] of Object.entries(generated)) {
    if (!name.endsWith("Api")) continue;
    const Api = part as typeof DomainsApi;
    const instance = new Api(new Configuration({ basePath: `${url}/v4`, accessToken: token, middleware: [{ post }] }));
    for (const key of Object.getOwnPropertyNames(Api.prototype))
      calls.set(key.toLowerCase(), Reflect.get(instance, key).bind(instance));
  }
  for (const { id, body } of require("../operations.json")) {
    // The body is the parameter whose type has a reader; the others are optional.
    const parameters = new Proxy(
      {},
      {
        get: (_, name) => {
          const type = String(name).replace(/^./, (letter) => letter.toUpperCase());
          return Reflect.get(generated, `${type}FromJSON`)?.(body);
        },
      },
    );
    const call = calls.get(id.toLowerCase());
    if (call === undefined) throw new Error(`The client has no ${id}`);
    const understood = await call(parameters).catch(async (error: unknown) => {
      if (!(error instanceof ResponseError)) throw error;
      return ErrorsFromJSON(await error.response.json());
    });
    print({ id, status, reply: reply && JSON.parse(reply), understood: understood ?? "" });
  }
}

void main(process.argv);
