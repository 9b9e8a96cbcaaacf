import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { createServer } from "../../src/server/server.ts";
import type { Store } from "../../src/server/store/store.ts";
import { givePassword } from "../server/browser.ts";
import type { FormRequest, Person } from "./forms.ts";
import { faultOfPage, faultOfTokenReply, keepValues, sentForm, type Words } from "./judge-forms.ts";
import {
  type ApiDocument,
  type ApiRequest,
  documentOf,
  type FuzzRequest,
  type Operation,
  type Profile,
  type Sender,
  senders,
} from "./requests.ts";

/**
 * Most milliseconds for one request: of the processor, which others on the machine do not slow down, and of the clock,
 * after which nothing answers any more.
 */
const patience = { processor: 5000, clock: 40_000 };

const now = new Date("2026-03-04T12:00:00Z");

/** An operation, with the schemas of its replies compiled. */
interface Contract {
  readonly operation: Operation;
  readonly success: ValidateFunction | undefined;
  /** The kind of object that it replies with or lists, such as `domain`; empty for none. */
  readonly kind: string;
}

/** The kind of the objects at a path, by its last collection, such as `disk`, as events call them. */
function kindOfPath(path: string): string {
  const collection = path.split("/").findLast((segment) => segment.endsWith("s")) ?? "";
  return { instances: "node", configs: "nodeconfig" }[collection] ?? collection.replace(/s$/, "");
}

/** The OpenAPI document as a judge of replies. */
export class ReplyJudge {
  readonly profile: Profile;
  readonly document: ApiDocument;
  readonly isError: ValidateFunction;
  readonly #contracts = new Map<string, Contract>();

  constructor(profile: Profile) {
    this.profile = profile;
    this.document = documentOf(profile);
    const { components, paths } = this.document;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const compile = (schema: object) => ajv.compile({ ...schema, components });
    this.isError = compile({ $ref: "#/components/schemas/Errors" });
    for (const [path, operations] of Object.entries(paths))
      for (const operation of Object.values<Operation>(operations)) {
        const schema = operation.responses[200]?.content?.["application/json"]?.schema;
        const name = schema?.$ref?.split("/").at(-1) ?? kindOfPath(path);
        const kind = name.replace(/Page$/, "").toLowerCase();
        this.#contracts.set(operation.operationId, { operation, success: schema && compile(schema), kind });
      }
  }

  contractOf(operation: string): Contract {
    const contract = this.#contracts.get(operation);
    if (contract === undefined) throw new Error(`no operation ${operation}`);
    return contract;
  }
}

/**
 * Sends the requests one after another to a server with this store, which has two accounts with an object of each kind.
 * Each must be answered in time as the OpenAPI document says: 200 with its reply, or an error below 500 with entries,
 * and no unexpected error. Nothing of one account may be in a reply to the other, no id and no word; nothing that a
 * restricted user has no grant on in a reply to them; and no secret in any reply or in the access log, except where it
 * is made. Returns the number of successes.
 */
