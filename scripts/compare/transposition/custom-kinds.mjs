/** Custom resources that stand beside the built-in kinds: of both scopes, in two versions, with all that a definition can say. */
const count = { type: 'integer', minimum: 0, default: 1 }
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'string', enum: ['small', 'large'] },
        replicas: count,
        note: { type: 'string', maxLength: 20, default: 'none' },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, count } }
        },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        settings: { type: 'object', additionalProperties: { type: 'string' } },
        anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        port: { 'x-kubernetes-int-or-string': true },
        template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
      },
      'x-kubernetes-validations': [{ rule: "self.size == 'large' || self.replicas < 5", message: 'small ones have few replicas' }]
    },
    status: {
      type: 'object',
      properties: { replicas: { type: 'integer' }, selector: { type: 'string' }, phase: { type: 'string' } }
    }
  }
}
const version = (name, storage) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: schema },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' }
  },
  selectableFields: [{ jsonPath: '.spec.size' }],
  additionalPrinterColumns: [
    { name: 'Size', type: 'string', jsonPath: '.spec.size' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }
  ]
})

const names = { Namespaced: ['widgets', 'Widget'], Cluster: ['machines', 'Machine'] }

export const customKinds = group =>
  Object.entries(names).map(([scope, [plural, kind]]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { plural, kind }, versions: [version('v1', true), version('v1beta1', false)] }
  }))

/** A valid object of each. */
export const customObject = ({ group, version, kind }) => ({
  apiVersion: `${group}/${version}`,
  kind,
  metadata: { name: 'x' },
  spec: {
    size: 'small',
    replicas: 2,
    note: 'a note',
    parts: [{ name: 'one', count: 1 }, { name: 'two' }],
    tags: ['a', 'b'],
    settings: { k: 'v' },
    anything: { at: ['all', 1] },
    port: 80,
    template: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }
  }
})
