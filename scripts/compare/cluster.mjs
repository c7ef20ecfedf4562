/** What areas know of the servers: the resources that the reference serves, and their schemas. */
export class Cluster {
  #reference
  #documents = new Map()
  /** Of every version: { group, version, resource, kind, namespaced, verbs, subresources: [{ name, verbs }] } */
  resources = []

  static async of(reference) {
    const cluster = new Cluster()
    cluster.#reference = reference
    for (const path of ['/api', '/apis']) {
      const document = await cluster.#read(path, 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList')
      for (const { metadata, versions } of document.items)
        for (const { version, resources } of versions)
          for (const found of resources) cluster.resources.push(resourceOf(metadata.name ?? '', version, found))
    }
    return cluster
  }

  /** The path of a resource's collection, or of one object. */
  pathOf({ group, version, resource, namespaced }, name) {
    const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    return `${prefix}${namespaced ? '/namespaces/$NS' : ''}/${resource}${name === undefined ? '' : `/${name}`}`
  }

  /** The schema of a resource's objects, and a function that follows references in it. */
  async schemaOf({ group, version, kind }) {
    const path = group === '' ? `/openapi/v3/api/${version}` : `/openapi/v3/apis/${group}/${version}`
    if (!this.#documents.has(path)) this.#documents.set(path, (await this.#read(path, 'application/json')).components.schemas)
    const schemas = this.#documents.get(path)
    const follow = schema => {
      const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
      return reference ? schemas[reference.slice(reference.lastIndexOf('/') + 1)] : schema
    }
    const isKind = k => k.group === group && k.version === version && k.kind === kind
    return { schema: Object.values(schemas).find(s => s['x-kubernetes-group-version-kind']?.some(isKind)), follow }
  }

  async #read(path, accept) {
    const { body } = await this.#reference.send({ path, headers: { accept } })
    return JSON.parse(body.toString())
  }
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
