import assert from 'node:assert/strict'
import { describe, it, mock, test } from 'node:test'
import { kubernetesEnvironment } from './kubernetes-environment.js'
import { compile } from './program.js'
import { dynType, stringType } from './types.js'
import { jsonValue } from './values/json.js'
import { ArrayList, CelError, type ListValue, type Value } from './values/value.js'

// costs end an evaluation here, however slow the machine is
mock.method(performance, 'now', () => 0)

const environment = kubernetesEnvironment.extend(new Map([['s', stringType]]))

function run(expression: string, s = ''): { value: Value; cost: number; exceeded: boolean } {
  const { program, issues } = compile(expression, environment)
  assert.ok(program, issues)
  return program.evaluate(name => (name === 's' ? s : undefined))
}

const tooCostly = new CelError('operation cancelled: actual cost limit exceeded')

test('evaluation ends at the cost limit', () => {
  const all = 'lists.range(200).all(a, lists.range(200).all(b, lists.range(200).all(c, a + b + c >= 0)))'
  const { value, exceeded } = run(all)
  assert.deepEqual([value, exceeded], [new CelError('operation cancelled: actual cost limit exceeded'), true])
})

test('a call that is too costly is not started', () => {
  assert.equal(run('lists.range(1000000).size() > 0').exceeded, true)
  assert.equal(run('lists.range(900000).distinct().size() > 0').exceeded, true)
})

for (const expression of ["s.replace('', s).size() > 0", 'lists.range(30000).map(x, s).join().size() > 0'])
  test(`${expression} does not fill the memory`, () => {
    assert.deepEqual(run(expression, 'x'.repeat(3_000_000)).value, new CelError('string is too long'))
  })

test('regular expressions take linear time', () => {
  assert.equal(run("s.matches('(x+x+)+y')", 'x'.repeat(30_000)).value, false)
})

test('a list that is doubled again and again is not copied', () => {
  const lists = environment.extend(new Map([['l', dynType]]))
  const { program, issues } = compile('l + l', lists)
  assert.ok(program, issues)
  const double = (list: Value) => program.evaluate(() => list).value as ListValue
  let list: Value = new ArrayList(Array.from({ length: 100 }, (_, i) => BigInt(i)))
  for (let i = 0; i < 40; i++) list = double(list)
  const long = list as ListValue
  assert.equal(long.size, 100 * 2 ** 40)
  assert.equal(long.get(100 * 2 ** 39 + 7), 7n)
  assert.deepEqual([...double(new ArrayList([1n, 2n]))], [1n, 2n, 1n, 2n])
  const answers: [string, Value][] = [
    ['l.size() > 0', true],
    ['l[4]', 4n],
    ['l.slice(99, 101)', new ArrayList([99n, 0n])],
    ["'%s'.format([l])", new CelError('error during formatting: string is too long')],
    ['l.map(x, x)', new CelError('operation cancelled: actual cost limit exceeded')]
  ]
  for (const [expression, expected] of answers) {
    const compiled = compile(expression, lists)
    assert.ok(compiled.program, compiled.issues)
    assert.deepEqual(compiled.program.evaluate(() => list).value, expected, expression)
  }
  for (let i = 0; i < 10; i++) list = double(list)
  assert.deepEqual(list, new CelError('list is too long'))
})

test('a text that is a field of an object may be no long pattern', () => {
  const { value } = run("'a'.matches(s)", '(a|b)'.repeat(200_000))
  assert.deepEqual(value, new CelError('error parsing regexp: expression too large'))
})

test('loops that build maps take linear time', () => {
  assert.equal(run('lists.range(60000).transformMap(i, x, x).size()').value, 60_000n)
})

test('__proto__ and constructor are ordinary keys', () => {
  assert.equal(run("{'__proto__': 1}['__proto__'] == 1 && !('constructor' in {'a': 1})").value, true)
})

test('comparing nested variables costs, although cel-go does not charge it', () => {
  // each level doubles the one below: comparing costs almost nothing there, but would never end
  let tower: Value = new ArrayList([1n])
  for (let level = 0; level < 40; level++) tower = new ArrayList([tower, tower])
  const twice = environment.extend(
    new Map([
      ['a', dynType],
      ['b', dynType]
    ])
  )
  for (const expression of ['a == b', '[a] == [b]', 'a in [b]', '[a, b].distinct().size() == 1', '[a].indexOf(b) == 0']) {
    const { program, issues } = compile(expression, twice)
    assert.ok(program, issues)
    const { value, exceeded } = program.evaluate(() => tower)
    assert.deepEqual([value, exceeded], [tooCostly, true], expression)
  }
})

describe('work for which cel-go charges little ends at the cost limit', () => {
  const object = {
    map: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 'v'])),
    list: Array.from({ length: 20_000 }, (_, i) => i),
    text: 'x'.repeat(1_000_000),
    other: `${'x'.repeat(999_999)}y`
  }
  const about = environment.extend(new Map([['object', dynType]]))
  const shapes = [
    'object.map == object.map',
    'object == object',
    'object in [object]',
    '!(20000 in object.list)',
    'size(object.map) > 0',
    'size(object.text) > 0',
    "object.text != ''",
    '[object.text] != [object.other]',
    "object.text.charAt(1) == 'x'",
    "double('1' + object.text) > 0.0 || true",
    "'%s'.format([object.map]) != ''",
    "'%s%d'.format([object.text, i]) != ''",
    '[object.list].flatten().size() > 0',
    '[object.list, object.list].flatten() != []',
    "'a'.matches(object.text.substring(0, 5000)) || true"
  ]
  for (const shape of shapes)
    it(shape, () => {
      const { program, issues } = compile(`object.list.all(i, ${shape})`, about)
      assert.ok(program, issues)
      const { value, exceeded, cost } = program.evaluate(() => jsonValue(object))
      assert.deepEqual([value, exceeded], [tooCostly, true])
      assert.ok(cost >= 1_000_000, String(cost))
    })

  it('and one comparison costs in proportion', () => {
    const { program } = compile('object == object', about)
    const { value, cost } = program!.evaluate(() => jsonValue(object))
    assert.equal(value, true)
    assert.ok(cost > 20_000 && cost < 200_000, String(cost))
  })
})

test('texts that variables double again and again end at the cost limit', () => {
  for (const start of ["dyn('x')", "dyn(b'x')"]) {
    let value = compile(start, environment).program!.evaluate(() => undefined).value
    const { program } = compile('a + a', environment.extend(new Map([['a', dynType]])))
    for (let i = 0; i < 25; i++) value = program!.evaluate(() => value).value
    assert.deepEqual(value, tooCostly, start)
  }
})

test('numbers of a million digits are parsed in one pass', () => {
  for (const digits of ['1'.repeat(1_000_000), `${'1'.repeat(1_000_000)}x`, '0'.repeat(1_000_000)])
    for (const expression of ['duration(s)', 'double(s)', 'int(s)', 'quantity(s)', 'timestamp(s)'])
      run(`${expression} == ${expression}`, digits)
})
