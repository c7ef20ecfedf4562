import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { FakeClock } from '../../../testkit/fake-clock.js'
import type { CompiledJwt } from './compiled.js'
import { ConfigurationReload } from './configuration-reload.js'
import { loadAuthenticationSettings } from './settings.js'

const issuers = ['https://kubernetes.default.svc']
const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\nanonymous: {enabled: true}\n'
const withIssuer = (url: string) =>
  `${head}jwt:\n- issuer: {url: '${url}', audiences: [me]}\n  claimMappings: {username: {claim: sub, prefix: ''}}\n`

async function follow(
  t: TestContext,
  update: (jwt: readonly CompiledJwt[], signal: AbortSignal) => Promise<void> = async () => {}
) {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-reload-'))
  const path = join(directory, 'authentication.yaml')
  writeFileSync(path, withIssuer('https://one'))
  const settings = await loadAuthenticationSettings({ authenticationConfig: path }, issuers)
  const clock = new FakeClock()
  const events: string[] = []
  let wake = () => {}
  const note = (event: string) => {
    events.push(event)
    wake()
  }
  const reload = new ConfigurationReload({
    settings,
    file: settings.file!,
    disallowedIssuers: issuers,
    clock,
    log: { info: note, warn: note, error: note },
    metrics: { started: () => note('started'), succeeded: () => note('succeeded'), failed: () => note('failed') },
    update: (jwt, signal) => {
      note(`update: ${jwt.map(({ config }) => config.issuer.url)}`)
      return update(jwt, signal)
    }
  })
  reload.start()
  t.after(async () => {
    await reload.stop()
    rmSync(directory, { recursive: true })
  })
  const until = async (event: string) => {
    while (!events.includes(event)) await new Promise<void>(resolve => (wake = resolve))
    return events.splice(0)
  }
  assert.deepEqual(await until('started'), ['started'])
  return { reload, write: (text: string) => writeFileSync(path, text), remove: () => rmSync(path), until, clock, events }
}

describe('a changed configuration file', () => {
  it('is used', async t => {
    const { write, until } = await follow(t)
    write(withIssuer('https://two'))
    assert.deepEqual(await until('succeeded'), ['update: https://two', 'reloaded authentication config', 'succeeded'])
    write(head)
    assert.deepEqual(await until('succeeded'), ['update: ', 'reloaded authentication config', 'succeeded'])
  })

  for (const [why, text, message] of [
    [
      'cannot be read',
      `${head}jwt: 7\n`,
      'json: cannot unmarshal number into Go struct field AuthenticationConfiguration.jwt of type []v1.JWTAuthenticator'
    ],
    [
      'is not valid',
      withIssuer('http://x'),
      'invalid authentication configuration: jwt[0].issuer.url: Invalid value: "http://x": URL scheme must be https'
    ],
    ['names the issuer of service accounts', withIssuer(issuers[0]!), /URL must not overlap with disallowed issuers/],
    [
      'changes anonymous requests',
      head.replace('true', 'false'),
      'anonymous: Forbidden: changed from initial configuration file'
    ],
    ['forgets anonymous requests', head.split('anonymous')[0]!, 'anonymous: Forbidden: changed from initial configuration file'],
    ['is empty', '', 'empty config data']
  ] as const)
    it(`is not used when it ${why}, which is logged and counted`, async t => {
      const { write, until } = await follow(t)
      write(text)
      const [logged, ...rest] = await until('failed')
      const prefix = 'failed to load authentication config: '
      assert.ok(logged!.startsWith(prefix), logged)
      if (typeof message === 'string') assert.equal(logged!.slice(prefix.length), message)
      else assert.match(logged!, message)
      assert.deepEqual(rest, ['failed'])
    })

  it('is tried again a minute later when its issuers are not ready, unless there is a newer one', async t => {
    let fails = true
    const { write, until, clock } = await follow(t, async () => {
      if (fails) throw new Error('not ready')
    })
    const failure = ['update: https://two', 'failed to update authentication config: not ready', 'failed']
    write(withIssuer('https://two'))
    assert.deepEqual(await until('failed'), failure)
    clock.advance(59_999)
    clock.advance(1)
    assert.deepEqual(await until('failed'), failure)
    fails = false
    clock.advance(60_000)
    assert.deepEqual((await until('succeeded'))[0], 'update: https://two')
    fails = true
    write(withIssuer('https://three'))
    await until('failed')
    fails = false
    write(withIssuer('https://four'))
    assert.deepEqual((await until('succeeded'))[0], 'update: https://four')
  })

  it('comes after the one before, which may take its time', async t => {
    const done: (() => void)[] = []
    const { write, until, events } = await follow(t, () => new Promise(resolve => void done.push(resolve)))
    write(withIssuer('https://two'))
    await until('update: https://two')
    write(withIssuer('https://three'))
    await new Promise(resolve => setImmediate(resolve))
    assert.deepEqual(events, [])
    done.shift()!()
    const [used, succeeded, next] = await until('update: https://three')
    assert.deepEqual([used, succeeded, next], ['reloaded authentication config', 'succeeded', 'update: https://three'])
    done.shift()!()
    await until('succeeded')
  })

  it('is given up when the server stops', async t => {
    const { reload, write, until, events } = await follow(
      t,
      (_, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
    )
    write(withIssuer('https://two'))
    await until('update: https://two')
    await reload.stop()
    assert.deepEqual(events, [])
  })

  it('that is gone is counted', async t => {
    const { remove, until } = await follow(t)
    remove()
    const [logged] = await until('failed')
    assert.match(logged!, /^failed to read authentication config file: ENOENT/)
  })
})
