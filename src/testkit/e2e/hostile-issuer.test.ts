/** An OpenID issuer that does not answer as it should, while others use the server, and what it is asked. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type BinnacleServer, createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'
import { FakeClock } from '../fake-clock.js'
import { makeKey, startIssuer, type TestIssuer } from '../issuer.js'

/** Milliseconds that others may wait. */
const most = 300
/** Tokens of the hostile issuer that come at once. */
const flood = 60

describe('while an issuer is hostile', () => {
  let good: TestIssuer
  let hostile: TestIssuer
  let server: BinnacleServer
  let folder: string
  const clock = new FakeClock(Date.now())

  before(async () => {
    ;[good, hostile] = await Promise.all([startIssuer(), startIssuer()])
    folder = await mkdtemp(join(tmpdir(), 'binnacle-'))
    const jwt = [good, hostile].map(({ url, certificateAuthority }) => ({
      issuer: { url, certificateAuthority, audiences: ['me'] },
      claimMappings: { username: { claim: 'sub', prefix: '' } }
    }))
    const authenticationConfig = join(folder, 'authentication.json')
    const apiVersion = 'apiserver.config.k8s.io/v1'
    await writeFile(authenticationConfig, JSON.stringify({ apiVersion, kind: 'AuthenticationConfiguration', jwt }))
    server = createServer({ log: silentLogger, authenticationConfig, clock, listen: false })
    await server.start()
    while ((await ask(await good.token())) !== 200) await new Promise(setImmediate)
    while ((await ask(await hostile.token())) !== 200) await new Promise(setImmediate)
  })
  after(async () => {
    await server.stop()
    await Promise.all([good.close(), hostile.close(), rm(folder, { recursive: true })])
  })

  /** Resolves with the status for a token. */
  const ask = async (token: string): Promise<number> =>
    (await server.inject({ url: '/api', headers: { authorization: `Bearer ${token}` } })).status

  /** Sends the tokens at once. Resolves, once the issuer has been asked, with the longest time that others waited in milliseconds. */
  async function waitOfOthers(tokens: readonly string[]): Promise<number> {
    const before = asked()
    for (const token of tokens) flooding.push(ask(token))
    const others = await Promise.all(Array.from({ length: 100 }, (_, n) => good.token({ jti: `${++made}-${n}` })))
    let longest = 0
    for (let n = 0; n < 30 || (asked() === before && n < 3000); n++) {
      const began = performance.now()
      assert.equal(await ask(others[n % 100]!), 200)
      await new Promise(setImmediate)
      longest = Math.max(longest, performance.now() - began)
    }
    return longest
  }
  const flooding: Promise<number>[] = []
  let made = 0

  /** Tokens whose keys the issuer does not have. */
  const unknown = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => hostile.token({ jti: `${n}` }, { ...stranger, id: `unknown-${n}` })))
  const stranger = makeKey('stranger')
  const asked = () => hostile.requests.filter(path => path === '/keys').length

  const held: ServerResponse[] = []
  const spaces = Buffer.alloc(65_536, ' ')
  const other = makeKey('x').publicKey.export({ format: 'jwk' })
  const documents: Record<string, string> = {
    'nests deeply': '['.repeat(1_000_000),
    'nests deeply, soundly': `{"keys":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
    'has very many keys': `{"keys":[${'{},'.repeat(330_000)}{}]}`,
    'has keys of a megabyte': JSON.stringify({ keys: [{ kty: 'RSA', kid: 'x', n: 'A'.repeat(1_000_000), e: 'AQAB' }] }),
    'has a thousand other keys': JSON.stringify({ keys: Array.from({ length: 1000 }, (_, n) => ({ ...other, kid: `${n}` })) }),
    'answers with more than a megabyte': `"${'x'.repeat(4_000_000)}"`
  }
  const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
    ...Object.fromEntries(
      Object.entries(documents).map(([what, text]) => [what, (_, response: ServerResponse) => void response.end(text)])
    ),
    'redirects in circles': (_, response) => void response.writeHead(302, { location: '/keys' }).end(),
    'sends without end': (_, response) => {
      const more = () => {
        while (!response.destroyed) if (!response.write(spaces)) return void response.once('drain', more)
      }
      more()
    },
    'closes in the middle': (_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"keys":', () => response.destroy())
    },
    drips: (_, response) => {
      held.push(response)
      const timer = setInterval(() => response.write(' '), 5)
      response.once('close', () => clearInterval(timer))
    },
    'does not answer': (_, response) => void held.push(response)
  }
  for (const [what, answer] of Object.entries(answers))
    it(`and ${what}, others wait for nothing`, async t => {
      let longest = Number.POSITIVE_INFINITY
      // a machine that is busy otherwise may hold everybody up once
      for (let attempt = 0; attempt < 3 && longest > most; attempt++) {
        // the floods before have used up what may be asked of the issuer
        await clock.pass(10_000)
        hostile.answers.set('/keys', answer)
        longest = await waitOfOthers(await unknown(flood))
        for (const response of held.splice(0)) response.destroy()
        await Promise.all(flooding.splice(0)).then(statuses => assert.ok(statuses.every(status => status === 401)))
      }
      t.diagnostic(`${Math.round(longest)} ms`)
      assert.ok(longest < most, `${longest} ms`)
    })

  it('is asked for keys a few times, however many tokens name others', async () => {
    hostile.answers.delete('/keys')
    await clock.pass(60_000)
    const before = asked()
    const tokens = await unknown(20)
    let answered = 0
    const work = (async () => {
      for (const token of tokens) {
        assert.equal(await ask(token), 401)
        answered++
      }
    })()
    while (answered < 10) await new Promise(setImmediate)
    await new Promise(resolve => setTimeout(resolve, 100))
    for (let n = 10; n < 20; n++) {
      assert.deepEqual([answered, asked() - before], [n, n])
      await clock.pass(1000)
      while (answered === n) await new Promise(setImmediate)
    }
    await work
  })

  it('and is sound again, its tokens are, too', async () => {
    hostile.keys[0] = makeKey('new')
    await clock.pass(10_000)
    assert.equal(await ask(await hostile.token()), 200)
  })
})
