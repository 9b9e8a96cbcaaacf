import { inWordsOf } from "../../diagnostics/advice.ts";
import { escapeControl, escapeLine } from "../../diagnostics/escape.ts";
import { count, listFirst } from "../../diagnostics/quantities.ts";
import type { RrsetDifference } from "../../dns/transfer/compare-records.ts";
import type { Comparison, SideNote, ZoneComparison } from "../../workflow/compare/compare.ts";
import type { AnswerComparison } from "../../workflow/compare/replies.ts";
import { columns, pad, wrap } from "../text/columns.ts";
import { type Palette, palette, type Style } from "../text/palette.ts";
import {
  answerText,
  contentText,
  cutOverRows,
  cutOverSentences,
  groupUnanswered,
  ownerText,
  zoneText,
} from "./words.ts";

/** The most differences of one kind that are shown for a zone. */
const mostShown = 200;

/** The longest line of prose, if the terminal is not narrower. */
const proseWidth = 80;

/** The differences of each zone, and the number of zones by verdict. */
export function compareText(comparison: Comparison, style: Style, width = Number.POSITIVE_INFINITY): string {
  const { a, b, zones, skipped } = comparison;
  const writer = new Writer(palette(style), width, comparison);
  const shown = zones.map((zone) => writer.zone(zone)).join("");
  const number = (verdict: ZoneComparison["verdict"]) => zones.filter((zone) => zone.verdict === verdict).length;
  const left = skipped.length > 0 ? `; ${count(skipped.length, "slave zone")} skipped` : "";
  const counts = `${number("equal")} equal, ${number("differs")} different, ${number("unanswered")} incomplete`;
  const head = `A ${escapeControl(a)}\nB ${escapeControl(b)}\n`;
  return `${head}${shown}${count(zones.length, "zone")}: ${counts}${left}\n`;
}

class Writer {
  readonly #palette: Palette;
  readonly #width: number;
  readonly #sides: Pick<Comparison, "a" | "b">;

  constructor(palette: Palette, width: number, sides: Pick<Comparison, "a" | "b">) {
    this.#palette = palette;
    this.#width = width;
    this.#sides = sides;
  }

