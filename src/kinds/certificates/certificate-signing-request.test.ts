import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { rootCertificates } from 'node:tls'
import { RowClock } from '../../apimachinery/formats/table.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { certificateSigningRequest as kind } from './certificate-signing-request.js'
import { validateSignerName } from './signer-name.js'

const now = Date.parse('2024-01-02T03:04:05Z')
const context = { now, subresource: '', user: { name: 'bob', uid: 'u', groups: ['g'], extra: { scopes: ['a'] } } } as any
const condition = (type: string, more: any = {}) => ({ type, status: 'True', ...more })
const csr = (conditions?: any[], spec: any = {}): any => ({
  metadata: { name: 'c' },
  spec: { signerName: 'a.b/c', ...spec },
  status: conditions ? { conditions } : {}
})
const status = typeof kind.subresources?.status === 'object' ? kind.subresources?.status : {}

function update(object: any, old: any, subresource: string): string[] {
  const errors = new FieldErrors()
  if (subresource === 'status') {
    status.prepareForUpdate!(object, old, context)
    status.validateUpdate!(object, old, errors, context)
  } else kind.strategy!.validateUpdate!(object, old, errors, { ...context, subresource })
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

describe('CertificateSigningRequest', () => {
  it('has the user who creates it', () => {
    const object = csr([condition('Approved')], { username: 'mallory', groups: ['system:masters'] })
    kind.strategy!.prepareForCreate!(object, context)
    assert.deepEqual(object.spec, { signerName: 'a.b/c', username: 'bob', uid: 'u', groups: ['g'], extra: { scopes: ['a'] } })
    assert.deepEqual(object.status, {})
  })

  it('is approved only through its subresource', () => {
    assert.deepEqual(update(csr([condition('Approved')]), csr(), 'approval'), [])
    assert.deepEqual(update(csr([condition('Approved')]), csr(), 'status'), [
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"'
    ])
    assert.deepEqual(update(csr(), csr([condition('Approved')]), 'approval'), [
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"'
    ])
  })

  it('keeps its decision when the status is updated', () => {
    const old = csr([condition('Approved', { message: 'yes', lastUpdateTime: 't', lastTransitionTime: 't' })])
    const object = csr([condition('Approved', { message: 'changed' }), condition('Failed')])
    assert.deepEqual(update(object, old, 'status'), [])
    const [approved, failed] = object.status.conditions
    assert.equal(approved.message, 'yes')
    assert.equal(failed.lastTransitionTime, '2024-01-02T03:04:05Z')
  })

  it('shows only certificates as issued', () => {
    const block = (content: string, type = 'CERTIFICATE') => `-----BEGIN ${type}-----\n${content}-----END ${type}-----\n`
    const good = `${rootCertificates[0]!}\n`
    const { raw } = new X509Certificate(good)
    const lines = (text: string) => text.replace(/-----[A-Z ]+-----\n/g, '')
    const both = Buffer.concat([raw, raw]).toString('base64')
    const cases: [string, string | undefined][] = [
      [good, undefined],
      [`first\n${good}between\n${good}last`, undefined],
      [block(`${both}\n`), undefined],
      ['junk', 'must contain at least one CERTIFICATE PEM block'],
      [block('AAAA\n'), 'x509: malformed certificate'],
      [good + block('AAAA\n'), 'x509: malformed certificate'],
      [block(''), 'found CERTIFICATE PEM block containing 0 certificates'],
      [block(`a: b\n\n${lines(good)}`), 'no PEM block headers are permitted'],
      [block('AAAA\n', 'RSA KEY'), 'only CERTIFICATE PEM blocks are allowed, found "RSA KEY"']
    ]
    for (const [text, problem] of cases) {
      const object = csr()
      object.status.certificate = Buffer.from(text).toString('base64')
      const expected = problem === undefined ? [] : [`status.certificate: Invalid value: "<certificate data>": ${problem}`]
      assert.deepEqual(update(object, csr(), 'status'), expected, text)
    }
  })

  for (const [name, expected] of [
    ['example.com/a', []],
    ['example', ["must be a fully qualified domain and path of the form 'example.com/signer-name'"]],
    ['example/a', ['should be a domain with at least two segments separated by dots']],
    ['kubernetes.io/legacy-unknown', ['the legacy signerName is not allowed via this API version']]
  ] as const) {
    it(`validates the signer ${name}`, () => {
      const errors = new FieldErrors()
      validateSignerName(name, Path.of('s'), errors)
      assert.deepEqual(
        errors.list.map(e => e.message.replace(/^Invalid value: "[^"]*": /, '')),
        expected
      )
    })
  }

  it('has its decision in its Table', () => {
    const shown = (object: any) => kind.table!.columns!.find(c => c.name === 'Condition')!.value(object, new RowClock(now))
    assert.equal(shown(csr()), 'Pending')
    assert.equal(shown(csr([condition('Approved'), condition('Failed')])), 'Approved,Failed')
    assert.equal(shown({ ...csr(), status: { conditions: [condition('Approved')], certificate: 'eA==' } }), 'Approved,Issued')
  })
})
