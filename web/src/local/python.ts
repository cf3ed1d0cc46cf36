// What Python brings itself, for functions that `archipel.kernels.javascript` translated: operators, types, built-ins.
//
// Lists and tuples are arrays, dictionaries are Maps, None is null, bytes are Uint8Arrays. Whole numbers are numbers, and
// BigInts where those end. Anything that is not here is an error when it is used.

import { sha256 } from "./sha256.ts";

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- Python's values may be of any type
type Value = any;
type Kind = string | (new (...given: Value[]) => Value);

// Classes

export class PyObject {
  static fields: string[] | undefined;
  static defaults: Record<string, () => Value>;
  static about: About | undefined;

  constructor(...given: Value[]) {
    const self = this as Value;
    const { fields, defaults } = this.constructor as typeof PyObject;
    if (fields && !self.__init__) {
      fields.forEach((name, at) => {
        self[name] = given[at] !== undefined ? given[at] : defaults[name] ? defaults[name]() : missing(name);
      });
    } else self.__init__?.(...given);
    self.__post_init__?.();
  }
}

interface About {
  tag: [string, string] | null;
  omit: boolean;
  written: Record<string, string>;
}

function missing(name: string): never {
  throw new TypeError(`The field ${name} is missing.`);
}

export class NamedTuple extends PyObject {
  *[Symbol.iterator](): Iterator<Value> {
    for (const name of (this.constructor as typeof PyObject).fields ?? []) yield (this as Value)[name];
  }
}

/** Set a class's fields in the order of its constructor. */
function fields(Kind: Value, names: string[], defaults: Record<string, () => Value>, about?: About): void {
  Object.assign(Kind, { fields: names, defaults, about });
}

function define(home: Value, name: string, about: PropertyDescriptor): void {
  Object.defineProperty(home, name, { configurable: true, ...about });
}
const method = (Kind: Value, name: string, value: Value) => define(Kind.prototype, name, { value, writable: true });
const attribute = method;
const getter = (Kind: Value, name: string, get: () => Value) => define(Kind.prototype, name, { get });
const static_ = (Kind: Value, name: string, value: Value) => {
  define(Kind, name, { value, writable: true });
  method(Kind, name, value);
};
const classmethod = (Kind: Value, name: string, value: Value) => static_(Kind, name, value);
const unbound =
  (Kind: Value, name: string) =>
  (self: Value, ...given: Value[]) =>
    Kind.prototype[name].apply(self, given);

/** An object as it was in Python when it was translated. */
function revived(Kind: Value, own: Record<string, Value>): Value {
  return Object.assign(Object.create(Kind.prototype), own);
}

// Errors

export class Exception extends Error {
  args: Value[] = [];
  constructor(...args: Value[]) {
    super();
    this.__init__(...args);
  }
  __init__(...args: Value[]): void {
    this.args = args;
    this.message = args.length ? str(args[0]) : "";
  }
}
export class ValueError extends Exception {}
class TypeError_ extends Exception {}
class KeyError extends Exception {}
class IndexError extends Exception {}
class NotImplementedError extends Exception {}
class AssertionError extends Exception {}
class StopIteration extends Exception {}
class RecursionError extends Exception {}
class OverflowError extends Exception {}

const raised = (error: Value): Value => (typeof error === "function" ? new error() : error);
function caught(error: Value, kinds: Kind[]): boolean {
  if (error instanceof RangeError && kinds.includes(RecursionError as Kind)) return true;
  return kinds.some((kind) => typeof kind === "function" && error instanceof kind);
}

// With statements

interface Context {
  gone: boolean;
  leave(error?: Value): boolean;
}
/** A generator that yields once, as what a `with` statement enters. */
function managed(body: Generator): Context {
  body.next();
  return {
    gone: false,
    leave(error?: Value) {
      if (error === undefined) body.next();
      else body.throw(error);
      return true;
    },
  };
}
const suppress = (...kinds: Kind[]): Context => ({
  gone: false,
  leave: (error) => error === undefined || caught(error, kinds),
});
const entered = (context: Context | Generator): Context => ("next" in context ? managed(context) : context);
function failed(context: Context, error: Value): void {
  context.gone = true;
  if (!context.leave(error)) throw error;
}
function left(context: Context): void {
  if (!context.gone) context.leave();
}

// Numbers

const SAFE = Number.MAX_SAFE_INTEGER;
const isNumber = (value: Value): boolean =>
  typeof value === "number" || typeof value === "bigint" || value === true || value === false;
/** A whole number as a number if it fits. */
export function whole(value: bigint): number | bigint {
  return value >= -SAFE && value <= SAFE ? Number(value) : value;
}
function exact(a: Value, b: Value, big: (a: bigint, b: bigint) => bigint): number | bigint {
  if (isBroken(a) || isBroken(b)) throw new OverflowError("A whole number is too large for a calculation with others.");
  return whole(big(BigInt(a), BigInt(b)));
}
const isBroken = (value: Value): boolean => typeof value === "number" && !Number.isInteger(value);
function add(a: Value, b: Value, inPlace = false): Value {
  if (isReal(a) || isReal(b)) return each(a, b, (x, y) => x + y);
  if (typeof a === "string") return a + text(b);
  if (Array.isArray(a)) {
    if (!inPlace) return [...a, ...b];
    a.push(...iter(b));
    return a;
  }
  if (a instanceof Uint8Array) return new Uint8Array([...a, ...b]);
  const sum = typeof a === "bigint" || typeof b === "bigint" ? undefined : +a + +b;
  if (sum !== undefined && (Math.abs(sum) <= SAFE || !Number.isInteger(sum))) return sum;
  return exact(a, b, (x, y) => x + y);
}
function text(value: Value): string {
  if (typeof value !== "string") throw new TypeError_("Only a text is added to a text.");
  return value;
}
/** An operation on every number of an array, with a number or with those of another. */
function each(a: Value, b: Value, made: (a: number, b: number) => number): Float64Array {
  const length = a instanceof Float64Array ? a.length : b.length;
  return Float64Array.from({ length }, (_, at) =>
    made(a instanceof Float64Array ? a[at]! : a, b instanceof Float64Array ? b[at]! : b),
  );
}
const isReal = (value: Value): boolean => value instanceof Float64Array;
function sub(a: Value, b: Value): Value {
  if (isReal(a) || isReal(b)) return each(a, b, (x, y) => x - y);
  if (a instanceof Set) return new Set([...a].filter((item) => !b.has(item)));
  const found = typeof a === "bigint" || typeof b === "bigint" ? undefined : a - b;
  if (found !== undefined && (Math.abs(found) <= SAFE || !Number.isInteger(found))) return found;
  return exact(a, b, (x, y) => x - y);
}
function mul(a: Value, b: Value): Value {
  if (isReal(a) || isReal(b)) return each(a, b, (x, y) => x * y);
  if (Array.isArray(a)) return Array.from({ length: Math.max(0, b) }, () => a).flat(1);
  if (typeof a === "string") return a.repeat(Math.max(0, b));
  const found = typeof a === "bigint" || typeof b === "bigint" ? undefined : a * b;
  if (found !== undefined && (Math.abs(found) <= SAFE || !Number.isInteger(a) || !Number.isInteger(b))) return found;
  return exact(a, b, (x, y) => x * y);
}
const div = (a: Value, b: Value): Value =>
  isReal(a) || isReal(b) ? each(a, b, (x, y) => x / y) : Number(a) / Number(b);
