/** Scales, bindings, evictions, tokens and the streams of Pods that never ran: random bodies and parameters, as dry runs where there are such. */
import { apply, merge, strategic } from '../patch-types.mjs'
import { storedBases } from '../stored.mjs'

const kindsOfBodies = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale', base: { spec: { replicas: 2 } } },
  binding: { group: '', version: 'v1', kind: 'Binding', base: { target: { kind: 'Node', name: 'n' } } },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction', base: {} },
  token: {
    group: 'authentication.k8s.io',
    version: 'v1',
    kind: 'TokenRequest',
    base: { spec: { audiences: ['a'], expirationSeconds: 600, boundObjectRef: null } }
  }
}
const parameters = [
  'container=c',
  'container=x',
  'command=ls',
  'stdin=true',
  'tty=true',
  'stdout=true',
  'follow=true',
  'previous=true',
  'tailLines=-1',
  'tailLines=x'
]
const more = [
  'limitBytes=0',
  'sinceSeconds=0',
  'sinceTime=x',
  'timestamps=1',
  'ports=80',
  'ports=0',
  'ports=x',
  'path=/',
  'stream=All',
  'stream=Stdout',
  'insecureSkipTLSVerifyBackend=true'
]

export async function area({ random, cluster, send }) {
  const { plausible, ...all } = await storedBases({ random, cluster, send })
  const stored = all.stored.filter(({ kind }) => kind.subresources.some(s => s.name in kindsOfBodies || connects(s.name)))
  return {
    eachResource: true,
    cleanup: all.cleanup,
    async generate() {
      const { kind, bases } = random.pick(stored)
      const { path, object } = random.pick(bases)
      const { name: sub } = random.pick(kind.subresources.filter(s => s.name in kindsOfBodies || connects(s.name)))
      if (connects(sub)) {
        const query = [...new Set([...random.some(parameters, 3), ...random.some(more, 1)])].join('&')
        return {
          requests: [{ method: random.pick(['GET', 'POST']), path: `${path}/${sub}?${query}`, unchecked: sub === 'proxy' }]
        }
      }
      const { base, ...type } = kindsOfBodies[sub]
      const types = await cluster.schemaOf(type)
      const own = {
        apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
        kind: type.kind,
        metadata: { name: object.metadata.name },
        ...structuredClone(base)
      }
      const body = plausible.changed(own, types)
      const at = `${path}/${sub}?dryRun=All${random.pick(['', '&fieldValidation=Strict', '&fieldValidation=Ignore'])}`
      if (sub !== 'scale') return { requests: [{ method: 'POST', path: at, body, pick: withoutToken }] }
      const method = random.pick(['PUT', 'PUT', 'PATCH', 'GET'])
      if (method === 'GET') return { requests: [{ path: `${path}/${sub}` }] }
      if (method === 'PUT') return { requests: [{ method, path: at, body }] }
      const contentType = random.pick([merge, strategic, apply])
      const applied = contentType === apply
      return {
        requests: [
          {
            method,
            path: applied ? `${at}&fieldManager=m&force=true` : at,
            body: applied ? body : { spec: body.spec, metadata: body.metadata },
            headers: { 'content-type': contentType }
          }
        ]
      }
    }
  }
}

const connects = name => ['log', 'exec', 'attach', 'portforward'].includes(name)

/** A token and its end differ. */
function withoutToken(answer) {
  if (answer.status?.token !== undefined) answer.status = { token: typeof answer.status.token }
  return answer
}
