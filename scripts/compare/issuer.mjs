#!/usr/bin/env node
// An OpenID issuer for the area `tokens`, with the configuration that makes both servers trust it.
//
//   node scripts/compare/issuer.mjs DIRECTORY [PORT]
//
// writes DIRECTORY/authentication.yaml for --authentication-config of both servers, and serves until it is stopped. It signs whatever
// it is asked to sign: it is for comparisons alone.
import { execFileSync } from 'node:child_process'
import { constants, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import fs from 'node:fs'
import https from 'node:https'
import path from 'node:path'

const [directory, port = '8443'] = process.argv.slice(2)
fs.mkdirSync(directory, { recursive: true })
const file = name => path.join(directory, name)
const url = `https://127.0.0.1:${port}`
execFileSync(
  'openssl',
  [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '7', '-subj', '/CN=issuer'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', file('issuer.key'), '-out', file('issuer.crt')]
  ],
  { stdio: 'ignore' }
)
const certificate = fs.readFileSync(file('issuer.crt'), 'utf8')

const ec = curve => generateKeyPairSync('ec', { namedCurve: curve })
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const keys = { rsa: rsa(), ec256: ec('P-256'), ec384: ec('P-384'), ec521: ec('P-521') }
const strangers = { rsa: rsa(), ec256: ec('P-256'), ec384: ec('P-384'), ec521: ec('P-521') }

const jwt = (name, more) => ({
  issuer: { url: `${url}/${name}`, audiences: ['me'], certificateAuthority: certificate },
  claimMappings: { username: { claim: 'sub', prefix: `${name}:` } },
  ...more
})
const several = {
  url: `${url}/several`,
  audiences: ['me', 'them'],
  audienceMatchPolicy: 'MatchAny',
  certificateAuthority: certificate
}
const email = { username: { claim: 'email', prefix: '' }, groups: { claim: 'roles', prefix: 'r:' }, uid: { claim: 'uid' } }
const expressions = {
  username: { expression: 'claims.sub + ":" + string(claims.?level.orValue(0))' },
  groups: { expression: 'claims.?roles.orValue([])' },
  uid: { expression: 'claims.?uid.orValue("none")' },
  extra: [
    { key: 'example.com/roles', valueExpression: 'claims.?roles.orValue("")' },
    { key: 'example.com/nested', valueExpression: 'claims.?nested.?a__dot__b.orValue("")' }
  ]
}
const configuration = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  jwt: [
    jwt('plain', { claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'roles', prefix: '' } } }),
    jwt('email', { claimMappings: email, claimValidationRules: [{ claim: 'tenant', requiredValue: 'acme' }] }),
    jwt('expressions', {
      claimMappings: expressions,
      claimValidationRules: [{ expression: 'claims.?level.orValue(0) < 10', message: 'the level is too high' }],
      userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'names of the system are reserved' }]
    }),
    jwt('several', { issuer: several }),
    jwt('down')
  ]
}
fs.writeFileSync(file('authentication.yaml'), JSON.stringify(configuration))

const base64 = value => Buffer.from(value).toString('base64url')
const keyOf = (algorithm, of) => of[{ ES256: 'ec256', ES384: 'ec384', ES512: 'ec521' }[algorithm] ?? 'rsa'].privateKey

/** `by`: the issuer's key, a stranger's, a public key as a secret, or nothing. */
function signed({ header, payload, by, algorithm = header.alg }) {
  const text = `${base64(JSON.stringify(header))}.${base64(payload)}`
  if (by === 'nobody') return `${text}.`
  if (by === 'secret') {
    const secret = keys.rsa.publicKey.export({ type: 'spki', format: 'pem' })
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const bits = /\d+$/.exec(algorithm ?? '')?.[0] ?? '256'
  const padding = algorithm?.startsWith('PS') ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: bits / 8 } : {}
  const key = { key: keyOf(algorithm, by === 'stranger' ? strangers : keys), dsaEncoding: 'ieee-p1363', ...padding }
  return `${text}.${sign(`sha${bits}`, Buffer.from(text), key).toString('base64url')}`
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600
const claim = (issuer, claims, by = 'issuer') =>
  signed({
    header: { alg: 'RS256', kid: 'rsa' },
    by,
    payload: JSON.stringify({ iss: `${url}/${issuer}`, aud: 'me', exp: inAnHour(), ...claims })
  })

const distributed = {
  '/claims/good': () => claim('plain', { roles: ['far', 'away'] }),
  '/claims/text': () => claim('plain', { roles: 'one' }),
  '/claims/other': () => claim('several', { roles: ['other'] }),
  '/claims/none': () => claim('plain', {}),
  '/claims/expired': () => claim('plain', { roles: [], exp: 1 }),
  '/claims/stranger': () => claim('plain', { roles: ['x'] }, 'stranger'),
  '/claims/audience': () => claim('plain', { roles: ['x'], aud: 'you' }),
  '/claims/broken': () => 'x'
}

https
  .createServer({ cert: certificate, key: fs.readFileSync(file('issuer.key')) }, async (request, response) => {
    const json = value => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
    const discovered = /^\/(\w+)\/\.well-known\/openid-configuration$/.exec(request.url)?.[1]
    if (discovered && discovered !== 'down') return json({ issuer: `${url}/${discovered}`, jwks_uri: `${url}/keys` })
    if (request.url === '/keys')
      return json({ keys: Object.entries(keys).map(([kid, { publicKey }]) => ({ ...publicKey.export({ format: 'jwk' }), kid })) })
    if (Object.hasOwn(distributed, request.url)) return response.end(distributed[request.url]())
    if (request.url !== '/sign') return response.writeHead(404).end('no such page')
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    return response.end(signed(JSON.parse(Buffer.concat(chunks))))
  })
  .listen(Number(port), '127.0.0.1', () => console.log(`${url}; configuration: ${file('authentication.yaml')}`))
