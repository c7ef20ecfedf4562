import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { random } from '../../../testkit/random.js'
import { silentLogger } from '../../../util/logger.js'
import { hashOf } from './shard-hash.js'
import { shardsOf } from './shards.js'

const user = { name: 'admin', groups: ['system:masters'] }
const path = '/api/v1/configmaps'
const lower = `'0x0000000000000000', '0x8000000000000000'`
const upper = `'0x8000000000000000', '0x10000000000000000'`
const byNamespace = (bounds: string) => `shardRange(object.metadata.namespace, ${bounds})`
const byUid = (bounds: string) => `shardRange(object.metadata.uid, ${bounds})`
let server: BinnacleServer

const send = (request: { url: string; method?: string; body?: object; headers?: Record<string, string> }) =>
  server.inject({ user, ...request })
const list = async (selector: string, query = '', accept = 'application/json', at = path) => {
  const url = `${at}?shardSelector=${encodeURIComponent(selector)}${query}`
  return (await send({ url, headers: { accept } })).json()
}
const namesOf = (found: { items: { metadata: { name: string } }[] }) => found.items.map(({ metadata }) => metadata.name)
const refused = async (selector: string) => {
  const { code, reason, message } = await list(selector)
  assert.deepEqual([code, reason], [500, undefined], message)
  return message.replace(/^invalid shard selector: /, '')
}

before(async () => {
  server = createServer({
    listen: false,
    log: silentLogger,
    controllers: [],
    featureGates: { ShardedListAndWatch: true }
  })
  await server.start()
  // hashes of sa and sb lie in the lower half, that of kube-system in the upper one
  for (const name of ['sa', 'sb']) await send({ method: 'POST', url: '/api/v1/namespaces', body: { metadata: { name } } })
  for (const [namespace, name] of ['sa/a1', 'sa/a2', 'sb/b1', 'kube-system/k1'].map(key => key.split('/')))
    await send({ method: 'POST', url: `/api/v1/namespaces/${namespace}/configmaps`, body: { metadata: { name } } })
})
after(() => server.stop())

