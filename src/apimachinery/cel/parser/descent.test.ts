import assert from 'node:assert/strict'
import { test } from 'node:test'
import { random, times } from '../../../testkit/random.js'
import { Issues } from '../issues.js'
import { descend, NotReadable } from './descent.js'
import { parse, parseWithAntlr } from './parse.js'

const below = random(7)
const chance = (share: number) => below(1000) < share * 1000
const pick = <T>(values: readonly T[]): T => values[below(values.length)]!

const words = ['a', 'b', 'self', 'object', 'has', 'cel', 'r', 'b1', 'in', 'true', 'for', 'package', '__proto__']
const atoms = [
  ...['1', '0', '0x1F', '12u', '0xau', '1.5', '.5', '1e3', '9223372036854775807', '9223372036854775808', '1e999'],
  ...['"x"', "'y'", '"""a"b\nc"""', "'''\r\n'''", 'r"\\n"', "R'''x'''", "b'\\xff'", '"\\u00e9\\n"', '"é😀"', '"\\ud800"', '""'],
  ...['null', 'true', 'false', '[]', '{}', '[,]', '{,}']
]
const operators = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', ' in ', '&&', '||']
const macros = ['.all(x, x)', '.map(x, x > 1, x)', '.exists_one(x, a)', '.filter(1, x)', '.optMap(x, x)', '.sortBy(x, x)']
const space = () => pick(['', '', '', ' ', '\n', '\t', '// é😀\n'])

function expression(depth: number): string {
  const deeper = () => space() + expression(depth - 1) + space()
  if (depth === 0) return chance(0.6) ? pick(words) : pick(atoms)
  switch (below(14)) {
    case 0:
      return `(${deeper()})`
    case 1:
      return `${pick(['!', '-', '--', '!!', '---', '- '])}${expression(depth - 1)}`
    case 2:
      return `${deeper()}?${deeper()}:${deeper()}`
    case 3:
      return `${expression(depth - 1)}.${pick(['', '', '?'])}${pick(words)}`
    case 4:
      return `${expression(depth - 1)}.${pick(words)}(${deeper()}${chance(0.3) ? `,${deeper()}` : ''})`
    case 5:
      return `${expression(depth - 1)}[${pick(['', '?'])}${deeper()}]`
    case 6:
      return `${pick(['', '.'])}${pick(words)}(${pick(['', deeper()])})`
    case 7:
      return `[${pick(['', '?'])}${deeper()},${deeper()}${pick(['', ','])}]`
    case 8:
      return `{${pick(['', '?'])}${deeper()}:${deeper()}${pick(['', ','])}}`
    case 9:
      return `${pick(['', '.'])}a.b{${pick(['', `c:${deeper()}`, `?c:${deeper()},d:1,`])}}`
    case 10:
      return `${expression(depth - 1)}${pick(macros)}`
    default:
      return `${deeper()}${pick(operators)}${deeper()}`
  }
}

/** Inserts, removes or replaces one character. */
function damaged(text: string): string {
  const at = below(text.length + 1)
  return text.slice(0, at) + pick(['', '(', ')', '.', '"', ',', '-', '`', '@', '1', ' ']) + text.slice(at + below(2))
}

const print = (value: unknown) =>
  JSON.stringify(value, (_, v) =>
    typeof v === 'bigint' ? `${v}n` : v instanceof Set ? [...v] : Object.is(v, Number.POSITIVE_INFINITY) ? 'inf' : v
  )

function result(read: (issues: Issues) => unknown, source: string): string {
  const issues = new Issues(source)
  const tree = read(issues)
  return issues.any ? issues.toString() : print(tree)
}

test('well-formed expressions yield the same tree and the same errors as with ANTLR', () => {
  let read = 0
  const count = times(700)
  for (let i = 0; i < count; i++) {
    const whole = expression(below(4))
    const source = chance(0.3) ? damaged(whole) : whole
    const byAntlr = result(issues => parseWithAntlr(source, issues, true), source)
    try {
      assert.equal(
        result(issues => descend(source, issues, true), source),
        byAntlr,
        source
      )
      read++
    } catch (error) {
      if (!(error instanceof NotReadable)) throw error
      assert.match(byAntlr, /Syntax error|unsupported syntax|recursion/, source)
    }
  }
  assert.ok(read > count / 2, `only ${read} of ${count} expressions were read without ANTLR`)
})

test('the depth of every construct has the same limit', () => {
  const nested: ((n: number) => string)[] = [
    n => `${'('.repeat(n)}1${')'.repeat(n)}`,
    n => `a${'.b'.repeat(n)}`,
    n => `a${'+1'.repeat(n)}`,
    n => `a${'==1'.repeat(n)}`,
    n => `${'a?b:'.repeat(n)}c`,
    n => `a${'[0]'.repeat(n)}`
  ]
  for (const make of nested)
    for (const n of [100, 247, 248, 249, 250, 251, 300]) {
      const source = make(n)
      const expected = result(issues => parseWithAntlr(source, issues, true), source)
      assert.equal(
        result(issues => parse(source, issues, true), source).slice(0, 300),
        expected.slice(0, 300),
        `${source.slice(0, 20)} ${n}`
      )
    }
})

test('expressions too long for ANTLR also yield errors', () => {
  const long = Array.from({ length: 7000 }, (_, i) => `a == ${i}`).join(' || ')
  for (const [source, message] of [
    [`${long} ||`, "mismatched input '<EOF>'"],
    [`${long} @`, 'token recognition error'],
    [`${long} || ${'('.repeat(300)}`, 'recursion limit exceeded']
  ] as const) {
    const found = result(issues => parse(source, issues, false), source)
    assert.ok(found.includes(message), found.slice(0, 200))
  }
})
