import { expect } from "vitest";
import { noon, refused } from "../start.ts";
import {
  by,
  days,
  errorAnswer,
  filter,
  notFound,
  ok,
  page,
  type Sections,
  type Sentence,
  unauthorized,
  unfilterable,
  wrongLength,
} from "./kit.ts";

/** The account as it is at first, but for these. */
const accountWith = (fields: object = {}) => ({
  company: "admin",
  email: "",
  first_name: "",
  last_name: "",
  address_1: "",
  address_2: "",
  city: "",
  state: "",
  zip: "",
  country: "",
  phone: "",
  balance: 0,
  tax_id: "",
  credit_card: { last_four: null, expiry: null },
  balance_uninvoiced: 0,
  active_since: noon,
  capabilities: expect.any(Array),
  active_promotions: [],
  euuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  ...fields,
});
const put = (fields: object): Sentence[1] => [["PUT", "/account", fields]];

/** A field of this maximum length: accepted at the limit, refused above it. */
function lengthOf(field: string, most: number, letter = "x"): Sentence[] {
  const [longest, longer] = [letter.repeat(most), letter.repeat(most + 1)];
  return [
    [`${field}: to ${most}`, put({ [field]: longest }), ok(accountWith({ [field]: longest }))],
    [`${field}: not ${most + 1}`, put({ [field]: longer }), wrongLength(`0-${most}`, field)],
    [`${field}: string`, put({ [field]: 5 }), refused(["Must be of type String", field])],
    [`${field}: may be emptied`, [...put({ [field]: longest }), ...put({ [field]: "" })], ok(accountWith())],
  ];
}

/** A field that only the service sets: a PUT that has it changes nothing. */
const readOnly = (field: string, value: unknown): Sentence => [
  `${field}: read-only`,
  put({ [field]: value }),
  ok(accountWith()),
];

const set = (fields: object, stored = fields): Sentence => [
  Object.entries(fields)
    .map(([field, value]) => `${field} ${value}`)
    .join(", "),
  put(fields),
  ok(accountWith(stored)),
];
const invalid = (field: string, fields: object): Sentence => [
  `${Object.entries(fields)
    .map(([field, value]) => `${field} ${value}`)
    .join(", ")}: invalid`,
  put(fields),
  refused([`${field} is not valid`, field]),
];

/**
 * The fields of the account, one row for each (decisions/documents#account); texts and unset fields as in
 * decisions/account#account-data.
 */
