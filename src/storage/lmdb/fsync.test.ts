import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { withoutStrace } from '../../testkit/strace.js'
import { freshDirectory } from '../testing/fresh-directory.js'

const calls = 'openat,pwrite64,pwritev,pwritev2,writev,write,fsync,fdatasync'
const script = fileURLToPath(new URL('../testing/commit-writer.js', import.meta.url))

/** SIGKILL leaves the system's memory as it is, so no test that kills a process notices a missing fsync. This one reads the system calls. */
test('a commit is acknowledged after its pages, and then the page that makes them current, are on the disk', {
  skip: withoutStrace ?? false
}, async t => {
  const directory = await freshDirectory(t)
  const trace = join(directory, 'trace')
  const store = join(directory, 'store')
  execFileSync('strace', ['-f', '-y', '-e', `trace=${calls}`, '-o', trace, process.execPath, script, store], { stdio: 'ignore' })
  /** Descriptors whose writes are on the disk when they return. */
  const synchronous = new Set<string>()
  let unsynced = 0
  let commits = 0
  let acknowledged = 0
  /** The call that each thread waits for. */
  const waiting = new Map<string, string>()
  for (const line of readFileSync(trace, 'utf8').split('\n')) {
    const [, thread = '', resumed, name = '', rest = ''] = /^(\d+)\s+(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)$/.exec(line) ?? []
    const call = resumed ? (waiting.get(thread) ?? '') : `${name}(${rest}`
    if (line.endsWith('<unfinished ...>')) waiting.set(thread, call)
    const begins = !resumed
    const ends = !line.endsWith('<unfinished ...>')
    const [, kind = '', descriptor = ''] = /^(\w+)\((\d+)<[^>]*data\.mdb>/.exec(call) ?? []
    const opened = /openat\(.*data\.mdb", \S*O_DSYNC\S* *.*= (\d+)</.exec(line)?.[1]
    if (opened !== undefined) synchronous.add(opened)
    if (/^p?writev?/.test(kind)) {
      if (synchronous.has(descriptor)) {
        if (begins) assert.equal(unsynced, 0, `the current page is written before its data are synced: ${line}`)
        if (ends) commits++
      } else if (begins) unsynced++
    } else if (/sync$/.test(kind) && ends) {
      assert.match(line, /= 0$/)
      unsynced = 0
    }
    if (begins && /^write\(1<.*"acknowledged /.test(call)) {
      acknowledged++
      assert.equal(unsynced, 0, `acknowledged before a sync: ${line}`)
      assert.ok(commits >= acknowledged, `acknowledged before its page is current: ${line}`)
    }
  }
  assert.equal(acknowledged, 10)
})
