/** The custom resource of areas that put webhooks or policies in front of writes: Things in two versions of the same schema, with status and scale. */
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** `spec` is the schema of a Thing's spec, which has `replicas`. */
export function thingDefinition(group, spec) {
  const integer = { type: 'integer' }
  const status = { type: 'object', properties: { phase: { type: 'string' }, replicas: integer } }
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', ...spec, properties: { ...spec.properties, replicas: integer } }, status }
    }
  }
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
  const versions = ['v1', 'v2'].map(name => ({
    name,
    served: true,
    storage: name === 'v1',
    schema,
    subresources: { status: {}, scale }
  }))
  const names = { plural: 'things', kind: 'Thing' }
  return { metadata: { name: `things.${group}` }, spec: { group, scope: 'Namespaced', names, versions } }
}