const account: readonly Sentence[] = [
  ["GET /account: every field", [["GET", "/account"]], ok(accountWith())],
  [
    "active_promotions: also accepted in the update body, where nobody can grant themselves one",
    put({ active_promotions: [{ summary: "gift", credit_remaining: "100.00" }] }),
    ok(accountWith()),
  ],
  readOnly("active_since", "2000-01-01T00:00:00"),
  ...lengthOf("address_1", 64),
  ...lengthOf("address_2", 64),
  readOnly("balance", -100),
  readOnly("balance_uninvoiced", -100),
  readOnly("capabilities", ["Nodes"]),
  ...lengthOf("city", 24),
  ["company: at first the account's name", [["GET", "/account"]], ok(accountWith({ company: "admin" }))],
  ["company: to 128", put({ company: "x".repeat(128) }), ok(accountWith({ company: "x".repeat(128) }))],
  ["company: not 129", put({ company: "x".repeat(129) }), wrongLength("0-128", "company")],
  set({ country: "NL" }),
  set({ country: "nl" }, { country: "NL" }),
  invalid("country", { country: "XX" }),
  invalid("country", { country: "NLD" }),
  invalid("country", { country: "Netherlands" }),
  invalid("country", { country: "ß" }), // in upper case SS, a country
  invalid("country", { country: "ın" }), // in upper case IN, a country
  readOnly("credit_card", { expiry: "11/2031", last_four: 1111 }),
  set({ email: "john.doe@example.com" }),
  set({ email: `${"a".repeat(60)}@${"b".repeat(59)}.example` }),
  ["email: not 129", put({ email: `${"a".repeat(60)}@${"b".repeat(60)}.example` }), wrongLength("0-128", "email")],
  ["email: an e-mail address", put({ email: "nobody" }), refused(["Must be an e-mail address", "email"])],
  readOnly("euuid", "00000000-0000-4000-8000-000000000000"),
  ...lengthOf("first_name", 50),
  ...lengthOf("last_name", 50),
  ...lengthOf("phone", 32, "1"),
  set({ state: "Utrecht" }),
  ["state: to 24", put({ state: "x".repeat(24) }), ok(accountWith({ state: "x".repeat(24) }))],
  ["state: not 25", put({ state: "x".repeat(25) }), wrongLength("0-24", "state")],
  set({ country: "NL", state: "Utrecht" }),
  set({ country: "US", state: "PA" }),
  set({ country: "CA", state: "ON" }),
  set({ country: "US", state: "AA" }),
  set({ country: "US", state: "AE" }),
  set({ country: "US", state: "AP" }),
  set({ country: "US" }),
  invalid("state", { country: "US", state: "ON" }),
  invalid("state", { country: "US", state: "Pennsylvania" }),
  invalid("state", { country: "CA", state: "PA" }),
  invalid("state", { country: "CA", state: "AA" }),
  [
    "state: of the country that is stored",
    [...put({ country: "US" }), ...put({ state: "Utrecht" })],
    refused(["state is not valid", "state"]),
  ],
  ...lengthOf("tax_id", 100),
  ["tax_id: null clears it", [...put({ tax_id: "NL1" }), ...put({ tax_id: null })], ok(accountWith())],
  set({ zip: "3511 AB" }),
  set({ zip: "12345-6789" }),
  invalid("zip", { zip: "12345-67890" }),
  invalid("zip", { zip: "3511_AB" }),
  ["zip: to 20", put({ zip: `1${"-".repeat(19)}` }), ok(accountWith({ zip: `1${"-".repeat(19)}` }))],
  ["zip: not 21", put({ zip: "-".repeat(21) }), wrongLength("0-20", "zip")],
  ["zip: string", put({ zip: 3511 }), refused(["Must be of type String", "zip"])],
];

const card = { card_number: "4111111111111111", cvv: "123", expiry_month: 11, expiry_year: 2031 };
const pay = (fields: object = {}): Sentence[1] => [["POST", "/account/credit-card", { ...card, ...fields }]];
const required = (field: string): Sentence => [
  `${field}: required`,
  pay({ [field]: undefined }),
  refused([`${field} is required`, field]),
];
const cardSet: Sentence[1] = [...pay(), ["GET", "/account"]];
const comments = { comments: "We moved." };

