import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Expr } from '../ast.js'
import { Issues } from '../issues.js'
import { parse } from './parse.js'

/** Formats the tree in brackets: 1 + a.b → (_+_ 1 a.b) */
function shape(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return String(expr.value)
    case 'ident':
      return expr.name
    case 'select':
      return expr.test ? `has(${shape(expr.operand)}.${expr.field})` : `${shape(expr.operand)}.${expr.field}`
    case 'call':
      return `(${[expr.function, ...(expr.target ? [expr.target] : []), ...expr.args].map(e => (typeof e === 'string' ? e : shape(e))).join(' ')})`
    case 'list':
      return `[${expr.elements.map((e, i) => (expr.optional.has(i) ? '?' : '') + shape(e)).join(' ')}]`
    case 'map':
      return `{${expr.entries.map(e => `${e.optional ? '?' : ''}${shape(e.key)}:${shape(e.value)}`).join(' ')}}`
    case 'message':
      return `${expr.typeName}{${expr.fields.map(f => `${f.optional ? '?' : ''}${f.name}:${shape(f.value)}`).join(' ')}}`
    case 'comprehension': {
      const variables = [expr.variable, ...(expr.variable2 ? [expr.variable2] : [])].join(',')
      return `(for ${variables} in ${shape(expr.range)} from ${shape(expr.initial)} while ${shape(expr.condition)} do ${shape(expr.step)} give ${shape(expr.result)})`
    }
  }
}

function parsed(source: string, bindings = false): string {
  const issues = new Issues(source)
  const expr = parse(source, issues, bindings)
  assert.ok(expr, issues.toString())
  return shape(expr)
}

function issuesOf(source: string): string {
  const issues = new Issues(source)
  assert.equal(parse(source, issues, false), undefined)
  return issues.toString().split('\n')[0]!
}

const trees: Record<string, string> = {
  '1 + 2 * 3 - 4': '(_-_ (_+_ 1 (_*_ 2 3)) 4)',
  'a == 1 ? b : c': '(_?_:_ (_==_ a 1) b c)',
  'a && b || c && d': '(_||_ (_&&_ a b) (_&&_ c d))',
  '!!a': 'a',
  '!a': '(!_ a)',
  '-a': '(-_ a)',
  '- -1': '1',
  'x in [1, ?y]': '(@in x [1 ?y])',
  '.a.b[0].?c[?d]': '(_[?_] (_?._ (_[_] .a.b 0) c) d)',
  "{'k': 1, ?'o': 2}": '{k:1 ?o:2}',
  'Object.spec{n: 1, ?o: 2}': 'Object.spec{n:1 ?o:2}',
  'f(1).g(2)': '(g (f 1) 2)',
  'has(a.b)': 'has(a.b)',
  'has(a.b, c)': '(has a.b c)'
}
for (const [source, tree] of Object.entries(trees)) {
  test(source, () => assert.equal(parsed(source), tree))
}

test('macros expand to loops', () => {
  assert.equal(
    parsed('l.all(x, x > 0)'),
    '(for x in l from true while (@not_strictly_false __result__) do (_&&_ __result__ (_>_ x 0)) give __result__)'
  )
  assert.equal(
    parsed('l.exists_one(x, x)'),
    '(for x in l from 0 while true do (_?_:_ x (_+_ __result__ 1) __result__) give (_==_ __result__ 1))'
  )
  assert.equal(
    parsed('l.map(x, x > 0, f(x))'),
    '(for x in l from [] while true do (_?_:_ (_>_ x 0) (_+_ __result__ [(f x)]) __result__) give __result__)'
  )
  assert.equal(parsed('l.transformList(i, v, v)'), '(for i,v in l from [] while true do (_+_ __result__ [v]) give __result__)')
  assert.equal(parsed('l.all(x)'), '(all l x)', 'another number of arguments is a call like any other')
})

test('cel.bind is a macro only with bindings', () => {
  assert.match(parsed('cel.bind(x, 1, x + x)', true), /^\(for .* from 1 while false do .* give \(_\+_ x x\)\)$/)
  assert.equal(parsed('cel.bind(x, 1, x)'), '(bind cel x 1 x)')
})

test('long chains of && and || are balanced', () => {
  assert.equal(parsed('a && b && c && d'), '(_&&_ (_&&_ a b) (_&&_ c d))')
  let depth = 0
  let deepest = 0
  for (const character of parsed(Array(1000).fill('a').join(' || '))) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0
    deepest = Math.max(deepest, depth)
  }
  assert.ok(deepest <= 11, `${deepest} deep`)
})

const refused: Record<string, string> = {
  'a.`b`': "ERROR: <input>:1:3: unsupported syntax: '`'",
  'while + 1': 'ERROR: <input>:1:1: reserved identifier: while',
  'import(1)': 'ERROR: <input>:1:1: reserved identifier: import',
  'has(a)': 'ERROR: <input>:1:5: invalid argument to has() macro',
  'l.all(a.b, true)': 'ERROR: <input>:1:8: argument must be a simple name',
  'l.map(1, true)': 'ERROR: <input>:1:7: argument is not an identifier',
  'l.all(__result__, true)': 'ERROR: <input>:1:7: iteration variable overwrites accumulator variable',
  'l.all(k, k, true)': 'ERROR: <input>:1:10: duplicate variable name: k',
  'a +\n  9223372036854775808': 'ERROR: <input>:2:3: invalid int literal'
}
for (const [source, message] of Object.entries(refused))
  test(`${JSON.stringify(source)} is refused at the position of its error`, () => assert.equal(issuesOf(source), message))

test('the length of an expression is limited, in code points', () => {
  const long = `'${'😀'.repeat(99_998)}'`
  assert.ok(parse(long, new Issues(long), false))
  assert.match(issuesOf(`'${'a'.repeat(99_999)}'`), /expression code point size exceeds limit: size: 100001, limit 100000/)
})