function floordiv(a: Value, b: Value): Value {
  if (typeof a === "bigint" || typeof b === "bigint") return exact(a, b, (x, y) => (x - (((x % y) + y) % y)) / y);
  return Math.floor(a / b);
}
function mod(a: Value, b: Value): Value {
  if (a instanceof Uint8Array) return formatted(a, b);
  if (typeof a === "bigint" || typeof b === "bigint") return exact(a, b, (x, y) => ((x % y) + y) % y);
  return ((a % b) + b) % b;
}
const pow = (a: Value, b: Value): Value => {
  const found = Number(a) ** Number(b);
  return Math.abs(found) <= SAFE || b < 0 ? found : exact(a, b, (x, y) => x ** y);
};
const small = (value: Value): boolean =>
  typeof value === "boolean" || (typeof value === "number" && value === (value | 0));
function shl(a: Value, b: Value): Value {
  const found = typeof a === "bigint" ? undefined : a * 2 ** Number(b);
  return found !== undefined && Math.abs(found) <= SAFE ? found : exact(a, b, (x, y) => x << y);
}
const shr = (a: Value, b: Value): Value => (small(a) && b < 32 ? a >> Number(b) : exact(a, b, (x, y) => x >> y));
function and(a: Value, b: Value): Value {
  if (a instanceof Set) return new Set([...a].filter((item) => b.has(item)));
  if (typeof a === "boolean" && typeof b === "boolean") return a && b;
  return small(a) && small(b) ? Number(a) & Number(b) : exact(a, b, (x, y) => x & y);
}
function or(a: Value, b: Value): Value {
  if (a instanceof Map) return new Map([...a, ...b]);
  if (a instanceof Set) return new Set([...a, ...b]);
  if (typeof a === "boolean" && typeof b === "boolean") return a || b;
  return small(a) && small(b) ? Number(a) | Number(b) : exact(a, b, (x, y) => x | y);
}
function xor(a: Value, b: Value): Value {
  return small(a) && small(b) ? Number(a) ^ Number(b) : exact(a, b, (x, y) => x ^ y);
}
const neg = (a: Value): Value => (a === 0 || a === false ? 0 : -a);
const invert = (a: Value): Value => (typeof a === "bigint" ? whole(~a) : small(a) ? ~a : whole(~BigInt(a)));
function bitCount(value: Value): number {
  let left = typeof value === "bigint" || !small(value) ? BigInt(value) : value;
  let count = 0;
  if (typeof left === "bigint") {
    for (left = left < 0n ? -left : left; left; left &= left - 1n) count++;
    return count;
  }
  for (left = Math.abs(left); left; left &= left - 1) count++;
  return count;
}
function bitLength(value: Value): number {
  return value === 0 || value === 0n ? 0 : BigInt(value < 0 ? -value : value).toString(2).length;
}
const firstBit = (value: Value): number => bitLength(and(value, neg(value))) - 1;

// Truth and order

export function truth(value: Value): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === "" || value === 0n)
    return false;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length > 0;
  if (value instanceof Map || value instanceof Set) return value.size > 0;
  if (value instanceof Raw) return value.text !== "";
  if (typeof value === "object" && typeof value.__bool__ === "function") return value.__bool__();
  if (typeof value === "object" && typeof value.__len__ === "function") return value.__len__() > 0;
  return true;
}
const all_of = (value: Value, then: () => Value): Value => (truth(value) ? then() : value);
const any_of = (value: Value, then: () => Value): Value => (truth(value) ? value : then());
const is = (a: Value, b: Value): boolean => (a ?? null) === (b ?? null);

export function eq(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return a == b; // true is 1, 1n is 1
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (a instanceof Map)
    return b instanceof Map && a.size === b.size && [...a].every(([k, v]) => b.has(k) && eq(v, b.get(k)));
  if (a instanceof Set) return b instanceof Set && a.size === b.size && [...a].every((item) => b.has(item));
  if (a instanceof Raw) return b instanceof Raw && a.text === b.text;
  if (typeof a.__eq__ === "function") return a.__eq__(b);
  if (isListed(a) && isListed(b)) {
    const [x, y] = [[...iter(a)], [...iter(b)]];
    return x.length === y.length && x.every((item, at) => eq(item, y[at]));
  }
  const names = (a.constructor as typeof PyObject).fields;
  return names !== undefined && a.constructor === b.constructor && names.every((name) => eq(a[name], b[name]));
}
const isListed = (value: Value): boolean =>
  Array.isArray(value) || ArrayBuffer.isView(value) || value instanceof Stored || value instanceof NamedTuple;

