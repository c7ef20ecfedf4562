import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Entry, type PassedEntry } from './entry.js'

const resource = { group: '', resource: 'configmaps', subresource: '' }
const plugin = { phase: 'admit', kind: 'plugin', name: 'P' } as never

const noRequest: PassedEntry = {
  base: {} as never,
  question: undefined,
  steps: [],
  writes: [],
  spans: [],
  faults: [],
  status: 0,
  message: undefined,
  milliseconds: 0,
  isOpen: true,
  bytes: 0
}

test('objects that are too large to be kept are not looked at by each step', async () => {
  const entry = new Entry(1, undefined, 1000)
  entry.take(noRequest)
  let texts = 0
  const data: Record<string, string> = { a: 'x' }
  const object = {
    get data() {
      texts++
      return data
    }
  }
  const of = { resource, object: () => object }
  await entry.around(plugin, of, () => void (data.b = 'y'))
  await entry.around(plugin, of, () => void (data.c = 'z'.repeat(2000)))
  assert.equal(texts, 4)
  for (let i = 0; i < 5; i++) await entry.around(plugin, of, () => undefined)
  assert.equal(texts, 4)
  const other = { resource, object: () => small }
  const small = { data: 'x' }
  await entry.around(plugin, other, () => void (small.data = 'y'))
  const { steps } = entry.pass()
  assert.deepEqual(
    steps.map(({ isChanged, change }) => [isChanged ?? false, change !== undefined]),
    [[true, true], [true, false], ...Array.from({ length: 5 }, () => [false, false]), [true, true]]
  )
})
