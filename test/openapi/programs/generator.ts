import { Configuration, DomainsApi, ErrorsFromJSON, NewDomainRecordTypeEnum, ResponseError } from "./api";

declare const process: { argv: string[] };

async function main([, , url, token = ""]: string[]): Promise<void> {
  const api = new DomainsApi(new Configuration({ basePath: `${url}/v4`, accessToken: token }));
  const print = (value: unknown) => console.log(JSON.stringify(value));

  const newDomainRecord = { type: NewDomainRecordTypeEnum.A, name: "www", target: "192.0.2.1" };
  const { id, name, target, created, tag } = await api.createRecord({ domainId: 1, newDomainRecord });
  print({ id, name, target, created, tag });

  const list = await api.listRecords({ domainId: 1, pageSize: 25 });
  print({ results: list.results, names: list.data.map((record) => record.name) });

  try {
    await api.createRecord({ domainId: 1, newDomainRecord: { type: NewDomainRecordTypeEnum.A, target: "x" } });
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const [entry] = ErrorsFromJSON(await error.response.json()).errors;
    print({ status: error.response.status, reason: entry?.reason, field: entry?.field });
  }
}

void main(process.argv);
