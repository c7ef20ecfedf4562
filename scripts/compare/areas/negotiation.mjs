/** Accept and Content-Type headers on every sort of path, known and unknown. */
import { sample } from '../samples.mjs'

const types = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'Application/JSON',
  'application/Yaml',
  '*/*',
  '*',
  'application/*',
  'text/*',
  'text/plain',
  'text/html',
  'application/apply-patch+yaml',
  'nonsense',
  ''
]
const parameters = [
  'as=Table;v=v1;g=meta.k8s.io',
  'as=Table;v=v1beta1;g=meta.k8s.io',
  'as=Table;v=v2;g=meta.k8s.io',
  'AS=Table;v=v1;g=meta.k8s.io',
  'as=table;v=v1;g=meta.k8s.io',
  'as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
  'as=APIGroupDiscoveryList;v=v2beta1;g=apidiscovery.k8s.io',
  'as=Table',
  'g=meta.k8s.io',
  'v=v1',
  'as=',
  'stream=watch',
  'stream=other',
  'stream=',
  'q=0.5',
  'q=0',
  'q=x',
  'Q=0.1',
  'q="0.5"',
  'charset=utf-8',
  'pretty=1',
  'pretty=0',
  'sv=v1',
  'sv=v9',
  'export=1',
  'profile=nopeer',
  'a=b=c'
]
const bodies = ['{}', 'null', '{"kind":"X"}', 'a: b', '', '[]', 'k8s\u0000']
const bodyTypes = [
  ...types,
  'application/json; charset=utf-8',
  'application/json;',
  'application/json; x',
  'APPLICATION/YAML',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  'Application/Merge-Patch+json',
  'application/merge-patch+json; charset=UTF-8'
]
const otherPaths = [
  '/api',
  '/api/',
  '/api/v1',
  '/api/v1/',
  '/api/v2',
  '/api/v2/pods',
  '/apis',
  '/apis/',
  '/apis/apps',
  '/apis/apps/',
  '/apis/apps/v1',
  '/apis/apps/v1/',
  '/apis/apps/v9',
  '/apis/apps/v9/deployments',
  '/apis/none.example.com',
  '/apis/none.example.com/v1',
  '/apis/none.example.com/v1/things',
  '/version',
  '/version/',
  '/version/x',
  '/api/v1/nothing',
  '/api/v1/namespaces/$NS/nothing',
  '/api/v1/namespaces/$NS/configmaps/a/b',
  '/api/v1/namespaces/$NS/configmaps/a/b/c',
  '/apis/apps/v1/namespaces/$NS/deployments/none/scale',
  '/apis/apps/v1/namespaces/$NS/deployments/none/status',
  '/apis/apps/v1/namespaces/$NS/deployments/none/other',
  '/healthz/nothing',
  '/nothing'
]

export async function area({ random, cluster, send }) {
  // what is in a namespace is the same on both
  const kinds = cluster.resources.filter(r => r.namespaced && r.verbs.includes('get'))
  for (const kind of kinds.filter(r => r.verbs.includes('create'))) await send({ path: cluster.pathOf(kind), body: sample(kind) })
  const clause = () => [random.pick(types), ...random.some(parameters, 2)].join(random.pick([';', '; ', ' ; ']))
  const accept = () => [clause(), ...Array.from({ length: random.below(3) }, clause)].join(random.pick([',', ', ']))
  const paths = () => {
    if (random.chance(0.5)) return random.pick(otherPaths)
    const kind = random.pick(kinds)
    const path = cluster.pathOf(kind, random.pick([undefined, 'none', '$RUN']))
    return (
      path +
      random.pick([
        '',
        '',
        '',
        '?pretty=1',
        '?pretty=x',
        '?includeObject=None',
        '?includeObject=x',
        '?watch=1&resourceVersion=0&timeoutSeconds=1'
      ])
    )
  }
  const watching = path => path.includes('watch=1')
  const creatable = cluster.resources.filter(r => r.verbs.includes('create'))
  function write() {
    const kind = random.pick(creatable)
    const body = random.chance(0.6) ? sample(kind) : random.pick(bodies)
    const headers = { accept: accept(), ...(random.chance(0.4) ? { 'content-type': random.pick(bodyTypes) } : {}) }
    const method = random.pick(['POST', 'POST', 'PUT', 'PATCH'])
    const path = `${cluster.pathOf(kind, method === 'POST' ? undefined : 'none')}?dryRun=All`
    return { method, path, headers, body }
  }
  return {
    generate() {
      if (random.chance(0.4)) return { requests: [write()] }
      const path = paths()
      const method =
        random.chance(0.85) || watching(path) ? 'GET' : random.pick(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      if (method === 'DELETE' && !otherPaths.includes(path)) return { requests: [{ path }] }
      return { requests: [{ method, path, headers: { accept: accept() } }] }
    }
  }
}
