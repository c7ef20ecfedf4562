/** Every method at paths of every shape, of built-in and of custom kinds: collections, objects, subresources, and paths that are none of them. */
import { sample } from '../samples.mjs'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']
const patchTypes = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'].map(
  type => `application/${type}`
)
const names = [
  '$ID',
  'default',
  'a%2Fb',
  'a%20b',
  '%41',
  '..',
  '.',
  '%2e%2e',
  'a%25b',
  'x'.repeat(254),
  'A',
  'a:b',
  '%C3%A9',
  'a;b',
  'a+b',
  'a|b',
  '$ID%2Fstatus'
]
const suffixes = [
  '',
  '',
  '',
  '/',
  '//',
  '/status',
  '/scale',
  '/status/',
  '/nothing',
  '/status/more',
  '/exec',
  '/proxy',
  '/log',
  '/finalize',
  '?',
  '?dryRun=All',
  '?dryRun=x',
  '?watch=1&timeoutSeconds=1',
  '?x=%zz'
]
const prefixes = ['', '', '', '', '', '/watch', '/proxy', '/WATCH']

/** A definition whose objects live in a namespace or in the cluster. */
const definition = (plural, kind, scope) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.$RUN.example.com` },
  spec: {
    group: '$RUN.example.com',
    scope,
    names: { plural, kind },
    versions: ['v1', 'v1beta1'].map((name, i) => ({
      name,
      served: true,
      storage: i === 0,
      subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    }))
  }
})
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

export async function area({ random, cluster, send }) {
  const made = [definition('paths', 'Path', 'Namespaced'), definition('roads', 'Road', 'Cluster')]
  for (const body of made) await send({ path: definitions, body })
  const custom = made.flatMap(({ spec }) =>
    spec.versions.map(({ name: version }) => ({
      group: spec.group,
      version,
      resource: spec.names.plural,
      kind: spec.names.kind,
      namespaced: spec.scope === 'Namespaced',
      verbs: ['create', 'get', 'list'],
      subresources: [{ name: 'status' }, { name: 'scale' }]
    }))
  )
  for (const kind of custom)
    for (let tries = 0; tries < 50; tries++) {
      const answers = await send({ path: cluster.pathOf(kind) })
      if (answers.every(answer => answer?.status === 200)) break
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  const kinds = cluster.resources.filter(r => !['componentstatuses', 'selfsubjectrulesreviews'].includes(r.resource))

  /** A path with the kind's parts in their places, or in those of others. */
  function pathOf(kind) {
    const { group, version, resource, namespaced } = kind
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const scope =
      namespaced === random.chance(0.85) ? `/namespaces/${random.pick(['$NS', '$NS', '$NS', 'no', 'a%2Fb', 'A'])}` : ''
    const name = random.chance(0.25) ? '' : `/${random.pick(names)}`
    const sub = kind.subresources.length > 0 && random.chance(0.3) ? `/${random.pick(kind.subresources).name}` : ''
    const slip = random.chance(0.05) ? '/' : ''
    return `${root}${random.pick(prefixes)}${scope}${slip}/${resource}${name}${sub}${random.pick(suffixes)}`
  }

  return {
    eachResource: true,
    cleanup: made.map(({ metadata }) => ({ method: 'DELETE', path: `${definitions}/${metadata.name}` })),
    generate() {
      const kind = random.chance(0.3) ? random.pick(custom) : random.pick(kinds)
      const method = random.pick(methods)
      const path = pathOf(kind)
      const request = { method, path }
      if (method === 'PATCH') request.headers = { 'content-type': random.pick(patchTypes) }
      if (['POST', 'PUT', 'PATCH'].includes(method)) {
        const body = sample(kind)
        request.body = random.pick([body, body, body, { ...body, metadata: {} }, {}, { metadata: { name: 'other' } }])
      } else if (method === 'DELETE' && random.chance(0.3))
        request.body = random.pick([{}, { kind: 'DeleteOptions', apiVersion: 'v1' }, sample(kind)])
      // what one case creates, another one must not find
      const object = cluster.pathOf(kind, sample(kind).metadata.name)
      const add = parameter => {
        if (!request.path.includes(parameter)) request.path += `${request.path.includes('?') ? '&' : '?'}${parameter}`
      }
      if (method === 'DELETE') add('dryRun=All')
      if (/watch/i.test(path)) add('timeoutSeconds=1')
      const stream = /\/(exec|attach|portforward|proxy|log)\b/.test(path)
      return {
        requests: [{ ...request, unchecked: stream }],
        cleanup: [{ method: 'DELETE', path: `${object}?gracePeriodSeconds=0` }]
      }
    }
  }
}
