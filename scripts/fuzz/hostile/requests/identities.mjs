/** Who a request is from, whom it wants to be, and what it asks about others. */
const maps = '/api/v1/namespaces/default/configmaps'
const accounts = '/api/v1/namespaces/default/serviceaccounts'
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews'
const shown = ({ status, body }) => `${status} ${body.subarray(0, 150)}`
const many = (count, make) => Array.from({ length: count }, (_, i) => make(i))
const as = headers => async target => shown(await target.send('GET', maps, undefined, headers))
const asks = (path, make) => async target => shown(await target.send('POST', path, make()))

let token
export async function prepare(target) {
  await target.send('POST', accounts, { metadata: { name: 'a' } })
  const made = await target.send('POST', `${accounts}/a/token`, { spec: { audiences: many(5000, i => `https://audience-${i}`) } })
  token = JSON.parse(made.body).status?.token
}

export const probes = {
  'impersonation of 30,000 groups': as({ 'impersonate-user': 'a', 'impersonate-group': many(30_000, i => `g${i}`) }),
  'impersonation with 20,000 extra values': as({ 'impersonate-user': 'a', 'impersonate-extra-k': many(20_000, i => `v${i}`) }),
  'impersonation with 15,000 extra keys': as(
    Object.fromEntries([['impersonate-user', 'a'], ...many(15_000, i => [`impersonate-extra-${i}`, 'v'])])
  ),
  'impersonation of a user of 900 kB': as({ 'impersonate-user': 'a'.repeat(900_000) }),
  'impersonation without credentials': async target => {
    const headers = { 'impersonate-user': 'a', 'impersonate-group': many(30_000, i => `g${i}`) }
    return shown(await target.send('GET', maps, undefined, headers, { agent: undefined, rejectUnauthorized: false }))
  },
  'a token of 1,000,000 characters': as({ authorization: `Bearer ${'a'.repeat(1_000_000)}` }),
  'a token of 900,000 dots': as({ authorization: `Bearer ${'.'.repeat(900_000)}` }),
  'a token with a payload of 600 kB of brackets': as({
    authorization: `Bearer ${['{"alg":"RS256"}', '['.repeat(600_000)].map(part => Buffer.from(part).toString('base64url')).join('.')}.AAAA`
  }),
  'a request for a token for 90,000 audiences': asks(`${accounts}/a/token`, () => ({
    spec: { audiences: many(90_000, i => `a${i}`) }
  })),
  'a request for a token for an audience of 2 MB': asks(`${accounts}/a/token`, () => ({
    spec: { audiences: ['a'.repeat(2_000_000)] }
  })),
  'a review of a token of 5,000 audiences for 90,000': asks(reviews, () => ({
    spec: { token, audiences: many(90_000, i => `x${i}`) }
  })),
  '2,000 tokens that nobody knows': async target => {
    const answers = new Set()
    for (let i = 0; i < 2000; i += 50)
      for (const { status } of await Promise.all(
        many(50, n =>
          target.send(
            'GET',
            maps,
            undefined,
            { authorization: `Bearer ${i + n}${'x'.repeat(10_000)}` },
            { agent: undefined, rejectUnauthorized: false }
          )
        )
      ))
        answers.add(status)
    return [...answers].join()
  },
  'a review of access with 50,000 extra values': asks('/apis/authorization.k8s.io/v1/subjectaccessreviews', () => ({
    spec: { user: 'a', extra: { k: many(90_000, i => `v${i}`) }, resourceAttributes: { resource: 'pods', verb: 'get' } }
  })),
  'a review of rules': asks('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', () => ({
    spec: { namespace: 'x'.repeat(1_000_000) }
  })),
  'a path of 1,000,000 characters': async target =>
    shown(await target.send('GET', `/apis/${'a/'.repeat(500_000)}`, undefined, {})),
  'a path of 300,000 escapes': async target => shown(await target.send('GET', `/api/v1/${'%41'.repeat(300_000)}`, undefined, {})),
  'a query of 400,000 parameters': async target =>
    shown(await target.send('GET', `${maps}?${'a&'.repeat(400_000)}`, undefined, {})),
  'a timeout of 900,000 digits': async target =>
    shown(await target.send('GET', `${maps}?timeout=${'1'.repeat(900_000)}s`, undefined, {})),
  'a field selector of 900,000 characters': async target =>
    shown(await target.send('GET', `${maps}?fieldSelector=${'metadata.name!=a,'.repeat(50_000)}metadata.name!=b`, undefined, {})),
  'a label selector of 900,000 characters': async target =>
    shown(await target.send('GET', `${maps}?labelSelector=${many(90_000, i => `k${i}!=v`).join()}`, undefined, {})),
  'a label selector of 200,000 values': async target =>
    shown(await target.send('GET', `${maps}?labelSelector=a+in+(${many(130_000, i => `v${i}`).join()})`, undefined, {})),
  'a field manager of 900,000 characters': async target =>
    shown(await target.send('POST', `${maps}?fieldManager=${'m'.repeat(900_000)}`, { metadata: { name: 'm' } })),
  'an agent of 900,000 characters': async target => {
    const headers = { 'user-agent': 'm'.repeat(900_000), 'content-type': 'application/json' }
    return shown(await target.send('POST', maps, { metadata: { name: 'n' } }, headers))
  },
  'a continue token of 900,000 characters': async target =>
    shown(await target.send('GET', `${maps}?limit=1&continue=${'A'.repeat(900_000)}`, undefined, {}))
}
