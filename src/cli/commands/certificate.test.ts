import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createServer } from '../../index.js'
import { main } from '../../testkit/command.js'
import { silentLogger } from '../../util/logger.js'

const folder = mkdtempSync(join(tmpdir(), 'binnacle-certificate-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const dataDir = join(folder, 'data')

before(async () => {
  const server = createServer({ dataDir, log: silentLogger })
  await server.start()
  writeFileSync(join(dataDir, 'kubeconfig'), server.kubeconfig())
  await server.stop()
})

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('binnacle certificate', () => {
  it('lists what the data folder has, and fails for what expires soon', () => {
    const sound = run('certificate', 'check', '--data-dir=data')
    assert.equal(sound.stderr, '')
    assert.equal(sound.status, 0)
    const of = (name: string) => new RegExp(`^${join(dataDir, 'pki', name)}\n(?: .*\n)+`, 'm').exec(sound.stdout)![0]
    assert.match(
      of('apiserver.crt'),
      /\n {2}subject {3}CN=kube-apiserver\n {2}names {5}localhost, .*\n {2}use {7}server\n {2}issuer {4}CN=binnacle-ca\n/
    )
    assert.match(of('apiserver.crt'), / {2}not after \d{4}-\d\d-\d\dT.*Z \(364 days left\)\n/)
    const soon = run('certificate', 'check', '--data-dir=data', '--within=400d', '--json')
    assert.equal(soon.status, 1)
    assert.equal(soon.stderr, 'binnacle: 3 certificates have a problem\n')
    assert.deepEqual(JSON.parse(soon.stdout)[1].problems, ['expires in 364 days'])
    assert.match(
      run('certificate', 'check', '--within=soon').stderr,
      /^binnacle: --within "soon" must be a time such as 30d or 12h\n$/
    )
    assert.match(run('certificate', 'check', '--data-dir=none').stderr, /has no certificates, and no flag names one/)
  })

  it('exchanges the authority step by step', () => {
    const step = (name: string) => run('certificate', 'authority', name, '--data-dir=data')
    assert.match(step('finish').stderr, /^binnacle: data\/pki\/ca-old\.crt: there is no exchange to finish\n$/)
    assert.match(step('next').stderr, /unknown step "next" of "certificate authority"; there are prepare, switch and finish/)
    const before = readFileSync(join(dataDir, 'pki/ca.crt'), 'utf8')
    const check = () => run('certificate', 'check', '--data-dir=data')
    for (const name of ['prepare', 'switch']) {
      assert.equal(step(name).status, 0, name)
      const { status, stdout, stderr } = check()
      assert.deepEqual([status, stderr], [0, ''], `${name}: ${stdout}`)
    }
    assert.equal(step('finish').status, 0)
    // no server has started since the switch, so that the authority of the certificates is gone
    assert.match(check().stdout, /PROBLEM {3}its issuer, CN=binnacle-ca, is not among the authorities there\n/)
    assert.equal(step('finish').status, 1)
    assert.notEqual(readFileSync(join(dataDir, 'pki/ca.crt'), 'utf8'), before)
  })

  it('makes new ones, and a kubeconfig with that of the administrator', () => {
    const texts = () =>
      ['pki/ca.crt', 'pki/apiserver.crt', 'pki/apiserver.key', 'kubeconfig'].map(name =>
        readFileSync(join(dataDir, name), 'utf8')
      )
    const [ca, certificate, key, kubeconfig] = texts()
    const { status, stdout, stderr } = run('certificate', 'rotate', '--data-dir=data')
    assert.deepEqual([status, stderr], [0, ''])
    assert.deepEqual(stdout.trim().split('\n'), [
      'data/pki/apiserver.crt',
      'data/pki/admin.crt',
      'data/pki/front-proxy-client.crt',
      'data/kubeconfig'
    ])
    const after = texts()
    assert.equal(after[0], ca)
    assert.notEqual(after[1], certificate)
    assert.notEqual(after[2], key)
    assert.notEqual(after[3], kubeconfig)
    assert.ok(after[3]!.includes(readFileSync(join(dataDir, 'pki', 'admin.crt')).toString('base64')))
    assert.equal(run('certificate', 'check', '--data-dir=data').status, 0)
  })

  it('refuses other actions', () => {
    assert.match(
      run('certificate', 'renew').stderr,
      /^binnacle: unknown action "renew"; there are check, rotate and authority\n$/
    )
    assert.match(run('certificate', '--help').stdout, /binnacle certificate rotate \[flags\]/)
  })
})
