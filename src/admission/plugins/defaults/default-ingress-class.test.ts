import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { defaultIngressClass } from './default-ingress-class.js'

const ingressClass = (name: string, creationTimestamp: string, isDefault = true) => ({
  metadata: { name, creationTimestamp, annotations: { 'ingressclass.kubernetes.io/is-default-class': String(isDefault) } }
})
const stored = {
  'ingressclasses.networking.k8s.io': [
    ingressClass('old', '2024-01-01T00:00:00Z'),
    ingressClass('new-b', '2024-01-02T00:00:00Z'),
    ingressClass('new-a', '2024-01-02T00:00:00Z'),
    ingressClass('other', '2024-01-03T00:00:00Z', false)
  ]
}
const classOf = async (object: any, classes: object = stored) =>
  (await attempt(defaultIngressClass, { resource: 'ingresses.networking.k8s.io', object, stored: classes as typeof stored }))
    .object.spec.ingressClassName

test('an Ingress without a class gets the newest default class, or the first by name of several that are as new', async () => {
  assert.equal(await classOf({ metadata: { name: 'i' }, spec: {} }), 'new-a')
  assert.equal(await classOf({ metadata: { name: 'i' }, spec: { ingressClassName: 'old' } }), 'old')
  assert.equal(await classOf({ metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } }, spec: {} }), undefined)
  assert.equal(await classOf({ metadata: { name: 'i' }, spec: {} }, {}), undefined)
})