function compare(a: Value, b: Value): number {
  if (isListed(a) && isListed(b)) {
    const [x, y] = [[...iter(a)], [...iter(b)]];
    for (let at = 0; at < Math.min(x.length, y.length); at++) if (!eq(x[at], y[at])) return compare(x[at], y[at]);
    return x.length - y.length;
  }
  if (a instanceof Set && b instanceof Set) {
    if ([...a].every((item) => b.has(item))) return a.size === b.size ? 0 : -1;
    return [...b].every((item) => a.has(item)) ? 1 : NaN;
  }
  if (typeof a === "object" || typeof b === "object")
    throw new TypeError_("Nothing is neither more nor less than something.");
  if (typeof a === "string") return inCodePoints(a, text(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
function inCodePoints(a: string, b: string): number {
  const [x, y] = [[...a], [...b]];
  for (let at = 0; at < Math.min(x.length, y.length); at++) {
    const found = x[at]!.codePointAt(0)! - y[at]!.codePointAt(0)!;
    if (found) return found;
  }
  return x.length - y.length;
}

// Collections

export function iter(value: Value): Iterable<Value> {
  if (value instanceof Map) return value.keys();
  if (value === null || value === undefined || typeof value[Symbol.iterator] !== "function") {
    if (typeof value?.__iter__ === "function") return value.__iter__();
    throw new TypeError_("That has no items.");
  }
  return value;
}
const backwards = (value: Value): Value[] => [...iter(value)].reverse();
const unpack = (value: Value): Value => (value instanceof Map ? [...value.keys()] : value);

/** The key of a dictionary that equals this one: lists are compared by what is in them. */
function known(map: Map<Value, Value>, key: Value): Value {
  return Array.isArray(key) ? ([...map.keys()].find((other) => eq(other, key)) ?? key) : key;
}
export function place(at: Value, length: number): number {
  const index = Number(at);
  const found = index < 0 ? index + length : index;
  if (!Number.isInteger(found) || found < 0 || found >= length) throw new IndexError("There is no such place.");
  return found;
}
export function get(from: Value, key: Value): Value {
  if (from instanceof Map) {
    key = known(from, key);
    const found = from.get(key);
    if (found !== undefined || from.has(key)) return found;
    if (from instanceof DefaultDict) return from.made(key);
    throw new KeyError(key);
  }
  if (Array.isArray(key)) return key.reduce(get, from);
  if (Array.isArray(from) || ArrayBuffer.isView(from)) return (from as Value)[place(key, (from as Value).length)];
  if (typeof from === "string") return [...from][place(key, [...from].length)];
  if (from instanceof Stored || from instanceof Records) return from.get(Number(key));
  if (from instanceof NamedTuple) return [...from][key];
  if (typeof from?.__getitem__ === "function") return from.__getitem__(key);
  if (typeof key === "string" && key in from) return from[key];
  throw new TypeError_("That has no such items.");
}
function set(into: Value, key: Value, value: Value): void {
  if (into instanceof Map) into.set(known(into, key), value);
  else if (Array.isArray(key)) set(get(into, key[0]), key.length > 2 ? key.slice(1) : key[1], value);
  else if (into instanceof Stored || into instanceof Records) into.set(Number(key), value);
  else if (Array.isArray(into) || ArrayBuffer.isView(into)) (into as Value)[place(key, (into as Value).length)] = value;
  else throw new TypeError_("That cannot be changed.");
}
function remove(from: Value, key: Value): void {
  if (from instanceof Map) {
    if (!from.delete(known(from, key))) throw new KeyError(key);
  } else from.splice(place(key, from.length), 1);
}
function bounds(length: number, low: Value, high: Value): [number, number] {
  const clip = (at: Value, otherwise: number) =>
    at === null ? otherwise : Math.min(length, Math.max(0, Number(at) < 0 ? Number(at) + length : Number(at)));
  const from = clip(low, 0);
  return [from, Math.max(from, clip(high, length))];
}
function slice(from: Value, low: Value, high: Value, step: Value): Value {
  const items = typeof from === "string" ? [...from] : ArrayBuffer.isView(from) ? from : [...iter(from)];
  if (step === -1 && low === null && high === null) {
    const back = [...(items as Value[])].reverse();
    return typeof from === "string" ? back.join("") : back;
  }
  if (step !== null && step !== 1) throw new TypeError_("Slices go by one.");
  const [first, last] = bounds((items as Value).length, low, high);
  const found = (items as Value).slice(first, last);
  return typeof from === "string" ? found.join("") : found;
}
export function setslice(into: Value, low: Value, high: Value, _step: Value, value: Value): void {
  const [first, last] = bounds(len(into), low, high);
  if (Array.isArray(into)) {
    const items = isNumber(value) ? Array.from({ length: last - first }, () => value) : [...iter(value)];
    into.splice(first, last - first, ...items);
    return;
  }
  const items = isNumber(value) ? null : [...iter(value)];
  if (items && items.length !== last - first) throw new ValueError("There is not as much room as there are items.");
  for (let at = first; at < last; at++) set(into, at, items ? items[at - first] : value);
}
export function contains(home: Value, item: Value): boolean {
  if (home instanceof Map) return home.has(known(home, item));
  if (home instanceof Set)
    return home.has(item) || (typeof item === "object" && [...home].some((each) => eq(each, item)));
  if (typeof home === "string") return home.includes(text(item));
  if (typeof home?.__contains__ === "function") return home.__contains__(item);
  for (const each of iter(home)) if (eq(each, item)) return true;
  return false;
}
class DefaultDict extends Map<Value, Value> {
  readonly factory: () => Value;
  constructor(factory: () => Value) {
    super();
    this.factory = factory;
  }
  made(key: Value): Value {
    const value = this.factory();
    this.set(key, value);
    return value;
  }
}
class Deque extends Array<Value> {
  most = Infinity;
}
function deque(items: Value = [], most: Value = { maxlen: Infinity }): Deque {
  const limit = typeof most === "number" ? most : most.maxlen;
  const wanted = items?.maxlen !== undefined ? items.maxlen : limit;
  const made = new Deque();
  made.most = wanted;
  if (items?.maxlen === undefined) for (const item of iter(items)) append(made, item);
  return made;
}
function append(list: Value, item: Value): void {
  list.push(item);
  if (list instanceof Deque && list.length > list.most) list.shift();
}

// Methods of Python's own types

type Methods = Record<string, (self: Value, ...given: Value[]) => Value>;
const STR: Methods = {
  split: (s, by: Value = null) =>
    by === null
      ? s
          .trim()
          .split(/\s+/)
          .filter((word: string) => word)
      : s.split(by),
  join: (s, parts) => [...iter(parts)].map(text).join(s),
  partition: (s, by) =>
    s.includes(by) ? [s.slice(0, s.indexOf(by)), by, s.slice(s.indexOf(by) + by.length)] : [s, "", ""],
  rpartition: (s, by) =>
    s.includes(by) ? [s.slice(0, s.lastIndexOf(by)), by, s.slice(s.lastIndexOf(by) + by.length)] : ["", "", s],
  startswith: (s, by) => (Array.isArray(by) ? by.some((one) => s.startsWith(one)) : s.startsWith(by)),
  endswith: (s, by) => (Array.isArray(by) ? by.some((one) => s.endsWith(one)) : s.endsWith(by)),
  removesuffix: (s, by) => (by && s.endsWith(by) ? s.slice(0, -by.length) : s),
  removeprefix: (s, by) => (s.startsWith(by) ? s.slice(by.length) : s),
  replace: (s, from, to, most: Value = Infinity) => {
    const parts = s.split(from);
    return parts.length - 1 <= most
      ? parts.join(to)
      : parts.slice(0, most + 1).join(to) + from + parts.slice(most + 1).join(from);
  },
  upper: (s) => s.toUpperCase(),
  lower: (s) => s.toLowerCase(),
  casefold: (s) => s.toLowerCase(),
  strip: (s) => s.trim(),
  count: (s, part) => s.split(part).length - 1,
  index: (s, part) => {
    const at = s.indexOf(part);
    if (at < 0) throw new ValueError("substring not found");
    return [...s.slice(0, at)].length;
  },
  isspace: (s) => /^\s+$/.test(s),
  isdigit: (s) => /^\d+$/.test(s),
  isascii: (s) => [...s].every((letter) => letter.codePointAt(0)! < 128),
  isprintable: (s) => !/[\p{C}\p{Zl}\p{Zp}]|[^\S ]/u.test(s),
  encode: (s) => new TextEncoder().encode(s),
  format_map: (s, gaps) => s.replace(/\{(\w+)\}/g, (_: string, name: string) => str(get(gaps, name))),
};
const LIST: Methods = {
  append,
  extend: (list, items) => void list.push(...iter(items)),
  insert: (list, at, item) => void list.splice(at, 0, item),
  pop: (list, at: Value = -1) => list.splice(place(at, list.length), 1)[0],
  popleft: (list) => list.shift(),
  remove: (list, item) => {
    const at = list.findIndex((each: Value) => eq(each, item));
    if (at < 0) throw new ValueError("list.remove(x): x not in list");
    list.splice(at, 1);
  },
  index: (list, item) => {
    const at = list.findIndex((each: Value) => eq(each, item));
    if (at < 0) throw new ValueError("That is not in the list.");
    return at;
  },
  count: (list, item) => list.filter((each: Value) => eq(each, item)).length,
  sort: (list, words: Value = {}) => void list.splice(0, list.length, ...sorted(list, words)),
  copy: (list) => [...list],
  clear: (list) => void list.splice(0, list.length),
  tolist: (list) => [...list],
  sum: (list) => sum(list),
};
const DICT: Methods = {
  get: (map, key, otherwise = null) => (contains(map, key) ? get(map, key) : otherwise),
  items: (map) => [...map],
  keys: (map) => new Set(map.keys()),
  values: (map) => [...map.values()],
  pop: (map, key, ...otherwise) => {
    if (!map.has(key) && otherwise.length) return otherwise[0];
    const found = get(map, key);
    map.delete(key);
    return found;
  },
  popitem: (map) => {
    const last = [...map].at(-1)!;
    map.delete(last[0]);
    return last;
  },
  setdefault: (map, key, value = null) => {
    if (!map.has(key)) map.set(key, value);
    return map.get(key);
  },
  update: (map, other) => void [...other].forEach(([key, value]: [Value, Value]) => map.set(key, value)),
  copy: (map) => new Map(map),
  clear: (map) => map.clear(),
  move_to_end: (map, key) => {
    const value = get(map, key);
    const own = known(map, key);
    map.delete(own);
    map.set(own, value);
  },
  __getitem__: get,
};
const SET: Methods = {
  add: (set, item) => void set.add(item),
  discard: (set, item) => void set.delete(item),
  isdisjoint: (set, other) => [...iter(other)].every((item) => !set.has(item)),
  issubset: (set, other) => [...set].every((item) => contains(other, item)),
  copy: (set) => new Set(set),
  union: (set, ...others) => new Set([set, ...others].flatMap((one) => [...iter(one)])),
};
const NUMBER: Methods = {
  bit_count: bitCount,
  bit_length: bitLength,
  item: (n) => n,
  is_integer: (n) => Number.isInteger(n),
};
const BYTES: Methods = {
  copy: (bytes) => bytes.slice(),
  view: (bytes, kind) => new Records(kind, bytes),
  tobytes: (bytes) => bytes.slice(),
  tolist: (bytes) => [...bytes],
  hex: (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  decode: (bytes) => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
  ljust: (bytes, size, fill) => new Uint8Array(Array.from({ length: size }, (_, at) => bytes[at] ?? fill[0])),
  translate: (bytes, by) => bytes.map((byte: number) => by[byte]),
  sum: (bytes) => sum([...bytes]),
};

function methodsOf(self: Value): Methods | null {
  if (typeof self === "string") return STR;
  if (typeof self === "number" || typeof self === "bigint" || typeof self === "boolean") return NUMBER;
  if (Array.isArray(self)) return LIST;
  if (self instanceof Map) return DICT;
  if (self instanceof Set) return SET;
  return ArrayBuffer.isView(self) ? BYTES : null;
}
export function call(self: Value, name: string, ...given: Value[]): Value {
  const own = methodsOf(self);
  if (own === null) {
    if (typeof self?.[name] === "function") return self[name](...given);
    if (typeof self?.[name]?.__call__ === "function") return self[name].__call__(...given);
    throw new TypeError_(`${str(self?.constructor?.name)} has no ${name}.`);
  }
  const found = own[name];
  if (!found) throw new TypeError_(`A ${typeof self} has no ${name}.`);
  return found(self, ...given);
}
/** An attribute that may be a method, which then remembers whose it is. */
const bound = (self: Value, name: string): Value =>
  typeof self[name] === "function" && !Object.hasOwn(self, name) ? self[name].bind(self) : self[name];
function called(function_: Value, ...given: Value[]): Value {
  if (typeof function_ !== "function") return function_.__call__(...given);
  return function_.prototype instanceof PyObject ? new function_(...given) : function_(...given);
}
/** Arguments by name, in their order. */
const spread = (names: string[], given: Map<string, Value>): Value[] => names.map((name) => given.get(name));
/** A function that only makes sense outside a page. */
function absent(name: string): never {
  throw new NotImplementedError(`${name} cannot be called in a page.`);
}

// Built-ins

export function len(value: Value): number {
  if (typeof value === "string") return [...value].length;
  if (value instanceof Map || value instanceof Set) return value.size;
  if (typeof value?.__len__ === "function") return value.__len__();
  if (value instanceof NamedTuple) return [...value].length;
  return value.length;
}
function range(first: Value, last?: Value, step: Value = 1): number[] {
  const [from, to] = last === undefined ? [0, Number(first)] : [Number(first), Number(last)];
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, at) => from + at * step);
}
function* zip(...given: Value[]): Generator<Value[]> {
  const lists = given.filter((each) => isIterable(each)).map((each) => [...iter(each)]);
  const strict = given.some((each) => !isIterable(each) && each?.strict === true);
  if (strict && new Set(lists.map((list) => list.length)).size > 1) throw new ValueError("The lengths differ.");
  const least = Math.min(...lists.map((list) => list.length));
  for (let at = 0; at < least; at++) yield lists.map((list) => list[at]);
}
const isIterable = (value: Value): boolean =>
  value !== null && value !== undefined && typeof value[Symbol.iterator] === "function";
function* enumerate(items: Value, from: Value = 0): Generator<[number, Value]> {
  let at = Number(from);
  for (const item of iter(items)) yield [at++, item];
}
function sorted(items: Value, { key = null, reverse = false }: Value = {}): Value[] {
  const keyed = [...iter(items)].map((item, at) => ({ item, at, key: key ? key(item) : item }));
  keyed.sort((a, b) => (reverse ? -1 : 1) * compare(a.key, b.key) || a.at - b.at);
  return keyed.map(({ item }) => item);
}
const reversed = (items: Value): Value[] => [...iter(items)].reverse();
function sum(items: Value, from: Value = 0): Value {
  let total = from;
  for (const item of iter(items)) total = add(total, item);
  return total;
}
function best(sign: number, given: Value[]): Value {
  const words = given.length > 0 && isWords(given.at(-1)) ? given.pop() : {};
  const items = given.length === 1 ? [...iter(given[0])] : given;
  if (items.length === 0) {
    if ("default" in words) return words.default;
    throw new ValueError("There is nothing to choose from.");
  }
  const key = words.key ?? ((item: Value) => item);
  return items.reduce((a, b) => (sign * compare(key(b), key(a)) > 0 ? b : a));
}
const isWords = (value: Value): boolean =>
  value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
const max = (...given: Value[]): Value => best(1, given);
const min = (...given: Value[]): Value => best(-1, given);
const any = (items: Value): boolean => {
  for (const item of iter(items)) if (truth(item)) return true;
  return false;
};
const all = (items: Value): boolean => {
  for (const item of iter(items)) if (!truth(item)) return false;
  return true;
};
function next(items: Value, ...otherwise: Value[]): Value {
  const found = typeof items.next === "function" ? items.next() : items[Symbol.iterator]().next();
  if (!found.done) return found.value;
  if (otherwise.length) return otherwise[0];
  throw new StopIteration();
}
const int = Object.assign(
  (value: Value = 0): Value => {
    if (typeof value === "string") {
      if (!/^\s*[+-]?\d+\s*$/.test(value))
        throw new ValueError(`invalid literal for int() with base 10: ${repr(value)}`);
      return whole(BigInt(value.trim()));
    }
    return typeof value === "bigint" ? value : Math.trunc(Number(value));
  },
  { from_bytes: (bytes: Uint8Array) => whole(bytes.reduce((n, byte) => (n << 8n) | BigInt(byte), 0n)) },
);
const float = (value: Value): number => Number(value);
const bool = (value: Value = false): boolean => truth(value);
const abs = (value: Value): Value => (value < 0 ? -value : value);
const round = (value: number): number => {
  const down = Math.floor(value);
  const rest = value - down;
  return rest < 0.5 || (rest === 0.5 && down % 2 === 0) ? down : down + 1;
};
const divmod = (a: Value, b: Value): Value[] => [floordiv(a, b), mod(a, b)];
const list = (items: Value = []): Value[] => [...iter(items)];
const pairs = (items: Value): [Value, Value][] =>
  items.constructor === Object
    ? Object.entries(items)
    : [...iter(items)].map((pair) => [...iter(pair)] as [Value, Value]);
const dict = Object.assign(
  (items: Value = []): Map<Value, Value> => new Map(items instanceof Map ? items : pairs(items)),
  {
    fromkeys: (keys: Value, value: Value = null) => new Map([...iter(keys)].map((key) => [key, value])),
  },
);
const set_ = (items: Value = []): Set<Value> => new Set(iter(items));
const bytes = Object.assign(
  (value: Value): Value =>
    value instanceof Raw
      ? value.text
      : value instanceof Uint8Array || typeof value === "string"
        ? value
        : new Uint8Array([...iter(value)]),
  { fromhex: unhex },
);
const map = (made: Value, ...lists: Value[]): Value[] => [...zip(...lists)].map((given) => made(...given));
const filter = (test: Value, items: Value): Value[] =>
  [...iter(items)].filter((item) => truth(test ? test(item) : item));
const hasattr = (value: Value, name: string): boolean => value !== null && value !== undefined && name in Object(value);
const getattr = (value: Value, name: string, ...otherwise: Value[]): Value =>
  hasattr(value, name) ? value[name] : otherwise[0];
const type = (value: Value): Value => {
  if (value === null) return "none";
  if (typeof value === "boolean") return bool;
  if (typeof value === "string") return str;
  if (typeof value === "bigint") return int;
  if (typeof value === "number") return Number.isInteger(value) ? int : float;
  if (Array.isArray(value)) return list;
  if (value instanceof Map) return dict;
  return value.constructor;
};
function isinstance(value: Value, kinds: Kind[]): boolean {
  return kinds.some((given) => {
    const kind = OWN.get(given) ?? given;
    return typeof kind === "string" ? isOf(value, kind) : typeof value === "object" && value instanceof kind;
  });
}
const OWN = new Map<Value, string>([
  [str, "str"],
  [int, "int"],
  [bool, "bool"],
  [float, "float"],
  [dict, "dict"],
  [list, "list"],
]);
function isOf(value: Value, kind: string): boolean {
  switch (kind) {
    case "int":
      return typeof value === "bigint" || typeof value === "boolean" || Number.isInteger(value);
    case "none":
      return value === null;
    case "bool":
      return typeof value === "boolean";
    case "float":
      return typeof value === "number" && !Number.isInteger(value);
    case "str":
      return typeof value === "string";
    case "dict":
      return value instanceof Map;
    case "list":
      return Array.isArray(value) || value instanceof NamedTuple;
    default:
      return value instanceof Uint8Array;
  }
}

// Text

export function str(value: Value): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return value.message;
  if (typeof value?.__str__ === "function") return value.__str__();
  return repr(value);
}
const NAMES = new Map<Value, string>([
  [null, "None"],
  [undefined, "None"],
  [true, "True"],
  [false, "False"],
]);
export function repr(value: Value): string {
  const known = NAMES.get(value);
  if (known) return known;
  if (typeof value === "string") return quote(value);
  if (isNumber(value)) return written(value);
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  if (value instanceof Map) return `{${[...value].map(([key, item]) => `${repr(key)}: ${repr(item)}`).join(", ")}}`;
  if (typeof value === "function") return value.name;
  throw new TypeError_("That has no text.");
}
function written(value: Value): string {
  const said = String(value);
  return typeof value === "number" && !Number.isInteger(value) && /e[+-]\d$/.test(said)
    ? said.replace(/e([+-])(\d)$/, "e$10$2")
    : said;
}
function quote(value: string): string {
  const sign = value.includes("'") && !value.includes('"') ? '"' : "'";
  let said = "";
  for (const letter of value) {
    const code = letter.codePointAt(0)!;
    if (letter === "\\" || letter === sign) said += `\\${letter}`;
    else if (letter === "\n") said += "\\n";
    else if (letter === "\r") said += "\\r";
    else if (letter === "\t") said += "\\t";
    else if (STR.isprintable!(letter)) said += letter;
    else if (code < 256) said += `\\x${code.toString(16).padStart(2, "0")}`;
    else if (code < 65536) said += `\\u${code.toString(16).padStart(4, "0")}`;
    else said += `\\U${code.toString(16).padStart(8, "0")}`;
  }
  return sign + said + sign;
}

/** A value as a sentence quotes it, shortened as `archipel.core.errors.quoted` does. */
function quoted(value: Value, level = 4): string {
  if (typeof value === "string") return shortened(value);
  if (typeof value === "bigint" && bitLength(value) >= 128) return "a huge number";
  if (Array.isArray(value)) return several(value, level, 6, "[", "]", (item) => quoted(item, level - 1));
  if (value instanceof Map)
    return several(
      inOrder([...value]),
      level,
      4,
      "{",
      "}",
      ([key, item]) => `${quoted(key, level - 1)}: ${quoted(item, level - 1)}`,
    );
  return repr(value);
}
const inOrder = (items: [Value, Value][]): [Value, Value][] =>
  items.every(([key]) => typeof key === "string") ? sorted(items, { key: (pair: Value) => pair[0] }) : items;
function several(
  items: Value[],
  level: number,
  most: number,
  open: string,
  shut: string,
  said: (item: Value) => string,
): string {
  if (items.length === 0) return open + shut;
  if (level <= 0) return `${open}...${shut}`;
  const some = items.slice(0, most).map(said);
  return open + [...some, ...(items.length > most ? ["..."] : [])].join(", ") + shut;
}
function shortened(value: string): string {
  const MOST = 60;
  const said = quote([...value].slice(0, MOST).join(""));
  if ([...said].length <= MOST) return said;
  const front = Math.floor((MOST - 3) / 2);
  const back = MOST - 3 - front;
  const whole = quote([...value].slice(0, front).join("") + [...value].slice([...value].length - back).join(""));
  return `${[...whole].slice(0, front).join("")}...${[...whole].slice([...whole].length - back).join("")}`;
}

/** A sentence that remembers its template and what fills it. */
export interface Sentence {
  words: string;
  gaps: Map<string, Value>;
}
const said = new Map<string, Sentence>();
/** Fill the gaps of a template. The text itself is returned; `sentenceOf` finds its template again. */
function sentence(words: string, gaps: Record<string, Value> = {}): string {
  const told = new Map(
    Object.entries(gaps).map(([name, gap]) => [name, Array.isArray(gap) ? gap : str(gap)] as [string, Value]),
  );
  const text = words.replace(/\{(\w+)\}/g, (_, name: string) => {
    const gap = told.get(name);
    return Array.isArray(gap) ? gap.join(" or ") : gap;
  });
  said.set(text, { words, gaps: told });
  if (said.size > 500) said.delete(said.keys().next().value!);
  return text;
}
export const sentenceOf = (text: string): Sentence | undefined => said.get(text);

// JSON

/** Encoded JSON inside a message. */
export class Raw {
  text: string;
  constructor(text: string | Uint8Array = "") {
    this.text = typeof text === "string" ? text : new TextDecoder().decode(text);
  }
}
/** What a value is in JSON. */
export function plain(value: Value): Value {
  if (value === null || value === undefined || typeof value === "string" || typeof value === "boolean")
    return value ?? null;
  if (isNumber(value)) return Number(value);
  if (value instanceof Raw) return value.text === "" ? null : JSON.parse(value.text);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [str(key), plain(item)]));
  if (value instanceof NamedTuple || value instanceof Set || isListed(value)) return [...iter(value)].map(plain);
  const { fields, defaults, about } = value.constructor as typeof PyObject;
  if (!fields) throw new TypeError_("That has no JSON.");
  const shown = fields.filter(
    (name) => value[name] !== UNSET && !(about?.omit && defaults[name] && isDefault(value[name], defaults[name]())),
  );
  const entries = shown.map((name) => [about?.written[name] ?? name, plain(value[name])]);
  return Object.fromEntries(about?.tag ? [about.tag, ...entries] : entries);
}
function isDefault(value: Value, usual: Value): boolean {
  if (Array.isArray(usual) || usual instanceof Map) return len(value) === 0 && len(usual) === 0;
  return value === usual || (value instanceof Raw && usual instanceof Raw && value.text === usual.text);
}
/** JSON as Python has it: objects are dictionaries. */
export function fromPlain(value: Value): Value {
  if (Array.isArray(value)) return value.map(fromPlain);
  if (value !== null && typeof value === "object")
    return new Map(Object.entries(value).map(([key, item]) => [key, fromPlain(item)]));
  return value;
}
const UNSET = Symbol("unset");
const encode = (value: Value): string => JSON.stringify(plain(value));
const decode = (value: Value): Value =>
  fromPlain(
    JSON.parse(value instanceof Raw ? value.text : typeof value === "string" ? value : new TextDecoder().decode(value)),
  );
