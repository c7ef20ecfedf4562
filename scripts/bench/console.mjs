// How the console keeps up: a table of many Pods while they change, in Chromium.
//   npm run build && node scripts/bench/console.mjs [--pods=20000] [--changes=500] [--minutes=1]
// Prints the times to the first paint and to the frame of who has signed in, milliseconds between frames and of work in each, and the page's memory at the beginning and at the end.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { chromiumPath, launch, newPage } from '../../test/console/browser.mjs'
import { parseOptions } from '../shared/options.mjs'

const { values } = parseOptions({
  options: {
    pods: { type: 'number', default: 20000 },
    changes: { type: 'string', default: '500' },
    minutes: { type: 'string', default: '1' }
  }
})
const [pods, changes, minutes] = [values.pods, values.changes, values.minutes].map(Number)
if (!chromiumPath) {
  process.stderr.write('no Chromium: set CHROMIUM, or install it\n')
  process.exit(1)
}

const server = fork(fileURLToPath(new URL('console-server.mjs', import.meta.url)), [String(pods)])
const [{ link }] = await once(server, 'message')
const browser = await launch()
try {
  const page = await newPage(browser)
  await page.addInitScript(() => {
    const found = new MutationObserver(() => {
      if (!document.querySelector('.shell')) return
      found.disconnect()
      requestAnimationFrame(() => performance.mark('signed in'))
    })
    found.observe(document, { childList: true, subtree: true })
  })
  await page.goto(link)
  await page.waitForFunction(() => performance.getEntriesByName('signed in').length > 0)
  // from the beginning of the navigation on, connection and sign-in included
  for (const [what, name] of [
    ['first paint', 'first-contentful-paint'],
    ['signed in, with the frame', 'signed in']
  ])
    report(what, await page.evaluate(name => performance.getEntriesByName(name)[0].startTime, name), 'ms')

  await page.getByRole('link', { name: 'Pods', exact: true }).click()
  const listed = performance.now()
  await page.getByText(new RegExp(`^${pods}(live)?$`)).waitFor({ timeout: 120_000 })
  report(`list of ${pods} Pods`, performance.now() - listed, 'ms')

  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const metrics = async () => {
    await devtools.send('HeapProfiler.collectGarbage')
    const { metrics } = await devtools.send('Performance.getMetrics')
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
  }
  const before = await metrics()
  server.send({ changes })
  await page.evaluate(() => {
    globalThis.frames_ = []
    let last = performance.now()
    const next = now => {
      globalThis.frames_.push(now - last)
      last = now
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
  for (let minute = 0; minute < minutes; minute += 0.5) {
    await new Promise(resolve => setTimeout(resolve, 30_000))
    report(`memory after ${minute + 0.5} min`, (await metrics()).JSHeapUsedSize / 1e6, 'MB')
  }
  const frames = (await page.evaluate(() => globalThis.frames_)).sort((a, b) => a - b)
  const after = await metrics()
  const at = share => frames[Math.min(frames.length - 1, Math.floor(frames.length * share))]
  report('between frames, median', at(0.5), 'ms')
  report('between frames, 99 of 100', at(0.99), 'ms')
  report('work a frame, mean', ((after.TaskDuration - before.TaskDuration) * 1000) / frames.length, 'ms')
  report('memory at the beginning', before.JSHeapUsedSize / 1e6, 'MB')
  report('memory at the end', after.JSHeapUsedSize / 1e6, 'MB')
  const [{ written }] = await Promise.all([once(server, 'message').then(([message]) => message), server.send({ end: true })])
  report('changes a second', written / (minutes * 60), '')
} finally {
  await browser.close()
  server.kill()
}

function report(what, value, unit) {
  process.stdout.write(`${what.padEnd(32)} ${value.toFixed(value < 100 ? 1 : 0)} ${unit}\n`)
}
