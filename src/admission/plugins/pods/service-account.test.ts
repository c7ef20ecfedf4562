import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
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
    account('lenient', { automountServiceAccountToken: true }),
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

const tokenMount = '/var/run/secrets/kubernetes.io/serviceaccount'

test('a token is mounted as the Pod says, then as the account says', async () => {
  for (const [serviceAccountName, automountServiceAccountToken, mounted] of [
    ['default', undefined, true],
    ['default', false, false],
    ['default', true, true],
    ['lenient', undefined, true],
    ['lenient', false, false],
    ['quiet', undefined, false],
    ['quiet', true, true]
  ] as const) {
    const { spec } = (await create({ serviceAccountName, automountServiceAccountToken })).object
    assert.equal(spec.volumes?.length === 1, mounted, `${serviceAccountName} ${automountServiceAccountToken}`)
  }
})

test('a container that mounts something in place of the token keeps it', async () => {
  const own = { ...container, volumeMounts: [{ name: 'v', mountPath: tokenMount }] }
  const other = { ...container, volumeMounts: [{ name: 'v', mountPath: '/data' }] }
  const all = (await create({ containers: [own] })).object.spec
  assert.deepEqual([all.containers, all.volumes], [[own], undefined])
  const some = (await create({ containers: [own, other], volumes: [{ name: 'v' }] })).object.spec
  assert.deepEqual(some.containers[0], own)
  assert.deepEqual(
    some.containers[1].volumeMounts.map((mount: any) => mount.mountPath),
    ['/data', tokenMount]
  )
  assert.equal(some.volumes.length, 2)
  const { name, projected } = some.volumes[1]
  assert.equal(name, 'kube-api-access-x1y2z')
  assert.deepEqual(projected, {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } }
    ],
    defaultMode: 420
  })
})

test('a volume that has the name of a token volume is mounted as it is', async () => {
  const volumes = [{ name: 'v' }, { name: 'kube-api-access-mine' }]
  const { spec } = (await create({ volumes })).object
  assert.deepEqual(spec.volumes, volumes)
  assert.equal(spec.containers[0].volumeMounts[0].name, 'kube-api-access-mine')
})

test('an account enforces mountable secrets when its annotation is true for Go', async () => {
  const volumes = [{ name: 'v', secret: { secretName: 'other' } }]
  for (const [text, refused] of [
    ['true', true],
    ['1', true],
    ['T', true],
    ['tRUE', false],
    ['false', false],
    ['', false]
  ] as const) {
    const serviceaccounts = [account('default', {}, { 'kubernetes.io/enforce-mountable-secrets': text })]
    const object = { metadata: { name: 'p' }, spec: { containers: [container], volumes } }
    const outcome = await attempt(serviceAccount, { resource: 'pods', object, stored: { serviceaccounts } })
    assert.equal(outcome.refused !== undefined, refused, text)
  }
})

test('an account that enforces mountable secrets allows those that it names, wherever they are used', async () => {
  const serviceaccounts = [account('default', { secrets: [{ name: 'known' }], imagePullSecrets: [{ name: 'pull' }] }, enforcing)]
  const refusal = async (spec: object, update: object = {}) => {
    const object = {
      metadata: { name: 'p' },
      spec: { automountServiceAccountToken: false, serviceAccountName: 'default', ...spec }
    }
    return (await attempt(serviceAccount, { resource: 'pods', object, stored: { serviceaccounts }, ...update })).refused
  }
  const env = (name: string) => ({ env: [{ name: 'A' }, { name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } }] })
  const envFrom = (name: string) => ({ envFrom: [{ configMapRef: { name: 'c' } }, { secretRef: { name } }] })
  const not = (what: string) =>
    `${what} referencing secret.secretName="other" is not allowed because service account default does not reference that secret`
  for (const [name, refused] of [
    ['known', false],
    ['other', true]
  ] as const) {
    const where = (what: string) => (refused ? not(what) : undefined)
    const of = (source: object) => [{ name: 'c', ...source }]
    assert.equal(await refusal({ containers: of(env(name)) }), where('container c with envVar E'))
    assert.equal(await refusal({ containers: of(envFrom(name)) }), where('container c with envFrom'))
    assert.equal(await refusal({ initContainers: of(env(name)) }), where('init container c with envVar E'))
    assert.equal(await refusal({ initContainers: of(envFrom(name)) }), where('init container c with envFrom'))
    const update = { operation: 'UPDATE', subresource: 'ephemeralcontainers' } as const
    assert.equal(await refusal({ ephemeralContainers: of(env(name)) }, update), where('ephemeral container c with envVar E'))
    // only the ephemeral containers are checked then, and an update of the Pod changes no secrets
    assert.equal(await refusal({ containers: of(env(name)) }, update), undefined)
    assert.equal(await refusal({ containers: of(env(name)) }, { operation: 'UPDATE' }), undefined)
  }
  assert.equal(await refusal({ imagePullSecrets: [{ name: 'pull' }] }), undefined)
  assert.equal(
    await refusal({ imagePullSecrets: [{ name: 'pull' }, { name: 'known' }] }),
    'imagePullSecrets[1].name="known" is not allowed because service account default does not reference that imagePullSecret'
  )
})

test('a Pod without a service account is refused where nothing has set one', async () => {
  const why = 'no service account specified for pod default/p'
  const object = { metadata: { name: 'p' }, spec: { containers: [container] } }
  const onlyValidate = { ...serviceAccount, admit: () => undefined }
  assert.equal((await attempt(onlyValidate, { resource: 'pods', object, stored })).refused, why)
  const what = { operation: 'UPDATE', subresource: 'ephemeralcontainers', resource: 'pods', object, stored } as const
  assert.equal((await attempt(serviceAccount, what)).refused, why)
})

test('the name of an account must be one that a URL can hold', async () => {
  assert.equal(
    (await create({ serviceAccountName: 'a/b' })).refused,
    `error looking up service account default/a/b: invalid resource name "a/b": [may not contain '/']`
  )
  assert.equal(
    (await create({ serviceAccountName: '..' })).refused,
    `error looking up service account default/..: invalid resource name "..": [may not be '..']`
  )
})

test('nothing is done for other subresources and updates', async () => {
  const object = { metadata: { name: 'p' }, spec: { containers: [container] } }
  for (const more of [{ operation: 'UPDATE' }, { subresource: 'status' }] as const) {
    const outcome = await attempt(serviceAccount, { resource: 'pods', object, stored, ...more })
    assert.deepEqual([outcome.refused, outcome.object], [undefined, object])
  }
})