/** As Python's json.dumps writes: with spaces, and letters outside ASCII by number. */
function dumps(
  value: Value,
  { sort_keys = false, separators = [", ", ": "], ensure_ascii = true }: Value = {},
): string {
  const write = (each: Value): string => {
    if (each === null || typeof each === "boolean" || isNumber(each))
      return each === null ? "null" : typeof each === "boolean" ? String(each) : written(each);
    if (typeof each === "string") return ensure_ascii ? ascii(JSON.stringify(each)) : JSON.stringify(each);
    if (Array.isArray(each)) return `[${each.map(write).join(separators[0])}]`;
    if (!(each instanceof Map)) throw new TypeError_("That has no JSON.");
    const keys = sort_keys ? sorted(each.keys()) : [...each.keys()];
    return `{${keys.map((key) => write(str(key)) + separators[1] + write(each.get(key))).join(separators[0])}}`;
  };
  return write(value);
}
const ascii = (said: string): string =>
  said.replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The bytes of a template like `b"%b draw %d"`. */
function formatted(template: Uint8Array, given: Value): Uint8Array {
  const parts = [...given];
  const out: number[] = [];
  for (let at = 0; at < template.length; at++) {
    if (template[at] !== 37) {
      out.push(template[at]!);
      continue;
    }
    const value = parts.shift();
    out.push(...(value instanceof Uint8Array ? value : new TextEncoder().encode(String(value))));
    at++;
  }
  return new Uint8Array(out);
}
function unhex(hex: string): Uint8Array {
  if (typeof hex !== "string" || !/^([0-9a-fA-F]{2})*$/.test(hex)) throw new ValueError("That is not hexadecimal.");
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

// Records

export interface Layout {
  itemsize: number;
  fields: Record<string, [type: string, offset: number, shape: number[]]>;
}
export const SIZE: Record<string, number> = {
  i1: 1,
  u1: 1,
  b1: 1,
  i2: 2,
  u2: 2,
  i4: 4,
  u4: 4,
  f4: 4,
  i8: 8,
  u8: 8,
  f8: 8,
};
function read(view: DataView, kind: string, at: number): Value {
  switch (kind) {
    case "i1":
      return view.getInt8(at);
    case "u1":
    case "b1":
      return view.getUint8(at);
    case "i2":
      return view.getInt16(at, true);
    case "u2":
      return view.getUint16(at, true);
    case "i4":
      return view.getInt32(at, true);
    case "u4":
      return view.getUint32(at, true);
    case "f4":
      return view.getFloat32(at, true);
    case "f8":
      return view.getFloat64(at, true);
    case "i8":
      return whole(view.getBigInt64(at, true));
    default:
      return whole(view.getBigUint64(at, true));
  }
}
function write(view: DataView, kind: string, at: number, value: Value): void {
  const n = Number(value);
  switch (kind) {
    case "i1":
      return view.setInt8(at, n);
    case "u1":
    case "b1":
      return view.setUint8(at, n);
    case "i2":
      return view.setInt16(at, n, true);
    case "u2":
      return view.setUint16(at, n, true);
    case "i4":
      return view.setInt32(at, n, true);
    case "u4":
      return view.setUint32(at, n, true);
    case "f4":
      return view.setFloat32(at, n, true);
    case "f8":
      return view.setFloat64(at, n, true);
    case "i8":
      return view.setBigInt64(at, BigInt(value), true);
    default:
      return view.setBigUint64(at, BigInt(value), true);
  }
}
/** Numbers, or rows of them, that lie in some memory. */
export abstract class Stored {
  abstract readonly length: number;
  abstract get(index: number): Value;
  abstract set(index: number, value: Value): void;
  *[Symbol.iterator](): Iterator<Value> {
    for (let at = 0; at < this.length; at++) yield this.get(at);
  }
  tolist(): Value[] {
    return [...this].map((item) => (item instanceof Stored ? item.tolist() : item));
  }
  sum(): Value {
    return sum(this);
  }
}
/** The numbers of a record's field. */
class Cells extends Stored {
  readonly view: DataView;
  readonly kind: string;
  readonly offset: number;
  readonly shape: readonly number[];
  constructor(view: DataView, kind: string, offset: number, shape: readonly number[]) {
    super();
    this.view = view;
    this.kind = kind;
    this.offset = offset;
    this.shape = shape;
  }
  get length(): number {
    return this.shape[0]!;
  }
  #at(index: number): number {
    const row = this.shape.slice(1).reduce((a, b) => a * b, SIZE[this.kind]!);
    return this.offset + place(index, this.length) * row;
  }
  get(index: number): Value {
    const rest = this.shape.slice(1);
    return rest.length
      ? new Cells(this.view, this.kind, this.#at(index), rest)
      : read(this.view, this.kind, this.#at(index));
  }
  set(index: number, value: Value): void {
    if (this.shape.length > 1) setslice(this.get(index), null, null, null, value);
    else write(this.view, this.kind, this.#at(index), value);
  }
}
/** An array of records in bytes. */
export class Records {
  readonly kind: Layout;
  readonly #bytes: () => Uint8Array;
  constructor(kind: Layout, bytes: Uint8Array | (() => Uint8Array)) {
    this.kind = kind;
    this.#bytes = typeof bytes === "function" ? bytes : () => bytes;
  }
  get bytes(): Uint8Array {
    return this.#bytes();
  }
  get length(): number {
    return this.bytes.length / this.kind.itemsize;
  }
  get(index: number): Value {
    const { buffer, byteOffset } = this.bytes;
    const from = byteOffset + place(index, this.length) * this.kind.itemsize;
    const view = new DataView(buffer, from, this.kind.itemsize);
    const record = { kind: this.kind };
    for (const [name, [kind, offset, shape]] of Object.entries(this.kind.fields))
      Object.defineProperty(record, name, {
        enumerable: true,
        get: () => (shape.length ? new Cells(view, kind, offset, shape) : read(view, kind, offset)),
        set: (value: Value) =>
          shape.length
            ? setslice(new Cells(view, kind, offset, shape), null, null, null, value)
            : write(view, kind, offset, value),
      });
    return record;
  }
  set(index: number, value: Value): void {
    const from = place(index, this.length) * this.kind.itemsize;
    if (value === 0) this.bytes.fill(0, from, from + this.kind.itemsize);
    else throw new TypeError_("A record is set to zeros, or field by field.");
  }
  copy(): Records {
    return new Records(this.kind, this.bytes.slice());
  }
  view(): Records {
    return this;
  }
}
/** A function from the bytes of a record to its numbers. */
const reader =
  (kind: Layout) =>
  (bytes: Uint8Array): Record<string, Value> => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const found: Record<string, Value> = {};
    for (const [name, [type, offset, shape]] of Object.entries(kind.fields))
      found[name] = shape.length ? new Cells(view, type, offset, shape).tolist() : read(view, type, offset);
    return found;
  };
const record = (kind: Layout, base64: string): Records =>
  new Records(
    kind,
    Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)),
  );

