import assert from 'node:assert/strict'
import { it } from 'node:test'
import { UserError } from '../../util/user-error.js'
import { greetingLine } from './greeting-line.js'

const url = 'https://127.0.0.1:6443'
const link = `${url}/console/#code=SECRET`
const server = { url, consoleLink: async () => link }
const folder = async () => '/front/end'

it('a link that signs in is shown in a terminal, and nowhere else', async () => {
  assert.equal(
    await greetingLine(server, { console: 'loopback' }, { isTerminal: true, folder }),
    `Console, signs in once within 10 minutes: ${link}\n`
  )
  const plain = `Console: ${url}/console/ ("binnacle console" signs in)\n`
  assert.equal(await greetingLine(server, { console: 'loopback' }, { isTerminal: false, folder }), plain)
  const several = { url, consoleLink: () => Promise.reject(new UserError('several processes')) }
  assert.equal(await greetingLine(several, { console: 'always' }, { isTerminal: true, folder }), plain)
})

it('where there is no console, people are told how to install it, unless nobody is to be shown one', async () => {
  const folder = async () => undefined
  assert.equal(await greetingLine(server, { console: 'never' }, { isTerminal: true, folder }), '')
  assert.equal(await greetingLine(server, { console: 'loopback' }, { isTerminal: false, folder }), '')
  assert.equal(
    await greetingLine(server, { console: 'loopback' }, { isTerminal: true, folder }),
    'Console: not installed (npm install binnacle-console)\n'
  )
})
