/** A signer over gRPC on a real socket, as --service-account-signing-endpoint names it. */
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { Server, ServerCredentials, type ServiceError, status } from '@grpc/grpc-js'
import { createServer } from '../../../server/server.js'
import { eventually } from '../../../testkit/eventually.js'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { silentLogger } from '../../../util/logger.js'
import { Reader, wireBytes, wireVarint } from '../../../util/protobuf/reader.js'
import { ReverseWriter } from '../../../util/protobuf/writer.js'
import { ExternalSigner } from './external-signer.js'
import { connectToSigner } from './signer-client.js'

interface Key {
  readonly id: string
  readonly privateKey: KeyObject
  readonly der: Buffer
  readonly excluded?: boolean
}

const makeKey = (id: string, excluded = false): Key => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { id, privateKey, der: publicKey.export({ type: 'spki', format: 'der' }), excluded }
}

/** The signer's state, which tests change. */
let state: { keys: Key[]; refresh: number; seconds: number; header: object; signature?: string; timestamp: boolean }
let fetches: number
let directory: string
let socket: string
let server: Server
let open: ExternalSigner[]

/** The parts of a message, given from its first field to its last. */
function message(...fields: [number, string | Buffer | number | boolean][]): Buffer {
  const writer = new ReverseWriter()
  for (const [field, value] of fields.toReversed()) {
    if (typeof value === 'number' || typeof value === 'boolean') {
      writer.varint(Number(value))
      writer.varint((field << 3) | wireVarint)
    } else {
      const bytes = Buffer.from(value)
      writer.bytes(bytes)
      writer.varint(bytes.length)
      writer.varint((field << 3) | wireBytes)
    }
  }
  return writer.take()
}