// NumPy

export function zeros(shape: Value, kind: Value = "f8"): Value {
  if (typeof kind === "object") return new Records(kind, new Uint8Array(shape * kind.itemsize));
  if (Array.isArray(shape) && shape.length > 1)
    return Array.from({ length: shape[0] }, () => zeros(shape.slice(1), kind));
  const length = Number(Array.isArray(shape) ? shape[0] : shape);
  if (kind === "u1") return new Uint8Array(length);
  if (kind === "i1") return new Int8Array(length);
  if (kind === "i4") return new Int32Array(length);
  if (kind === "f8") return new Float64Array(length);
  return Array.from({ length }, () => 0);
}
const full = (shape: Value, value: Value, kind: Value = "f8"): Value => {
  const made = zeros(shape, kind);
  setslice(made, null, null, null, value);
  return made;
};
const ones = (shape: Value, kind: Value = "f8"): Value => full(shape, 1, kind);
function array(items: Value, kind: Value = "f8"): Value {
  if (kind === "u1") return Uint8Array.from(iter(items));
  if (kind === "u8") return BigUint64Array.from([...iter(items)].map(BigInt));
  return kind === "f8" ? Float64Array.from(iter(items)) : [...iter(items)];
}

// What messages are made of

/** A message's struct from its JSON; the page and the table are one program, so nothing is checked twice. */
function convert(given: Map<string, Value>, Kind: Value): Value {
  const { fields = [], about } = Kind as typeof PyObject;
  return new Kind(...fields.map((name) => given.get(about?.written[name] ?? name)));
}
/** An entry of a log, as it is kept. */
function entry(kinds: Map<string, Value>, kept: string): Value {
  const given = JSON.parse(kept) as Record<string, Value>;
  const Kind = kinds.get(given.kind);
  if (!Kind) throw new ValueError(`There is no entry ${repr(given.kind)}.`);
  const { fields = [], about } = Kind as typeof PyObject;
  const values = fields.map((name) => given[about?.written[name] ?? name]);
  return new Kind(
    ...values.map((value) =>
      value !== null && typeof value === "object" && !Array.isArray(value) ? new Raw(JSON.stringify(value)) : value,
    ),
  );
}
function spoken(reason: string): [string, string, Map<string, Value>] {
  const told = sentenceOf(reason);
  return [reason, told?.words ?? "", told?.gaps ?? new Map()];
}
function replace(value: Value, changes: Record<string, Value>): Value {
  return Object.assign(copied(value), changes);
}

