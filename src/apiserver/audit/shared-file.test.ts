import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../util/clock.js'
import { sharedFile } from './shared-file.js'

test('servers that share a file rotate it together, and lose no line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-shared-'))
  const options = { maxBytes: 1000, maxAge: 0, maxBackups: 0, compress: false, clock: systemClock, failed: assert.ifError }
  const open = () => sharedFile({ ...options, path: join(folder, 'audit.log') })
  try {
    const writers = [open(), open(), open()]
    const wanted = Array.from({ length: 100 }, (_, i) => `${String(i).padStart(3, '0')} ${'x'.repeat(45)}`)
    for (const [i, line] of wanted.entries()) writers[i % 3]!.write(`${line}\n`)
    await writers[0]!.close!()
    await writers[0]!.close!()
    writers[1]!.write('later\n')
    await writers[1]!.close!()
    await writers[2]!.close!()
    const texts = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'))
    assert.deepEqual(texts.flatMap(text => text.trimEnd().split('\n')).sort(), [...wanted, 'later'])
    assert.ok(texts.length > 4 && texts.every(text => text.length <= 1000))
    // who comes later opens it again
    const again = open()
    again.write('again\n')
    await again.close!()
    assert.match(readFileSync(join(folder, 'audit.log'), 'utf8'), /again\n$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
