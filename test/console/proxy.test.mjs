// The console of `binnacle console`: another server, through a proxy on this machine.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { chromiumPath, close, launch, newPage, root, startServer } from './browser.mjs'

const skip = chromiumPath ? false : 'no Chromium: set CHROMIUM, or install it'

describe('binnacle console', { skip, timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-console-'))
  let server
  let browser
  let proxy
  let link
  before(async () => {
    // a server without a console of its own, as kube-apiserver is
    server = await startServer({ console: 'never' })
    browser = await launch()
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, await server.kubeconfig({ user: 'carol', groups: ['system:masters'] }))
    proxy = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'console', '--no-open', `--kubeconfig=${kubeconfig}`])
    let printed = ''
    for await (const text of proxy.stdout) {
      printed += text
      link = /http:\S+#code=\S+/.exec(printed)?.[0]
      if (link) break
    }
  })
  after(async () => {
    proxy?.kill()
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true })
  })

  test('signs in as the user of the kubeconfig, shows changes, edits, and opens a terminal', async () => {
    const client = server.client()
    const maps = client.of('v1', 'ConfigMap')
    await maps.create({ metadata: { name: 'far' }, data: { key: 'one' } })
    await client.of('v1', 'Pod').create({ metadata: { name: 'far' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } })
    const page = await newPage(browser)
    await page.goto(link)
    await page.getByText('carol').waitFor()
    const visit = path => page.goto(new URL(`/console/${path}`, link).href)

    await visit('list/core/configmaps')
    await page.getByText('live').waitFor()
    await maps.create({ metadata: { name: 'added' } })
    await page.getByRole('link', { name: 'added' }).waitFor()

    await visit('object/core/configmaps/default/far')
    await page.getByText('one', { exact: true }).waitFor()
    await maps.patch('far', { data: { key: 'two' } })
    await page.getByText('two', { exact: true }).waitFor()

    await visit('object/core/pods/default/far/terminal')
    await page.getByLabel('Command').fill('hostname')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('The program has ended').waitFor()

    // a server that does not explain to this user: the answer is that of reviews
    await visit('access?user=alice&verb=get&resource=secrets&namespace=default')
    await page.getByText('alice may not get secrets in namespace default').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForSelector('.sign-in')
    assert.equal(await page.getByLabel('Token').count(), 0)
    await close(page)
  })
})
