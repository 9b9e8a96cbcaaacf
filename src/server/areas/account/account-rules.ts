import type { ApiErrorEntry } from "../../../contract/errors.ts";
import type { AccountUpdate } from "../../../contract/resources/account.ts";
import { errorEntry } from "../../kit/api-error.ts";
import type { AccountRow } from "../../store/tables.ts";
import { isEmailAddress } from "../domains/domain-rules.ts";
import { isCountry, isStateOf } from "./countries.ts";

/** The contact and billing data of an account; `""` is unset. */
export type ContactData = Pick<
  AccountRow,
  | "company"
  | "email"
  | "first_name"
  | "last_name"
  | "address_1"
  | "address_2"
  | "city"
  | "state"
  | "zip"
  | "country"
  | "phone"
  | "tax_id"
>;

/** The data of an account that has none. */
export const unsetContactData: ContactData = {
  company: "",
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
  tax_id: "",
};

/**
 * The data as it will be stored, with its errors. Absent and null fields leave it unchanged, but a null `tax_id` clears
 * it.
 */
export function readContactData(
  sent: AccountUpdate,
  stored: ContactData,
): { fields: ContactData; errors: ApiErrorEntry[] } {
  const fields: ContactData = {
    company: sent.company ?? stored.company,
    email: sent.email ?? stored.email,
    first_name: sent.first_name ?? stored.first_name,
    last_name: sent.last_name ?? stored.last_name,
    address_1: sent.address_1 ?? stored.address_1,
    address_2: sent.address_2 ?? stored.address_2,
    city: sent.city ?? stored.city,
    state: sent.state ?? stored.state,
    zip: sent.zip ?? stored.zip,
    country: readCountry(sent.country) ?? stored.country,
    phone: sent.phone ?? stored.phone,
    tax_id: sent.tax_id === null ? "" : (sent.tax_id ?? stored.tax_id),
  };
  return { fields, errors: errorsOf(fields) };
}

function errorsOf({ email, state, zip, country }: ContactData): ApiErrorEntry[] {
  const isStateValid = state === "" || country === "" || isStateOf(country, state);
  return [
    ...(email === "" || isEmailAddress(email) ? [] : [errorEntry("email", "Must be an e-mail address")]),
    ...(isStateValid ? [] : [errorEntry("state", "state is not valid")]),
    ...(isPostalCode(zip) ? [] : [errorEntry("zip", "zip is not valid")]),
    ...(country === "" || isCountry(country) ? [] : [errorEntry("country", "country is not valid")]),
  ];
}

/** A code in upper case. Other texts stay as they are: `ß` would become the code `SS`. */
function readCountry(sent: string | null | undefined): string | null | undefined {
  return sent && /^[A-Za-z]{2}$/.test(sent) ? sent.toUpperCase() : sent;
}

/**
 * Letters, digits, spaces and hyphens, of which at most nine are letters or digits (decisions/account#account-data).
 */
function isPostalCode(zip: string): boolean {
  return /^[A-Za-z0-9 -]*$/.test(zip) && zip.replaceAll(/[ -]/g, "").length <= 9;
}
