/** Finalizers, owner references and deletions with options of all sorts, in every order. Needs no controllers: what a garbage collector would remove stays. */
import { normal } from '../applies/sequence.mjs'
import { apply, json, merge } from '../patch-types.mjs'

const group = '$RUN.deletions.example.com'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const inNamespace = (api, plural) => `/${api}/namespaces/$NS/${plural}`
const podSpec = { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] }
const template = { metadata: { labels: { a: 'b' } }, spec: podSpec }

const kinds = [
  { path: inNamespace('api/v1', 'configmaps'), apiVersion: 'v1', kind: 'ConfigMap', fields: { data: { a: '1' } } },
  { path: inNamespace('api/v1', 'pods'), apiVersion: 'v1', kind: 'Pod', fields: { spec: podSpec } },
  { path: inNamespace('api/v1', 'pods'), apiVersion: 'v1', kind: 'Pod', fields: { spec: { ...podSpec, nodeName: 'n' } } },
  {
    path: inNamespace('api/v1', 'replicationcontrollers'),
    apiVersion: 'v1',
    kind: 'ReplicationController',
    fields: { spec: { selector: { a: 'b' }, template } }
  },
  {
    path: inNamespace('apis/apps/v1', 'deployments'),
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    fields: { spec: { selector: { matchLabels: { a: 'b' } }, template } }
  },
  {
    path: inNamespace('apis/batch/v1', 'jobs'),
    apiVersion: 'batch/v1',
    kind: 'Job',
    fields: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } }
  },
  { path: inNamespace('api/v1', 'services'), apiVersion: 'v1', kind: 'Service', fields: { spec: { ports: [{ port: 80 }] } } },
  { path: '/api/v1/namespaces', apiVersion: 'v1', kind: 'Namespace', fields: {} },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    fields: { rules: [] }
  },
  { path: inNamespace(`apis/${group}/v1`, 'things'), apiVersion: `${group}/v1`, kind: 'Thing', fields: { spec: { a: 1 } } }
]

export const picks = { normal }

export async function area({ random, send }) {
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }
  }
  const spec = {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }]
  }
  await send({ path: definitions, body: { metadata: { name: `things.${group}` }, spec } })
  for (let tries = 0; tries < 50; tries++) {
    if ((await send({ path: kinds.at(-1).path })).every(({ status }) => status === 200)) break
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return {
    eachResource: true,
    generate: () => sequence(random),
    cleanup: [{ method: 'DELETE', path: `${definitions}/things.${group}` }]
  }
}

