// A program that embeds the installed package, with every extension point: scripts/release/package.mjs compiles it strictly against
// the published types, and runs it on the published code.
import assert from 'node:assert/strict'
import {
  type AdmissionPlugin,
  type AdmissionRequest,
  type Authenticated,
  type AuthorizationAttributes,
  type Authorizer,
  type Clock,
  createServer,
  type Decision,
  defineKind,
  FieldErrors,
  forbidden,
  invalidObject,
  type KubeObject,
  type Logger,
  openMemoryStore,
  Path,
  type ServerOptions,
  StatusError,
  type Store,
  type TokenAuthenticator,
  TokenError,
  UserError
} from 'binnacle'

interface Course extends KubeObject {
  spec: { seats: number }
}

const course = defineKind<Course>({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [
    {
      name: 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object', properties: { seats: { type: 'integer', minimum: 1 } } } }
        }
      }
    }
  ],
  validate({ spec }, errors) {
    if (spec.seats > 30) errors.invalid(Path.of('spec', 'seats'), spec.seats, 'the room has 30 seats')
  }
})

const sessions: TokenAuthenticator = {
  async authenticateToken(token): Promise<Authenticated | undefined> {
    if (token === 'over') throw new TokenError('the session has ended')
    return token === 'alice' ? { user: { name: 'alice', groups: ['pupils'] } } : undefined
  }
}

const pupils: Authorizer = {
  authorize({ user, group }: AuthorizationAttributes): Decision | undefined {
    if (group !== 'school.example.com' || !user.groups.includes('pupils')) return undefined
    return { allowed: true, reason: 'a pupil' }
  }
}

const rooms: AdmissionPlugin = {
  name: 'Rooms',
  operations: ['CREATE', 'UPDATE'],
  resources: ['school.example.com/courses'],
  admit({ object, context }: AdmissionRequest) {
    object.metadata.annotations = { ...object.metadata.annotations, by: context.user.name }
  },
  validate({ resource, name, object, oldObject }) {
    const errors = new FieldErrors()
    if (oldObject && oldObject.spec.seats > object.spec.seats)
      errors.forbidden(Path.of('spec', 'seats'), 'a course does not shrink')
    if (errors.any) throw invalidObject({ group: resource.group, kind: object.kind }, name, errors)
    if (name === 'secret') throw forbidden(resource, name, 'not in this school')
  }
}

let commits = 0
const memory = openMemoryStore()
const store: Store = {
  root: memory.root,
  shared: memory.shared,
  get seenRevision() {
    return memory.seenRevision
  },
  commit(writes, caller) {
    commits++
    return memory.commit(writes, caller)
  },
  currentRevision: () => memory.currentRevision(),
  get: (key, options) => memory.get(key, options),
  list: (prefix, options) => memory.list(prefix, options),
  watch: (prefix, from, watcher) => memory.watch(prefix, from, watcher),
  compact: revision => memory.compact(revision),
  health: timeout => memory.health(timeout),
  close: () => memory.close()
}

const clock: Clock = {
  now: () => Date.now() + 3_600_000,
  setTimeout(callback, milliseconds) {
    const timer = setTimeout(callback, milliseconds).unref()
    return { cancel: () => clearTimeout(timer) }
  }
}
const log: Logger = { error: line => console.error(line), warn() {}, info() {} }

const options: ServerOptions = {
  kinds: [course],
  authenticators: [sessions],
  authorizers: [pupils],
  admissionPlugins: [rooms],
  store,
  clock,
  log
}

await assert.rejects(createServer({ storageBackend: 'lmdb' }).start(), UserError)
assert.equal(new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, code: 402 }).code, 402)

const server = createServer(options)
await server.start()
try {
  assert.match(server.kubeconfig(), /certificate-authority-data/)
  const user = { name: 'me', groups: ['system:masters'] }
  const url = '/apis/school.example.com/v1/namespaces/default/courses'
  const crowded = { apiVersion: 'school.example.com/v1', kind: 'Course', metadata: { name: 'maths' }, spec: { seats: 31 } }
  const refused = await server.inject({ url, user, body: crowded })
  assert.equal(refused.status, 422)
  assert.match(refused.json().message, /the room has 30 seats/)
  const headers = { authorization: 'Bearer alice' }
  const pupil = await server.inject({ url, headers, body: { ...crowded, spec: { seats: 30 } } })
  assert.equal(pupil.status, 201)
  const { annotations, creationTimestamp } = pupil.json().metadata
  assert.deepEqual(annotations, { by: 'alice' })
  assert.ok(Date.parse(creationTimestamp) > Date.now() + 1_800_000)
  assert.ok(commits > 0)

  // Large YAML is read in a worker thread, whose module lies beside the bundle; the texts of fields are data beside it.
  const lines = Array.from({ length: 1000 }, (_, i) => `  key-${i}: value-${i}`)
  const created = await server.inject({
    url: '/api/v1/namespaces/default/configmaps',
    user,
    headers: { 'content-type': 'application/yaml' },
    body: `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: large\ndata:\n${lines.join('\n')}\n`
  })
  assert.equal(created.status, 201)
  assert.equal(Object.keys(created.json().data).length, 1000)
  const openapi = await server.inject({ url: '/openapi/v3/api/v1', user })
  assert.match(openapi.json().components.schemas['io.k8s.api.core.v1.ConfigMap'].description, /ConfigMap holds/)
  const metrics = await server.inject({ url: '/metrics', user })
  assert.match(metrics.body.toString(), /apiserver_resource_objects/)
} finally {
  await server.stop()
}
