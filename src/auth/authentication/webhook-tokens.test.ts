import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WebhookCallError } from '../../transport/webhooks/exchange.js'
import { TokenError } from './authenticator.js'
import { type TokenReviewVersion, WebhookTokens } from './webhook-tokens.js'

/** The authenticator of a webhook that answers with a status, or with `answer`. */
function setUp(answer: unknown, version: TokenReviewVersion = 'v1', apiAudiences = ['api']) {
  const sent: any[] = []
  const logged: string[] = []
  const webhook = {
    async post(body: unknown) {
      sent.push(body)
      if (answer instanceof Error) throw answer
      return { code: 200, text: typeof answer === 'string' ? answer : JSON.stringify(answer) }
    }
  }
  const log = { error: (line: string) => void logged.push(line), warn() {}, info() {} }
  return { tokens: new WebhookTokens({ webhook, version, apiAudiences, log }), sent, logged }
}
const alice = { username: 'alice', uid: 'u', groups: ['dev'], extra: { tenant: ['acme'] } }
const yes = (more: object = {}) => ({ status: { authenticated: true, user: alice, ...more } })
const refused = (answer: unknown, message: RegExp) =>
  assert.rejects(setUp(answer).tokens.authenticateToken('t'), error => error instanceof TokenError && message.test(error.message))

describe('a webhook for tokens', () => {
  it('is asked with a TokenReview of its version', async () => {
    for (const version of ['v1', 'v1beta1'] as const) {
      const { tokens, sent } = setUp(yes(), version)
      await tokens.authenticateToken('t')
      assert.equal(sent[0].kind, 'TokenReview')
      assert.equal(sent[0].apiVersion, `authentication.k8s.io/${version}`)
      assert.deepEqual(sent[0].spec, { token: 't', audiences: ['api'] })
    }
    const { tokens, sent } = setUp(yes(), 'v1', [])
    await tokens.authenticateToken('t')
    assert.deepEqual(sent[0].spec, { token: 't' })
  })

  it('names the user', async () => {
    const found = await setUp(yes()).tokens.authenticateToken('t')
    assert.deepEqual(found, {
      user: { name: 'alice', uid: 'u', groups: ['dev'], extra: { tenant: ['acme'] } },
      audiences: ['api']
    })
    const bare = await setUp({ status: { authenticated: true, user: {} } }).tokens.authenticateToken('t')
    assert.deepEqual(bare!.user, { name: '', groups: [] })
  })

  it('has the last word on audiences, when it names any', async () => {
    const ask = async (more: object, audiences?: string[]) => {
      const found = await setUp(yes(more)).tokens.authenticateToken('t', audiences)
      return found && (found.audiences ?? 'any')
    }
    assert.deepEqual(await ask({}), ['api'])
    assert.deepEqual(await ask({}, ['vault', 'api']), ['api'])
    assert.equal(await ask({}, ['vault']), undefined)
    assert.deepEqual(await ask({ audiences: ['vault', 'x'] }, ['vault']), ['vault'])
    assert.equal(await ask({ audiences: ['vault'] }), undefined)
    assert.equal(await ask({ audiences: ['vault'] }, ['vault', 'x']).then(String), 'vault')
    const everywhere = await setUp(yes(), 'v1', []).tokens.authenticateToken('t')
    assert.deepEqual(Object.keys(everywhere!), ['user'])
  })

  it('refuses tokens, with or without a reason', async () => {
    const no = { status: { authenticated: false, user: alice } }
    assert.equal(await setUp(no).tokens.authenticateToken('t'), undefined)
    assert.equal(await setUp({}).tokens.authenticateToken('t'), undefined)
    await refused({ status: { error: 'expired' } }, /^expired$/)
    await refused(
      { status: { authenticated: 'yes' } },
      /cannot unmarshal string into Go struct field .*authenticated of type bool/
    )
  })

  it('shows nobody when its answer cannot be read', async () => {
    await refused('nonsense', /no JSON/)
    const text =
      /^couldn't get version\/kind; json parse error: json: cannot unmarshal object into Go struct field \.kind of type string$/
    await refused({ ...yes(), kind: {} }, text)
    assert.equal(await setUp('null').tokens.authenticateToken('t'), undefined)
    await refused({ ...yes(), kind: 'SubjectAccessReview' }, /the answer is SubjectAccessReview/)
    await refused({ ...yes(), kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1beta1' }, /not TokenReview of .*\/v1/)
  })

  it('that is down again is logged again', async () => {
    const answers = [new WebhookCallError('down'), yes(), new WebhookCallError('down'), new WebhookCallError('other')]
    const logged: string[] = []
    const log = { error: (line: string) => void logged.push(line.replace(/.*: /, '')), info() {}, warn() {} }
    const webhook = {
      async post() {
        const answer = answers.shift()
        if (answer instanceof Error) throw answer
        return { code: 200, text: JSON.stringify(answer) }
      }
    }
    const tokens = new WebhookTokens({ webhook, version: 'v1', apiAudiences: [], log })
    for (const word of ['down', undefined, 'down', 'other'])
      if (word) await assert.rejects(async () => tokens.authenticateToken('t'), { message: word })
      else assert.equal((await tokens.authenticateToken('t'))!.user.name, 'alice')
    assert.deepEqual(logged, ['down', 'down', 'other'])
  })

  it('shows nobody when it is down, which is logged once', async () => {
    const { tokens, logged } = setUp(new WebhookCallError('dial tcp: connection refused'))
    for (const _ of [1, 2]) {
      await assert.rejects(tokens.authenticateToken('t'), /connection refused/)
      assert.deepEqual(logged, ['Failed to make webhook authenticator request: dial tcp: connection refused'])
    }
    await refused(new DOMException('the time is over', 'TimeoutError'), /^context deadline exceeded$/)
    const bug = setUp(new RangeError('a bug'))
    await assert.rejects(bug.tokens.authenticateToken('t'), RangeError)
  })
})
