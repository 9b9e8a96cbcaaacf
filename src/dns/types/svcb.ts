import type { Name } from "../name/name.ts";
import { domainName, uint16 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";
import { type ServiceParam, serviceParams } from "../rdata/service-params.ts";

export interface Svcb {
  priority: number;
  target: Name;
  params: readonly ServiceParam[];
}

const fields = {
  priority: { kind: uint16, about: "the priority, lowest first; 0 for an alias", example: "1" },
  target: { kind: domainName, isTarget: true, about: 'the host of the service, or "."', example: "." },
  params: { kind: serviceParams, about: "the service parameters", example: 'alpn="h2,h3"' },
};

/** RFC 9460 §2 */
export const SVCB = recordType<Svcb>({ type: "SVCB", fields });

/** RFC 9460 §9 */
export const HTTPS = recordType<Svcb>({ type: "HTTPS", fields });
