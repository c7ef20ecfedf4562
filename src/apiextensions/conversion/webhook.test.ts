/** How objects become reviews, with a client that answers at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebhookClient } from '../../transport/webhooks/client.js'
import { AnswerTooLarge } from '../../transport/webhooks/exchange.js'
import { webhookConverter } from './webhook.js'

const uid = 'u'
const definition = {
  metadata: { name: 'things.example.com' },
  spec: { conversion: { strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } } }
} as any
const objects = (count: number, more = {}) =>
  Array.from({ length: count }, (_, i) => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: `o${i}` }, ...more }))

/** Adds `grown` to each object. `asked` has the number of objects of each review, `answered` that of each answer within its bounds. */
function converter(grown: string) {
  const asked: number[] = []
  const answered: number[] = []
  const failures: (string | undefined)[] = []
  const client = {
    async call(_: unknown, body: Buffer, { maxAnswerBytes }: { maxAnswerBytes: number }) {
      const { request, ...identity } = JSON.parse(body.toString())
      asked.push(request.objects.length)
      const convertedObjects = request.objects.map((o: any) => ({ ...o, apiVersion: request.desiredAPIVersion, grown }))
      const answer = JSON.stringify({ ...identity, response: { uid, result: { status: 'Success' }, convertedObjects } })
      if (answer.length > maxAnswerBytes) throw new AnswerTooLarge(`larger than ${maxAnswerBytes}`)
      answered.push(request.objects.length)
      return JSON.parse(answer)
    }
  }
  const metrics = { webhookCalled: (_: unknown, failure?: string) => failures.push(failure) }
  const parts = { webhooks: client as unknown as WebhookClient, metrics: metrics as any, uuid: () => uid }
  return { convert: webhookConverter(definition, parts), asked, answered, failures }
}
const names = (converted: readonly any[]) => converted.map(({ metadata, apiVersion }) => `${apiVersion} ${metadata.name}`)
const wanted = (count: number) => objects(count).map(({ metadata }) => `example.com/v2 ${metadata.name}`)

test('small objects are converted 500 at a time, in order; those of the version are left out', async () => {
  const { convert, asked } = converter('x')
  const already = { apiVersion: 'example.com/v2', metadata: { name: 'already' } }
  const [one, ...converted] = await convert([already, ...objects(1001)], 'example.com/v2')
  assert.equal(one, already)
  assert.deepEqual(names(converted), wanted(1001))
  assert.deepEqual(asked, [500, 500, 1])
})

test('large objects are converted about a megabyte at a time', async () => {
  const { convert, asked } = converter('x')
  const converted = await convert(objects(5, { text: 'x'.repeat(400_000) }), 'example.com/v2')
  assert.deepEqual(names(converted), wanted(5))
  assert.deepEqual(asked, [2, 2, 1])
})

test('objects whose conversions are together larger than one may be are converted in parts', async () => {
  const { convert, answered, failures } = converter('x'.repeat(1024 * 1024))
  const converted = await convert(objects(7), 'example.com/v2')
  assert.deepEqual(names(converted), wanted(7))
  assert.deepEqual(answered, [1, 2, 2, 2])
  assert.deepEqual(failures, [undefined, undefined, undefined, undefined])
})

test('a conversion that is larger than an object may be is an error', async () => {
  const { convert, asked, failures } = converter('x'.repeat(4 * 1024 * 1024))
  await assert.rejects(
    convert(objects(2), 'example.com/v2'),
    /^StoreUnavailableError: conversion webhook for example.com\/v1, Kind=Thing failed: larger than 3\d{6}$/
  )
  assert.deepEqual([asked, failures], [[2, 1], ['conversion_webhook_call_failure']])
})
