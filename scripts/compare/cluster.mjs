/** The resources that both servers serve, and their schemas, for use by the areas. */
export class Cluster {
  #reference
  #documents = new Map()
  /** Of every version: { group, version, resource, kind, namespaced, verbs, subresources: [{ name, verbs }] } */
  resources = []

  static async of(reference, target) {
    const cluster = new Cluster()
    cluster.#reference = reference
    const [known, served] = await Promise.all([reference, target].map(resourcesOf))
    const nameOf = ({ group, version, resource }) => `${group}/${version}/${resource}`
    // what a definition brought, which only one of them has, is left out
    const both = new Set(served.map(nameOf))
    cluster.resources = known.filter(r => both.has(nameOf(r)))
    return cluster
  }

  /** The path of a resource's collection, or of one object. */
  pathOf({ group, version, resource, namespaced }, name) {
    const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    return `${prefix}${namespaced ? '/namespaces/$NS' : ''}/${resource}${name === undefined ? '' : `/${name}`}`
  }

  /** The schema of a resource's objects, and a function that follows references in it. `within`: the resource in whose document it is. */
  async schemaOf({ group, version, kind }, within = { group, version }) {
    const path = within.group === '' ? `/openapi/v3/api/${within.version}` : `/openapi/v3/apis/${within.group}/${within.version}`
    if (!this.#documents.has(path)) this.#documents.set(path, (await read(this.#reference, path)).components.schemas)
    const schemas = this.#documents.get(path)
    const follow = schema => {
      const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
      return reference ? schemas[reference.slice(reference.lastIndexOf('/') + 1)] : schema
    }
    const isKind = k => k.group === group && k.version === version && k.kind === kind
    return { schema: Object.values(schemas).find(s => s['x-kubernetes-group-version-kind']?.some(isKind)), follow }
  }
}

async function read(server, path, accept = 'application/json') {
  const { body } = await server.send({ path, headers: { accept } })
  return JSON.parse(body.toString())
}

async function resourcesOf(server) {
  const lists = await Promise.all(
    ['/api', '/apis'].map(path => read(server, path, 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'))
  )
  return lists.flatMap(({ items }) =>
    items.flatMap(({ metadata, versions }) =>
      versions.flatMap(({ version, resources = [] }) => resources.map(found => resourceOf(metadata.name ?? '', version, found)))
    )
  )
}

const resourceOf = (group, version, { resource, responseKind, scope, verbs, subresources = [] }) => ({
  group,
  version,
  resource,
  kind: responseKind.kind,
  namespaced: scope === 'Namespaced',
  verbs,
  subresources: subresources.map(s => ({ name: s.subresource, verbs: s.verbs }))
})
