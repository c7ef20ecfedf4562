import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UserError } from '../../util/user-error.js'
import { createServer } from '../server.js'
import { inner, shapes } from './option-shapes.js'
import { optionTypes } from './option-types.js'

const problem = (options: unknown) => {
  try {
    createServer(options as object)
  } catch (error) {
    assert.ok(error instanceof UserError)
    return error.message
  }
  return undefined
}

describe('the options of a server', () => {
  it('may be undefined', () => assert.equal(problem({ securePort: undefined, kinds: undefined }), undefined))

  for (const [options, message] of [
    [{ securePrt: 1 }, 'unknown option "securePrt"; did you mean securePort?'],
    [{ 'secure-port': 1 }, 'unknown option "secure-port"; did you mean securePort?'],
    [JSON.parse('{"__proto__": 1}'), 'unknown option "__proto__"'],
    [{ securePort: '6443' }, 'the option securePort must be a number, not "6443"'],
    [{ securePort: Number.NaN }, 'the option securePort must be a number, not NaN'],
    [{ securePort: 65536 }, 'the option securePort must be a port number from 0 to 65535, not 65536'],
    [{ securePort: 0.5 }, 'the option securePort must be a port number from 0 to 65535, not 0.5'],
    [{ requestTimeout: -1 }, 'the option requestTimeout must be more than 0, not -1'],
    [{ requestTimeout: 0 }, 'the option requestTimeout must be more than 0, not 0'],
    [{ requestTimeout: Number.POSITIVE_INFINITY }, 'the option requestTimeout must be more than 0, not Infinity'],
    [{ goawayChance: 5 }, 'the option goawayChance must be a number from 0 to 0.02, not 5'],
    [{ shutdownDelayDuration: -1 }, 'the option shutdownDelayDuration must be a duration that is not negative, not -1'],
    [{ maxRequestsInflight: -1 }, 'the option maxRequestsInflight must be a number from 0 on, not -1'],
    [{ auditWebhookBatchMaxWait: -1 }, 'the option auditWebhookBatchMaxWait must be a duration that is not negative, not -1'],
    [{ auditLogBatchBufferSize: 1.5 }, 'the option auditLogBatchBufferSize must be a number from 0 on, not 1.5'],
    [{ auditLogBatchThrottleQPS: -1 }, 'the option auditLogBatchThrottleQPS must be a number such as 10 or 0.5, not -1'],
    [{ auditWebhookTruncateMaxEventSize: -1 }, 'the option auditWebhookTruncateMaxEventSize must be a number from 0 on, not -1'],
    [{ minRequestTimeout: 0 }, 'the option minRequestTimeout must be more than 0, not 0'],
    [{ dataDir: 1 }, 'the option dataDir must be a string, not 1'],
    [{ anonymousAuth: 'false' }, 'the option anonymousAuth must be true or false, not "false"'],
    [{ authorizationMode: 'RBAC' }, 'the option authorizationMode must be a list of strings, not "RBAC"'],
    [{ authorizationMode: [1] }, 'the option authorizationMode[0] must be a string, not 1'],
    [{ tlsCurvePreferences: [29, 'x'] }, 'the option tlsCurvePreferences[1] must be a number, not "x"'],
    [{ featureGates: { A: 'true' } }, 'the option featureGates must be an object whose values are true or false, not an object'],
    [{ featureGates: null }, 'the option featureGates must be an object whose values are true or false, not null'],
    [{ resolveService: { a: 1 } }, 'the option resolveService must be an object whose values are strings, not an object'],
    [{ kinds: {} }, 'the option kinds must be a list of objects, not an object'],
    [{ kinds: [class {}] }, 'the option kinds[0] must be an object, not a function'],
    [
      { controllers: [{ for: {}, reconcile() {} }] },
      'the option controllers names controllers of the server; your own are given to the option reconcilers'
    ],
    [[], 'the options must be an object, not a list'],
    [null, 'the options must be an object, not null'],
    [{ clock: [] }, 'the option clock must be an object, not a list'],
    [{ auditWrite: {} }, 'the option auditWrite must be a function, not an object']
  ] as const)
    it(`are refused: ${JSON.stringify(options)}`, () => assert.equal(problem(options), message))
})

describe('an object that is no kind', () => {
  const fields = { group: 'school.example.com', kind: 'Course', resource: 'courses' }
  const schema = { openAPIV3Schema: { type: 'object' } }
  const v1 = { name: 'v1', schema }
  const cannot = 'the kind Course of group school.example.com cannot be served:'

  for (const [kinds, message] of [
    [[{ apiVersion: 'v1', kind: 'Pod' }], /^the option kinds\[0\]\.group must be a string, not undefined$/],
    [[{ ...fields, versions: [null] }], /^the option kinds\[0\]\.versions\[0\] must be an object, not null$/],
    [[{ ...fields, versions: [v1], indexes: '.spec.seats' }], /^the option kinds\[0\]\.indexes must be a list of strings, not /],
    [[{ ...fields, versions: [] }], new RegExp(`^${cannot}\n  spec\\.versions: Invalid value: `)],
    [
      [{ ...fields, versions: [{ name: 'v1', schema: { type: 'string' } }] }],
      new RegExp(`^${cannot}\n  .*openAPIV3Schema\\.type: Invalid value`)
    ],
    [
      [{ ...fields, versions: [{ name: 'v1', schema: { openAPIV3Schema: 'x' } }] }],
      new RegExp(`^${cannot} the schema of the object cannot be served: it is no object`)
    ],
    [
      [{ ...fields, versions: [{ ...v1, subresources: { status: true } }] }],
      new RegExp(`^${cannot} json: cannot unmarshal bool`)
    ],
    [
      [1, 2].map(() => ({ ...fields, versions: [v1] })),
      /^the option kinds has two kinds for the resource courses\.school\.example\.com$/
    ]
  ] as const)
    it(`is refused by createServer or its start: ${message.source}`, async () => {
      const start = async () => createServer({ kinds, listen: false, controllers: [] } as object).start()
      await assert.rejects(start, { name: 'UserError', message })
    })

  for (const wrong of [{}, { kind: 'Pod' }, { ...fields, versions: [] }, 'Pod', null])
    it(`is refused by reconcilers and clients: ${JSON.stringify(wrong)}`, () => {
      const reconcile = () => {}
      const must = (place: string) =>
        new RegExp(
          `^the option reconcilers\\[0\\]\\.${place} must be a kind: of defineKind, of kindRef, or \\{ apiVersion, kind \\}, not `
        )
      assert.match(problem({ reconcilers: [{ for: wrong, reconcile }] })!, must('for'))
      assert.match(
        problem({ reconcilers: [{ for: { apiVersion: 'v1', kind: 'Pod' }, owns: [wrong], reconcile }] })!,
        must('owns\\[0\\]')
      )
      const of = () =>
        createServer()
          .client()
          .of(wrong as never)
      if (typeof wrong !== 'string') assert.throws(of, { name: 'UserError', message: /^of\(\) takes a kind: of defineKind, / })
    })
})