// Randomness, time, hashes

const token_bytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
const token_urlsafe = (count: number): string =>
  btoa(String.fromCharCode(...token_bytes(count)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const perf_counter = (): number => performance.now() / 1000;
/** A page has one thread, which nothing interrupts. */
class Timer {
  start(): void {}
  cancel(): void {}
}
/** What is done of what was begun: all, for a page begins nothing before the last is done. */
const awaited = (going: Value): Value => [[...iter(going)], []];
/** A function that keeps its results, by numbers, texts and truths; what it is given of anything else, it computes anew. */
function remembering(made: (...given: Value[]) => Value): (...given: Value[]) => Value {
  const kept = new Map<string, Value>();
  return (...given) => {
    if (given.some((one) => typeof one === "object")) return made(...given);
    const key = JSON.stringify(given);
    if (!kept.has(key)) kept.set(key, made(...given));
    return kept.get(key);
  };
}
function* islice(items: Value, count: number): Generator<Value> {
  let left = count;
  for (const item of iter(items)) {
    if (left-- <= 0) return;
    yield item;
  }
}
const itemgetter = (key: Value) => (value: Value) => get(value, key);
const category = (letter: string): string => (/\p{C}/u.test(letter) ? "Cc" : "L");
function fullmatch(pattern: string, text: string): Value {
  const found = new RegExp(`^(?:${pattern})$`).exec(text);
  return found && { groups: () => found.slice(1).map((group) => group ?? null) };
}

/** A whole number; a TypeError if it is none. */
function index(value: Value): Value {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "bigint" || Number.isInteger(value)) return value;
  throw new TypeError_("That is no whole number.");
}
const copied = (value: Value): Value =>
  methodsOf(value) ? call(value, "copy") : Object.assign(Object.create(Object.getPrototypeOf(value)), value);
function deepcopy(value: Value): Value {
  if (Array.isArray(value)) return value.map(deepcopy);
  return value instanceof Map ? new Map([...value].map(([key, item]) => [key, deepcopy(item)])) : value;
}

/** All that translated functions ask for; `kernels` and what else belongs to a game come on top. */
export const python = {
  Object: PyObject, NamedTuple, fields, method, attribute, getter, static_, classmethod, unbound, revived,
  Exception, ValueError, TypeError: TypeError_, KeyError, IndexError, NotImplementedError, AssertionError, RecursionError,
  OverflowError, StopIteration, raised, caught, suppress, entered, failed, left,
  add, sub, mul, div, floordiv, mod, pow, shl, shr, and, or, xor, neg, invert, bitCount, firstBit,
  truth, all_of, any_of, is, eq, compare, iter, unpack, backwards, get, set: Object.assign((...given: Value[]) => (given.length === 3 ? set(given[0], given[1], given[2]) : set_(given[0])), {}),
  frozenset: set_, remove, slice, setslice, contains, DefaultDict, deque, call, bound, called, spread,
  len, range, zip, enumerate, sorted, reversed, sum, max, min, any, all, next, int, float, bool, abs, round, divmod,
  list, tuple: list, dict, bytes, map, filter, hasattr, getattr, type, isinstance, str, repr, quoted, sentence,
  Raw, UNSET, encode, decode, dumps, unhex, record, reader, zeros, array,
  around: { sub: (_: string, text: string) => text.replace(/ ?([@>()-]) ?/g, "$1") },
  dumpsSorted: (value: Value) => dumps(value, { sort_keys: true }),
  findall: (pattern: string, text: string) => text.match(new RegExp(pattern, "g")) ?? [],
  absent, convert, entry, spoken, replace, token_bytes, token_urlsafe, perf_counter, Timer, islice, itemgetter, category,
  fullmatch, full, ones, sha256, index, copied, deepcopy, remembering, awaited, log2: Math.log2, same: (value: Value) => value, nothing: () => null,
}; // prettier-ignore
export type Python = typeof python;