export async function judge(store: Store, rules: ReplyJudge, sequence: readonly FuzzRequest[]): Promise<number> {
  const tokens = await prepareSenders(store);
  const words = { owner: await prepareWords(store, "owner"), stranger: await prepareWords(store, "stranger") };
  const secrets = new Set(Object.values(tokens).filter((token) => token !== undefined));
  for (const own of Object.values(words)) secrets.add(own.get("password") ?? "");
  let unforeseen: unknown;
  const onError = (error: unknown) => {
    unforeseen = error;
  };
  let logged = "";
  const onAccess = (access: object) => {
    logged = JSON.stringify(access);
  };
  const jobDriver = simulatedDriver(0);
  const server = createServer({ store, clock: () => now, onError, onAccess, profile: rules.profile, jobDriver });
  /** The account that each object belongs to, by kind and id. */
  const owners = new Map<string, string>();
  const textIds: string[] = [];
  let successes = 0;

  /** Sends a request, and looks at what holds for all replies. */
  const ask = async (request: Request, described: string) => {
    const fault = (what: string, cause?: unknown) => new Error(`${what}\n${described}`, { cause });
    const before = process.cpuUsage();
    const reply = await within(patience.clock, server(request, { remoteAddress: "192.0.2.99" }), () =>
      fault("is not answered"),
    );
    const { status, headers } = reply;
    const view = { status, headers, html: await reply.text(), location: headers.get("Location") };
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 > patience.processor) throw fault("takes too long");
    if (unforeseen !== undefined) throw fault("nobody foresaw", unforeseen);
    if (status >= 500) throw fault(`answers ${status} ${view.html}`);
    const whole = [view.html, logged, ...[...headers].flat()].join("\n");
    for (const secret of secrets) if (whole.includes(secret)) throw fault(`shows a secret: ${whole}`);
    return { view, fault };
  };

  const sendForm = async (form: FormRequest) => {
    const person = form.sender;
    const [own, others] = person === "owner" ? [words.owner, words.stranger] : [words.stranger, words.owner];
    const request = sentForm(form, own, others);
    const sent = JSON.stringify([...form.fields.flat(), request.url]).toLowerCase();
    const { view, fault } = await ask(request, `${person}: ${JSON.stringify(form)}`);
    const isPage = !/token|revoke/.test(form.path);
    const why = isPage ? faultOfPage(view, `https://${senders[person]}.example/`) : faultOfTokenReply(form.path, view);
    if (why !== undefined) throw fault(`${why}: ${view.status} ${view.location} ${view.html}`);
    const word = other(senders[person]);
    const isForeign = form.session !== "other" && !sent.includes("@other") && !sent.includes(word);
    if (isForeign && `${view.html} ${view.location}`.toLowerCase().includes(word))
      throw fault(`shows another account: ${view.html}`);
    const received: Words = form.session === "other" ? new Map() : own;
    for (const secret of keepValues(view, received)) secrets.add(secret);
    if (view.status === 200 || view.status === 303) successes++;
  };

  const send = async ({ operation, sender, method, path, headers, body, file }: ApiRequest) => {
    const own = senders[sender];
    const fill = (text: string) =>
      text
        .replaceAll(/@id(\d)/g, (_, index: string) => textIds[Number(index)] ?? "none")
        .replaceAll("@other", other(own))
        .replaceAll("@me", own)
        .replaceAll("@ME", own.toUpperCase());
    const token = tokens[sender];
    const request = new Request(`http://api${fill(path)}`, {
      method,
      headers: { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: fill(body) }),
      ...(file !== undefined && { body: formWith(fill(file)) }),
    });
    const described = `${sender}: ${method} ${fill(path)} ${JSON.stringify(headers)} ${file ?? body ?? ""}`;
    const { view, fault } = await ask(request, described);
    const text = view.html;
    if (view.headers.get("Content-Type") !== "application/json") throw fault("is not JSON by its header");
    const foreign = sender === "guest" ? Object.values(senders) : [other(own)];
    if (foreign.some((word) => text.toLowerCase().includes(word))) throw fault(`shows another account: ${text}`);
    if (sender === "restricted" && text.includes("hidden")) throw fault(`shows what has no grant: ${text}`);

    const { operation: contract, success, kind } = rules.contractOf(operation);
    if (view.status === 204 && contract.responses[204] !== undefined && text === "") return successes++;
    const answer = JSON.parse(text);
    const isValid = view.status === 200 ? success : rules.isError;
    if (!isValid?.(answer))
      throw fault(`answers ${view.status} against its contract: ${text}`, JSON.stringify(isValid?.errors));
    if (view.status !== 200) return;
    successes++;
    if (path.includes("@other")) throw fault(`finds what belongs to another account: ${text}`);
    if (contract.security.length === 0) return;
    for (const [object, id] of objectsIn(answer, kind)) {
      if (typeof id === "string" && !textIds.includes(id)) textIds.push(id);
      const owner = owners.get(`${object} ${id}`) ?? own;
      if (owner !== own) throw fault(`shows ${object} ${id} of another account: ${text}`);
      owners.set(`${object} ${id}`, own);
    }
    if (operation !== "createOAuthClient" && operation !== "resetOAuthClientSecret") return;
    const { id, secret } = JSON.parse(text);
    secrets.add(secret);
    words[own === senders.owner ? "owner" : "stranger"].set("client", id).set("secret", secret);
  };

  const sendAny = (request: FuzzRequest) => ("operation" in request ? send(request) : sendForm(request));
  for (const request of beginningOf(rules.document)) await sendAny(request);
  if (sequence.length > 0) await setGrant(store, "alpha-restricted", "begin.alpha.example", "read_write", now);
  for (const request of sequence) await sendAny(request);
  return successes;
}

const other = (account: string) => (account === senders.owner ? senders.stranger : senders.owner);

/** Creates the users, each with their account's word in the name, and their tokens. */
async function prepareSenders(store: Store): Promise<Record<Sender, string | undefined>> {
  const account = senders.owner;
  const owner = await createToken(store, { username: "alpha-owner", account, now });
  await addUser(store, { username: "alpha-restricted", account, restricted: true, addDomains: true, now });
  const restricted = await createToken(store, { username: "alpha-restricted", account, now });
  const stranger = await createToken(store, { username: "bravo-owner", account: senders.stranger, now });
  return { owner, restricted, stranger, guest: undefined };
}