describe('each option', () => {
  it('is named when its value is of a wrong type', () => {
    for (const name of Object.keys(optionTypes)) {
      const message = problem({ [name]: 1n })
      assert.ok(message?.startsWith(`the option ${name} must be `), `${name}: ${message}`)
    }
  })

  /** A value that fits. */
  const aKind = { apiVersion: 'v1', kind: 'Pod' }
  const fitting = (type: object): unknown =>
    ['x', 1, true, ['x'], [], {}, () => {}, [{}], 'None', aKind].find(value =>
      (type as { is(value: unknown): boolean }).is(value)
    )
  const isList = (name: string) => optionTypes[name]!.what.startsWith('a list')
  /** Options that hold `object`, as the shape of this name says, and its place in an error. */
  function holding(name: string, object: object): { options: object; place: string } {
    if (Object.hasOwn(shapes, name))
      return isList(name) ? { options: { [name]: [object] }, place: `${name}[0]` } : { options: { [name]: object }, place: name }
    const dot = name.lastIndexOf('.')
    const [outer, member] = [name.slice(0, dot), name.slice(dot + 1)]
    const shape = shapes[outer] ?? inner[outer]!
    const inList = shape.members[member]!.what.startsWith('a list')
    const around = { ...complete(outer), [member]: inList ? [object] : object }
    const { options, place } = holding(outer, around)
    return { options, place: `${place}.${member}${inList ? '[0]' : ''}` }
  }
  const complete = (name: string): Record<string, unknown> => {
    const { required = [], members } = shapes[name] ?? inner[name]!
    return Object.fromEntries(required.map(member => [member, nested(`${name}.${member}`) ?? fitting(members[member]!)]))
  }
  const nested = (name: string) => (Object.hasOwn(inner, name) ? [complete(name)] : undefined)

  for (const [name, { members, required = [], isData }] of Object.entries({ ...shapes, ...inner }))
    it(`of an object is named when it is missing, wrong or unknown: ${name}`, () => {
      const said = (object: object) => {
        const { options, place } = holding(name, object)
        return { message: problem(options) ?? '', place }
      }
      assert.equal(said(complete(name)).message, '')
      for (const member of Object.keys(members)) {
        const { message, place } = said({ ...complete(name), [member]: 1n })
        assert.ok(message.startsWith(`the option ${place}.${member} must be `), `${member}: ${message}`)
      }
      for (const member of required) {
        const { message, place } = said({ ...complete(name), [member]: undefined })
        assert.ok(message.startsWith(`the option ${place}.${member} must be `), `${member}: ${message}`)
      }
      const near = said({ ...complete(name), [`${Object.keys(members)[0]}xy`.padEnd(4, 'z').slice(0, 20)]: 1 })
      if (isData) assert.match(said({ ...complete(name), nonsense: 1 }).message, /^unknown option "[\w.[\]]+\.nonsense"/)
      else assert.equal(said({ ...complete(name), stateOfItsOwn: 1 }).message, '')
      if (near.message !== '') assert.match(near.message, /^unknown option /)
    })

  it('of a fork or of a hosted server is one that they may have of their own', async () => {
    const server = createServer({ listen: false, controllers: [] })
    await server.start()
    try {
      const wrong = [
        [server.fork({ kinds: [] } as object), 'unknown option "fork.kinds"'],
        [server.fork({ lisen: true } as object), 'unknown option "fork.lisen"; did you mean listen?'],
        [server.fork({ clock: {} } as object), 'the option clock.now must be a function, not undefined'],
        [server.host('a', { snapshots: 1 } as object), 'unknown option "host.snapshots"'],
        [server.host('a', { log: console, clock: 1 } as object), 'the option host.clock must be an object, not 1']
      ] as const
      for (const [made, message] of wrong) await assert.rejects(made, { name: 'UserError', message })
      assert.throws(
        () => server.client({ fieldManger: 'x' } as object),
        /unknown option "client\.fieldManger"; did you mean fieldManager\?/
      )
      assert.throws(
        () => server.kubeconfig({ user: 'a', groups: 'devs' } as object),
        /kubeconfig\.groups must be a list of strings/
      )
      assert.throws(() => server.kubeconfig({ name: 'a' } as object), /unknown option "kubeconfig\.name"/)
    } finally {
      await server.stop()
    }
  })
})
