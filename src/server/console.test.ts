import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { RequestContext } from '../apimachinery/request/context.js'
import { InjectedMessage } from '../apiserver/chain/inject.js'
import type { SessionKeeper } from '../apiserver/console/sessions.js'
import { loadOrCreatePki, type Pki } from '../transport/certificates/pki.js'
import { UserError } from '../util/user-error.js'
import { type ServerConsole, serverConsole } from './console.js'
import type { ServerOptions } from './options.js'

let folder: string
let pki: Pki
const alice = { name: 'alice', groups: [] }

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-console-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  pki = await loadOrCreatePki({ servingNames: ['one.example.com'], now: Date.now() })
})
after(() => rm(folder, { recursive: true }))

const make = (options: ServerOptions, keptByFirst?: SessionKeeper) =>
  serverConsole(options, { pki, certificateFor: undefined, sessions: undefined, keptByFirst, folder })

async function ask({ stage }: ServerConsole, host: string) {
  const request = new InjectedMessage({ url: '/console/config.json', headers: { host } }, { onClose() {}, reset() {} })
  const { status, body } = await stage.handle(new RequestContext(request, 0, ''), () =>
    assert.fail('the console does not answer')
  )
  return { status, value: JSON.parse(String(body)) }
}

describe('the console of a server', () => {
  it('is there when it is asked for', () => {
    assert.equal(make({}), undefined)
    assert.equal(make({ console: 'never' }), undefined)
    assert.ok(make({ console: 'always' }))
  })

  it('has links to an address that it is shown at', async () => {
    for (const [options, url, origin] of [
      [{ console: 'loopback' }, 'https://127.0.0.1:6443', 'https://127.0.0.1:6443'],
      [{ console: 'loopback' }, 'https://127.0.0.1', 'https://127.0.0.1'],
      [{ console: 'loopback', bindAddress: '0.0.0.0' }, 'https://api.example.com:6443', 'https://127.0.0.1:6443'],
      [{ console: 'loopback', bindAddress: '0.0.0.0' }, 'https://10.0.0.5', 'https://127.0.0.1:443'],
      [{ console: 'loopback', bindAddress: '::' }, 'https://api.example.com:6443', 'https://[::1]:6443'],
      [{ console: 'always', bindAddress: '10.0.0.5' }, 'https://10.0.0.5:6443', 'https://10.0.0.5:6443']
    ] as const)
      assert.ok((await make(options)!.link(url, alice)).startsWith(`${origin}/console/#code=`), origin)
    await assert.rejects(make({ console: 'loopback', bindAddress: '10.0.0.5' })!.link('https://10.0.0.5:6443', alice), UserError)
  })

  it('has the sessions of the first of several processes, which alone makes links', async () => {
    const keptByFirst = make({ console: 'always' })!.sessions
    const other = make({ console: 'always' }, keptByFirst)!
    assert.equal(other.sessions, keptByFirst)
    assert.equal(other.own, undefined)
    await assert.rejects(other.link('https://127.0.0.1:6443', alice), UserError)
    assert.deepEqual((await ask(other, 'localhost')).value.signIn, ['link', 'token'])
  })

  it('goes by the names of the present certificate', async () => {
    const one = make({ console: 'always' })!
    assert.equal((await ask(one, 'one.example.com')).status, 200)
    assert.equal((await ask(one, 'two.example.com')).status, 421)
    one.use((await loadOrCreatePki({ servingNames: ['two.example.com', '*.three.example.com'], now: Date.now() })).serving)
    assert.equal((await ask(one, 'one.example.com')).status, 421)
    for (const host of ['two.example.com', 'x.three.example.com:443']) assert.equal((await ask(one, host)).status, 200)
    for (const host of ['three.example.com', 'x.y.three.example.com']) assert.equal((await ask(one, host)).status, 421)
  })
})