/** The words of the forms of a person, who gets a password. */
async function prepareWords(store: Store, person: Person): Promise<Words> {
  const user = `${senders[person]}-owner`;
  const password = `correct horse ${person}`;
  await givePassword(store, user, password);
  return new Map(Object.entries({ me: senders[person], user, password }));
}

/**
 * Objects that both accounts have at first, as far as the document has the operation, and those of the owner that the
 * restricted user has no grant on. Then the owner and the stranger sign in, and let their application have tokens.
 */
function beginningOf({ paths }: ApiDocument): FuzzRequest[] {
  type Create = [template: string, id: number, body: object];
  const node = { region: "us-east", type: "g6-nanode-1", backups_enabled: true };
  const nodeOf = (word: string, id: number): Create[] =>
    ["/node/instances", "/linode/instances"].flatMap((nodes): Create[] => [
      [nodes, id, { ...node, label: `${word}-@me` }],
      [`${nodes}/{nodeId}/configs`, id, { label: `@me ${word}`, devices: {} }],
      [`${nodes}/{nodeId}/disks`, id, { label: `@me ${word}`, size: 100 }],
    ]);
  const domainOf = (word: string, id: number): Create[] => [
    ["/domains", id, { domain: `${word}.@me.example`, type: "master", soa_email: `${word}@@me.example` }],
    ["/support/tickets", id, { summary: word, description: `@me ${word}`, domain_id: id }],
    ["/support/tickets/{ticketId}/replies", id, { description: `@me ${word}` }],
    ["/account/oauth-clients", id, { label: `@me ${word}`, redirect_uri: "https://@me.example/" }],
    ["/domains/{domainId}/records", id, { type: "A", name: word, target: "192.0.2.1" }],
  ];
  const usual = (id: number): Create[] => [
    ...domainOf("begin", id),
    ...nodeOf("begin", id),
    ["/domains/{domainId}/records", id, { type: "MX", target: "" }],
    ["/domains/{domainId}/records", id, { type: "CAA", tag: "issue", target: ";" }],
    ["/tags", id, { label: "@me", domains: [id] }],
  ];
  const of = (sender: Sender, creates: readonly Create[]) =>
    creates.flatMap(([template, id, body]): ApiRequest[] => {
      const operation = paths[template]?.post?.operationId;
      const path = `/v4${template.replace(/\{\w+\}/, String(id))}`;
      const request = { sender, method: "POST", path, headers: {}, body: JSON.stringify(body) };
      return operation === undefined ? [] : [{ ...request, operation }];
    });
  return [
    ...of("owner", domainOf("hidden", 1)),
    ...of("owner", nodeOf("hidden", 1)),
    ...of("owner", usual(2)),
    ...of("stranger", usual(3)),
    ...authorizationOf("owner"),
    ...authorizationOf("stranger"),
  ];
}

/** Two authorizations of a person's application: the code of the first is exchanged, that of the second is not. */
function authorizationOf(sender: Person): FormRequest[] {
  const send = (method: string, path: FormRequest["path"], fields: Record<string, string>): FormRequest => {
    const usual = { encoding: "urlencoded", session: "own", isBasic: false } as const;
    return { sender, method, path, fields: Object.entries(fields), ...usual };
  };
  const request = { client_id: "@client", response_type: "code", scope: "domains:read_only" };
  const decision = { request: "@request", token: "@consent", decision: "allow" };
  const consent = [send("GET", "/oauth/authorize", request), send("POST", "/oauth/authorize", decision)];
  return [
    send("GET", "/sign-in", {}),
    send("POST", "/sign-in", { to: "/", token: "@signIn", username: "@user", password: "@password" }),
    ...consent,
    send("POST", "/oauth/token", { client_id: "@client", client_secret: "@secret", code: "@code" }),
    ...consent,
  ];
}

function formWith(name: string): FormData {
  const form = new FormData();
  form.set("file", new File(["text"], name));
  return form;
}

/**
 * Kind and id of each object of a reply: itself, those of its list, tagged ones, and subjects of events and tickets.
 */
function* objectsIn(reply: unknown, kind: string): Generator<[kind: string, id: unknown]> {
  if (typeof reply !== "object" || reply === null) return;
  if ("data" in reply && Array.isArray(reply.data)) for (const item of reply.data) yield* objectsIn(item, kind);
  else if ("data" in reply && "type" in reply) yield* objectsIn(reply.data, String(reply.type));
  else if ("id" in reply) yield [kind, reply.id];
  if ("entity" in reply && typeof reply.entity === "object" && reply.entity !== null && "type" in reply.entity)
    yield* objectsIn(reply.entity, String(reply.entity.type).replaceAll("_", ""));
}

async function within<T>(ms: number, work: Promise<T>, fault: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fault()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
