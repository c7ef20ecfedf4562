import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseExact } from '../../util/exact-json.js'
import { sortedJson } from '../../util/sorted-json.js'
import { type BodyPieces, wholeBody } from '../request/message.js'
import { encodeObject } from './body.js'
import type { OutputForm } from './negotiate.js'
import { encodedList } from './streamed-list.js'

const top = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '10', continue: 'abc' } }

const items = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    metadata: { name: `n${i}`, labels: i % 3 ? { 'a.b/c': 'yes' } : {}, finalizers: i % 5 ? ['x', 'y: z'] : [] },
    data: {
      text: `a long line of words that goes on and on until it has to be folded somewhere, number ${i}`,
      lines: 'a\n  b\n'
    },
    big: 2n ** 60n,
    list: [{ a: 1, b: [] }, { c: null }]
  }))

const forms: Pick<OutputForm, 'mediaType' | 'pretty'>[] = [
  { mediaType: 'application/json', pretty: false },
  { mediaType: 'application/json', pretty: true },
  { mediaType: 'application/yaml', pretty: false }
]

/** YAML has sorted keys in any case. */
const sortedKeys = (value: unknown): any => parseExact(sortedJson(value))

describe('a streamed list', () => {
  for (const form of forms) {
    test(`equals a list that is encoded at once: ${form.mediaType}, ${form.pretty ? 'pretty' : 'compact'}`, async () => {
      for (const count of [1, 2, 3000]) {
        const body = encodedList(form as OutputForm, top, items(count))
        // a busy machine may also cut short lists in several pieces
        if (count === 3000) assert.equal(body.length, undefined)
        const whole = (await wholeBody(body)).toString()
        assert.equal(whole, encodeObject({ ...top, items: items(count) }, form.mediaType, form.pretty).toString())
      }
    })

    test(`may have no field after its items: ${form.mediaType}, ${form.pretty ? 'pretty' : 'compact'}`, async () => {
      const body = await wholeBody(encodedList(form as OutputForm, top, items(2), true, 'rows'))
      assert.equal(body.toString(), encodeObject(sortedKeys({ ...top, rows: items(2) }), form.mediaType, form.pretty).toString())
    })

    test(`is encoded no faster than the client reads: ${form.mediaType}, ${form.pretty ? 'pretty' : 'compact'}`, async () => {
      let made = 0
      const counted = function* () {
        for (const item of items(20_000)) {
          made++
          yield item
        }
      }
      const body = encodedList(form as OutputForm, top, counted()) as BodyPieces
      await body.next()
      const afterOne = made
      assert.ok(afterOne < 2000, `${afterOne} items for one piece`)
      await new Promise(setImmediate)
      assert.equal(made, afterOne)
      await body.next()
      assert.ok(made > afterOne)
    })
  }
})
