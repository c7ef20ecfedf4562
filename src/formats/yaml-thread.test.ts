import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readYamlAside } from './yaml-thread.js'

const list = (items: number) => '- a\n'.repeat(items)

test('a short text is read before longer ones, the longest of which are refused when too many wait', async () => {
  const order: string[] = []
  const read = (name: string, text: string) =>
    readYamlAside(text).then(
      ({ json }) => void order.push(`${name} ${JSON.parse(json).length}`),
      error => void order.push(`${name} ${error.code}`)
    )
  const all = [read('first', list(20_000))]
  for (let i = 0; i < 20; i++) all.push(read('long', list(5000 + i)))
  all.push(read('longer', list(6000)), read('short', list(10)))
  await Promise.all(all)
  const longs = Array.from({ length: 19 }, (_, i) => `long ${5000 + i}`)
  assert.deepEqual(order, ['longer 429', 'long 429', 'first 20000', 'short 10', ...longs])
})

test('a text is given up as soon as it has more values than a body may have', async () => {
  const limited = (text: string) =>
    readYamlAside(text).then(
      () => 'read',
      ({ code, message }) => `${code} ${message}`
    )
  const values = '413 Request entity too large: limit is 100000 values'
  assert.equal(await limited(list(100_001)), values)
  assert.equal(await limited(list(100_000)), 'read')
  assert.equal(await limited(`[${'a,'.repeat(100_001)}]`), values)
  assert.equal(await limited(`[${'a,'.repeat(100_000)}]`), 'read')
  assert.equal(await limited('#\n'.repeat(800_000)), '413 Request entity too large: limit is 1500000 words')
})
