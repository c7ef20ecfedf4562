/** CustomResourceDefinitions with random schemas, columns and subresources; their discovery, OpenAPI, objects and Tables. */

const names = ['alpha', 'beta', 'gamma', 'Delta', 'x-y', 'spec']
const text = ['', 'a', 'B', 'é', '<&>']
const values = [
  null,
  '',
  'text',
  0,
  1,
  -1,
  1.5,
  12,
  true,
  false,
  [],
  {},
  ['b', 'a'],
  { z: 1, a: { y: null, b: [2] } },
  '2024-01-02T03:04:05Z'
]

/** Go looks at the fields of a schema in an order that changes. */
const sortedErrors = body =>
  body.reason === 'Invalid'
    ? {
        ...body,
        message: [...body.message.split(/[[\],] ?/)].sort().join(),
        details: { ...body.details, causes: sorted(body.details.causes) }
      }
    : body
const sorted = causes => causes?.map(cause => JSON.stringify(cause)).sort()

export async function area({ random }) {
  const maybe = (chance, make) => (random.chance(chance) ? make() : {})

  function schema(depth) {
    const type = random.pick(
      depth > 0
        ? ['string', 'integer', 'number', 'boolean', 'object', 'object', 'array', 'any']
        : ['string', 'integer', 'boolean']
    )
    return {
      ...maybe(0.2, () => ({ description: random.pick(text) })),
      ...maybe(0.1, () => ({ nullable: true })),
      ...maybe(0.1, () => ({ title: 'title' })),
      ...maybe(0.1, () => ({ externalDocs: { url: 'https://example.com', description: random.pick(text) } })),
      ...maybe(0.1, () => ({ example: random.pick(values) })),
      ...typed(type, depth)
    }
  }

  function typed(type, depth) {
    switch (type) {
      case 'string':
        return {
          type,
          ...maybe(0.2, () => ({ default: random.pick(['', 'd']) })),
          ...maybe(0.2, () => ({ enum: ['', 'd', 'text'] })),
          ...maybe(0.1, () => ({ pattern: '^.*$' })),
          ...maybe(0.2, () => ({ format: random.pick(['date-time', 'byte', 'uuid', 'other']) }))
        }
      case 'integer':
      case 'number':
        return {
          type,
          ...maybe(0.3, () => ({ default: random.pick([0, 7]) })),
          ...maybe(0.2, () => ({ minimum: -5, exclusiveMaximum: true, maximum: 100 })),
          ...maybe(0.2, () => ({ format: random.pick(['int32', 'int64', 'double']) }))
        }
      case 'boolean':
        return { type, ...maybe(0.3, () => ({ default: false })) }
      case 'array': {
        const list = random.pick([undefined, 'atomic', 'set', 'map'])
        if (list === 'map')
          return {
            type,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: schema(depth - 1) } }
          }
        return {
          type,
          ...(list ? { 'x-kubernetes-list-type': list } : {}),
          items: list === 'set' ? { type: 'string' } : schema(depth - 1),
          ...maybe(0.2, () => ({ maxItems: 5 }))
        }
      }
      case 'any':
        return random.pick([
          { 'x-kubernetes-int-or-string': true },
          { 'x-kubernetes-preserve-unknown-fields': true },
          { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
        ])
      default:
        return random.chance(0.3)
          ? { type: 'object', additionalProperties: schema(depth - 1) }
          : {
              type: 'object',
              ...fields(depth),
              ...maybe(0.2, () => ({ default: {} })),
              ...maybe(0.1, () => ({ 'x-kubernetes-map-type': 'atomic' }))
            }
    }
  }

  function fields(depth) {
    const properties = Object.fromEntries(random.some(names, 4).map(name => [name, schema(depth - 1)]))
    return { properties, ...maybe(0.1, () => ({ required: Object.keys(properties).slice(0, 1) })) }
  }

  function rootSchema() {
    if (random.chance(0.1)) return { type: 'object' }
    return {
      type: 'object',
      ...maybe(0.15, () => ({ 'x-kubernetes-preserve-unknown-fields': true })),
      ...maybe(0.2, () => ({ description: random.pick(text) })),
      properties: {
        spec: { type: 'object', ...fields(3) },
        ...maybe(0.5, () => ({ status: { type: 'object', ...maybe(0.3, () => ({ default: { alpha: 1 } })), ...fields(2) } }))
      }
    }
  }

  const columns = () =>
    random.some(names, 4).map((name, i) => ({
      name: `${name}${i}`,
      type: random.pick(['string', 'integer', 'number', 'boolean', 'date']),
      jsonPath: random.pick([
        `.spec.${names[i]}`,
        `.spec.${name}`,
        '.spec',
        '.metadata.name',
        '.metadata.labels',
        '.spec.alpha[*]',
        '.metadata.creationTimestamp'
      ]),
      ...maybe(0.3, () => ({ format: random.pick(['int32', 'date-time', 'password']) })),
      ...maybe(0.3, () => ({ description: random.pick(text), priority: random.below(3) }))
    }))

  function version() {
    const subresources = {
      ...maybe(0.5, () => ({ status: {} })),
      ...maybe(0.3, () => ({
        scale: {
          specReplicasPath: random.pick(['.spec.replicas', '.spec.alpha.replicas', '.spec.alpha.beta.replicas']),
          statusReplicasPath: random.pick(['.status.replicas', '.status.alpha.replicas']),
          ...maybe(0.5, () => ({ labelSelectorPath: random.pick(['.status.selector', '.spec.alpha.selector']) }))
        }
      }))
    }
    return {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: rootSchema() },
      ...(Object.keys(subresources).length > 0 ? { subresources } : {}),
      ...maybe(0.6, () => ({ additionalPrinterColumns: columns() }))
    }
  }

  const object = name => ({
    apiVersion: '$ID.example.com/v1',
    kind: 'Thing',
    metadata: { name, ...maybe(0.3, () => ({ labels: { b: '1', a: '2' } })) },
    spec: Object.fromEntries(random.some(names, 4).map(field => [field, random.pick(values)])),
    ...maybe(0.3, () => ({ status: { alpha: 2 } })),
    ...maybe(0.2, () => ({ other: { z: 1, a: 2 } }))
  })

  return {
    generate() {
      const definition = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'things.$ID.example.com' },
        spec: {
          group: '$ID.example.com',
          names: {
            plural: 'things',
            kind: 'Thing',
            ...maybe(0.3, () => ({ singular: 'thing', shortNames: ['tg'], categories: ['all'] }))
          },
          scope: 'Cluster',
          versions: [version()]
        }
      }
      const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
      const group = '/apis/$ID.example.com'
      const ofGroup = list => list.items.find(item => item.metadata.name === '$ID.example.com')
      const definitions = document =>
        Object.fromEntries(Object.entries(document.definitions).filter(([name]) => name.includes('$ID')))
      const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
      const merge = { 'content-type': 'application/merge-patch+json' }
      const requests = [
        { path: crds, body: definition, pick: ({ status, ...rest }) => (rest.spec ? { ...rest, metadata: null } : rest) },
        { path: `${crds}/things.$ID.example.com`, eventually: true, pick: ({ metadata, ...rest }) => rest },
        { path: `${group}/v1`, eventually: true },
        {
          path: '/apis',
          headers: { accept: 'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io' },
          eventually: true,
          pick: ofGroup
        },
        ...['a', 'b', 'c'].map(name => ({ path: `${group}/v1/things`, body: object(name), inOrder: true, pick: sortedErrors })),
        { path: `${group}/v1/things`, inOrder: true },
        { path: `${group}/v1/things`, headers: table, inOrder: true },
        { path: `${group}/v1/things/a/scale` },
        { path: `${group}/v1/things/a/scale`, headers: table },
        {
          method: 'PATCH',
          path: `${group}/v1/things/a/status`,
          headers: merge,
          body: { status: { alpha: random.pick(values), replicas: random.pick([1, null, 'x']) } },
          pick: sortedErrors
        },
        {
          method: 'PATCH',
          path: `${group}/v1/things/a`,
          headers: merge,
          body: { spec: { [random.pick(names)]: random.pick(values) } },
          pick: sortedErrors
        },
        { path: `${group}/v1/things/a`, headers: table },
        { path: '/openapi/v3/apis/$ID.example.com/v1', eventually: true },
        ...(random.chance(0.3) ? [{ path: '/openapi/v2', eventually: true, pick: definitions }] : [])
      ]
      return { requests, cleanup: [{ method: 'DELETE', path: `${crds}/things.$ID.example.com` }] }
    }
  }
}
