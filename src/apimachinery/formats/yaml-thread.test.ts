import assert from 'node:assert/strict'
import { test } from 'node:test'
import { YamlThread } from './yaml-thread.js'

const list = (items: number) => '- a\n'.repeat(items)

const limits = { milliseconds: 60_000, elapsedMilliseconds: 600_000, waiting: 5, waitingOfUser: 3, megabytes: 1024 }

/** For what is read, and not how fast. */
const patient = new YamlThread(limits)

/** Sends texts, each of a user and of so many items, at once; tells in which order they are answered. */
async function orderOf(texts: readonly (readonly [user: string, items: number])[]): Promise<string[]> {
  const thread = new YamlThread(limits)
  const order: string[] = []
  await Promise.all(
    texts.map(([user, items]) =>
      thread.read(list(items), user).then(
        ({ json }) => void order.push(`${user} ${JSON.parse(json).length}`),
        error => void order.push(`${user} ${items}: ${error.code}`)
      )
    )
  )
  return order
}

test('of one user, a short text is read before longer ones, the longest of which are refused when too many wait', async () => {
  assert.deepEqual(
    await orderOf([
      ['a', 9000],
      ['a', 7000],
      ['a', 6000],
      ['a', 5000],
      ['a', 8000],
      ['a', 10]
    ]),
    ['a 8000: 429', 'a 7000: 429', 'a 9000', 'a 10', 'a 5000', 'a 6000']
  )
})

test('users have turns, whoever has sent more and shorter texts', async () => {
  assert.deepEqual(
    await orderOf([
      ['a', 20],
      ['a', 21],
      ['a', 22],
      ['b', 30],
      ['b', 31],
      ['c', 9000]
    ]),
    ['a 20', 'b 30', 'a 21', 'c 9000', 'b 31', 'a 22']
  )
})

test('when too many texts wait, the user with the most of them is refused', async () => {
  assert.deepEqual(
    await orderOf([
      ['a', 20],
      ['a', 21],
      ['a', 22],
      ['a', 23],
      ['b', 30],
      ['c', 40],
      ['d', 50],
      ['e', 60]
    ]),
    ['a 23: 429', 'a 22: 429', 'a 20', 'b 30', 'a 21', 'c 40', 'd 50', 'e 60']
  )
})

test('a text that takes too long is given up, and the next one gets a new thread', async () => {
  const thread = new YamlThread({ ...limits, milliseconds: 1 })
  await assert.rejects(thread.read(list(100_000), 'a'), /takes too long/)
  await assert.rejects(thread.read(list(100_000), 'a'), /takes too long/)
})

test('a text is given up as soon as it has more values than a body may have', async () => {
  const limited = (text: string) =>
    patient.read(text, 'a').then(
      () => 'read',
      ({ code, message }) => `${code} ${message}`
    )
  const values = '413 Request entity too large: limit is 100000 values'
  assert.equal(await limited(list(100_001)), values)
  assert.equal(await limited(list(100_000)), 'read')
  assert.equal(await limited(`[${'a,'.repeat(100_001)}]`), values)
  assert.equal(await limited(`[${'a,'.repeat(100_000)}]`), 'read')
  const words = '413 Request entity too large: limit is 800000 words'
  assert.equal(await limited(`[${'{a: b} '.repeat(100_000)}]`), words)
})

test('what real documents do not have many of is counted', async () => {
  const limited = (text: string) =>
    patient.read(text, 'a').then(
      ({ json }) => json.slice(0, 50),
      ({ code, message }) => `${code} ${message}`
    )
  const limit = (what: string) => `413 Request entity too large: limit is ${what}`
  for (const [shape, lines] of Object.entries({
    folded: `a: b\n${'  c\n'.repeat(150_000)}`,
    quoted: `a: "${'c\n  '.repeat(150_000)}"`,
    escaped: `a: "${'c\\\n  '.repeat(150_000)}"`,
    block: `a: |\n${'  c\n'.repeat(150_000)}`,
    empty: `a:${'\n'.repeat(150_000)}  b`,
    comments: `${'#\n'.repeat(150_000)}a: b`
  }))
    assert.equal(await limited(lines), limit('150000 lines'), shape)
  assert.equal(await limited(`${'#\n'.repeat(149_000)}a: b`), '{"a":"b"}')
  assert.equal(await limited('? a\n'.repeat(2000)), limit('1000 explicit keys'))
  assert.equal(await limited('&a '.repeat(11_000)), limit('10000 anchors'))
  assert.equal(await limited(`${'%A b\n'.repeat(2000)}---\na: b`), limit('100 directives'))
  // text that only looks like them
  assert.equal(
    await limited(`a: b\nc: |\n${'  %\n'.repeat(20_000)}`),
    JSON.stringify({ a: 'b', c: '%\n'.repeat(20_000) }).slice(0, 50)
  )
  assert.equal(await limited(`- ?a\n${'- ?b\n'.repeat(2000)}`), JSON.stringify(['?a', ...Array(2000).fill('?b')]).slice(0, 50))
})
