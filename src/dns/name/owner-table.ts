import { asName, type Name, nameKey } from "./name.ts";

/** A text with names, and the characters that complete each of them, such as `.example.com.` */
interface NameText {
  readonly source: { readonly text: string };
  readonly ending: string;
  readonly hash: number;
}

/** Differs in each process, so that no zone file can be made of names that share a hash. */
const seed = Math.floor(Math.random() * 2 ** 32) | 0;

/** Lower-case letters of ASCII for capitals; other octets are unchanged. */
const lowerCase = Uint8Array.from({ length: 256 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code));

/** Adds an octet to a hash. Names are hashed from their end: those of one origin continue the hash of its name. */
function addOctet(hash: number, octet: number): number {
  const mixed = Math.imul(hash ^ octet, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

function hashOf(name: string): number {
  let hash = seed;
  for (let at = name.length - 1; at >= 0; at--) hash = addOctet(hash, lowerCase[name.charCodeAt(at)] ?? 0);
  return hash;
}

/**
 * Owner names by number, in the order in which they are added. A name of a text is a place there and becomes a string
 * on first use: a million strings take longer than the rest of the reading. Equal names are found all at once, on the
 * first question about them, because a processor looks up many hashes in one loop faster than each between other work.
 */
export class OwnerTable {
  #count = 0;
  #hashes = new Int32Array(64);
  #starts = new Int32Array(64);
  #lengths = new Uint8Array(64);
  /** The text that a name stands in; -1 for none. */
  #texts = new Int32Array(64);
  readonly #names: (Name | undefined)[] = [];
  readonly #known: NameText[] = [];
  #equals: EqualNames | undefined;

  /** The number of names, including repeated ones. */
  get count(): number {
    return this.#count;
  }

  /** Adds a text for `addPlain` and returns its number. `ending` is empty for absolute names. */
  addText(source: { readonly text: string }, ending: string): number {
    return this.#known.push({ source, ending, hash: hashOf(ending) }) - 1;
  }

  /** Adds the name in the octets of a text from `start` up to `end`, which has no escapes. */
  addPlain(octets: Uint8Array, start: number, end: number, text: number): number {
    let hash = this.#known[text]?.hash ?? 0;
    for (let at = end - 1; at >= start; at--) hash = addOctet(hash, lowerCase[octets[at] ?? 0] ?? 0);
    const id = this.#add(hash, text);
    this.#starts[id] = start;
    this.#lengths[id] = end - start;
    return id;
  }

  add(name: Name): number {
    const id = this.#add(hashOf(name), -1);
    this.#names[id] = name;
    return id;
  }

  #add(hash: number, text: number): number {
    const id = this.#count++;
    if (id === this.#hashes.length) this.#reserve(id * 2);
    this.#hashes[id] = hash;
    this.#texts[id] = text;
    return id;
  }

  #reserve(length: number): void {
    this.#hashes = resizeColumn(this.#hashes, length);
    this.#starts = resizeColumn(this.#starts, length);
    this.#texts = resizeColumn(this.#texts, length);
    const lengths = new Uint8Array(length);
    lengths.set(this.#lengths);
    this.#lengths = lengths;
  }

  name(id: number): Name {
    const known = this.#names[id];
    if (known !== undefined) return known;
    const { source, ending } = this.#known[this.#texts[id] ?? 0] ?? { source: { text: "" }, ending: "" };
    const start = this.#starts[id] ?? 0;
    const name = asName(source.text.slice(start, start + (this.#lengths[id] ?? 0)) + ending);
    this.#names[id] = name;
    return name;
  }

  /** The number of the first name that equals one without regard to case (RFC 4343). */
  keyOf(id: number): number {
    return this.#equal.keys[id] ?? id;
  }

  /** The number of the first name with the same spelling. */
  spellingOf(id: number): number {
    return this.#equal.spellings[id] ?? id;
  }

  /** The number of the first name that equals this one; -1 if there is none. */
  find(name: Name): number {
    const { slots } = this.#equal;
    const hash = hashOf(name);
    const mask = slots.length - 1;
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const id = (slots[slot] ?? 0) - 1;
      if (this.#hashes[id] === hash && compareNames(this.name(id), name) !== different) return id;
    }
    return -1;
  }

  get #equal(): EqualNames {
    if (this.#equals?.keys.length !== this.#count) this.#equals = this.#findEqual();
    return this.#equals;
  }

  #findEqual(): EqualNames {
    const hashes = this.#hashes;
    const keys = new Int32Array(this.#count);
    const spellings = new Int32Array(this.#count);
    const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * this.#count + 2)));
    const mask = slots.length - 1;
    // Other spellings, which no hash tells apart: a hostile file can give one name any number of them.
    const others = new Map<Name, number>();
    for (let id = 0; id < this.#count; id++) {
      const hash = hashes[id] ?? 0;
      let slot = hash & mask;
      let [key, spelling] = [id, id];
      for (let known = slots[slot] ?? 0; known !== 0 && key === id; known = slots[slot] ?? 0) {
        const relation = hashes[known - 1] === hash ? this.#compare(known - 1, id) : different;
        if (relation === different) slot = (slot + 1) & mask;
        else {
          key = known - 1;
          spelling = relation === sameSpelling ? key : (others.get(this.name(id)) ?? id);
        }
      }
      if (key === id) slots[slot] = id + 1;
      else if (spelling === id) others.set(this.name(id), id);
      keys[id] = key;
      spellings[id] = spelling;
    }
    return { keys, spellings, slots };
  }

  #compare(id: number, other: number): number {
    const text = this.#texts[id] ?? -1;
    if (text < 0 || text !== this.#texts[other]) return compareNames(this.name(id), this.name(other));
    if (this.#lengths[id] !== this.#lengths[other]) return different;
    return comparePlaces(
      this.#known[text]?.source.text ?? "",
      this.#starts[id] ?? 0,
      this.#starts[other] ?? 0,
      this.#lengths[id] ?? 0,
    );
  }
}

/** For each name the first equal one, and the first of the same spelling. */
interface EqualNames {
  readonly keys: Int32Array;
  readonly spellings: Int32Array;
  /** Open addressing by hash: numbers of the first names plus one, 0 for a free slot. */
  readonly slots: Int32Array;
}

/** How two names relate. */
const different = 0;
const sameName = 1;
const sameSpelling = 2;

function compareNames(name: Name, other: Name): number {
  if (name === other) return sameSpelling;
  return name.length === other.length && nameKey(name) === nameKey(other) ? sameName : different;
}

function comparePlaces(text: string, start: number, other: number, length: number): number {
  let relation = sameSpelling;
  for (let at = 0; at < length; at++) {
    const one = text.charCodeAt(start + at);
    const two = text.charCodeAt(other + at);
    if (one === two) continue;
    if (lowerCase[one] !== lowerCase[two]) return different;
    relation = sameName;
  }
  return relation;
}

/** A copy of a column with another length. */
export function resizeColumn(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(column);
  return copy;
}