describe('a selector of shards', () => {
  it('selects by the hash of the namespace or of the uid, and the list says so', async () => {
    const found = await list(byNamespace(lower))
    assert.deepEqual(namesOf(found), ['a1', 'a2', 'b1'])
    assert.deepEqual(found.metadata.shardInfo, { selector: byNamespace(lower) })
    const rest = await list(byNamespace(upper))
    assert.ok(namesOf(rest).includes('k1') && !namesOf(rest).includes('a1'))
    const halves = [...namesOf(await list(byUid(lower))), ...namesOf(await list(byUid(upper)))]
    assert.deepEqual(halves.sort(), [...namesOf(found), ...namesOf(rest)].sort())
  })

  it('selects what any of its ranges has, in whatever order they come', () => {
    const hex = (n: bigint) => `0x${n.toString(16).padStart(16, '0')}`
    const next = random(7)
    const draw = () => BigInt(next(2 ** 32)) << 32n
    for (let round = 0; round < 50; round++) {
      const ranges = Array.from({ length: 1 + (round % 8) }, () => {
        const [from, to] = [draw(), draw()].sort((a, b) => (a < b ? -1 : 1)) as [bigint, bigint]
        return [from, to + 1n] as const
      })
      // the next range begins where this one ends
      ranges.push([ranges[0]![1], ranges[0]![1] + 2n ** 60n])
      const shardSelector = ranges
        .map(([from, to]) => byUid(`'${hex(from)}', '${to >= 2n ** 64n ? '0x10000000000000000' : hex(to)}'`))
        .join(' || ')
      const shards = shardsOf({ shardSelector }, { enabled: () => true } as never)!
      for (let i = 0; i < 100; i++) {
        const uid = String(next(2 ** 32))
        const { high, low } = hashOf(uid)
        const hash = (BigInt(high) << 32n) | BigInt(low)
        assert.equal(
          shards.matches({ uid, namespace: '' }),
          ranges.some(([from, to]) => from <= hash && hash < to)
        )
      }
    }
  })

  it('is shown as kube-apiserver writes it', async () => {
    const { metadata } = await list(`(shardRange(object.metadata.uid,"0x0000000000000000",${lower.slice(22)}))||${byUid(upper)}`)
    assert.deepEqual(metadata.shardInfo, { selector: `${byUid(lower)} || ${byUid(upper)}` })
  })

  it('is shown by no Table, list of metadata or list of custom resources', async () => {
    for (const form of ['Table', 'PartialObjectMetadataList']) {
      const found = await list(byNamespace(lower), '', `application/json;as=${form};v=v1;g=meta.k8s.io`)
      assert.deepEqual([found.kind, (found.rows ?? found.items).length, found.metadata.shardInfo], [form, 3, undefined])
    }
  })

  it('counts the objects of other shards in pages, and not those of other labels', async () => {
    const all = namesOf((await send({ url: path })).json()).length
    const first = await list(byNamespace(lower), '&limit=2')
    assert.deepEqual([namesOf(first), first.metadata.remainingItemCount], [['a1', 'a2'], all - 2])
    const next = await list(byNamespace(lower), `&limit=2&continue=${first.metadata.continue}`)
    assert.deepEqual([namesOf(next), next.metadata.continue], [['b1'], undefined])
    const plain = (await send({ url: `${path}?limit=1` })).json()
    assert.equal(plain.metadata.remainingItemCount, all - 1)
  })

  it('limits a watch, and what a collection loses', async () => {
    const url = `${path}?watch=true&timeoutSeconds=1&shardSelector=${encodeURIComponent(byNamespace(lower))}`
    const { body } = await send({ url })
    const events = String(body)
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    assert.deepEqual(
      events.map(({ type, object }) => [type, object.metadata.name]),
      [
        ['ADDED', 'a1'],
        ['ADDED', 'a2'],
        ['ADDED', 'b1']
      ]
    )
    const of = (selector: string) => `/api/v1/namespaces/sb/configmaps?shardSelector=${encodeURIComponent(selector)}`
    await send({ method: 'DELETE', url: of(byNamespace(upper)) })
    assert.deepEqual(namesOf((await send({ url: '/api/v1/namespaces/sb/configmaps' })).json()), ['b1'])
    await send({ method: 'DELETE', url: of(byNamespace(lower)) })
    assert.deepEqual(namesOf((await send({ url: '/api/v1/namespaces/sb/configmaps' })).json()), [])
  })

  it('is refused in the words of kube-apiserver', async () => {
    const range = (first: string, rest = lower) => `shardRange(${first}, ${rest})`
    const namespace = 'object.metadata.namespace'
    for (const [selector, message] of [
      [' ', 'empty shard selector is not allowed; omit the parameter for unfiltered lists'],
      ['a', 'unexpected expression kind 3; expected shardRange() call or || operator'],
      ['1', 'unexpected expression kind 5; expected shardRange() call or || operator'],
      ['a.b', 'unexpected expression kind 7; expected shardRange() call or || operator'],
      ['has(a.b)', 'unsupported function "has"; only shardRange() and || are allowed'],
      [`${byUid(lower)} && true`, 'unsupported function "_&&_"; only shardRange() and || are allowed'],
      ['$x', `CEL parse error: Syntax error: token recognition error at: '$'`],
      [
        `${byUid(lower)} || ${byNamespace(upper)}`,
        'all shard ranges must use the same field, got "object.metadata.uid" and "object.metadata.namespace"'
      ],
      ['shardRange()', 'shardRange() requires exactly 3 arguments, got 0'],
      [range('1'), 'shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind 5'],
      [
        range('object.metadata.name'),
        'unsupported field path "object.metadata.name"; supported: object.metadata.uid, object.metadata.namespace'
      ],
      [range(namespace, 'a, b'), `hexStart must be a string literal (e.g. '0xff'), got expression kind 3`],
      [range(namespace, '1u, 2'), 'hexStart must be a string literal, got uint64'],
      [range(namespace, 'null, 2'), 'hexStart must be a string literal, got structpb.NullValue'],
      [range(namespace, `'1', '2'`), `hexStart must have '0x' prefix, got "1"`],
      [range(namespace, `'0x', '2'`), `hexStart: hex value is required after '0x'`],
      [range(namespace, `'0x000000000000000000', '2'`), 'hexStart: hex value too long (18 chars, max 17): "000000000000000000"'],
      [range(namespace, `'0xG', '2'`), 'hexStart: invalid hex character "G" in "0xG"'],
      [
        range(namespace, `'0x00000000000000000', '2'`),
        `hexStart: 17-digit hex value must be '0x10000000000000000' (2^64), got "0x00000000000000000"`
      ],
      [
        range(namespace, `'0x0000000000000000', '0x1'`),
        'hexEnd must be a 0x-prefixed 16-digit hex value, got "0x1" (did you mean "0x0000000000000001"?)'
      ],
      [
        range(namespace, `'0x8000000000000000', '0x8000000000000000'`),
        'shard range start 0x8000000000000000 must be less than end 0x8000000000000000'
      ]
    ] as const)
      assert.equal(await refused(selector), message, selector)
  })

  it('means nothing to kinds that are not stored', async () => {
    const { kind } = await list('a', '', 'application/json', '/api/v1/componentstatuses')
    assert.equal(kind, 'ComponentStatusList')
  })
})

it('without the gate, a selector of shards is ignored', async () => {
  const plain = createServer({ listen: false, log: silentLogger, controllers: [] })
  await plain.start()
  try {
    const { status, json } = await plain.inject({ user, url: `${path}?shardSelector=a` })
    assert.deepEqual([status, json().metadata.shardInfo], [200, undefined])
  } finally {
    await plain.stop()
  }
})
