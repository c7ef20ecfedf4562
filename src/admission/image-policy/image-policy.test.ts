import assert from 'node:assert/strict'
import { it } from 'node:test'
import { WebhookCallError } from '../../transport/webhooks/exchange.js'
import { imagePolicyWebhook } from '../plugins/pods/image-policy-webhook.js'
import { takesPart } from '../scope.js'
import { ImagePolicy } from './image-policy.js'
import { readStatus, reviewSpec } from './review.js'

const settings = { kubeConfigFile: '', allowTTL: 1000, denyTTL: 0, retryBackoff: 1, defaultAllow: false }
const clock = { at: 0, now: () => clock.at, setTimeout: () => ({ cancel() {} }) }

function ask(answer: (body: any) => object, more: object = {}) {
  const sent: any[] = []
  const webhook: any = {
    async post(body: any) {
      sent.push(body)
      return { code: 200, text: JSON.stringify({ status: answer(body) }) }
    }
  }
  const plugin = imagePolicyWebhook(new ImagePolicy({ ...settings, ...more }, webhook, clock))
  const annotations: Record<string, string> = {}
  const context: any = { origin: { record: { annotate: (key: string, value: string) => void (annotations[key] = value) } } }
  const review = async (image: string, subresource = '') => {
    const metadata = { name: 'p', annotations: { 'x.image-policy.k8s.io/z': '1', other: '2' } }
    const object = {
      metadata,
      spec: { containers: [{ image }], initContainers: [{ image: 'init' }], ephemeralContainers: [{ image: 'e' }] }
    }
    const resource = { groupResource: { group: '', resource: 'pods' } }
    try {
      await plugin.validate!({ resource, name: 'p', namespace: 'a', subresource, object, context } as any)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
  return { sent, review, annotations }
}

it('a webhook is told of images and some annotations, and its permission is remembered', async () => {
  const { sent, review, annotations } = ask(() => ({ allowed: true, auditAnnotations: { a: 'b' } }))
  assert.equal(await review('i'), undefined)
  assert.equal(await review('i'), undefined)
  assert.deepEqual(sent, [
    {
      kind: 'ImageReview',
      apiVersion: 'imagepolicy.k8s.io/v1alpha1',
      metadata: {},
      spec: { containers: [{ image: 'i' }, { image: 'init' }], annotations: { 'x.image-policy.k8s.io/z': '1' }, namespace: 'a' },
      status: { allowed: false }
    }
  ])
  assert.deepEqual(annotations, { 'imagepolicywebhook.image-policy.k8s.io/a': 'b' })
  await review('i', 'ephemeralcontainers')
  assert.deepEqual(sent[1]!.spec.containers, [{ image: 'e' }])
  clock.at += 1000
  await review('i')
  assert.equal(sent.length, 3)
})

it('a webhook is told what there is of a Pod', () => {
  const spec = { containers: [{ image: '' }, {}, { image: 'a' }] }
  assert.deepEqual(reviewSpec({ metadata: { name: 'p' }, spec } as never, '', false), { containers: [{}, {}, { image: 'a' }] })
  assert.deepEqual(reviewSpec({ metadata: {}, spec: {} } as never, 'n', true), { namespace: 'n' })
})

it('an answer that is no ImageReview is a failure of the webhook', () => {
  assert.deepEqual(readStatus('{"status":{"allowed":true}}').allowed, true)
  for (const text of ['x', '[]', '{"kind":"Pod","apiVersion":"v1"}', '{"status":1}'])
    assert.throws(() => readStatus(text), WebhookCallError, text)
})

it('a refusal has the reason of the webhook', async () => {
  const { sent, review } = ask(({ spec }) => (spec.containers[0].image === 'i' ? { reason: 'old' } : {}))
  const head = 'pods "p" is forbidden:'
  assert.equal(await review('i'), `${head} image policy webhook backend denied one or more images: old`)
  assert.equal(await review('j'), `${head} one or more images rejected by webhook backend`)
  await review('j')
  assert.equal(sent.length, 3)
})

it('without an answer, the configuration decides', async () => {
  const fail = () => {
    throw new WebhookCallError('EOF')
  }
  assert.equal(await ask(fail).review('i'), 'pods "p" is forbidden: EOF')
  const { review, annotations } = ask(fail, { defaultAllow: true })
  assert.equal(await review('i'), undefined)
  assert.deepEqual(annotations, { 'imagepolicywebhook.image-policy.k8s.io/failed-open': 'true' })
})

it('a webhook is asked about new and changed Pods and ephemeral containers, and about nothing else', () => {
  const plugin = imagePolicyWebhook(new ImagePolicy(settings, { post: assert.fail } as never, clock))
  const asked = (resource: string, subresource: string) =>
    (['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const).filter(operation =>
      takesPart(plugin, { group: '', resource }, subresource, operation)
    )
  assert.deepEqual(asked('pods', ''), ['CREATE', 'UPDATE'])
  assert.deepEqual(asked('pods', 'ephemeralcontainers'), ['CREATE', 'UPDATE'])
  for (const subresource of ['status', 'resize', 'exec', 'binding']) assert.deepEqual(asked('pods', subresource), [])
  assert.deepEqual(asked('services', ''), [])
})
