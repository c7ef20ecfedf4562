import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { HostileValues } from '../../testkit/hostile-values.js'
import { ExecOutcome } from './exec-outcome.js'

const outcomeOf = async (said: string) => {
  const outcome = await ExecOutcome.read(Readable.from([Buffer.from(said)]), true)
  return JSON.parse(outcome.encode().toString())
}
const exited = (message: unknown) =>
  JSON.stringify({
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'x' }, { reason: 'ExitCode', message }] }
  })

describe('what a kubelet says of a command', () => {
  it('is a code of 8 bits', async () => {
    for (const code of ['1', '255', '007'])
      assert.equal((await outcomeOf(exited(code))).details.causes[0].message, String(Number(code)))
    for (const code of ['', '256', '-1', '+1', '0x1', '1e1', ' 1', '1.0', '9'.repeat(400)])
      assert.match((await outcomeOf(exited(code))).message, /: error stream protocol error: invalid exit code value "/)
  })

  for (const [said, message] of [
    ['null', 'unknown error'],
    ['{}', 'unknown error'],
    ['[]', 'json: cannot unmarshal array into Go value of type v1.Status in "[]"'],
    ['{"status":5}', 'json: cannot unmarshal number into Go struct field Status.status of type string in "{\\"status\\":5}"'],
    ['{"status":"Failure","reason":"NonZeroExitCode"}', 'details must be set'],
    ['{"status":"Failure","reason":"NonZeroExitCode","details":{}}', 'no ExitCode cause given']
  ] as const)
    it(`is ${said}: ${message}`, async () => {
      assert.equal((await outcomeOf(said)).message, `Internal error occurred: error stream protocol error: ${message}`)
    })

  it('becomes a Status, whatever it is', async () => {
    const values = new HostileValues(1)
    for (let n = 0; n < 2000; n++) {
      const given = values.like(JSON.parse(exited('1')))
      const { status, message, code } = await outcomeOf(JSON.stringify(given))
      assert.ok(status === 'Success' || (typeof message === 'string' && [undefined, 500].includes(code)), JSON.stringify(given))
      assert.doesNotMatch(message ?? '', /undefined|is not a function|Cannot read/)
    }
  })
})
