/** Filters and orders of lists and watches, on own kinds, custom resources and built-in kinds. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defineKind } from '../../apiextensions/own-kind.js'
import type { StatusError } from '../../apimachinery/status/status.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }

interface Spec {
  readonly [field: string]: unknown
}

const spec = {
  type: 'object',
  properties: {
    subject: { type: 'string' },
    seats: { type: 'integer' },
    open: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  }
} as const
const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }

const course = defineKind<any>({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [{ name: 'v1', schema, selectableFields: [{ jsonPath: '.spec.subject' }] }],
  indexes: ['.spec.seats']
})

const courses: readonly [string, Spec][] = [
  ['algebra', { subject: 'maths', seats: 20, open: true, tags: ['hard'] }],
  ['biology', { subject: 'life', seats: 9, open: false }],
  ['chess', { seats: 2, open: true }],
  ['drama', { subject: 'arts', seats: 30, tags: ['loud', 'fun'] }],
  ['economics', { subject: 'maths', seats: 9 }],
  ['french', { subject: 'arts' }]
]

let server: BinnacleServer
const collection = '/apis/school.example.com/v1/namespaces/default/courses'

before(async () => {
  server = createServer({ log: silentLogger, kinds: [course] })
  await server.start()
  for (const [name, spec] of courses) await server.client().of(course).create({ metadata: { name }, spec })
})
after(() => server.stop())

const client = () => server.client().of(course)
const names = (list: { readonly items: readonly { readonly metadata: { readonly name?: string | undefined } }[] }) =>
  list.items.map(({ metadata }) => metadata.name)
const get = async (query: Record<string, string>, url = collection, headers = {}) => {
  const answer = await server.inject({ url: `${url}?${new URLSearchParams(query)}`, user, headers })
  return { status: answer.status, body: answer.json() }
}

describe('filters', () => {
  const cases: readonly [string, string][] = [
    ["object.spec.subject == 'maths'", 'algebra economics'],
    ["object.spec.subject in ['maths', 'life']", 'algebra biology economics'],
    ["!(object.spec.subject in ['maths', 'life'])", 'drama french'],
    ['has(object.spec.subject)', 'algebra biology drama economics french'],
    ['!has(object.spec.subject)', 'chess'],
    ["object.spec.subject == 'life' || object.spec.seats == 2", 'biology chess'],
    ["object.spec.subject == 'arts' && object.spec.seats >= 30", 'drama'],
    ['object.spec.seats == 9', 'biology economics'],
    ['9.0 == object.spec.seats', 'biology economics'],
    ['object.spec.seats in [2, 30]', 'chess drama'],
    ['object.spec.seats > 9 && object.spec.seats <= 20', 'algebra'],
    // a field that is missing makes no error, and no match
    ['object.spec.open', 'algebra chess'],
    ['!object.spec.open', 'biology'],
    ["object.metadata.name == 'drama'", 'drama'],
    ["object.metadata.name in ['drama', 'none', 'chess']", 'chess drama'],
    ["object.spec.tags.exists(tag, tag.startsWith('l'))", 'drama'],
    ["'fun' in object.spec.tags", 'drama'],
    ["object.spec.?subject.orValue('') == ''", 'chess'],
    ["object.spec.subject == ''", ''],
    ['true', 'algebra biology chess drama economics french'],
    ['false', '']
  ]
  for (const [filter, expected] of cases) {
    test(filter, async () => {
      assert.equal(names(await client().list({ filter })).join(' '), expected)
      assert.equal(
        names(await client().list({ filter, resourceVersion: '1', query: { resourceVersionMatch: 'NotOlderThan' } })).join(' '),
        expected
      )
    })
  }

  test('go with selectors, and with all namespaces', async () => {
    assert.deepEqual(names(await client().list({ filter: 'object.spec.seats == 9', fieldSelector: 'spec.subject=maths' })), [
      'economics'
    ])
    assert.deepEqual(
      names((await get({ 'binnacle.filter': "object.metadata.name == 'chess'" }, '/apis/school.example.com/v1/courses')).body),
      ['chess']
    )
  })

  const wrong: readonly [string, string, RegExp][] = [
    [
      'a syntax error',
      'object.spec.seats >',
      /^binnacle\.filter: Invalid value: "object\.spec\.seats >": compilation failed: ERROR: <input>:1:20: Syntax error/
    ],
    ['an unknown variable', "self.spec == ''", /undeclared reference to 'self'/],
    ['no boolean', "'x'", /must evaluate to bool, not string/],
    ['an unknown field', 'object.spec.seat > 1', /<input>:1:12: undefined field 'seat'; did you mean 'seats'\?/],
    ['an unknown field in a macro', 'has(object.status.ready)', /undefined field 'status'/],
    ['a long text', `${' '.repeat(5000)}true`, /at most 4096 characters/],
    ['an index of an unknown function', 'object.spec.seats.big()', /undeclared reference to 'big'/]
  ]
  for (const [name, filter, message] of wrong) {
    test(`${name} is a 400 that names the parameter`, async () => {
      const error: StatusError = await client()
        .list({ filter })
        .then(
          () => assert.fail(),
          error => error
        )
      assert.equal(error.code, 400)
      assert.match(error.message, message)
      assert.equal(error.status.details?.causes?.[0]?.field, 'binnacle.filter')
    })
  }

  test('fields below x-kubernetes-preserve-unknown-fields may be any', async () => {
    assert.deepEqual(names(await client().list({ filter: 'object.spec.free.anything == 1' })), [])
  })

  test('an expression that costs too much is refused', async () => {
    const ten = '[1,2,3,4,5,6,7,8,9,10]'
    const filter = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, a + b + c + d > 0))))`
    const { status, body } = await get({ 'binnacle.filter': filter })
    assert.equal(status, 400)
    assert.match(body.message, /the expression costs too much: one object costs more than 10000/)
  })

  test('built-in kinds and their other versions have filters, too', async () => {
    const { body } = await get({ 'binnacle.filter': "object.metadata.name.startsWith('kube-')" }, '/api/v1/namespaces')
    assert.deepEqual(names(body), ['kube-node-lease', 'kube-public', 'kube-system'])
    const scalers = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers'
    await server.client().apply([
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'web' },
        spec: {
          maxReplicas: 3,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }]
        }
      }
    ])
    assert.deepEqual(
      names((await get({ 'binnacle.filter': 'object.spec.targetCPUUtilizationPercentage == 50' }, scalers)).body),
      ['web']
    )
    assert.equal(
      (await get({ 'binnacle.filter': 'object.spec.targetCPUUtilizationPercentage == 50' }, scalers.replace('v1', 'v2'))).status,
      400
    )
    assert.equal((await get({ filter: 'nonsense', orderBy: 'nonsense' }, '/api/v1/namespaces')).status, 200)
  })

  test('a deletion of a collection deletes what matches', async () => {
    const other = server.client().of('v1', 'ConfigMap')
    for (const name of ['keep', 'drop']) await other.create({ metadata: { name, namespace: 'kube-public' }, data: { name } })
    await other.deleteCollection({ namespace: 'kube-public', filter: "object.data.name == 'drop'" })
    assert.ok(await other.find('keep', { namespace: 'kube-public' }))
    assert.equal(await other.find('drop', { namespace: 'kube-public' }), undefined)
  })

  test('Tables and metadata have the same objects', async () => {
    for (const as of ['Table;v=v1', 'PartialObjectMetadataList;v=v1']) {
      const accept = `application/json;as=${as};g=meta.k8s.io`
      const { body } = await get(
        { 'binnacle.filter': 'object.spec.seats == 9', 'binnacle.orderBy': 'metadata.name desc' },
        collection,
        { accept }
      )
      const found = body.rows ? body.rows.map((row: any) => row.object.metadata.name) : names(body)
      assert.deepEqual(found, ['economics', 'biology'])
    }
  })
})

describe('orders', () => {
  const cases: readonly [string, string][] = [
    ['spec.seats', 'chess biology economics algebra drama french'],
    ['spec.seats desc', 'drama algebra biology economics chess french'],
    ['spec.subject desc, spec.seats', 'economics algebra biology drama french chess'],
    ['spec.open, metadata.name desc', 'biology chess algebra french economics drama'],
    ['metadata.name desc', 'french economics drama chess biology algebra'],
    // lists have no order
    ['spec.tags', 'algebra biology chess drama economics french']
  ]
  for (const [orderBy, expected] of cases) {
    test(orderBy, async () => {
      assert.equal(names(await client().list({ orderBy })).join(' '), expected)
    })
  }

  const wrong: readonly [string, RegExp][] = [
    ['spec.seat', /field 1: undefined field 'seat'; did you mean 'seats'\?/],
    ['spec.seats down', /field 1 must be like spec\.seats or spec\.seats desc, not "spec\.seats down"/],
    ['spec.seats,', /field 2 must be like/],
    ['a,b,c,d,e,f,g,h,i', /at most 8 fields/]
  ]
  for (const [orderBy, message] of wrong) {
    test(`${orderBy} is a 400`, async () => {
      const { status, body } = await get({ 'binnacle.orderBy': orderBy })
      assert.equal(status, 400)
      assert.match(body.message, message)
      assert.equal(body.details.causes[0].field, 'binnacle.orderBy')
    })
  }

  test('a watch has none', async () => {
    const { status, body } = await get({ 'binnacle.orderBy': 'spec.seats', watch: 'true' })
    assert.equal(status, 400)
    assert.match(body.message, /a watch has no order/)
  })
})

describe('pages', () => {
  for (const [name, query, expected] of [
    ['of a filter', { filter: 'object.spec.seats > 0' }, 'algebra biology chess drama economics'],
    ['of an order', { orderBy: 'spec.seats desc' }, 'drama algebra biology economics chess french'],
    ['of both', { filter: 'has(object.spec.seats)', orderBy: 'spec.subject' }, 'drama biology algebra economics chess']
  ] as const) {
    test(`${name} show the state of the first, and what remains`, async () => {
      const seen: (string | undefined)[] = []
      const remaining: (number | undefined)[] = []
      const versions = new Set<string>()
      let token: string | undefined
      for (let page = 0; page === 0 || token; page++) {
        const list = await client().list({ ...query, limit: 2, continue: token })
        seen.push(...names(list))
        remaining.push(list.metadata.remainingItemCount)
        versions.add(list.metadata.resourceVersion)
        token = list.metadata.continue
        // what changes between the pages is not seen
        if (page === 0) {
          await client().create({ metadata: { name: 'aaa' }, spec: { seats: 99 } })
          await client().patch('chess', { spec: { seats: 77 } })
        }
      }
      await client().delete('aaa')
      await client().patch('chess', { spec: { seats: 2 } })
      assert.equal(seen.join(' '), expected)
      assert.equal(versions.size, 1)
      const count = expected.split(' ').length
      assert.deepEqual(remaining, count === 6 ? [4, 2, undefined] : [3, 1, undefined])
    })
  }

  test('a token of another order is refused', async () => {
    const sorted = await client().list({ orderBy: 'spec.seats', limit: 2 })
    const plain = await client().list({ limit: 2 })
    for (const options of [
      { orderBy: 'spec.seats,metadata.name', continue: sorted.metadata.continue },
      { orderBy: 'spec.seats', continue: plain.metadata.continue },
      { continue: sorted.metadata.continue },
      { orderBy: 'spec.seats', continue: 'nonsense' }
    ]) {
      const error: StatusError = await client()
        .list({ ...options, limit: 2 })
        .then(
          () => assert.fail(),
          error => error
        )
      assert.equal(error.code, 400, error.message)
    }
  })
})

describe('watches', () => {
  test('an object that begins to match is ADDED, one that ceases is DELETED', async () => {
    for (const filter of [
      // without an index, with one, and with one of several values
      'object.spec.seats > 50',
      'object.spec.seats == 60',
      "object.spec.seats in [60, 70] && object.metadata.name.startsWith('w')"
    ]) {
      const { metadata } = await client().list()
      const write = (seats: number) => client().apply({ metadata: { name: 'watched' }, spec: { seats } }, { force: true })
      await write(1)
      await write(60)
      await client().patch('watched', { spec: { open: true } })
      await write(2)
      await write(60)
      await client().delete('watched')
      const answer = await server.inject({
        url: `${collection}?${new URLSearchParams({
          watch: 'true',
          timeoutSeconds: '1',
          resourceVersion: metadata.resourceVersion,
          'binnacle.filter': filter
        })}`,
        user
      })
      const events = answer.body
        .toString()
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
      assert.deepEqual(
        events.map(({ type, object }) => [type, object.spec.seats]),
        [
          ['ADDED', 60],
          ['MODIFIED', 60],
          ['DELETED', 60],
          ['ADDED', 60],
          ['DELETED', 60]
        ],
        filter
      )
    }
  })

  test('begin with the objects that match, and go on', async () => {
    for (const filter of ["object.spec.subject == 'maths'", "object.spec.subject.startsWith('mat')"]) {
      const seen: string[] = []
      const signal = new AbortController()
      const watching = (async () => {
        for await (const { type, object } of client().watch({ filter, signal: signal.signal })) {
          seen.push(`${type} ${object.metadata.name}`)
          if (type === 'DELETED') break
        }
      })()
      while (seen.length < 2) await new Promise(resolve => setImmediate(resolve))
      await client().create({ metadata: { name: 'set-theory' }, spec: { subject: 'maths' } })
      await client().patch('set-theory', { spec: { subject: 'logic' } })
      await watching
      await client().delete('set-theory')
      assert.deepEqual(seen, ['ADDED algebra', 'ADDED economics', 'ADDED set-theory', 'DELETED set-theory'])
    }
  })

  test('an expression that costs too much ends the watch with an error', async () => {
    const ten = '[1,2,3,4,5,6,7,8,9,10]'
    const filter = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, a + b + c + d > 0))))`
    const answer = await server.inject({
      url: `${collection}?${new URLSearchParams({ watch: 'true', timeoutSeconds: '5', 'binnacle.filter': filter })}`,
      user
    })
    const [event] = answer.body
      .toString()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    assert.equal(event.type, 'ERROR')
    assert.match(event.object.message, /costs too much/)
  })

  test('other requests have their turns while a write concerns the costly filters of many watches', async () => {
    const many = `[${Array.from({ length: 300 }, (_, i) => i)}]`
    const count = 200
    let synced = 0
    let seen = 0
    const watching = Array.from({ length: count }, async (_, i) => {
      const filter = `${many}.all(a, a + ${i} >= 0 && a + 1 > 0 && a + 2 > 0) && object.spec.seats > 0 && object.spec.subject in ['turns', 'chores']`
      // of several users, each of whom may hold so much memory
      const user = { name: `user${i % 10}`, groups: ['system:masters'] }
      for await (const { object } of server.client({ user }).of(course).watch({ filter })) {
        if (object.metadata.name === 'chores') synced++
        else seen++
        if (object.metadata.name === 'turns') break
      }
    })
    await client().create({ metadata: { name: 'chores' }, spec: { subject: 'chores', seats: 1 } })
    while (synced < count) await new Promise(resolve => setImmediate(resolve))
    const written = client().create({ metadata: { name: 'turns' }, spec: { subject: 'turns', seats: 1 } })
    let answers = 0
    while (seen < count) {
      await get({}, `${collection}/algebra`)
      await new Promise(resolve => setImmediate(resolve))
      answers++
    }
    await Promise.all([written, ...watching])
    for (const name of ['chores', 'turns']) await client().delete(name)
    assert.ok(answers > 8, `${answers} answers until all watches had the event`)
  })

  test('other requests have their turns while the events of one set are looked at', async () => {
    const count = 300
    const many = `[${Array.from({ length: 400 }, (_, i) => i)}]`
    // true for the last object alone
    const filter = `${many}.all(a, a + 1 > 0 && a + 2 > 0) && object.data.set == 'no'`
    const maps = '/api/v1/namespaces/default/configmaps'
    const map = (name: string, set: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { set } })
    const items = Array.from({ length: count }, (_, i) => map(`set${i}`, 'yes'))
    const url = '/binnacle/v1/sets?fieldManager=m&namespace=default'
    const made = await server.inject({ url, user, method: 'POST', body: { apiVersion: 'v1', kind: 'List', items } })
    const version = made.json().metadata.resourceVersion
    await server.inject({ url: maps, user, method: 'POST', body: map('after', 'no') })
    const watched = (async () => {
      const configMaps = server.client().of('v1', 'ConfigMap')
      for await (const { object } of configMaps.watch({ filter, resourceVersion: version })) return object.metadata.name
    })()
    let isOver = false
    let turns = 0
    void watched.then(() => {
      isOver = true
    })
    while (!isOver) {
      await new Promise(resolve => setImmediate(resolve))
      turns++
    }
    assert.equal(await watched, 'after')
    assert.ok(turns > 8, `${turns} turns until the first event`)
  })

  test('an informer follows a filter', async () => {
    const informer = client().informer({ filter: "object.spec.subject == 'maths'" })
    await informer.synced
    assert.deepEqual(
      informer
        .list()
        .map(({ metadata }) => metadata.name)
        .sort(),
      ['algebra', 'economics']
    )
    informer.stop()
  })
})

describe('indexes', () => {
  test('of custom resources are declared by an annotation, which may change', async () => {
    const definition = (indexes: string) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'rooms.example.com', annotations: { 'binnacle.dev/indexes': indexes } },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'rooms', kind: 'Room' },
        versions: [{ name: 'v1', served: true, storage: true, schema }]
      }
    })
    await server.client().apply([definition('.spec.subject, .spec.seats')])
    const rooms = server.client().untyped('example.com/v1', 'Room')
    for (const [name, spec] of courses) await rooms.create({ metadata: { name }, spec })
    const filter = 'object.spec.seats == 9'
    assert.deepEqual(names(await rooms.list({ filter })), ['biology', 'economics'])
    // an index is no selectable field
    await assert.rejects(rooms.list({ fieldSelector: 'spec.seats=9' }), /field label not supported/)
    await server.client().apply([definition('nonsense')])
    assert.deepEqual(names(await rooms.list({ filter })), ['biology', 'economics'])
  })

  test('of own kinds must be paths', async () => {
    const other = { ...course, indexes: ['spec[0]'] }
    await assert.rejects(
      async () => createServer({ log: silentLogger, kinds: [other] }).start(),
      /the index "spec\[0\]" must be a path like \.spec\.course/
    )
  })
})
