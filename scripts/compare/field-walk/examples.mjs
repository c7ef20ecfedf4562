/** Values that fields of every type may well have: what the samples and the recorded scenarios have there, and made-up ones for the rest. */

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)

/** By the name of a field, where a text of any kind would be refused. */
const texts = [
  [/time$|timestamp$/i, '2024-01-02T03:04:05Z'],
  [/^(path|mountPath|devicePath|hostPath|nonResourceURLs)$/, '/x'],
  [/cidrs?$/i, '192.168.0.0/24'],
  [/(^|[a-z])(ip|ips|addresses|IPs|IP)$/, '192.168.0.9'],
  [/^url$|uri/i, 'https://example.com/x'],
  [/expression/i, 'true'],
  [/driver|provisioner|attacher|signerName|controller/i, 'example.com/x'],
  [/apiGroups?$/, 'example.com'],
  [/apiVersion$/, 'example.com/v1'],
  [/^kind$/, 'Thing'],
  [/host/i, 'example.com'],
  [/request$|bundle$|certificate|data$/i, 'YQ==']
]

/** Types of which one field besides these is given. */
const unions = {
  Volume: ['name'],
  LifecycleHandler: [],
  Probe: [],
  EnvVarSource: [],
  EnvFromSource: ['prefix'],
  VolumeProjection: [],
  IngressBackend: [],
  MetricSpec: ['type'],
  MetricStatus: ['type'],
  ObjectReference: [],
  VolumeAttachmentSource: [],
  Subject: ['kind'],
  SubjectAccessReviewSpec: ['user'],
  SelfSubjectAccessReviewSpec: [],
  DeviceRequest: ['name'],
  WebhookClientConfig: ['caBundle'],
  PersistentVolumeSpec: ['accessModes', 'capacity', 'volumeMode', 'persistentVolumeReclaimPolicy', 'storageClassName'],
  NetworkPolicyPeer: [],
  Mutation: ['patchType'],
  ParamRef: ['parameterNotFoundAction']
}

/** The name of a type in the schemas, if it has one; of a kind itself the kind. */
export const typeOf = schema =>
  (schema?.$ref ?? schema?.allOf?.[0]?.$ref)?.split('/').at(-1) ?? schema?.['x-kubernetes-group-version-kind']?.[0].kind

export class Examples {
  #follow
  #seen = new Map()

  constructor(follow) {
    this.#follow = follow
  }

  /** Keeps what the fields of a good object hold. */
  learn(value, schema) {
    if (schema === undefined || value === null) return
    const resolved = this.#follow(schema)
    if (Array.isArray(value)) for (const item of value) this.learn(item, resolved.items)
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) {
        const inner = resolved.properties?.[key] ?? resolved.additionalProperties
        if (resolved.properties && inner) {
          const name = `${typeOf(schema)}.${key}`
          if (!this.#seen.has(name)) this.#seen.set(name, new Map())
          const text = JSON.stringify(item)
          this.#seen.get(name).set(text, (this.#seen.get(name).get(text) ?? 0) + 1)
        }
        this.learn(item, inner)
      }
  }

  /** A value for a field: the one that most bodies have there, or a small one of its type. */
  of(parentType, name, schema) {
    const seen = [...(this.#seen.get(`${parentType}.${name}`) ?? [])]
    if (seen.length > 0) return JSON.parse(seen.sort(([a, n], [b, m]) => m - n || a.length - b.length || (a < b ? -1 : 1))[0][0])
    return this.made(schema, name)
  }

  made(schema, name, depth = 4) {
    const resolved = this.#follow(schema) ?? {}
    const type = typeOf(schema) ?? ''
    if (type.endsWith('.Quantity')) return '1'
    if (resolved.oneOf) return 1
    if (resolved.enum) return resolved.enum.find(value => value !== '')
    switch (resolved.type) {
      case 'string':
        if (resolved.format === 'byte') return 'YQ=='
        if (type.endsWith('.MicroTime')) return '2024-01-02T03:04:05.000006Z'
        if (resolved.format === 'date-time') return '2024-01-02T03:04:05Z'
        return texts.find(([pattern]) => pattern.test(name))?.[1] ?? (type.endsWith('.Duration') ? '5s' : 'a')
      case 'integer':
      case 'number':
        return /port$/i.test(name) ? 80 : 1
      case 'boolean':
        return true
      case 'array':
        return depth > 0 ? [this.made(resolved.items, name, depth - 1)] : []
      default: {
        if (resolved.additionalProperties) return { a: this.made(resolved.additionalProperties, name, depth - 1) }
        const object = {}
        for (const key of resolved.required ?? [])
          object[key] = depth > 0 ? this.of(typeOf(schema), key, resolved.properties[key]) : {}
        return object
      }
    }
  }

  /** Puts an example into a field of an object, in place of what excludes it. */
  graft(object, schema, key) {
    const parent = typeOf(schema)
    const kept = unions[parent?.split('.').at(-1)]
    const { properties } = this.#follow(schema)
    if (kept && !kept.includes(key) && isUnionMember(this.#follow(properties[key])))
      for (const other of Object.keys(object))
        if (!kept.includes(other) && isUnionMember(this.#follow(properties[other] ?? {}))) delete object[other]
    object[key] = this.of(parent, key, properties[key])
    if (kept?.includes('type') && key !== 'type') object.type = key[0].toUpperCase() + key.slice(1)
  }
}

const isUnionMember = ({ type, properties }) => type !== 'array' && properties !== undefined
