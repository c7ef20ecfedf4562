/** Makes texts and JSON values that break careless readers and writers. */
import { pick, type Random, random } from './random.js'

const characters = [
  ...[
    'a',
    'B',
    '0',
    ' ',
    '"',
    "'",
    '\\',
    '/',
    ':',
    ',',
    '#',
    '%',
    '&',
    '<',
    '>',
    '=',
    '-',
    '{',
    '}',
    '[',
    ']',
    '|',
    '*',
    '!',
    '`',
    '@',
    '?',
    '~'
  ],
  ...['\r', '\n', '\r\n', '\t', '\0', '\x07', '\x1b[31m', '\x7f', '\x85', '\xa0', '\xe4', '\xff'],
  ...[
    '\u2028',
    '\u2029',
    '\ufeff',
    '\ufffd',
    '\ufffe',
    '\u202e',
    '\ud83d\ude00',
    '\ud800',
    '\udc00',
    '\\u0000',
    '%0d%0a',
    '$(x)'
  ],
  ...['__proto__', 'constructor', 'null', '---', '...', '../', '\r\nX-Remote-User: admin', '\nE0101 00:00:00.000000       1 x] ']
]
const others: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  [],
  {},
  [null],
  { a: null },
  [[]],
  '\ud800',
  'x'.repeat(5000)
]

export class HostileValues {
  readonly next: Random

  constructor(seed: number) {
    this.next = random(seed)
  }

  /** A text of up to some characters. */
  text(most = 8): string {
    return Array.from({ length: this.next(most + 1) }, () => pick(this.next, characters)).join('')
  }

  /** The same without halves of surrogate pairs, as what has been read from UTF-8. */
  wellFormed(most = 8): string {
    return this.text(most).toWellFormed()
  }

  /** A value of the form of another one, in which some values are of other types, missing or more. */
  like(value: unknown): unknown {
    const { next } = this
    if (next(12) === 0) return pick(next, others)
    if (Array.isArray(value))
      return next(10) === 0 ? [...value, ...value].map(one => this.like(one)) : value.map(one => this.like(one))
    if (typeof value !== 'object' || value === null) return typeof value === 'string' && next(8) === 0 ? this.text() : value
    const members = Object.entries(value).filter(() => next(15) > 0)
    if (next(8) === 0) members.push([this.text(2), pick(next, others)])
    return Object.fromEntries(members.map(([name, one]) => [name, this.like(one)]))
  }
}
