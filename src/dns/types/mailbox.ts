import type { Name } from "../name/name.ts";
import { sharedName } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** Obsolete, RFC 1035 §3.3.3 */
export const MB = recordType<{ madname: Name }>({
  type: "MB",
  fields: {
    madname: { apiName: "target", kind: sharedName, about: "the host of the mailbox", example: "host.example.com." },
  },
});

/** Obsolete, RFC 1035 §3.3.6 */
export const MG = recordType<{ mgmname: Name }>({
  type: "MG",
  fields: {
    mgmname: {
      apiName: "target",
      kind: sharedName,
      isMailbox: true,
      about: "a mailbox of the group",
      example: "host.example.com.",
    },
  },
});

/** Obsolete, RFC 1035 §3.3.8 */
export const MR = recordType<{ newname: Name }>({
  type: "MR",
  fields: {
    newname: {
      apiName: "target",
      kind: sharedName,
      isMailbox: true,
      about: "the new name of the mailbox",
      example: "host.example.com.",
    },
  },
});

/** RFC 1035 §3.3.7 */
export const MINFO = recordType<{ rmailbx: Name; emailbx: Name }>({
  type: "MINFO",
  fields: {
    rmailbx: {
      apiName: "responsible",
      kind: sharedName,
      isMailbox: true,
      about: "the mailbox of the responsible person",
      example: "owner.example.com.",
    },
    emailbx: {
      apiName: "errors",
      kind: sharedName,
      isMailbox: true,
      about: "the mailbox for errors",
      example: "errors.example.com.",
    },
  },
});
