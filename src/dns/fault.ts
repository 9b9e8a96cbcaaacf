/** Something in a text that cannot be read, in the words of its rule. Readers catch it and add the place. */
export class Fault extends Error {
  readonly rule: string;
  readonly fix: string | undefined;

  constructor(rule: string, summary: string, fix?: string) {
    super(summary);
    this.name = "Fault";
    this.rule = rule;
    this.fix = fix;
  }
}
