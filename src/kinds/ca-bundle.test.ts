import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { caBundleProblem } from './ca-bundle.js'

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a CA bundle', () => {
  const cases: [string, string][] = [
    ['not a certificate', 'unable to parse bytes as PEM block'],
    [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'failed to parse certificate: x509: malformed certificate'
    ],
    ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', 'no valid certificate authority data seen']
  ]
  for (const [text, expected] of cases) {
    it(`is refused: ${expected}`, () =>
      assert.equal(caBundleProblem(base64(text)), `unable to load root certificates: ${expected}`))
  }
})