/** The endpoints of the account, and the fields of its card (decisions/documents#account). */
const endpoints: readonly Sentence[] = [
  [
    "PUT /account: any writable fields",
    [...put({ city: "Utrecht", first_name: "Jo" }), ...put({ zip: "3511 AB", city: null })],
    ok(accountWith({ city: "Utrecht", first_name: "Jo", zip: "3511 AB" })),
  ],
  ["PUT /account: none", put({}), ok(accountWith())],
  [
    "PUT /account: one event, account_update",
    [...put({ city: "Utrecht" }), ["GET", "/account/events", undefined, filter({ action: "account_update" })]],
    ok(page([accountEvent("account_update")])),
  ],
  [
    "GET /account: company, active_since, capabilities, euuid for a restricted user without access",
    [...put({ city: "Utrecht", email: "john.doe@example.com", tax_id: "NL1" }), by("restricted", ["GET", "/account"])],
    ok(accountWith()),
  ],
  ["PUT /account: not for them", [by("restricted", ["PUT", "/account", { city: "Utrecht" }])], unauthorized],
  [
    "the account is one for all its users",
    [...put({ city: "Utrecht" }), by("colleague", ["GET", "/account"])],
    ok(accountWith({ city: "Utrecht" })),
  ],
  ["POST /account/cancel: survey_link", [["POST", "/account/cancel", comments]], ok({ survey_link: "" })],
  ["POST /account/cancel: comments is optional", [["POST", "/account/cancel", {}]], ok({ survey_link: "" })],
  ["POST /account/cancel: so is the body", [["POST", "/account/cancel"]], ok({ survey_link: "" })],
  [
    "POST /account/cancel: comments, string",
    [["POST", "/account/cancel", { comments: 5 }]],
    refused(["Must be of type String", "comments"]),
  ],
  [
    "POST /account/cancel: comments, to 65000",
    [["POST", "/account/cancel", { comments: "x".repeat(65000) }]],
    ok({ survey_link: "" }),
  ],
  [
    "POST /account/cancel: comments, not 65001",
    [["POST", "/account/cancel", { comments: "x".repeat(65001) }]],
    wrongLength("0-65000", "comments"),
  ],
  [
    "POST /account/cancel: restricted users cannot",
    [by("restricted", ["POST", "/account/cancel", comments])],
    unauthorized,
  ],
  [
    "after cancel no token of the account is valid",
    [
      ["POST", "/account/cancel", comments],
      ["GET", "/domains"],
    ],
    errorAnswer(401, "Invalid Token"),
  ],
  ["POST /account/credit-card: {}", pay(), ok({})],
  required("card_number"),
  ["card_number: string", pay({ card_number: 4111111111111111 }), refused(["Must be of type String", "card_number"])],
  ["card_number: from 14", pay({ card_number: "1".repeat(14) }), ok({})],
  ["card_number: not 13", pay({ card_number: "1".repeat(13) }), refused(["Must be 14-24 digits", "card_number"])],
  ["card_number: to 24", pay({ card_number: "1".repeat(24) }), ok({})],
  ["card_number: not 25", pay({ card_number: "1".repeat(25) }), refused(["Must be 14-24 digits", "card_number"])],
  [
    "card_number: no spaces",
    pay({ card_number: "4111 1111 1111 1111" }),
    refused(["Must be 14-24 digits", "card_number"]),
  ],
  [
    "card_number: no dashes",
    pay({ card_number: "4111-1111-1111-1111" }),
    refused(["Must be 14-24 digits", "card_number"]),
  ],
  required("cvv"),
  ["cvv: from 3", pay({ cvv: "12" }), refused(["Must be 3-4 digits", "cvv"])],
  ["cvv: to 4", pay({ cvv: "1234" }), ok({})],
  ["cvv: not 5", pay({ cvv: "12345" }), refused(["Must be 3-4 digits", "cvv"])],
  ["cvv: digits", pay({ cvv: "12x" }), refused(["Must be 3-4 digits", "cvv"])],
  required("expiry_month"),
  ["expiry_month: from 1", pay({ expiry_month: 0 }), refused(["Must be 1-12", "expiry_month"])],
  ["expiry_month: 1", pay({ expiry_month: 1 }), ok({})],
  ["expiry_month: to 12", pay({ expiry_month: 12 }), ok({})],
  ["expiry_month: not 13", pay({ expiry_month: 13 }), refused(["Must be 1-12", "expiry_month"])],
  ["expiry_month: integer", pay({ expiry_month: "11" }), refused(["Must be an integer", "expiry_month"])],
  required("expiry_year"),
  ["expiry_year: four digits", pay({ expiry_year: 31 }), refused(["Must be a year of four digits", "expiry_year"])],
  ["expiry_year: not five", pay({ expiry_year: 20310 }), refused(["Must be a year of four digits", "expiry_year"])],
  ["this month", pay({ expiry_month: 3, expiry_year: 2026 }), ok({})],
  [
    "a past month",
    pay({ expiry_month: 2, expiry_year: 2026 }),
    refused(["Expiration date cannot be in the past", "expiry_year"]),
  ],
  [
    "credit_card: expiry month/year, last_four integer",
    cardSet,
    ok(accountWith({ credit_card: { last_four: 1111, expiry: "11/2031" } })),
  ],
  [
    "credit_card: expiry MM/YYYY",
    [...pay({ expiry_month: 3 }), ["GET", "/account"]],
    ok(accountWith({ credit_card: { last_four: 1111, expiry: "03/2031" } })),
  ],
  [
    "credit_card: last_four is a string in profile live",
    cardSet,
    ok(accountWith({ email: "owner@account.invalid", credit_card: { last_four: "1111", expiry: "11/2031" } })),
    "live",
  ],
  [
    "POST /account/credit-card: one event, credit_card_updated",
    [...pay(), ["GET", "/account/events", undefined, filter({ action: "credit_card_updated" })]],
    ok(page([accountEvent("credit_card_updated")])),
  ],
];

