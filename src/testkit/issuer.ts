/** An OpenID issuer on a local port, for tests: its documents, its keys, and tokens that they sign. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { CompactSign, exportJWK } from 'jose'
import { loadOrCreatePki } from '../transport/certificates/pki.js'

export interface TestKey {
  readonly id: string
  readonly algorithm: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export function makeKey(id: string, algorithm = 'ES256'): TestKey {
  const curve = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[algorithm]
  const pair = curve ? generateKeyPairSync('ec', { namedCurve: curve }) : generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { id, algorithm, ...pair }
}

/** Signs claims, or a text in place of them. */
export const signToken = (claims: unknown, { id, algorithm, privateKey }: TestKey, header: object = {}): Promise<string> =>
  new CompactSign(Buffer.from(typeof claims === 'string' ? claims : JSON.stringify(claims)))
    .setProtectedHeader({ alg: algorithm, kid: id, ...header })
    .sign(privateKey)

export interface TestIssuer {
  readonly url: string
  /** PEM. */
  readonly certificateAuthority: string
  /** The keys that the issuer publishes, which a test may change. */
  readonly keys: TestKey[]
  /** The paths that were asked for, in order. */
  readonly requests: string[]
  /** Answers to paths, in place of the issuer's own: a text is an answer in JSON. */
  readonly answers: Map<string, string | RequestListener>
  /** Signs a token that is valid for an hour, for the audience `me`. */
  token(claims?: object, key?: TestKey, header?: object): Promise<string>
  close(): Promise<void>
}

export const discoveryPath = '/.well-known/openid-configuration'

let pki: ReturnType<typeof loadOrCreatePki> | undefined

/** `now`: milliseconds since 1970, for tests with a clock of their own. */
export async function startIssuer(now: () => number = Date.now): Promise<TestIssuer> {
  const { serving } = await (pki ??= loadOrCreatePki({ servingNames: ['127.0.0.1', 'issuer.example'], now: Date.now() }))
  const keys = [makeKey('one')]
  const requests: string[] = []
  const answers: TestIssuer['answers'] = new Map()
  const documents: Record<string, () => unknown> = {
    [discoveryPath]: () => ({ issuer: url, jwks_uri: `${url}/keys` }),
    '/keys': async () => ({
      keys: await Promise.all(keys.map(async ({ id, publicKey }) => ({ ...(await exportJWK(publicKey)), kid: id })))
    })
  }
  const server = createServer({ cert: serving.certificate, key: serving.key }, async (request, response) => {
    const path = request.url!
    requests.push(path)
    const answer = answers.get(path)
    if (typeof answer === 'function') return answer(request, response)
    if (answer === undefined && !documents[path]) return response.writeHead(404).end('no such page')
    response.setHeader('content-type', 'application/json')
    return response.end(answer ?? JSON.stringify(await documents[path]!()))
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    certificateAuthority: serving.trust,
    keys,
    requests,
    answers,
    token: (claims = {}, key = keys[0]!, header = {}) => {
      const exp = Math.floor(now() / 1000) + 3600
      return signToken({ iss: url, aud: 'me', sub: 'jane', exp, ...claims }, key, header)
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
