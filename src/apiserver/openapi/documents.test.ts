import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiGroupVersion, Backend } from '../endpoints/backend.js'
import { Documents } from './documents.js'

test('after a change of one group version, the v2 parts of the others are not made again', async () => {
  const made: string[] = []
  const parts = new Map<string, readonly unknown[]>([
    ['a.example', [{}]],
    ['b.example', [{}]]
  ])
  const versions = (group: string): ApiGroupVersion[] => [
    {
      name: 'v1',
      resources: [],
      openApi: {
        parts: parts.get(group)!,
        v3: () => ({}),
        v2: () => {
          made.push(group)
          return { paths: new Map([[`/apis/${group}/v1/${made.length}`, '{}']]), definitions: new Map(), parameters: new Map() }
        }
      }
    }
  ]
  const backend = {
    generation: 1,
    groups: () => [...parts.keys()].map(name => ({ name, hasRoutes: false, versions: versions(name) }))
  }
  const documents = new Documents([backend as unknown as Backend], { now: Date.now }, '1.36')
  const paths = async () =>
    Object.keys(JSON.parse(String((await documents.v2(false)).body)).paths).filter(path => /example\/v1\/./.test(path))
  assert.deepEqual(await paths(), ['/apis/a.example/v1/1', '/apis/b.example/v1/2'])
  parts.set('b.example', [{}])
  backend.generation++
  assert.deepEqual(await paths(), ['/apis/a.example/v1/1', '/apis/b.example/v1/3'])
  assert.deepEqual(made, ['a.example', 'b.example', 'b.example'])
  // a group that went and came back is made again
  const gone = parts.get('a.example')!
  parts.delete('a.example')
  backend.generation++
  assert.deepEqual(await paths(), ['/apis/b.example/v1/3'])
  parts.set('a.example', gone)
  backend.generation++
  assert.equal((await paths()).length, 2)
  assert.equal(made.length, 4)
})