function sequence(random) {
  const one = (...values) => random.pick(values)
  const maybe = (chance, fields) => (random.chance(chance) ? fields : {})
  const { path, apiVersion, kind, fields } = one(...kinds)
  const finalizer = () => one('example.com/a', 'example.com/b', 'orphan', 'foregroundDeletion', 'kubernetes')
  const finalizers = () => one([], [finalizer()], [finalizer(), finalizer()], ['example.com/a'])
  const uid = () => one('11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222')
  const owner = () => ({
    apiVersion: one('v1', 'apps/v1'),
    kind: one('ConfigMap', 'ReplicaSet', 'Namespace'),
    name: one('o', 'p'),
    uid: uid(),
    ...maybe(0.3, { controller: one(true, false) }),
    ...maybe(0.3, { blockOwnerDeletion: one(true, false) })
  })
  const owners = () => one([], [owner()], [owner(), owner()])
  const names = ['$ID-a', '$ID-b']
  const metadata = name => ({
    name,
    labels: { case: '$ID' },
    ...maybe(0.7, { finalizers: finalizers() }),
    ...maybe(0.3, { ownerReferences: owners() })
  })
  const options = () => ({
    ...maybe(0.5, { propagationPolicy: one('Orphan', 'Background', 'Foreground', 'Foreground', 'Wrong') }),
    ...maybe(0.15, { orphanDependents: one(true, false) }),
    ...maybe(0.4, { gracePeriodSeconds: one(0, 0, 1, 30, -1) }),
    ...maybe(0.15, { preconditions: { ...maybe(0.5, { uid: uid() }), ...maybe(0.5, { resourceVersion: one('1', '') }) } }),
    ...maybe(0.1, { dryRun: ['All'] })
  })
  const asQuery = given =>
    Object.entries(given)
      .filter(([name]) => name !== 'preconditions')
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
  const remove = target => {
    const given = options()
    if (random.chance(0.3)) return { method: 'DELETE', path: `${target}${target.includes('?') ? '&' : '?'}${asQuery(given)}` }
    return { method: 'DELETE', path: target, body: { kind: 'DeleteOptions', apiVersion: 'v1', ...given } }
  }
  const patch = (target, body, type) => ({ method: 'PATCH', path: target, body, headers: { 'content-type': type } })
  const requests = []
  for (let i = 5 + random.below(5); i > 0; i--) {
    const name = one(...names)
    const at = `${path}/${name}`
    const object = () => ({ apiVersion, kind, metadata: metadata(name), ...fields })
    const step =
      i > 8 || requests.length === 0
        ? () => ({ path, body: object() })
        : one(
            () => ({ path, body: object() }),
            () => remove(at),
            () => remove(at),
            () => remove(at),
            () => remove(`${path}?labelSelector=case=$ID`),
            () => patch(at, { metadata: { finalizers: one(null, finalizers()) } }, merge),
            () => patch(at, { metadata: { finalizers: one(null, finalizers()) } }, merge),
            () => patch(at, { metadata: { ownerReferences: one(null, owners()) } }, merge),
            () =>
              patch(
                at,
                {
                  metadata: {
                    labels: { x: one('1', '2') },
                    ...maybe(0.1, { deletionTimestamp: one(null, '2020-01-01T00:00:00Z') })
                  }
                },
                merge
              ),
            () => patch(at, [{ op: 'remove', path: `/metadata/finalizers${one('', '/0', '/1')}` }], json),
            () =>
              patch(
                `${at}?fieldManager=m${one('1', '2')}${one('', '&force=true')}`,
                {
                  apiVersion,
                  kind,
                  metadata: { name, ...maybe(0.6, { finalizers: finalizers() }), ...maybe(0.3, { ownerReferences: owners() }) },
                  ...maybe(0.4, fields)
                },
                apply
              ),
            () => ({
              method: 'PUT',
              path: at,
              body: { metadata: maybe(0.5, { finalizers: finalizers() }), ...fields },
              over: true
            }),
            ...(kind === 'Namespace'
              ? [
                  () => ({
                    method: 'PUT',
                    path: `${at}/finalize`,
                    body: {
                      apiVersion,
                      kind,
                      metadata: { name },
                      spec: { finalizers: one([], ['kubernetes'], ['example.com/x']) }
                    }
                  })
                ]
              : []),
            ...(kind === 'Pod'
              ? [
                  () => patch(`${at}/status`, { status: { phase: one('Running', 'Succeeded', 'Failed') } }, merge),
                  () => ({
                    path: `${at}/eviction`,
                    body: {
                      apiVersion: 'policy/v1',
                      kind: 'Eviction',
                      metadata: { name },
                      ...maybe(0.5, { deleteOptions: options() })
                    }
                  })
                ]
              : [])
          )
    requests.push({ ...step(), pick: normal }, { path: at, pick: normal })
  }
  return {
    requests,
    cleanup: names.flatMap(name => [
      patch(`${path}/${name}`, { metadata: { finalizers: null } }, merge),
      { method: 'DELETE', path: `${path}/${name}?gracePeriodSeconds=0&propagationPolicy=Background` },
      ...(kind === 'Namespace'
        ? [{ method: 'PUT', path: `${path}/${name}/finalize`, body: { apiVersion, kind, metadata: { name }, spec: {} } }]
        : [])
    ])
  }
}
