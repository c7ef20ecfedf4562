import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatLabelSelector, type Labels, labelSelectorMatcher, parseLabelSelector } from './labels.js'

const objects = { web: { app: 'web', tier: 'front', n: '5' }, db: { app: 'db', n: '12' }, bare: {}, odd: { app: '' } }
const selected = (selector: string) => {
  const parsed = parseLabelSelector(selector)
  return Object.entries(objects)
    .filter(([, labels]) => parsed?.matches(labels) ?? true)
    .map(([name]) => name)
    .join(' ')
}

const cases: [selector: string, names: string][] = [
  ['', 'web db bare odd'],
  ['app=web', 'web'],
  ['app==web', 'web'],
  ['app = web', 'web'],
  ['app!=web', 'db bare odd'],
  ['app', 'web db odd'],
  ['!app', 'bare'],
  ['app in (web,db)', 'web db'],
  ['app in ()', 'odd'],
  ['app in (web,)', 'web odd'],
  ['app notin (web)', 'db bare odd'],
  ['app=', 'odd'],
  ['n>5', 'db'],
  ['n<6', 'web'],
  ['app=web,tier=front', 'web'],
  ['app=web,tier!=front', ''],
  ['app in (web,db),app in (db,x)', 'db'],
  ['app in (web,db),app in (x,y)', ''],
  ['app!=web,app!=db', 'bare odd'],
  ['app notin (web,x),app!=db,app notin (),tier!=front', 'bare'],
  ['app in (web,db),app!=web,n', 'db'],
  ['app notin (web),app!=db,!n', 'bare odd'],
  ['app,!app', ''],
  ['app,!x', 'web db odd'],
  ['n>4,n>5,n<20,n<13', 'db'],
  ['n>4,n>1,n<6,n<20', 'web'],
  ['x,app', ''],
  ['n,app=', '']
]
for (const [selector, names] of cases)
  test(`${selector || '(nothing)'} selects ${names || 'none'}`, () => assert.equal(selected(selector), names))

for (const selector of [
  'app web',
  'app in',
  'app in (web',
  '=web',
  'app=web=db',
  ',',
  'app=web,',
  '-app',
  'app=!',
  'n>x',
  'app==(a)',
  'a/b/c=d',
  'app=has space'
]) {
  test(`${selector} is refused`, () => assert.throws(() => parseLabelSelector(selector)))
}

test('names the label that an index can look up', () => {
  assert.deepEqual(parseLabelSelector('tier!=x,app=web')!.equals, { key: 'app', value: 'web' })
  assert.equal(parseLabelSelector('app!=web')!.equals, undefined)
})

test('an object costs no more when a selector has many requirements', () => {
  const texts = (length: number) => Array.from({ length }, (_, i) => `!k${i},app!=x${i},n notin (y${i})`).join()
  const { matches } = parseLabelSelector(`${texts(1000)},app`)!
  let looks = 0
  const look = (labels: object, key: PropertyKey) => {
    looks++
    return Reflect.getOwnPropertyDescriptor(labels, key)
  }
  assert.equal(matches(new Proxy<Labels>({ app: 'v' }, { getOwnPropertyDescriptor: look })), true)
  assert.ok(looks < 10, `${looks} looks at the labels`)
  assert.equal(matches({ app: 'x999' }), false)
  assert.equal(matches({ app: 'v', k999: '' }), false)
})

test('labels called __proto__ or constructor are ordinary labels', () => {
  assert.equal(parseLabelSelector('constructor')!.matches({}), false)
  assert.equal(parseLabelSelector('constructor=x')!.matches({ constructor: 'x' } as any), true)
})

test('selector objects match, and can be formatted as text', () => {
  const selector = {
    matchLabels: { b: '1' },
    matchExpressions: [
      { key: 'a', operator: 'In', values: ['y', 'x'] },
      { key: 'c', operator: 'DoesNotExist' }
    ]
  }
  assert.equal(formatLabelSelector(selector), 'a in (x,y),b=1,!c')
  assert.equal(labelSelectorMatcher(selector)({ a: 'x', b: '1' }), true)
  assert.equal(labelSelectorMatcher(selector)({ a: 'x', b: '1', c: '' }), false)
  assert.equal(labelSelectorMatcher({})({}), true)
  assert.equal(labelSelectorMatcher(undefined)({}), false)
})

test('errors in a set of values are reported at their position', () => {
  const message = (text: string) => {
    try {
      parseLabelSelector(text)
    } catch (error) {
      return (error as Error).message.replace('unable to parse requirement: ', '')
    }
    return undefined
  }
  assert.equal(message('a in ((b))'), "found '(', expected: ',', ')' or identifier")
  assert.equal(message('a in (b,(c))'), "found '(', expected: ',', or identifier")
  assert.equal(message('a in (b c)'), "found 'c', expected: ',' or ')'")
  for (const text of ['a in ()', 'a in (,)', 'a in (b,,c)', 'a in (b,)']) assert.equal(message(text), undefined, text)
  assert.equal(
    message('a in (-,b-)'),
    `[${['-', 'b-'].map((value, i) => `values[${i}][a]: Invalid value: "${value}": ${why}`).join(', ')}]`
  )
})

const why =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

test('bounds are 64-bit integers', () => {
  assert.equal(parseLabelSelector('a > 9223372036854775806')!.matches({ a: '9223372036854775807' }), true)
  assert.equal(parseLabelSelector('a < 5')!.matches({ a: '+4' }), true)
  assert.throws(() => parseLabelSelector('a > 9223372036854775808'), /must be an integer/)
})
