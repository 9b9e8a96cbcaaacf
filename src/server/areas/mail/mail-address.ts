import { isHostname, longestName } from "../../kit/name.ts";

const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
const localPart = new RegExp(`^(?:${atom}(?:\\.${atom})*|"(?:[!#-[\\]-~]|\\\\[!-~])+")$`);

/** Whether a text is the local part of an e-mail address: ASCII without spaces, atoms or quoted (RFC 5322 §3.4.1). */
export function isLocalPart(text: string): boolean {
  return text.length <= 64 && localPart.test(text); // RFC 5321 §4.5.3.1.1
}

/** Whether a text is an e-mail address without a name. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  return isLocalPart(text.slice(0, Math.max(0, at))) && isHostname(text.slice(at + 1)) && text.length <= longestName;
}
