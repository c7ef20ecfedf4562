/** Requests with several faults at once, in each way to write, read and delete: which fault is told of. */
import { apply, json, merge, strategic } from '../patch-types.mjs'
import { collectionOf, storedBases } from '../stored.mjs'

const long = 'x'.repeat(200)
const withMetadata = fields => r => (r.body = { ...r.body, metadata: { ...r.body?.metadata, ...fields } })

/**
 * Faults, each of which changes a request: { method, path, query, headers, body }. `path` has the parts of the path from the
 * collection on.
 */
const faults = {
  'an Accept of nothing': r => (r.headers.accept = 'text/html'),
  'a Table in Protobuf': r => (r.headers.accept = 'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io'),
  'another Content-Type': r => (r.headers['content-type'] = 'text/plain'),
  'the Content-Type of a patch': r => (r.headers['content-type'] = merge),
  'the Content-Type of an apply': r => (r.headers['content-type'] = apply),
  'no JSON': r => (r.raw = '{"kind":'),
  'an empty body': r => (r.raw = ''),
  'a list as body': r => (r.raw = '[]'),
  'a body of null': r => (r.raw = 'null'),
  'another kind': r => (r.body = { ...r.body, kind: 'Odd' }),
  'a kind of another group': r => (r.body = { ...r.body, kind: 'ConfigMap', apiVersion: 'v1' }),
  'another version': r => (r.body = { ...r.body, apiVersion: 'example.com/v1' }),
  'another name': withMetadata({ name: 'other' }),
  'no name': withMetadata({ name: undefined }),
  'a bad name': withMetadata({ name: 'A_b' }),
  'another namespace': withMetadata({ namespace: 'other' }),
  'a missing namespace': r => (r.path = r.path.replace('/namespaces/$NS', '/namespaces/nowhere')),
  'a missing object': r => (r.name = r.name && 'missing'),
  'a bad name in the path': r => (r.name = r.name && 'a%2Fb'),
  'a missing subresource': r => (r.subresource = 'nothing'),
  'the scale': r => (r.subresource = 'scale'),
  'the status': r => (r.subresource = 'status'),
  'another uid': withMetadata({ uid: 'u' }),
  'an old version': withMetadata({ resourceVersion: '1' }),
  'an odd version': withMetadata({ resourceVersion: 'x' }),
  'managed fields': withMetadata({ managedFields: [{ manager: long }] }),
  'labels that are none': withMetadata({ labels: { 'a b': 'c d' } }),
  'labels that are a list': withMetadata({ labels: [] }),
  'a spec that is text': r => (r.body = { ...r.body, spec: 'x', data: 'x' }),
  'an unknown field': r => (r.body = { ...r.body, unknown: 1 }),
  'strict validation': r => r.query.push('fieldValidation=Strict'),
  'odd validation': r => r.query.push('fieldValidation=Odd'),
  'odd dry run': r => r.query.push('dryRun=Odd'),
  'a long manager': r => r.query.push(`fieldManager=${long}`),
  'an odd manager': r => r.query.push('fieldManager=%01'),
  force: r => r.query.push('force=true'),
  'no boolean': r => r.query.push('force=maybe&pretty=maybe'),
  'an odd propagation': r => r.query.push('propagationPolicy=Odd'),
  'no number': r => r.query.push('gracePeriodSeconds=x&limit=x&timeoutSeconds=x'),
  'an odd selector': r => r.query.push('labelSelector=a%20b'),
  'an unknown field selector': r => r.query.push('fieldSelector=spec.nothing%3Da'),
  'an odd resourceVersion': r => r.query.push('resourceVersion=x'),
  'an odd match': r => r.query.push('resourceVersionMatch=Odd'),
  'an odd continue': r => r.query.push('continue=x'),
  'an odd timeout': r => r.query.push('timeout=x'),
  nobody: r => (r.headers.authorization = null),
  'a wrong token': r => (r.headers.authorization = 'Bearer nonsense'),
  alice: r => (r.headers.authorization = 'Bearer alice-token'),
  'an impersonated group alone': r => (r.headers['impersonate-group'] = 'x'),
  'a delete of options': r => (r.body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'u' }, dryRun: ['Odd'] })
}

const ways = {
  list: { method: 'GET', read: true, collection: true },
  get: { method: 'GET', read: true },
  create: { method: 'POST', collection: true },
  'create by name': { method: 'POST' },
  replace: { method: 'PUT' },
  'replace the collection': { method: 'PUT', collection: true },
  merge: { method: 'PATCH', type: merge },
  strategic: { method: 'PATCH', type: strategic },
  apply: { method: 'PATCH', type: apply, query: 'fieldManager=one' },
  'JSON Patch': { method: 'PATCH', type: json, raw: '[{"op":"add","path":"/metadata/labels","value":{"x":"y"}}]' },
  delete: { method: 'DELETE', body: { dryRun: ['All'] } },
  'delete all': { method: 'DELETE', collection: true, body: { dryRun: ['All'] }, query: 'labelSelector=none%3Dsuch' }
}

export async function area({ random, cluster, send }) {
  const { stored, cleanup } = await storedBases({ random, cluster, send })
  return {
    cleanup,
    async generate() {
      const { kind, bases } = random.pick(stored)
      const { base } = random.pick(bases)
      const way = random.pick(Object.values(ways))
      const type = `${kind.group === '' ? '' : `${kind.group}/`}${kind.version}`
      const object = { apiVersion: type, kind: kind.kind, ...base }
      const request = {
        method: way.method,
        path: collectionOf(cluster, kind),
        name: way.collection ? undefined : base.metadata.name,
        query: [...(way.query ? [way.query] : []), ...(way.read ? [] : ['dryRun=All'])],
        headers: way.type ? { 'content-type': way.type } : {},
        body: way.read ? undefined : (way.body ?? object),
        raw: way.raw
      }
      for (let left = 2 + random.below(2); left > 0; left--) random.pick(Object.values(faults))(request)
      if (way.read) request.body = request.raw = undefined
      const path = [request.path, request.name, request.name && request.subresource].filter(Boolean).join('/')
      const { method, headers, query } = request
      const body = request.raw ?? request.body
      return { requests: [{ method, headers, path: `${path}?${query.join('&')}`, ...(body === undefined ? {} : { body }) }] }
    }
  }
}
