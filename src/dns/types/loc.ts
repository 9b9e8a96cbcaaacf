import { location } from "../rdata/location.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 1876 */
export const LOC = recordType<{ location: string }>({
  type: "LOC",
  fields: {
    location: { kind: location, about: "a location on earth", example: "52 22 23.000 N 4 53 32.000 E -2.00m" },
  },
});
