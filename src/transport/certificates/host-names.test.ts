import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { readCertificate } from './certificate.js'
import { hostProblem } from './host-names.js'
import { issueCertificate } from './issue.js'

const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const problem = (host: string, names: readonly string[], commonName = 'hook'): string | undefined =>
  hostProblem(
    readCertificate(
      issueCertificate({ commonName, names, publicKey, notBefore: 0, notAfter: 1e12, usage: 'serverAuth' }, { key })
    ),
    host
  )

describe('the host of a certificate', () => {
  it('is one of its names, in any case, or fits a wildcard', () => {
    for (const host of ['hook.ns.svc', 'Hook.NS.svc', 'hook.ns.svc.', 'a.hook.example.com', 'a_b.hook.example.com', '10.0.0.7'])
      assert.equal(problem(host, ['hook.ns.svc', '*.hook.example.com', '10.0.0.7']), undefined, host)
    assert.equal(problem('[fd00::7]', ['fd00::7']), undefined)
    assert.equal(problem('::ffff:10.0.0.7', ['10.0.0.7']), undefined)
  })

  it('is named in the error with those that the certificate is for', () => {
    const names = ['hook.ns.svc', '*.hook.example.com']
    for (const host of ['other.ns.svc', 'hook.example.com', 'a.b.hook.example.com', '*.hook.example.com.'])
      assert.equal(problem(host, names), `x509: certificate is valid for hook.ns.svc, *.hook.example.com, not ${host}`)
    assert.equal(problem('10.0.0.8', ['10.0.0.7', 'fd00::7']), 'x509: certificate is valid for 10.0.0.7, fd00::7, not 10.0.0.8')
    assert.equal(
      problem('10.0.0.8', names),
      "x509: cannot validate certificate for 10.0.0.8 because it doesn't contain any IP SANs"
    )
    assert.equal(problem('other', ['10.0.0.7']), 'x509: certificate is not valid for any names, but wanted to match other')
    const many = Array.from({ length: 100 }, (_, i) => `hook-${i}`)
    assert.equal(problem('hook', many), 'x509: certificate is valid for 100 names, but none matched hook')
  })

  it('is not the common name', () => {
    assert.equal(problem('hook', []), 'x509: certificate relies on legacy Common Name field, use SANs instead')
    assert.equal(problem('other', []), 'x509: certificate is not valid for any names, but wanted to match other')
    assert.equal(problem('10.0.0.7', [], '10.0.0.7'), 'x509: certificate relies on legacy Common Name field, use SANs instead')
    assert.equal(problem('hook', ['other']), 'x509: certificate is valid for other, not hook')
  })
})
