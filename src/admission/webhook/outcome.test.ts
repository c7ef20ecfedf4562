import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noOrigin } from '../../apimachinery/request/origin.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { WebhookFailure, WebhookRefusal } from './call.js'
import { conclude } from './outcome.js'

/** Concludes a call that fails with `error`; returns what the metrics were told, and the outcome. */
async function concluding(error: Error | undefined, ignoresFailures: boolean) {
  const told: unknown[] = []
  const metrics: any = {
    observe: (call: object, seconds: number, code: number, rejected: boolean) => {
      assert.ok(seconds >= 0 && seconds < 60)
      told.push(['observe', call, code, rejected])
    },
    observeFailOpen: () => told.push(['fail open']),
    observeRejection: (_: object, cause: string, code: number) => told.push(['rejection', cause, code])
  }
  const act = async () => {
    if (error) throw error
  }
  const webhook: any = { hook: { name: 'h' }, ignoresFailures }
  const outcome = await conclude(
    { operation: 'CREATE', context: { origin: noOrigin } } as never,
    metrics,
    webhook,
    'admit',
    act
  ).catch(reason => reason)
  return { told, outcome }
}

const call = { name: 'h', type: 'admit', operation: 'CREATE' }
const refusal = new WebhookRefusal({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 418 })

test('a webhook that answers was called', async () => {
  assert.deepEqual(await concluding(undefined, false), { told: [['observe', call, 200, false]], outcome: true })
})

test('a failure refuses the request, unless the webhook ignores failures', async () => {
  const failure = new WebhookFailure('h', 'down', 502)
  assert.deepEqual(await concluding(failure, true), { told: [['fail open'], ['observe', call, 502, false]], outcome: false })
  const { told, outcome } = await concluding(failure, false)
  assert.deepEqual(told, [
    ['rejection', 'calling_webhook_error', 502],
    ['observe', call, 502, true]
  ])
  assert.ok(outcome instanceof StatusError)
  assert.deepEqual([outcome.code, outcome.message], [500, 'Internal error occurred: failed calling webhook "h": down'])
})

test('a refusal, or an error of the server, refuses the request whatever the webhook ignores', async () => {
  const bug = new TypeError('bug')
  for (const ignores of [true, false])
    for (const [error, cause, code] of [
      [refusal, 'no_error', 418],
      [bug, 'apiserver_internal_error', 0]
    ] as const)
      assert.deepEqual(await concluding(error, ignores), {
        told: [
          ['rejection', cause, code],
          ['observe', call, code, true]
        ],
        outcome: error
      })
})
