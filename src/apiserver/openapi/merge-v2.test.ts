import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OpenApiV2Part } from '../endpoints/backend.js'
import { remoteV2Part } from './merge-v2.js'

const part = (definitions: Record<string, unknown>): OpenApiV2Part => ({
  paths: new Map(),
  definitions: new Map(Object.entries(definitions).map(([name, value]) => [name, JSON.stringify(value)])),
  parameters: new Map()
})
const ref = (name: string) => ({ $ref: `#/definitions/${name}` })
const gvk = (group: string) => ({ group, kind: 'DeleteOptions', version: 'v1' })
const extension = 'x-kubernetes-group-version-kind'

function merge(definitions: Record<string, unknown>, ...parts: OpenApiV2Part[]) {
  const document = {
    paths: {
      '/apis/a/v1/things': { get: { schema: ref('Thing') } },
      '/apis/a/v2/things': { get: { schema: ref('Other') } },
      '/version/': { get: {} }
    },
    definitions
  }
  const merged = remoteV2Part(document, '/apis/a/v1/', parts)
  const read = (map: ReadonlyMap<string, string>) => Object.fromEntries([...map].map(([name, json]) => [name, JSON.parse(json)]))
  return { paths: read(merged.paths), definitions: read(merged.definitions) }
}

it('keeps the paths of one group version, and the definitions that they reach', () => {
  const circle = { properties: { self: ref('Thing'), list: { items: ref('Item') } } }
  const { paths, definitions } = merge({ Thing: circle, Item: { type: 'string' }, Other: {}, Unused: {} })
  assert.deepEqual(Object.keys(paths), ['/apis/a/v1/things'])
  assert.deepEqual(definitions, { Thing: circle, Item: { type: 'string' } })
})

it('gives a definition another name when its name means something else', () => {
  const { paths, definitions } = merge(
    { Thing: { properties: { self: ref('Thing') } } },
    part({ Thing: { type: 'string' } }),
    part({ Thing_v2: { type: 'number' } })
  )
  assert.deepEqual(paths['/apis/a/v1/things'], { get: { schema: ref('Thing_v3') } })
  assert.deepEqual(definitions, { Thing_v3: { properties: { self: ref('Thing_v3') } } })
})

it('joins the group versions of a definition that is the same otherwise', () => {
  const { definitions } = merge(
    { Thing: { type: 'object', [extension]: [gvk('b'), gvk('a')] } },
    part({ Thing: { [extension]: [gvk('c'), gvk('a')], type: 'object' } })
  )
  assert.deepEqual(definitions, { Thing: { type: 'object', [extension]: [gvk('a'), gvk('b'), gvk('c')] } })
})

it('takes a document for what it is', () => {
  for (const document of [null, [], 'x', { paths: 1 }, { paths: { '/apis/a/v1/x': ref('__proto__') }, definitions: 7 }])
    assert.equal(remoteV2Part(document, '/apis/a/v1/', []).definitions.size, 0)
})