/** An event about the account, which has no id: the third of the server. */
function accountEvent(action: string): object {
  return {
    id: 3,
    action,
    created: noon,
    duration: null,
    entity: { label: "admin", type: "account", url: "/v4/account" },
    secondary_entity: null,
    message: "",
    percent_complete: null,
    rate: null,
    read: false,
    seen: false,
    status: "notification",
    time_remaining: null,
    username: "admin",
  };
}

const logins = "/account/logins";

const login = { id: 1, datetime: noon, ip: "192.0.2.99", username: "admin", restricted: false };
const signIn = { signsIn: "admin" } as const;

/** decisions/documents#sign-ins, decisions/documents#maintenance-and-notifications */
const loginsAndNotifications: readonly Sentence[] = [
  ["GET /account/logins: an envelope; tokens sign nobody in", [["GET", logins]], ok(page([]))],
  ["GET /account/logins: successful user logins", [signIn, ["GET", logins]], ok(page([login]))],
  [
    "GET /account/logins: status in profile live",
    [signIn, ["GET", logins]],
    ok(page([{ ...login, status: "successful" }])),
    "live",
  ],
  ["GET /account/logins: of 90 days", [signIn, days(90), ["GET", logins]], ok(page([login]))],
  ["GET /account/logins: not before", [signIn, days(91), ["GET", logins]], ok(page([]))],
  [
    "GET /account/logins: no attribute is marked filterable",
    [["GET", logins, undefined, filter({ username: "admin" })]],
    unfilterable("username"),
  ],
  [
    "GET /account/logins: a filter that is not JSON",
    [["GET", logins, undefined, { "X-Filter": "username=admin" }]],
    refused(["Filter not valid JSON", "X-Filter"]),
  ],
  ["GET /account/logins: an empty filter", [["GET", logins, undefined, filter({})]], ok(page([]))],
  ["GET /account/logins: of the account", [signIn, by("stranger", ["GET", logins])], ok(page([]))],
  ["GET /account/logins/{loginId}", [signIn, ["GET", `${logins}/1`]], ok(login)],
  ["GET /account/logins/{loginId}: of the account", [signIn, by("stranger", ["GET", `${logins}/1`])], notFound],
  ["GET /account/logins: unrestricted users only", [by("restricted", ["GET", logins])], unauthorized],
  ["GET /account/logins/{loginId}: integer", [["GET", `${logins}/one`]], errorAnswer(404, "Not found")],
  ["GET /account/logins/{loginId}: unknown", [["GET", `${logins}/1`]], errorAnswer(404, "Not found")],
  ["GET /account/logins/{loginId}: unrestricted users only", [by("restricted", ["GET", `${logins}/1`])], unauthorized],
  // Maintenance that the operator announces: maintenance.test.ts.
  ["GET /account/maintenance: an envelope", [["GET", "/account/maintenance"]], ok(page([]))],
  [
    "GET /account/maintenance: filterable by type, status and when",
    [["GET", "/account/maintenance", undefined, filter({ type: "reboot", status: "pending", when: noon })]],
    ok(page([])),
  ],
  [
    "GET /account/maintenance: not by reason",
    [["GET", "/account/maintenance", undefined, filter({ reason: "x" })]],
    unfilterable("reason"),
  ],
  // Notifications of every cause: notifications.test.ts.
  [
    "GET /account/notifications: no attribute is marked filterable",
    [["GET", "/account/notifications", undefined, filter({ type: "notice" })]],
    unfilterable("type"),
  ],
  ["GET /account/notifications: none", [["GET", "/account/notifications"]], ok(page([]))],
];