  zone(comparison: ZoneComparison): string {
    const { zone, verdict, missing, silent, notTransferred, records, answers } = comparison;
    const { red, yellow, blue } = this.#palette;
    const paint = { equal: blue, differs: red, unanswered: yellow };
    const words = { equal: "equal", differs: "differs", unanswered: "incomplete" };
    const lines = [
      `${escapeLine(zoneText(zone))}: ${paint[verdict](words[verdict])}`,
      ...missing.flatMap((note) => this.#prose(`not in ${this.#note(note)}`)),
      ...silent.flatMap((note) => this.#prose(`no answer from ${this.#note(note)}`)),
      ...(missing.length === 0
        ? notTransferred.flatMap(({ reason }) => this.#prose(`records not compared: ${reason}`))
        : []),
      ...(missing.length === 0 && notTransferred.length > 0 ? this.#prose(this.#limits(comparison)) : []),
      ...this.#records(comparison, records ?? []),
      ...this.#expected(comparison),
      ...(answers ? this.#answers(comparison, answers) : []),
      ...this.#cutOver(comparison),
    ];
    return lines.map((line) => `${line}\n`).join("");
  }

  #note({ side, reason }: SideNote): string {
    return `${side.toUpperCase()} (${this.#sides[side]}): ${reason}`;
  }

  /** The limits of a comparison of answers alone. */
  #limits({ notTransferred: [first, other] }: ZoneComparison): string {
    if (other) return "no names of the zone are known: only the zone itself and an absent name are asked for";
    return `only answers are compared: a name that only ${first?.side.toUpperCase()} has is not found`;
  }

  #records({ zone }: ZoneComparison, records: readonly RrsetDifference[]): string[] {
    const differing = records.filter(({ isExpected }) => !isExpected);
    const lines = differing.slice(0, mostShown).flatMap((difference) => this.#record(zone, difference));
    return [...lines, ...this.#left(differing.length, "RRset")];
  }

  #expected({ zone, records = [], answers }: ZoneComparison): string[] {
    const asked = (answers?.differences ?? []).map(({ name, ...difference }) => ({ ...difference, owner: name }));
    const expected = [...records, ...asked].filter(({ isExpected }) => isExpected);
    const sets = [...new Set(expected.map(({ owner, type }) => `${ownerText(owner, zone)} ${type}`))];
    if (sets.length === 0) return [];
    return this.#prose(`ignored: ${listFirst(sets, 4)} (every service sets its own)`);
  }

  #record(zone: ZoneComparison["zone"], { owner, type, kind, a, b }: RrsetDifference): string[] {
    const { arrow } = this.#palette;
    const head = `${ownerText(owner, zone)} ${type}`;
    switch (kind) {
      case "ttl":
        return this.#item("TTL", `${head} ${a?.ttl} ${arrow} ${b?.ttl}`);
      case "rdata": {
        const ttl = a?.ttl === b?.ttl ? `${a?.ttl}` : `${a?.ttl} ${arrow} ${b?.ttl}`;
        const [only, other] = [a?.rdata ?? [], b?.rdata ?? []];
        return [
          ...this.#item("RDATA", `${head} ${ttl}`),
          ...only.filter((text) => !other.includes(text)).flatMap((text) => this.#change("-", text)),
          ...other.filter((text) => !only.includes(text)).flatMap((text) => this.#change("+", text)),
        ];
      }
      default:
        return this.#item(kind === "only-a" ? "only in A" : "only in B", `${head} ${contentText(a ?? b)}`);
    }
  }

  #answers({ zone }: ZoneComparison, { questions, differences, unanswered }: AnswerComparison): string[] {
    const failing = differences.filter(({ isExpected }) => !isExpected);
    const own = failing.filter(({ isFromRecords }) => !isFromRecords);
    const following = failing.length - own.length;
    const differ =
      failing.length === 0
        ? "no answer differs"
        : `${count(failing.length, "answer")} differ${failing.length === 1 ? "s" : ""}`;
    const why = following === 0 ? "" : `, ${following} of them because of the records above`;
    const lines = own
      .slice(0, mostShown)
      .flatMap(({ name, type, reason, parts, a, b }) => [
        ...this.#item("answer", `${ownerText(name, zone)} ${type}${reason === "record" ? "" : ` (${reason})`}`),
        ...this.#change("-", answerText(a, name, parts)),
        ...this.#change("+", answerText(b, name, parts)),
      ]);
    const silent = groupUnanswered(unanswered).flatMap(({ first, count: number }) => {
      const which = `${ownerText(first.name, zone)} ${first.type}${number === 1 ? "" : " and others"}`;
      return this.#prose(
        `no answer from ${first.side.toUpperCase()} to ${count(number, "question")} (${which}): ${first.reason}`,
      );
    });
    return [
      ...lines,
      ...this.#left(own.length, "answer"),
      ...silent,
      ...this.#prose(`${count(questions, "question")} asked: ${differ}${why}`),
    ];
  }

  #cutOver(comparison: ZoneComparison): string[] {
    if (!comparison.cutOver) return [];
    const rows = cutOverRows(comparison);
    const width = rows.reduce((most, [what]) => Math.max(most, columns(escapeControl(what))), 0);
    const shown = rows
      .slice(0, mostShown)
      .map(([what, time]) => `    ${pad(escapeControl(what), Math.min(width, 40))}  ${escapeControl(time)}`);
    const sentences = cutOverSentences(comparison).flatMap((sentence) => this.#prose(sentence));
    return ["  resolvers keep", ...shown, ...this.#left(rows.length, "TTL"), ...sentences];
  }

  #left(all: number, what: string): string[] {
    return all > mostShown
      ? this.#prose(
          inWordsOf("cli")`${count(all - mostShown, `more ${what}`)}: ${{ set: "report", to: "json" }} lists all`,
        )
      : [];
  }

  #item(word: string, text: string): string[] {
    return this.#wrapped(`  ${pad(word, 9)}  ${text}`, 15);
  }

  #change(sign: "-" | "+", text: string): string[] {
    const { red, blue } = this.#palette;
    const paint = sign === "-" ? red : blue;
    return this.#wrapped(`             ${sign} ${text}`, 17).map(paint);
  }

  #prose(text: string): string[] {
    return wrap(escapeControl(text), Math.min(this.#width, proseWidth) - 2, 2).map((line) => escapeLine(`  ${line}`));
  }

  #wrapped(text: string, hang: number): string[] {
    return wrap(escapeControl(text), this.#width, hang).map(escapeLine);
  }
}
