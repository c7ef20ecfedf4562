import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { InjectedMessage } from '../chain/inject.js'
import { ConsoleFiles } from './files.js'
import { type ConsoleAccess, consoleStage } from './stage.js'

const config = { version: '1.0.0', signIn: ['token'], proxied: false } as const
const parts = {
  files: new ConsoleFiles(async () => undefined),
  sessions: undefined,
  scheme: 'https',
  isOwnHost: () => true,
  config
} as const

async function ask(access: ConsoleAccess, remoteAddress: string, url: string, below: Response, headers = {}): Promise<Response> {
  const request = new InjectedMessage({ url, headers }, { onClose() {}, reset() {} })
  Object.defineProperty(request, 'remoteAddress', { value: remoteAddress })
  return consoleStage(access, parts).handle(new RequestContext(request, 0, ''), () => below)
}

const page: Response = { status: 200, headers: { 'content-type': 'text/html' } }
const passedOn: Response = { ...page, isPassedOn: true }
const navigates = { 'sec-fetch-mode': 'navigate' }
const confinedBy = ({ headers }: Response) => headers['content-security-policy']

describe('the console', () => {
  it('is shown to this machine alone, unless it is shown to all', async () => {
    for (const [access, address, isShown] of [
      ['loopback', '127.0.0.1', true],
      ['loopback', '::1', true],
      ['loopback', '10.0.0.1', false],
      ['loopback', '', false],
      ['always', '10.0.0.1', true]
    ] as const)
      for (const url of ['/console', '/console/', '/console/session', '/console/config.json'])
        assert.equal((await ask(access, address, url, page)) !== page, isShown, `${access} ${address} ${url}`)
  })

  it('has no other paths', async () => {
    for (const url of [
      '/',
      '/consoles',
      '/console.json',
      '//console/',
      '/Console/',
      '/%63onsole/',
      '/api/console/',
      '/?/console/'
    ])
      assert.equal(await ask('always', '127.0.0.1', url, page), page, url)
  })

  it('confines what other servers answer to browsers, where it is shown', async () => {
    const fresh = () => ({ ...passedOn, headers: { ...passedOn.headers } })
    assert.deepEqual(confinedBy(await ask('loopback', '127.0.0.1', '/api', fresh(), navigates)), ['sandbox'])
    assert.equal(confinedBy(await ask('loopback', '127.0.0.1', '/api', fresh())), undefined)
    assert.equal(confinedBy(await ask('loopback', '10.0.0.1', '/api', fresh(), navigates)), undefined)
    assert.equal(confinedBy(await ask('loopback', '127.0.0.1', '/api', { ...fresh(), isPassedOn: false }, navigates)), undefined)
    assert.equal(confinedBy(await ask('loopback', '127.0.0.1', '/api', { ...fresh(), status: 101 }, navigates)), undefined)
  })
})