const invoices = "/account/invoices";
const volume = { label: "data", region: "us-east", size: 100 };
/** A volume that costs 0.02 dollars an hour, and the time to the month's turn: 660 hours from 4 March, 12:00. */
const aMonth: Sentence[1] = [["POST", "/volumes", volume], days(27.5)];
const ofMarch = { id: 1, date: "2026-04-01T00:00:00", label: "Invoice", subtotal: 10, tax: 0, total: 10 };
const ofVolume = {
  label: "Volume of 100 GB - data (1)",
  type: "hourly",
  from: noon,
  to: "2026-04-01T00:00:00",
  quantity: 1,
  unit_price: 10,
  amount: 10,
  tax: 0,
  total: 10,
};

/** decisions/documents#invoices; where it is silent, decisions/account#invoices */
const invoicesAndItems: readonly Sentence[] = [
  ["GET /account/invoices: nothing owed, no invoice", [days(60), ["GET", invoices]], ok(page([]))],
  ["GET /account/invoices: date, id, label, subtotal, tax, total", [...aMonth, ["GET", invoices]], ok(page([ofMarch]))],
  [
    "GET /account/invoices: date, when generated: at the month's turn, also if nobody asks then",
    [...aMonth, days(20), ["GET", invoices]],
    ok(page([ofMarch])),
  ],
  [
    "GET /account/invoices: page, page_size",
    [...aMonth, days(31), ["GET", `${invoices}?page=2&page_size=25`]],
    ok({ data: [], page: 2, pages: 1, results: 2 }),
  ],
  [
    "GET /account/invoices: page_size from 25",
    [["GET", `${invoices}?page_size=24`]],
    refused(["Must be 25-500", "page_size"]),
  ],
  [
    "GET /account/invoices: filter on date",
    [...aMonth, days(31), ["GET", invoices, undefined, filter({ date: { "+lt": "2026-05-01" } })]],
    ok(page([ofMarch])),
  ],
  [
    "GET /account/invoices: filter on label",
    [...aMonth, ["GET", invoices, undefined, filter({ label: "Other" })]],
    ok(page([])),
  ],
  ["GET /account/invoices: not on total", [["GET", invoices, undefined, filter({ total: 10 })]], unfilterable("total")],
  [
    "GET /account/invoices: the newest first",
    [...aMonth, days(30), ["GET", invoices, undefined, filter({ "+order_by": "date", "+order": "desc" })]],
    ok(page([{ ...ofMarch, id: 2, date: "2026-05-01T00:00:00" }, ofMarch])),
  ],
  ["GET /account/invoices: of the account", [...aMonth, by("stranger", ["GET", invoices])], ok(page([]))],
  [
    "GET /account/invoices: not for restricted users without access to the account",
    [by("restricted", ["GET", invoices])],
    unauthorized,
  ],
  ["GET /account/invoices/{invoiceId}: invoice", [...aMonth, ["GET", invoices], ["GET", `${invoices}/1`]], ok(ofMarch)],
  ["GET /account/invoices/{invoiceId}: settled before", [...aMonth, ["GET", `${invoices}/1`]], ok(ofMarch)],
  ["GET /account/invoices/{invoiceId}: unknown", [["GET", `${invoices}/1`]], notFound],
  ["GET /account/invoices/{invoiceId}: integer", [["GET", `${invoices}/one`]], notFound],
  [
    "GET /account/invoices/{invoiceId}: of the account",
    [...aMonth, ["GET", invoices], by("stranger", ["GET", `${invoices}/1`])],
    notFound,
  ],
  [
    "GET /account/invoices/{invoiceId}: not for restricted users",
    [by("restricted", ["GET", `${invoices}/1`])],
    unauthorized,
  ],
  [
    "GET /account/invoices/{invoiceId}/items: amount, from, label, quantity, tax, to, total, type, unit_price",
    [...aMonth, ["GET", `${invoices}/1/items`]],
    ok(page([ofVolume])),
  ],
  [
    "GET /account/invoices/{invoiceId}/items: hours begun, if they cost less than the month",
    [
      ["POST", "/volumes", volume],
      { seconds: 3601 },
      ["DELETE", "/volumes/{id}"],
      days(30),
      ["GET", `${invoices}/1/items`],
    ],
    ok(page([{ ...ofVolume, to: "2026-03-04T13:00:01", quantity: 2, unit_price: 0.02, amount: 0.04, total: 0.04 }])),
  ],
  [
    "GET /account/invoices/{invoiceId}/items: unit_price, a text in profile live",
    [...aMonth, ["GET", `${invoices}/1/items`]],
    ok(page([{ ...ofVolume, unit_price: "10.00" }])),
    "live",
  ],
  [
    "GET /account/invoices/{invoiceId}/items: page, page_size",
    [...aMonth, ["GET", `${invoices}/1/items?page=2&page_size=25`]],
    ok({ data: [], page: 2, pages: 1, results: 1 }),
  ],
  ["GET /account/invoices/{invoiceId}/items: unknown", [["GET", `${invoices}/1/items`]], notFound],
  [
    "GET /account/invoices/{invoiceId}/items: not for restricted users",
    [by("restricted", ["GET", `${invoices}/1/items`])],
    unauthorized,
  ],
  ["balance: account balance", [...aMonth, ["GET", "/account"]], ok(accountWith({ balance: 10 }))],
  [
    "balance_uninvoiced: current estimated invoice",
    [["POST", "/volumes", volume], { seconds: 3600 }, ["GET", "/account"]],
    ok(accountWith({ balance_uninvoiced: 0.02 })),
  ],
  [
    "a valid card pays an invoice at once",
    [...pay(), ...aMonth, ["GET", "/account"]],
    ok(accountWith({ credit_card: { last_four: 1111, expiry: "11/2031" } })),
  ],
  [
    "a payment is one event, payment_submitted, which no user caused",
    [...pay(), ...aMonth, ["GET", "/account/events", undefined, filter({ action: "payment_submitted" })]],
    ok(
      page([
        {
          ...accountEvent("payment_submitted"),
          id: 5,
          created: "2026-04-01T00:00:00",
          message: "$10.00",
          username: "",
        },
      ]),
    ),
  ],
  [
    "an expired card pays nothing",
    [...pay({ expiry_month: 3, expiry_year: 2026 }), ...aMonth, ["GET", "/account"]],
    ok(accountWith({ balance: 10, credit_card: { last_four: 1111, expiry: "03/2026" } })),
  ],
  [
    "POST /account/cancel: charges the card on file for the remaining balance",
    [...pay(), ["POST", "/volumes", volume], ["POST", "/account/cancel", comments]],
    ok({ survey_link: "" }),
  ],
  [
    "POST /account/cancel: if the card cannot be charged, a reason and no field",
    [
      ["POST", "/volumes", volume],
      ["POST", "/account/cancel", comments],
    ],
    errorAnswer(409, "The account has a balance that could not be charged to a credit card."),
  ],
  [
    "POST /account/cancel: the account stays active",
    [["POST", "/volumes", volume], { refused: ["POST", "/account/cancel", comments] }, ["GET", "/account"]],
    ok(accountWith({ balance_uninvoiced: 0.02 })),
  ],
  [
    "a node cannot be resized with an outstanding balance",
    [
      ["POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" }],
      ...aMonth,
      ["POST", "/node/instances/1/resize", { type: "g6-standard-1" }],
    ],
    refused(["Account has an outstanding balance"]),
  ],
];

export const accountSections: Sections = {
  "decisions/documents#account: fields": account,
  "decisions/documents#account: endpoints": endpoints,
  "decisions/documents#invoices": invoicesAndItems,
  "decisions/documents#sign-ins, decisions/documents#maintenance-and-notifications": loginsAndNotifications,
};
