import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nullDropper } from './nulls.js'
import { structuralSchema } from './structural.js'

const text = { type: 'string' }
const fields = { plain: text, free: { ...text, nullable: true }, filled: { ...text, default: 'd' }, ['__proto__']: text }
const drop = nullDropper(
  structuralSchema({
    type: 'object',
    properties: {
      ...fields,
      list: { type: 'array', items: { type: 'object', properties: fields } },
      map: { type: 'object', additionalProperties: text },
      kept: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    }
  } as any)
)
const dropped = (json: string): [boolean, string] => {
  const object = JSON.parse(json)
  const found = drop(object)
  return [found, JSON.stringify(object)]
}

test('nulls go that the schema does not allow, and that no default replaces', () => {
  assert.deepEqual(dropped('{"plain":null,"free":null,"filled":null}'), [true, '{"free":null,"filled":null}'])
  assert.deepEqual(dropped('{"list":[null,{"plain":null,"free":null}],"map":{"a":null,"b":"c"}}'), [
    true,
    '{"list":[null,{"free":null}],"map":{"b":"c"}}'
  ])
  assert.deepEqual(dropped('{"list":null}'), [true, '{}'])
})

test('other values stay, and so do fields without a schema', () => {
  for (const json of ['{"plain":"x","list":[],"map":{}}', '{"unknown":null,"kept":{"a":null}}', '{}'])
    assert.deepEqual(dropped(json), [false, json])
})
