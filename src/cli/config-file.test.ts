import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { parseFlagsAndFile } from './config-file.js'
import { acceptedFlags } from './flags/serve-flags.js'

const directory = mkdtempSync(join(tmpdir(), 'binnacle-config-'))
after(() => rmSync(directory, { recursive: true }))

const path = join(directory, 'config.yaml')
const parse = (text: string, ...args: string[]) => {
  writeFileSync(path, text)
  return parseFlagsAndFile([`--config=${path}`, ...args], acceptedFlags).values
}

describe('--config', () => {
  it('has flags by their names, or by those of the options', () => {
    const values = parse(`
secure-port: 7000
bindAddress: 127.0.0.2
request-timeout: 30s
authorization-mode: [Node, RBAC]
serviceAccountKeyFiles: [a.pem, /keys/b.pem]
feature-gates: {ClusterTrustBundle: true}
runtime-config: api/beta=true
profiling: false
etcd-cafile:
`)
    assert.equal(values['secure-port'], 7000)
    assert.equal(values['bind-address'], '127.0.0.2')
    assert.equal(values['request-timeout'], 30_000)
    assert.deepEqual(values['authorization-mode'], ['Node', 'RBAC'])
    assert.deepEqual(values['service-account-key-file'], [join(directory, 'a.pem'), '/keys/b.pem'])
    assert.deepEqual(values['feature-gates'], ['ClusterTrustBundle=true'])
    assert.deepEqual(values['runtime-config'], { 'api/beta': true })
    assert.equal(values.profiling, false)
  })

  it('has paths that are relative to it', () => {
    const values = parse(
      'audit-log-path: "-"\ndata-dir: data\ntls-sni-cert-key: ["a.crt,keys/a.key:a.example.com,*.a.example.com", "b.crt,b.key"]\nkubeconfig-out: ../k'
    )
    assert.equal(values['audit-log-path'], '-')
    assert.equal(values['data-dir'], join(directory, 'data'))
    assert.equal(values['kubeconfig-out'], join(directory, '..', 'k'))
    assert.deepEqual(values['tls-sni-cert-key'], [
      `${join(directory, 'a.crt')},${join(directory, 'keys', 'a.key')}:a.example.com,*.a.example.com`,
      `${join(directory, 'b.crt')},${join(directory, 'b.key')}`
    ])
    assert.equal(parse('data-dir: data', '--data-dir=here')['data-dir'], 'here')
  })

  it('says where its flags stand', () => {
    writeFileSync(path, 'v: 4\nfeature-gates:\n  v: true\nsecure-port: 1')
    const { places } = parseFlagsAndFile([`--config=${path}`, '--secure-port=2'], acceptedFlags)
    assert.deepEqual([...places].sort().reverse(), [
      ['v', `${path}, line 1`],
      ['feature-gates', `${path}, line 2`]
    ])
  })

  it('counts less than the command line', () => {
    const values = parse('secure-port: 7000\nauthorization-mode: [RBAC]\nv: 4', '--secure-port=8000', '--authorization-mode=Node')
    assert.equal(values['secure-port'], 8000)
    assert.deepEqual(values['authorization-mode'], ['Node'])
    assert.equal(values.v, 4)
    assert.equal(parse('')['secure-port'], 6443)
  })

  for (const [text, message] of [
    ['secure-prt: 1', 'unknown flag "secure-prt"; did you mean secure-port?'],
    ['__proto__: 1', 'unknown flag "__proto__"'],
    ['config: x', 'unknown flag "config"'],
    ['secure-port: x', '--secure-port "x" must be a port number from 0 to 65535'],
    ['secure-port: [1, 2]', 'secure-port must be one value'],
    ['authorization-mode: [[RBAC]]', 'authorization-mode must be a value, a list of values, or a map of them'],
    ['watch-cache: no way', '--watch-cache "no way" must be true or false'],
    ['v: 1\nv: 2', 'line 2: key "v" already set in map'],
    ['- a', 'must be a map of flags and their values']
  ] as const)
    it(`refuses ${text}`, () => {
      const start = `--config ${path}${message.startsWith('line') || message.startsWith('must be') ? '' : ', line 1'}: ${message}`
      assert.throws(
        () => parse(text),
        error => (error as Error).message.startsWith(start) || assert.fail((error as Error).message)
      )
    })

  it('names a file that cannot be read', () => {
    assert.throws(
      () => parseFlagsAndFile(['--config=/nowhere/x.yaml'], acceptedFlags),
      /^UserError: --config \/nowhere\/x.yaml: no such file/
    )
  })
})
