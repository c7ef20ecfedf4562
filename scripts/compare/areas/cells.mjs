/** Objects of every kind with random fields and a random status, and the cells of the Tables that show them. */
import { sample } from '../samples.mjs'
import { exactJson, Values } from '../values.mjs'

export async function area({ random, cluster }) {
  // component statuses are no objects; about the others, controllers in the servers report something at some time
  const others = ['componentstatuses', 'apiservices', 'customresourcedefinitions', 'flowschemas']
  const kinds = cluster.resources.filter(
    r => r.verbs.includes('create') && r.verbs.includes('list') && !others.includes(r.resource)
  )
  return {
    eachResource: true,
    async generate() {
      const kind = random.pick(kinds)
      const { schema, follow } = await cluster.schemaOf(kind)
      const values = new Values(random, follow, 0)
      const object = sample(kind)
      for (let changes = random.below(5); changes > 0; changes--) values.change(object, schema)
      const { name } = sample(kind).metadata
      object.metadata.name = name
      const path = cluster.pathOf(kind, name)
      // where the first object is refused, the sample itself is used
      const requests = [object, sample(kind)].map(body => ({
        method: 'POST',
        path: cluster.pathOf(kind),
        body: exactJson(body),
        unchecked: true
      }))
      const { status } = schema.properties
      if (kind.subresources.some(s => s.name === 'status') && status)
        for (let tries = 0; tries < 3; tries++)
          requests.push({
            method: 'PATCH',
            path: `${path}/status`,
            headers: { 'content-type': 'application/merge-patch+json' },
            body: exactJson({ status: values.of(status) }),
            unchecked: true
          })
      const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
      requests.push({ path: `${path}?includeObject=None`, headers })
      const released = { method: 'PATCH', path, headers: { 'content-type': 'application/merge-patch+json' } }
      return {
        requests,
        cleanup: [
          { method: 'DELETE', path: `${path}?gracePeriodSeconds=0` },
          { ...released, body: { metadata: { finalizers: null } } }
        ]
      }
    }
  }
}