const methods = {
  Sign(request: Buffer): Buffer {
    const reader = new Reader(request)
    reader.tag('SignJWTRequest')
    const header = Buffer.from(JSON.stringify(state.header)).toString('base64url')
    const key = state.keys[0]!.privateKey
    const data = Buffer.from(`${header}.${reader.string()}`)
    const signature = sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
    return message([1, header], [2, state.signature ?? signature])
  },
  FetchKeys(): Buffer {
    fetches++
    if (state.keys.length === 99) throw Object.assign(new Error('no keys now'), { code: status.UNAVAILABLE })
    const keys = state.keys.map(({ id, der, excluded }): [number, Buffer] => [
      1,
      message([1, id], [2, der], [3, excluded ?? false])
    ])
    return message(...keys, ...(state.timestamp ? [[2, message([1, 1])] as [number, Buffer]] : []), [3, state.refresh])
  },
  Metadata: (): Buffer => message([1, state.seconds])
}

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-signer-'))
  socket = join(directory, 'signer.sock')
  server = new Server()
  const same = (bytes: Buffer) => bytes
  const definition = (name: string) => ({
    path: `/v1.ExternalJWTSigner/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same
  })
  server.addService(
    Object.fromEntries(Object.keys(methods).map(name => [name, definition(name)])),
    Object.fromEntries(
      Object.entries(methods).map(([name, answer]) => [
        name,
        ({ request }: { request: Buffer }, callback: (error: Partial<ServiceError> | null, answer?: Buffer) => void) => {
          try {
            callback(null, answer(request))
          } catch (error) {
            const { code = status.UNKNOWN, message: details } = error as ServiceError
            callback({ code, details })
          }
        }
      ])
    ) as never
  )
  await new Promise<void>((resolve, reject) =>
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), error => (error ? reject(error) : resolve()))
  )
})
after(() => {
  server.forceShutdown()
  rmSync(directory, { recursive: true })
})
beforeEach(() => {
  const key = makeKey('k1')
  state = { keys: [key], refresh: 60, seconds: 7200, header: { alg: 'ES256', kid: 'k1', typ: 'JWT' }, timestamp: true }
  fetches = 0
  open = []
})
afterEach(() => {
  for (const signer of open) signer.stop()
})

function connect() {
  const clock = new FakeClock()
  const logged: string[] = []
  const log = { error: (line: string) => void logged.push(line), warn() {}, info() {} }
  const signer = new ExternalSigner({ client: connectToSigner(socket), clock, log })
  open.push(signer)
  return { signer, clock, logged }
}
const opened = async () => {
  const made = connect()
  await made.signer.open()
  return made
}
const ids = (keys: readonly { id: string }[]) => keys.map(({ id }) => id)

describe('an external signer', () => {
  it('says how long tokens are valid, and which keys verify them', async () => {
    const { signer } = connect()
    assert.equal(await signer.open(), 7200)
    assert.deepEqual(ids(signer.all), ['k1'])
    assert.ok(signer.all[0]!.key.equals(createPublicKey(state.keys[0]!.privateKey)))
    assert.equal(signer.maxAgeSeconds, 60)
  })

  it('signs', async () => {
    const { signer } = await opened()
    const [header, payload, signature] = (await signer.sign({ sub: 'x' })).split('.')
    assert.deepEqual(JSON.parse(Buffer.from(header!, 'base64url').toString()), state.header)
    assert.deepEqual(JSON.parse(Buffer.from(payload!, 'base64url').toString()), { sub: 'x' })
    assert.ok(signature)
  })

  for (const [why, change, text] of [
    ['a type', { header: { alg: 'ES256', kid: 'k1', typ: 'JOSE' } }, 'bad type'],
    ['no key', { header: { alg: 'ES256', typ: 'JWT' } }, 'key id missing'],
    ['a long key id', { header: { alg: 'ES256', kid: 'k'.repeat(1025), typ: 'JWT' } }, 'key id longer than 1 kb'],
    ['an algorithm', { header: { alg: 'HS256', kid: 'k1', typ: 'JWT' } }, 'bad signing algorithm "HS256"'],
    ['none', { header: { alg: 'none', kid: 'k1', typ: 'JWT' } }, 'bad signing algorithm "none"'],
    ['more fields', { header: { alg: 'ES256', kid: 'k1', typ: 'JWT', crit: [] } }, 'json: unknown field "crit"']
  ] as const)
    it(`is refused for ${why} in the header of a token`, async () => {
      const { signer } = await opened()
      Object.assign(state, change)
      await assert.rejects(
        signer.sign({}),
        error => (error as Error).message.includes(`while validating header: `) && (error as Error).message.endsWith(text)
      )
    })

  it('is refused for a signature that is none, and for a key that is not published', async () => {
    const { signer } = await opened()
    state.signature = ''
    await assert.rejects(signer.sign({}), /empty signature returned/)
    state.signature = 'a.b'
    await assert.rejects(signer.sign({}), /not in base64url/)
    delete state.signature
    state.keys = [makeKey('old', true)]
    state.header = { alg: 'ES256', kid: 'old', typ: 'JWT' }
    const other = await opened()
    await assert.rejects(other.signer.sign({}), /\(kid: old\) is excluded from OIDC discovery docs/)
  })

  for (const [why, change, text] of [
    ['no keys', { keys: [] }, 'found no keys'],
    ['a bad refresh hint', { refresh: 0 }, 'found invalid refresh hint (0s)'],
    ['no timestamp', { timestamp: false }, 'invalid data timestamp'],
    ['a key without id', { keys: [makeKey('')] }, 'found invalid public key id ""'],
    ['an empty key', { keys: [{ ...makeKey('e'), der: Buffer.alloc(0) }] }, 'found empty public key'],
    ['a broken key', { keys: [{ ...makeKey('b'), der: Buffer.from('x') }] }, 'while parsing external public keys'],
    [
      'another kind of key',
      { keys: [{ ...makeKey('d'), der: generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }) }] },
      'the key "d" is neither RSA nor ECDSA'
    ],
    ['short tokens', { seconds: 599 }, 'is less than acceptable (min 600s)']
  ] as const)
    it(`keeps a server from starting with ${why}`, async () => {
      Object.assign(state, change)
      await assert.rejects(opened(), error => (error as Error).message.includes(text))
    })

  it('is asked again for keys that nobody knows, once a second', async () => {
    const { signer, clock } = await opened()
    assert.deepEqual(ids(await signer.find('k1')), ['k1'])
    assert.deepEqual(await signer.find('k2'), [])
    assert.equal(fetches, 1)
    clock.advance(1000)
    state.keys = [makeKey('k2')]
    assert.deepEqual(ids(await signer.find('k2')), ['k2'])
    assert.equal(fetches, 2)
    assert.equal(signer.generation, 2)
    assert.deepEqual(await signer.find('k1'), [])
  })

  it('is asked again when its keys are old, and after a failure keeps the old ones', async () => {
    const { signer, clock, logged } = await opened()
    const good = state.keys
    state.keys = new Array(99).fill(good[0])
    clock.advance(60_000)
    await eventually(
      'the failure is logged once',
      () => logged,
      ({ length }) => length === 1
    )
    assert.match(logged[0]!, /Stale set of keys will be supported\): .* rpc error: code = Unavailable desc = no keys now/)
    assert.deepEqual(ids(signer.all), ['k1'])
    state.keys = [...good, makeKey('k2')]
    await eventually('the new key is there', () => {
      clock.advance(10_000)
      return signer.all.length === 2
    })
    assert.equal(signer.generation, 2)
  })
})

describe('a server with an external signer', () => {
  const user = { name: 'admin', groups: ['system:masters'] }
  const options = { log: silentLogger, controllers: [] as string[] }

  it('issues its tokens, for at most the time that the signer allows', async () => {
    const binnacle = createServer({ ...options, serviceAccountSigningEndpoint: socket })
    await binnacle.start()
    try {
      const post = async (url: string, body: object, headers = {}) => {
        const answer = await binnacle.inject({ url, body, user, headers })
        return { status: answer.status, body: answer.json() }
      }
      await post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'bot' } })
      const url = '/api/v1/namespaces/default/serviceaccounts/bot/token'
      const issued = await post(url, { spec: { expirationSeconds: 86_400 } })
      assert.equal(issued.body.spec.expirationSeconds, 7200)
      const { token } = issued.body.status
      const review = await post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } })
      assert.equal(review.body.status.user?.username, 'system:serviceaccount:default:bot')
      const jwks = (await binnacle.inject({ url: '/openid/v1/jwks', user })).json()
      assert.deepEqual(
        jwks.keys.map(({ kid }: { kid: string }) => kid),
        ['k1']
      )
      state.signature = ''
      const failed = await post(url, { spec: {} })
      assert.deepEqual(
        [failed.status, failed.body.message],
        [500, 'Internal error occurred: failed to generate token: empty signature returned']
      )
    } finally {
      await binnacle.stop()
    }
  })

  it('has no keys of its own, and no longer limit than the signer', async () => {
    const refused = (more: object, message: RegExp) =>
      assert.rejects(createServer({ ...options, serviceAccountSigningEndpoint: socket, ...more }).start(), message)
    await refused({ serviceAccountKeyFiles: ['x'] }, /no such file|mutually exclusive/)
    await refused({ serviceAccountMaxTokenExpiration: 7_201_000 }, /cannot be set longer than .* 7201s > 7200s/)
    await refused(
      { serviceAccountSigningEndpoint: join(directory, 'none') },
      /--service-account-signing-endpoint .*none: .*rpc error/
    )
  })
})
