import type * as z from "zod";

/** A character that is no space, control or format character, nor otherwise invisible. */
const visible = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A label or a title that people can see, also as the text of a link. */
export function visibleLabel(text: z.ZodString): z.ZodString {
  return text.refine((label) => visible.test(label), "Must contain a visible character");
}

/** The label of a tag in requests. */
export function tagLabel(text: z.ZodString): z.ZodString {
  const length = "Length must be 3-50 characters";
  return visibleLabel(
    text
      .min(3, { error: length, abort: true })
      .max(50, { error: length, abort: true })
      .refine((label) => !/[\x01-\x1f\x7f-\x9f]/.test(label), "Must not contain control characters"),
  );
}
