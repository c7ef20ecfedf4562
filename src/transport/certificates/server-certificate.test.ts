import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CertificateRequest, toPem } from './issue.js'
import { rootsOf, serverProblem } from './server-certificate.js'
import { day, type Entity, makeEntity, start } from './testing/make-entity.js'

const make = (commonName: string, more: Partial<CertificateRequest> = {}, issuer?: Entity): Entity =>
  makeEntity({ commonName, usage: 'ca', ...more }, issuer)

const server = { usage: 'serverAuth', names: ['hook.ns.svc'] } as const
const ca = make('ca')

const ask = (presented: readonly Entity[], roots: readonly Entity[] = [ca], now = start + day): string | undefined =>
  serverProblem(
    presented.map(({ certificate }) => certificate),
    rootsOf(roots.map(({ certificate }) => toPem(certificate)).join('')),
    'hook.ns.svc',
    now
  )

const unknown = 'x509: certificate signed by unknown authority'

describe('the certificate of a server', () => {
  it('is trusted when its authority has the same name', () => {
    assert.equal(ask([make('ca', server, ca)]), undefined)
    assert.equal(ask([make('hook', server, ca)]), undefined)
  })

  it('is trusted through an intermediate, or when it is itself trusted', () => {
    const intermediate = make('intermediate', {}, ca)
    const hook = make('hook', server, intermediate)
    assert.equal(ask([hook, intermediate]), undefined)
    assert.equal(ask([hook], [intermediate]), undefined)
    assert.equal(ask([hook], [hook]), undefined)
    assert.equal(ask([hook]), unknown)
  })

  it('is refused when another authority of that name is trusted, which the error names', () => {
    const because = `(possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "ca")`
    assert.equal(ask([make('hook', server, ca)], [make('ca')]), `${unknown} ${because}`)
    assert.equal(ask([make('ca', server)]), `${unknown} ${because}`)
    assert.equal(ask([make('hook', server, ca)], []), unknown)
  })

  it('is refused for another host, and when it is for clients', () => {
    assert.equal(ask([make('hook', { ...server, names: ['a'] }, ca)]), 'x509: certificate is valid for a, not hook.ns.svc')
    const client = make('hook', { ...server, usage: 'clientAuth' }, ca)
    assert.equal(ask([client]), 'x509: certificate specifies an incompatible key usage')
  })

  it('is refused outside of its validity and that of its authority', () => {
    const expired = 'x509: certificate has expired or is not yet valid: current time'
    const brief = make('hook', { ...server, notAfter: start + 2 * day }, ca)
    assert.equal(ask([brief], [ca], start + 2 * day), undefined)
    assert.equal(ask([brief], [ca], start + 3 * day), `${expired} 2026-11-24T12:00:00Z is after 2026-11-23T12:00:00Z`)
    assert.equal(ask([brief], [ca], start - day), `${expired} 2026-11-20T12:00:00Z is before 2026-11-21T12:00:00Z`)
    const long = make('hook', { ...server, notAfter: start + 30 * day }, ca)
    assert.equal(ask([long], [ca], start + 11 * day), `${expired} 2026-12-02T12:00:00Z is after 2026-12-01T12:00:00Z`)
  })
})
