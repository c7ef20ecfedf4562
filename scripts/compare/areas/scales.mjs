/** Scale of custom resources: paths of several steps whose parents are missing, null or of another type, read and written in every way. */

const specPaths = ['.spec.replicas', '.spec.a.replicas', '.spec.a.b.replicas']
const statusPaths = ['.status.replicas', '.status.a.replicas', '.status.a.b.replicas']
const selectorPaths = [undefined, '.status.selector', '.status.a.selector', '.spec.a.b.selector']
const values = [null, 0, 3, -1, 2147483648, 1.5, 'text', '', true, [], {}]

export async function area({ random, send }) {
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const kinds = []
  for (let i = 0; i < 12; i++) {
    const labelSelectorPath = random.pick(selectorPaths)
    const scale = {
      specReplicasPath: random.pick(specPaths),
      statusReplicasPath: random.pick(statusPaths),
      ...(labelSelectorPath ? { labelSelectorPath } : {})
    }
    const plural = `scaled${i}s`
    const name = `${plural}.$RUN.example.com`
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    const subresources = { scale, ...(random.chance(0.5) ? { status: {} } : {}) }
    const versions = [{ name: 'v1', served: true, storage: true, schema, subresources }]
    const spec = { group: '$RUN.example.com', names: { plural, kind: `Scaled${i}` }, scope: 'Namespaced', versions }
    await send({ path: crds, body: { metadata: { name }, spec } })
    kinds.push({ name, kind: `Scaled${i}`, path: `/apis/$RUN.example.com/v1/namespaces/$NS/${plural}`, scale })
  }
  // until both serve them
  await new Promise(resolve => setTimeout(resolve, 5000))

  function put(object, path) {
    if (!path || random.chance(0.2)) return
    const steps = path.slice(1).split('.')
    let at = object
    for (const step of steps.slice(0, -1)) {
      if (random.chance(0.12)) {
        at[step] = random.pick(values)
        return
      }
      if (at[step] === null || typeof at[step] !== 'object' || Array.isArray(at[step])) at[step] = {}
      at = at[step]
    }
    const last = steps.at(-1)
    at[last] = random.chance(0.6) ? (last === 'selector' ? 'a=b' : 2) : random.pick(values)
  }

  return {
    cleanup: kinds.map(({ name }) => ({ method: 'DELETE', path: `${crds}/${name}` })),
    generate() {
      const { kind, path, scale } = random.pick(kinds)
      const apiVersion = '$RUN.example.com/v1'
      const object = { apiVersion, kind, metadata: { name: '$ID' } }
      for (const part of Object.values(scale)) put(object, part)
      const ofScale = { apiVersion: 'autoscaling/v1', kind: 'Scale' }
      const replicas = random.pick([...values, 5, 5, 5])
      const spec = random.chance(0.1) ? random.pick(values) : random.chance(0.1) ? {} : { replicas }
      const at = `${path}/$ID/scale`
      const headers = type => ({ 'content-type': type })
      const write = random.pick([
        { method: 'PUT', path: at, body: { ...ofScale, metadata: { name: '$ID', namespace: '$NS' }, spec } },
        { method: 'PATCH', path: at, headers: headers('application/merge-patch+json'), body: { spec } },
        {
          method: 'PATCH',
          path: at,
          headers: headers('application/json-patch+json'),
          body: [{ op: random.pick(['add', 'replace']), path: '/spec/replicas', value: replicas }]
        },
        {
          method: 'PATCH',
          path: `${at}?fieldManager=m&force=true`,
          headers: headers('application/apply-patch+yaml'),
          body: { ...ofScale, metadata: { name: '$ID' }, spec }
        }
      ])
      return {
        requests: [{ path, body: object }, { path: at }, write, { path: at }, { path: `${path}/$ID` }],
        cleanup: [{ method: 'DELETE', path: `${path}/$ID` }]
      }
    }
  }
}
