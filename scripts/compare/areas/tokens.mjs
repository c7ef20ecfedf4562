/**
 * JSON Web Tokens of issuers, right and wrong, in TokenReviews and in requests. Needs `node scripts/compare/issuer.mjs DIRECTORY` and both
 * servers with --authentication-config=DIRECTORY/authentication.yaml; ISSUER is its URL.
 */
import { Server } from '../server.mjs'

const issuerUrl = process.env.ISSUER
const issuers = ['plain', 'email', 'expressions', 'several', 'down', 'unknown']
const algorithms = ['RS256', 'RS256', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512']
const signers = ['issuer', 'issuer', 'issuer', 'issuer', 'stranger', 'secret', 'nobody']
const keyIds = { ES256: 'ec256', ES384: 'ec384', ES512: 'ec521' }
const odd = [
  null,
  true,
  false,
  0,
  5,
  -1,
  1.5,
  1e19,
  '',
  'x',
  '5',
  [],
  ['x'],
  ['a', 'b'],
  [null],
  [5],
  {},
  { a: 'b' },
  { 'a.b': 'c' },
  ' ',
  'é'
]
const now = () => Math.floor(Date.now() / 1000)
const claims = {
  sub: ['jane', 'system:admin', ...odd],
  aud: ['me', 'them', ['me'], ['x', 'them'], 'x', ...odd],
  exp: [now() + 3600, String(now() + 3600), now() - 100, now() + 3600.5, 1, '1e10', ...odd],
  // what Go makes of a time beyond int64 depends on the processor
  nbf: [now(), now() + 30, now() + 600, ...odd.filter(value => value !== 1e19)],
  iat: [now(), now() + 600, ...odd],
  jti: ['id', ...odd],
  email: ['jane@example.com', ...odd],
  email_verified: [true, true, false, 'true', ...odd],
  tenant: ['acme', 'acme', 'other', ...odd],
  roles: ['dev', ['dev', 'ops'], ['dev', ''], ['dev', null], ['dev', 5], ...odd],
  uid: ['u1', ...odd],
  level: [1, 9, 10, 3.5, '7', ...odd],
  nested: [{ 'a.b': 'c' }, { 'a.b': ['c', 'd'] }, { a__dot__b: 'x' }, ...odd],
  nonce: odd,
  at_hash: odd,
  _claim_names: [{ roles: 'src' }, { other: 'src' }, { roles: 'nowhere' }, { roles: '' }, ...odd],
  _claim_sources: [{ src: {} }, { src: { endpoint: 5 } }, { src: 'x' }, { src: { JWT: 'x' } }, ...odd],
  Aud: ['me'],
  SUB: ['upper']
}
const endpoints = ['good', 'text', 'other', 'none', 'expired', 'stranger', 'audience', 'broken', 'missing']
const headers = {
  kid: ['rsa', 'ec256', 'unknown', '', 5, null],
  alg: ['none', 'HS256', 'EdDSA', '', 5, null, 'rs256'],
  typ: ['JWT', 5],
  // RFC 7515 forbids an empty list, which kube-apiserver accepts
  crit: [['x'], 5],
  jwk: [{ kty: 'oct', k: 'AAAA' }, { kty: 'x' }, 5, null],
  nonce: ['x', 5],
  cty: ['x']
}

export async function area({ random }) {
  if (!issuerUrl) {
    console.log('tokens: ISSUER is not set')
    return { generate: () => ({ requests: [] }) }
  }
  const issuer = new Server(issuerUrl, '')

  const usual = name => ({
    iss: `${issuerUrl}/${name}`,
    aud: 'me',
    exp: now() + 3600,
    sub: 'jane',
    ...(name === 'email' ? { email: 'jane@example.com', tenant: 'acme', uid: 'u1' } : {})
  })

  function payload() {
    const made = usual(random.pick(issuers))
    for (const name of random.some(Object.keys(claims), 3)) made[name] = random.pick(claims[name])
    if (random.chance(0.15)) {
      made._claim_names = { roles: 'src' }
      made._claim_sources = { src: { endpoint: `${issuerUrl}/claims/${random.pick(endpoints)}`, access_token: 'abc' } }
    }
    if (random.chance(0.1)) delete made[random.pick(Object.keys(made))]
    return JSON.stringify(made)
  }

  function header() {
    const alg = random.pick(algorithms)
    const made = { alg, ...(random.chance(0.8) ? { kid: keyIds[alg] ?? 'rsa' } : {}) }
    if (random.chance(0.2)) for (const name of random.some(Object.keys(headers), 2)) made[name] = random.pick(headers[name])
    return { made, algorithm: alg }
  }

  async function token() {
    const { made, algorithm } = header()
    const by = random.chance(0.3) ? random.pick(signers) : 'issuer'
    const { body } = await issuer.send({ path: '/sign', body: { header: made, payload: payload(), by, algorithm } })
    const text = body.toString()
    if (random.chance(0.95)) return text
    const at = random.below(text.length)
    return random.pick([
      text.slice(0, at),
      `${text.slice(0, at)}.${text.slice(at)}`,
      `${text.slice(0, at)}!${text.slice(at + 1)}`
    ])
  }

  async function aCase() {
    const text = await token()
    const audiences = random.chance(0.1) ? { audiences: [random.pick(['me', 'x', 'https://kubernetes.default.svc'])] } : {}
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: text, ...audiences } }
    const self = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
    return {
      requests: [
        // the first distributed claim of an issuer comes before its keys
        { path: '/apis/authentication.k8s.io/v1/tokenreviews', body: review, pick: answer => answer.status, eventually: true },
        {
          path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
          body: self,
          headers: { authorization: `Bearer ${text}` }
        }
      ]
    }
  }

  return { generate: aCase }
}
