import * as z from "zod";

/**
 * One entry of an error body (decisions/documents#errors): `field` is absent, not null, when the error belongs to no
 * field.
 */
export const apiErrorEntry = z.object({
  reason: z.string().describe("Reason of the error"),
  field: z
    .string()
    .optional()
    .describe("Field of the request, such as axfr_ips[0]; absent if the error is not about a field"),
});

/** The body of every error reply. */
export const apiErrors = z.object({
  errors: z.array(apiErrorEntry).describe("One entry for each error"),
});

export type ApiErrorEntry = z.output<typeof apiErrorEntry>;

/** Reasons that programs compare. Those about a single field are defined with the field. */
export const reasons = {
  invalidJson: "Invalid JSON",
  invalidToken: "Invalid Token",
  scope: "Your OAuth token is not authorized to use this endpoint.",
  unauthorized: "Unauthorized",
  notFound: "Not found",
  balanceOwed: "The account has a balance that could not be charged to a credit card.",
  balanceOutstanding: "Account has an outstanding balance",
  labelTaken: "Label must be unique",
  configMissing: "A config must be specified",
  volumeAttached: "The volume must be detached before it can be deleted",
  addressesLimited:
    "Additional IPv4 addresses require technical justification. Please contact support describing your requirement.",
  zoneExists: "DNS zone already exists.",
  zoneBelowOther: "The domain lies below a domain of another account.",
  zoneAroundOther: "A domain of another account lies below this domain.",
  zoneOfCatalog: "The domain is reserved for the catalog zone of the name service.",
  zoneReserved: "The domain is reserved for the addresses of nodes.",
  managedDisabled: "Managed is not enabled for this account.",
  transferNotPending: "This transfer is no longer pending.",
  transferOwn: "You cannot accept your own transfer.",
  ticketClosed: "This ticket is closed",
  ticketNotClosable: "This ticket cannot be closed",
  domainNotValid: "Domain is not valid.",
  /** Followed by the name. */
  lookupFailed: "We were unable to perform a lookup for ",
  redirectUriNotValid: "redirect_uri is not valid",
  typeUnknown: "A valid plan type by that ID was not found",
  nodeBusy: "Node busy.",
  nodeBusyLive: "Linode busy.",
  publicSuffix: "The domain is a public suffix.",
  cnameConflict: "Record conflict - CNAMES must be unique",
  nullMxExists: "Cannot add a new MX record for a domain that already advertises a null MX record.",
  mxExists: "Cannot add a null MX record for a domain that has other MX records.",
  methodNotAllowed: "Method Not Allowed",
  notServed: "This server does not have this endpoint of the hosted service.",
  tooManyRequests: "Too many requests",
  filterNotJson: "Filter not valid JSON",
  filterUnusable: "Could not apply filter",
  noEntityType: (type: string) => `No event is about an entity of type ${type}`,
  cannotFilterOn: (key: string) => `Cannot filter on ${key}`,
} as const;
