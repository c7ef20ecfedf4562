import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { times } from '../../testkit/random.js'
import { makeChain } from '../../transport/certificates/testing/chains.js'
import { chainTime, Keyring } from '../../transport/certificates/testing/drafts.js'
import { hasOpenssl, opensslVerdict } from '../../transport/certificates/testing/openssl.js'
import { recordedChains, recordedVerdicts } from './testing/recorded-chains.js'
import { verdictOf } from './testing/verdict.js'

const keys = new Keyring()
const signs = { user: '+', nobody: '0', refused: '-' }

describe('chains of client certificates', () => {
  it('are judged as by Go', () => {
    assert.equal(recordedVerdicts.length, recordedChains)
    for (let seed = 0; seed < Math.min(recordedChains, times(100)); seed++) {
      const recorded = recordedVerdicts[seed]!
      if (recorded === '.') continue
      const chain = makeChain(seed, keys)
      assert.equal(
        signs[verdictOf(chain, chainTime).result],
        recorded,
        `chain ${seed}: ${chain.oddities.join(', ') || 'ordinary'}`
      )
    }
  })

  it('are judged as by OpenSSL where its rules are the same', async context => {
    if (!hasOpenssl()) return context.skip('the command openssl is not installed')
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-x509-'))
    context.after(() => rm(folder, { recursive: true }))
    const seeds = Array.from({ length: times(2 * undisputed.length) }, (_, seed) => seed)
    const work = async () => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
        const chain = makeChain(seed, keys, [undisputed[seed % undisputed.length]!])
        const isTrusted = verdictOf(chain, chainTime).result !== 'refused'
        assert.equal(isTrusted, await opensslVerdict(chain, chainTime, folder), `chain ${seed}: ${chain.oddities[0]}`)
      }
    }
    await Promise.all([work(), work(), work(), work()])
  })
})

/** What OpenSSL judges by the same rules as Go; docs/dependencies.md says what it does not. */
const undisputed = [
  'the trusted authority is another one of the same name',
  'another authority of the same name is trusted, too',
  'signed by another key',
  'for servers',
  'for clients and servers',
  'without purposes',
  'expired',
  'not yet valid',
  'a path length',
  'no authority',
  'may not sign',
  'an unknown critical extension',
  'an unknown extension',
  'a trusted authority of version 1',
  'a self-signed client',
  'the client itself is trusted',
  'an intermediate is trusted',
  'presented in another order',
  'a certificate is missing',
  'certificates twice',
  'unrelated certificates',
  'cross-signed',
  'the issuer has another name',
  'constraints without names'
]
