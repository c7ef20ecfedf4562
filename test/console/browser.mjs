// A server and a browser for the proofs of the console: `npm run build` has to have built both.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createServer } from '../../dist/index.js'

const require = createRequire(import.meta.url)
export const { chromium } = require('playwright-core')
const axe = require.resolve('axe-core/axe.min.js')

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable']
/** Where Chromium is, or undefined. */
export const chromiumPath = [process.env.CHROMIUM, ...places].find(path => path && existsSync(path))

// A closed network refuses what a browser does by itself, many at a time.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Starts a server with a simulated cluster, and resolves with it and a client. */
export async function startServer(options = {}) {
  const server = createServer({
    securePort: 0,
    console: 'loopback',
    simulate: { nodes: 2 },
    history: 3_600_000,
    recorder: true,
    log: silent,
    ...options
  })
  await server.start()
  return server
}

export const launch = () => chromium.launch({ executablePath: chromiumPath, args: flags })

/** Opens the console as somebody, and resolves with its page, which fails the test when the page does what it must not. */
export async function openConsole(browser, server, { user, path = '', ...context } = {}) {
  const page = await newPage(browser, context)
  await page.goto(await server.consoleLink(user))
  await page.waitForSelector('.shell')
  if (path) await visit(page, server, path)
  return page
}

/** A page that notes its own mistakes: errors of scripts, and what the Content-Security-Policy refused. */
export async function newPage(browser, context = {}) {
  const page = await (await browser.newContext({ ignoreHTTPSErrors: true, ...context })).newPage()
  page.mistakes = []
  page.on('pageerror', error => page.mistakes.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) page.mistakes.push(message.text())
  })
  page.on('dialog', dialog => {
    page.mistakes.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => {
    const { hostname, protocol } = new URL(request.url())
    if (hostname !== '127.0.0.1' && protocol !== 'data:') page.mistakes.push(`asked ${request.url()}`)
  })
  return page
}

/** Goes to a page of the console as a link does, which keeps the session and reads nothing anew. */
export async function visit(page, server, path) {
  await page.goto(new URL(`/console/${path}`, server.url).href)
  await page.waitForSelector('.page')
}

export async function close(page) {
  await page.context().close()
  assert.deepEqual(page.mistakes, [])
}

/** Fails if axe finds something serious. */
export async function checkAccessibility(page, what) {
  await page.evaluate(require('node:fs').readFileSync(axe, 'utf8'))
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }))
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${what}: ${id} at ${nodes
          .map(({ target, failureSummary }) => `${target} (${failureSummary})`)
          .slice(0, 3)
          .join(' | ')}`
    )
  assert.deepEqual(found, [])
}

/** Keeps a picture of a page, where the folder for pictures is named. */
export async function picture(page, name) {
  const folder = process.env.CONSOLE_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

export const root = fileURLToPath(new URL('../..', import.meta.url))
