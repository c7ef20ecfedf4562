/** Webhooks that answer with as much as they may. */
import { startHttps } from '../../../../build/testkit/webhook-server.js'

const group = 'hooked.example.com'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const hooks = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'
const maps = '/api/v1/namespaces/default/configmaps'
const shown = ({ status, body }) => `${status} ${body.subarray(0, 200)}`
const state = { answer: undefined }
let hook

/** The probes make answers as text, in this process. */
export async function prepare() {
  hook = await startHttps(async (_, response, body) => {
    response.setHeader('content-type', 'application/json')
    response.end(state.answer(JSON.parse(body)))
  })
}
const clientConfig = () => ({ url: hook.url, caBundle: Buffer.from(hook.ca).toString('base64') })

/** A definition of two versions, which the webhook converts. Resolves with what begins the path of its objects in a version. */
async function defined(target, plural) {
  const kind = plural[0].toUpperCase() + plural.slice(1, -1)
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const versions = ['v1', 'v2'].map(name => ({ name, served: true, storage: name === 'v1', schema }))
  const conversion = { strategy: 'Webhook', webhook: { clientConfig: clientConfig(), conversionReviewVersions: ['v1'] } }
  const spec = { group, scope: 'Namespaced', names: { plural, kind }, versions, conversion }
  const made = await target.send('POST', definitions, { metadata: { name: `${plural}.${group}` }, spec })
  if (made.status !== 201) throw new Error(shown(made))
  const path = version => `/apis/${group}/${version}/namespaces/default/${plural}`
  while ((await target.send('GET', path('v1'))).status === 404);
  return { path, kind }
}

/** An object in v2 is converted on its way to the store and back. */
const conversion = (plural, answer) => async target => {
  state.answer = answer
  const { path, kind } = await defined(target, plural)
  const object = { apiVersion: `${group}/v2`, kind, metadata: { name: 'a' } }
  return shown(await target.send('POST', path('v2'), object))
}

/** Objects in v1 are converted for a list in v2. */
const listConversion = (plural, count, object, answer) => async target => {
  state.answer = answer
  const { path, kind } = await defined(target, plural)
  for (let i = 0; i < count; i++)
    await target.send('POST', path('v1'), { apiVersion: `${group}/v1`, kind, metadata: { name: `a${i}` }, ...object })
  return shown(await target.send('GET', path('v2')))
}
const review = ({ request }, objects) =>
  `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"${request.uid}","result":{"status":"Success"},"convertedObjects":[${objects}]}}`
const convertedWith =
  member =>
  ({ request }) =>
    review(
      { request },
      request.objects.map(
        object => `${JSON.stringify({ ...object, apiVersion: request.desiredAPIVersion }).slice(0, -1)},${member}}`
      )
    )
const items = (length, item) => `"list":[${Array(length).fill(item).join()}]`

const patching = (name, make) => async target => {
  state.answer = ({ apiVersion, kind, request }) => {
    const response = {
      uid: request.uid,
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(make())).toString('base64')
    }
    return JSON.stringify({ apiVersion, kind, response })
  }
  const webhook = {
    name: `${name}.example.com`,
    clientConfig: clientConfig(),
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 30,
    objectSelector: { matchLabels: { probe: name } },
    rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE'] }]
  }
  const made = await target.send('POST', hooks, { metadata: { name }, webhooks: [webhook] })
  if (made.status !== 201) throw new Error(shown(made))
  return shown(await target.send('POST', maps, { metadata: { name, labels: { probe: name } }, data: { a: 'b' } }))
}
const many = (count, make) => Array.from({ length: count }, (_, i) => make(i))

export const probes = {
  'a conversion to 15 MB of small numbers': conversion('numbers', convertedWith(items(7_500_000, 1))),
  'a conversion to 15 MB of empty objects': conversion('empties', convertedWith(items(5_000_000, '{}'))),
  'a conversion to 15 MB of long numbers': conversion('longs', convertedWith(items(750_000, '9007199254740993000'))),
  'a conversion to 15 MB of objects': conversion('objects', answer => review(answer, Array(7_000_000).fill(1))),
  'a list converted to 15 MB of small numbers': listConversion('lists', 500, {}, convertedWith(items(15_000, 1))),
  'a list converted to one object of 15 MB': listConversion('ones', 500, {}, ({ request }) =>
    review(
      { request },
      request.objects.map((object, i) => {
        const text = JSON.stringify({ ...object, apiVersion: request.desiredAPIVersion })
        return i === 0 ? `${text.slice(0, -1)},${items(7_500_000, 1)}}` : text
      })
    )
  ),
  'a list of 100 MB': listConversion('larges', 70, { text: 'x'.repeat(1_400_000) }, convertedWith('"a":1')),
  'a patch of 100,000 operations that add': patching('adds', () =>
    many(100_000, i => ({ op: 'add', path: `/data/k${i}`, value: 'v' }))
  ),
  'a patch of 100,000 operations that test': patching('tests', () =>
    many(100_000, () => ({ op: 'test', path: '/data/a', value: 'b' }))
  ),
  'a patch of 100,000 insertions into a long list': patching('inserts', () => [
    { op: 'add', path: '/data', value: { a: [1, 2, 3] } },
    ...many(100_000, () => ({ op: 'add', path: '/data/a/0', value: 1 }))
  ]),
  'a patch of 15,000 copies': patching('copies', () =>
    many(15_000, i => ({ op: 'copy', from: '/data', path: `/data/c${i % 50}` }))
  ),
  'a patch with 8 MB of values': patching('values', () =>
    many(80, i => ({ op: 'add', path: `/data/v${i}`, value: 'x'.repeat(100_000) }))
  )
}
