import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatLabelSelector, labelSelectorMatcher, parseLabelSelector } from './labels.js'

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
  ['app=web,tier!=front', '']
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

test('says which label an index can be asked for', () => {
  assert.deepEqual(parseLabelSelector('tier!=x,app=web')!.equals, { key: 'app', value: 'web' })
  assert.equal(parseLabelSelector('app!=web')!.equals, undefined)
})

test('labels called __proto__ or constructor are only labels', () => {
  assert.equal(parseLabelSelector('constructor')!.matches({}), false)
  assert.equal(parseLabelSelector('constructor=x')!.matches({ constructor: 'x' } as any), true)
})

test('selector objects match and are written as text', () => {
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
