// What objects, other pages and thieves could try with somebody's console, in a real browser.
import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { chromiumPath, close, launch, newPage, openConsole, startServer, visit } from './browser.mjs'

const skip = chromiumPath ? false : 'no Chromium: set CHROMIUM, or install it'
const script = '<img src=x onerror="alert(1)"><script>alert(2)</script>'

describe('the console and what would harm it', { skip, timeout: 120_000 }, () => {
  let server
  let browser
  let client
  before(async () => {
    server = await startServer()
    client = server.client()
    browser = await launch()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  test('script in values, annotations, Events, logs and descriptions stays text', async () => {
    await client.untyped('v1', 'Pod').create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'hostile',
        namespace: 'default',
        annotations: { note: script, 'simulate.binnacle.dev/logs': `${script}\n\u001b]0;title\u0007\u001b[31mred` },
        ownerReferences: [
          { apiVersion: 'javascript:alert(3)', kind: 'javascript:alert(4)', name: 'javascript:alert(5)', uid: 'x' }
        ]
      },
      spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'A', value: script }] }] }
    })
    await client.untyped('v1', 'Event').create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'hostile', namespace: 'default' },
      involvedObject: {
        kind: 'Pod',
        name: 'hostile',
        namespace: 'default',
        uid: (await client.untyped('v1', 'Pod').get('hostile')).metadata.uid
      },
      type: 'Warning',
      reason: script,
      message: script
    })
    await client.untyped('apiextensions.k8s.io/v1', 'CustomResourceDefinition').create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'bombs.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'bombs', kind: 'Bomb' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [{ name: script, type: 'string', jsonPath: '.x', description: script }],
            schema: {
              openAPIV3Schema: { type: 'object', description: script, properties: { x: { type: 'string', description: script } } }
            }
          }
        ]
      }
    })
    const page = await openConsole(browser, server)
    await page.getByText(script).first().waitFor()
    for (const tab of ['', '/yaml', '/events', '/logs']) {
      await visit(page, server, `object/core/pods/default/hostile${tab}`)
      await page.getByText('onerror').first().waitFor()
    }
    for (const tab of ['/related', '/history']) {
      await visit(page, server, `object/core/pods/default/hostile${tab}`)
      await page.getByText('hostile').first().waitFor()
    }
    await visit(page, server, 'list/example.com/bombs')
    await page.getByText(script).first().waitFor()
    await visit(page, server, 'schema/example.com/bombs')
    await page.getByText(script).first().waitFor()
    await close(page)
  })

  test('an address of the console with script in it shows it as text or not at all', async () => {
    const page = await openConsole(browser, server)
    for (const path of [
      `list/core/${encodeURIComponent(script)}`,
      `object/core/pods/default/${encodeURIComponent(script)}`,
      `access?user=${encodeURIComponent(script)}&verb=get&resource=pods`,
      `list/core/pods?q=${encodeURIComponent(script)}`,
      '__proto__',
      'constructor'
    ])
      await visit(page, server, path)
    await close(page)
  })

  test('a page of another origin reaches nothing, also with the console open beside it', async () => {
    const other = createHttpServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>other</title>'))
    await new Promise(resolve => other.listen(0, '127.0.0.1', resolve))
    const page = await openConsole(browser, server)
    const evil = await page.context().newPage()
    await evil.goto(`http://127.0.0.1:${other.address().port}/`)
    const outcome = await evil.evaluate(async url => {
      const attempt = (path, init) =>
        fetch(url + path, { credentials: 'include', ...init }).then(
          async response => `${response.type} ${response.status} ${(await response.text()).slice(0, 40)}`,
          () => 'blocked'
        )
      const frame = document.createElement('iframe')
      frame.src = `${url}/console/`
      document.body.append(frame)
      await new Promise(resolve => setTimeout(resolve, 500))
      let framed = 'blocked'
      try {
        framed = frame.contentDocument === null ? 'blocked' : frame.contentDocument.querySelector('#app') ? 'shown' : 'blocked'
      } catch {}
      const opened = window.open(`${url}/console/`)
      await new Promise(resolve => setTimeout(resolve, 500))
      let stolen = 'nothing'
      try {
        stolen = opened?.sessionStorage?.length ? 'a session' : 'nothing'
      } catch {}
      return {
        read: await attempt('/api/v1/secrets'),
        session: await attempt('/console/session', { method: 'POST', body: '{"code":"x"}' }),
        json: await attempt('/console/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"code":"x"}'
        }),
        framed,
        stolen
      }
    }, server.url)
    assert.deepEqual(outcome, { read: 'blocked', session: 'blocked', json: 'blocked', framed: 'blocked', stolen: 'nothing' })
    await evil.close()
    other.close()
    await close(page)
  })

  test('a link that somebody else used first does not sign in, and says so', async () => {
    const link = await server.consoleLink()
    const thief = await newPage(browser)
    await thief.goto(link)
    await thief.waitForSelector('.shell')
    const owner = await newPage(browser)
    await owner.goto(link)
    await owner.getByText('has been used').waitFor()
    await close(owner)
    await close(thief)
  })

  test('another user sees nothing of what the one before saw', async () => {
    const page = await openConsole(browser, server)
    await visit(page, server, 'list/core/secrets')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForSelector('.sign-in')
    assert.equal(await page.evaluate(() => sessionStorage.length), 0)
    await page.goBack()
    await page.waitForSelector('.sign-in')
    await close(page)
  })
})
