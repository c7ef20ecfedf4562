import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testing/admission.js'
import { serviceAccount } from './service-account.js'

const account = (name: string, more: object = {}, annotations = {}) => ({
  metadata: { name, namespace: 'default', annotations },
  ...more
})
const enforcing = { 'kubernetes.io/enforce-mountable-secrets': 'true' }
const stored = {
  serviceaccounts: [
    account('default'),
    account('quiet', { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'pull' }] }),
    account('strict', { automountServiceAccountToken: false, secrets: [{ name: 'known' }] }, enforcing)
  ]
}
const container = { name: 'c', image: 'i' }
const create = (spec: object, annotations = {}) =>
  attempt(serviceAccount, {
    resource: 'pods',
    object: { metadata: { name: 'p', annotations }, spec: { containers: [container], ...spec } },
    stored
  })

test('a Pod runs as the default service account, with a token', async () => {
  const { spec } = (await create({ initContainers: [{ name: 'i' }] })).object
  assert.equal(spec.serviceAccountName, 'default')
  assert.equal(spec.serviceAccount, 'default')
  const mount = { name: 'kube-api-access-x1y2z', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }
  assert.deepEqual(spec.containers[0].volumeMounts, [mount])
  assert.deepEqual(spec.initContainers[0].volumeMounts, [mount])
  assert.deepEqual(
    spec.volumes.map((v: any) => [v.name, v.projected.sources[0].serviceAccountToken.expirationSeconds]),
    [['kube-api-access-x1y2z', 3607]]
  )
})

test('the account may forbid the token, and provides its image pull secrets', async () => {
  const { spec } = (await create({ serviceAccountName: 'quiet' })).object
  assert.equal(spec.volumes, undefined)
  assert.deepEqual(spec.imagePullSecrets, [{ name: 'pull' }])
  const own = (
    await create({ serviceAccountName: 'quiet', imagePullSecrets: [{ name: 'own' }], automountServiceAccountToken: true })
  ).object.spec
  assert.deepEqual(own.imagePullSecrets, [{ name: 'own' }])
  assert.equal(own.volumes.length, 1)
  assert.equal(
    (await create({ serviceAccountName: 'missing' })).refused,
    'error looking up service account default/missing: serviceaccount "missing" not found'
  )
})

test('an account that enforces mountable secrets allows no others', async () => {
  const mounts = (secretName: string) =>
    create({ serviceAccountName: 'strict', volumes: [{ name: 'v', secret: { secretName } }] })
  assert.equal((await mounts('known')).refused, undefined)
  assert.equal(
    (await mounts('other')).refused,
    'volume with secret.secretName="other" is not allowed because service account strict does not reference that secret'
  )
  const env = [{ name: 'E', valueFrom: { secretKeyRef: { name: 'other', key: 'k' } } }]
  assert.match(
    (await create({ serviceAccountName: 'strict', containers: [{ ...container, env }] })).refused!,
    /^container c with envVar E referencing secret\.secretName="other" is not allowed/
  )
  assert.match(
    (await create({ serviceAccountName: 'strict', imagePullSecrets: [{ name: 'x' }] })).refused!,
    /^imagePullSecrets\[0\]\.name="x" is not allowed/
  )
})

test('an ephemeral container may use no other secrets either', async () => {
  const ephemeralContainers = [{ name: 'e', envFrom: [{ secretRef: { name: 'other' } }] }]
  const object = { metadata: { name: 'p' }, spec: { serviceAccountName: 'strict', ephemeralContainers } }
  const what = {
    operation: 'UPDATE',
    resource: 'pods',
    subresource: 'ephemeralcontainers',
    object,
    oldObject: object,
    stored
  } as const
  assert.match((await attempt(serviceAccount, what)).refused!, /^ephemeral container e with envFrom referencing .*"other"/)
})

test('a mirror Pod has no service account, secrets or tokens', async () => {
  const mirror = { 'kubernetes.io/config.mirror': 'x' }
  const plain = await create({}, mirror)
  assert.equal(plain.refused, undefined)
  assert.equal(plain.object.spec.serviceAccountName, undefined)
  assert.equal((await create({ serviceAccountName: 'a' }, mirror)).refused, 'a mirror pod may not reference service accounts')
  const volumes = [{ name: 'v', secret: { secretName: 's' } }]
  assert.equal((await create({ volumes }, mirror)).refused, 'a mirror pod may not reference secrets')
  const token = [{ name: 't', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }]
  assert.equal(
    (await create({ volumes: token }, mirror)).refused,
    'a mirror pod may not use ServiceAccountToken volume projections'
  )
})
