import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StatusError } from '../status/status.js'
import { checkValueCount, maxValues } from './value-limit.js'

const refuses = (text: string) =>
  assert.throws(
    () => checkValueCount(Buffer.from(text)),
    (error: StatusError) => error.code === 413,
    text.slice(0, 50)
  )
const takes = (text: string) => assert.doesNotThrow(() => checkValueCount(Buffer.from(text)), text.slice(0, 50))

test('elements, keys, objects and lists count', () => {
  const many = (count: number, item: string) => Array(count).fill(item).join(',')
  refuses(`[${many(maxValues + 1, '1')}]`)
  takes(`[${many(maxValues, '1')}]`)
  refuses(`[${many(maxValues / 2 + 1, '{}')}]`)
  refuses('['.repeat(maxValues * 3))
})

test('the keys of one object have a limit of their own', () => {
  const object = (keys: number) => `{${Array.from({ length: keys }, (_, i) => `"k${i}":":"`).join(',')}}`
  takes(object(51_200))
  refuses(object(51_201))
  refuses(`{"a":[],"b":${object(51_201)}}`)
  takes(`{"a":${object(40_000)},"b":${object(40_000)}}`)
})

test('text in strings does not count', () => {
  takes(`{"a":"${','.repeat(maxValues * 10)}"}`)
  takes(`{"a":"${'\\"[,'.repeat(maxValues * 2)}","b":"${'\\\\'.repeat(maxValues)}"}`)
  refuses(
    `{"a":"\\\\","b":[${Array(maxValues + 1)
      .fill('"\\\\"')
      .join(',')}]}`
  )
})

test('texts that are not JSON take linear time', () => {
  takes(`"${'\\"'.repeat(1_500_000)}`)
  takes(`"${'\\'.repeat(3_000_000)}`)
  takes('"'.repeat(3_000_001))
})
