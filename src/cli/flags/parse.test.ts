import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UserError } from '../../util/user-error.js'
import { parseFlags } from './parse.js'
import { serveFlags } from './serve-flags.js'

const parse = (...args: string[]) => parseFlags(args, serveFlags).values

describe('command line', () => {
  it('has defaults', () => {
    const values = parse()
    assert.equal(values['secure-port'], 6443)
    assert.equal(values['bind-address'], '127.0.0.1')
    assert.equal(values['enable-bootstrap-token-auth'], false)
    assert.equal(values['anonymous-auth'], undefined)
    assert.equal(values['authorization-mode'], undefined)
    assert.equal(values['token-auth-file'], undefined)
  })

  for (const [args, name, value] of [
    [['--secure-port=7'], 'secure-port', 7],
    [['--secure-port', '7'], 'secure-port', 7],
    [['--secure-port', '7', '--secure-port=8'], 'secure-port', 8],
    [['--secure_port=7'], 'secure-port', 7],
    [['--anonymous-auth'], 'anonymous-auth', true],
    [['--anonymous-auth=false'], 'anonymous-auth', false],
    [['--oidc-required-claim=a=b=c', '--oidc-required-claim', ' d = e '], 'oidc-required-claim', { a: 'b=c', d: 'e' }],
    [['--oidc-signing-algs=RS256,ES256'], 'oidc-signing-algs', ['RS256', 'ES256']],
    [['-v=4'], 'v', 4],
    [['-v', '4'], 'v', 4],
    [['-v4'], 'v', 4],
    [['--v=4'], 'v', 4],
    [['-h'], 'help', true],
    [['--token-auth-file='], 'token-auth-file', undefined],
    [['--token-auth-file=a=b'], 'token-auth-file', 'a=b'],
    [['--data-dir', '--x'], 'data-dir', '--x'],
    [['--authorization-mode=RBAC'], 'authorization-mode', ['RBAC']],
    [
      ['--authorization-mode=RBAC', '--authorization-mode', 'AlwaysDeny,AlwaysAllow'],
      'authorization-mode',
      ['RBAC', 'AlwaysDeny', 'AlwaysAllow']
    ],
    [['--service-account-issuer=https://a', '--service-account-issuer=b'], 'service-account-issuer', ['https://a', 'b']]
  ] as const) {
    it(`parses ${args.join(' ')}`, () => assert.deepEqual(parse(...args)[name], value))
  }

  it('distinguishes given values from defaults', () => {
    assert.deepEqual([...parseFlags(['--secure-port=6443', '-v4'], serveFlags).given], ['secure-port', 'v'])
  })

  for (const [args, message] of [
    [['--secure-prot=1'], 'unknown flag --secure-prot; did you mean --secure-port?'],
    [['--no-such-thing-at-all'], 'unknown flag --no-such-thing-at-all'],
    [['--__proto__=1'], 'unknown flag --__proto__'],
    [['-x'], 'unknown flag -x'],
    [['--etcd-compaction-interval=5'], '--etcd-compaction-interval "5" must be a duration such as 5m or 1h30m'],
    [['--audit-log-pth'], 'unknown flag --audit-log-pth; did you mean --audit-log-path?'],
    [['--secure-port'], '--secure-port needs a value (int)'],
    [['--secure-port', '70000'], '--secure-port "70000" must be a port number from 0 to 65535'],
    [['-v=x'], '-v "x" must be a whole number from 0 to 2147483647'],
    [['--bind-address=line\nbreak'], '--bind-address "line\\nbreak" must be an IP address'],
    [['--anonymous-auth', 'false'], 'unexpected argument "false"'],
    [['--'], 'unexpected argument "--"'],
    [['--service-account-issuer=https://'], '--service-account-issuer "https://" contains a colon and must therefore be a URL']
  ] as const) {
    it(`refuses ${JSON.stringify(args.join(' '))}`, () => {
      assert.throws(
        () => parse(...args),
        (error: Error) => {
          assert.ok(error instanceof UserError)
          assert.equal(error.message, message)
          return true
        }
      )
    })
  }

  it('does not repeat very long values', () => {
    assert.throws(
      () => parse(`--bind-address=${'x'.repeat(10_000)}`),
      (error: Error) => error.message.length < 300
    )
  })
})
