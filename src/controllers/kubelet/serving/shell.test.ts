import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { CommandRun } from './commands.js'
import { runShell } from './shell.js'

/** Runs a shell that understands `say TEXT`, `wait`, `fail` and `leave`, and returns what it writes and its exit code. */
async function typed(pieces: readonly string[], { isTerminal = false, survives = true } = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const run = (line: string): CommandRun | undefined => {
    const [name, ...words] = line.trim().split(/\s+/)
    const done = { stdout: '', stderr: '', exitCode: 0, lasts: 0 }
    if (name === 'say') return { ...done, stdout: `${words.join(' ')}\n` }
    if (name === 'leave') return { ...done, stdout: 'bye\n', exitCode: 5, endsShell: true }
    if (name === 'wait') return { ...done, lasts: 1000 }
    return name === 'fail' ? { ...done, stderr: 'no\n', exitCode: 3 } : undefined
  }
  const passes = async () => survives
  const ended = runShell({ stdin, stdout, stderr: isTerminal ? undefined : stderr, isTerminal, run, passes })
  for (const piece of pieces) stdin.write(piece)
  stdin.end()
  const code = await ended
  const read = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, output: read(stdout), errors: read(stderr) }
}

test('reads lines from a pipe, and ends as the last one did', async () => {
  assert.deepEqual(await typed(['say a', ' b\nsay', ' c\n', 'fail']), { code: 3, output: 'a b\nc\n', errors: 'no\n' })
  assert.deepEqual(await typed(['\n# nothing\n']), { code: 0, output: '', errors: '' })
})

test('a line that is not understood is not found, and the shell goes on', async () => {
  assert.deepEqual(await typed(['vi x\nsay on\n']), { code: 0, output: 'on\n', errors: 'sh: vi: not found\n' })
  assert.equal((await typed(['vi x\n'])).code, 127)
})

test('exit ends it with a code, or with that of the last line', async () => {
  assert.deepEqual(await typed(['exit 4\nsay never\n']), { code: 4, output: '', errors: '' })
  assert.equal((await typed(['fail\nexit\n'])).code, 3)
  assert.deepEqual(await typed(['leave\nsay never\n']), { code: 5, output: 'bye\n', errors: '' })
})

test('a container that ends while a line takes its time ends the shell', async () => {
  assert.equal((await typed(['wait\nsay never\n'], { survives: false })).code, undefined)
  assert.equal((await typed(['wait\nsay on\n'])).output, 'on\n')
})

test('a terminal shows what is typed, takes it back, and knows Control-C and Control-D', async () => {
  const { code, output } = await typed(['sayy\u007f a\r', 'junk\u0003', '\u001b[Afail\r', '\u0004'], { isTerminal: true })
  assert.equal(output, '/ # sayy\b \b a\r\na\r\n/ # junk^C\r\n/ # fail\r\nno\r\n/ # ')
  assert.equal(code, 3)
})

test('a line has an end', async () => {
  const { output } = await typed(['x'.repeat(10_000), '\r'], { isTerminal: true })
  assert.ok(output.length < 10_000, String(output.length))
})

test('what is typed is read no faster than its echo', async () => {
  const stdin = new PassThrough()
  const stdout = new PassThrough({ highWaterMark: 1024 })
  const nothing = async () => true
  const ended = runShell({ stdin, stdout, stderr: undefined, isTerminal: true, run: () => undefined, passes: nothing })
  for (let i = 0; i < 200; i++) stdin.write(`${'x'.repeat(1000)}\r`)
  await new Promise(resolve => setImmediate(resolve))
  assert.ok(stdout.writableLength + stdout.readableLength < 80_000, String(stdout.writableLength + stdout.readableLength))
  stdin.end()
  stdout.resume()
  assert.equal(await ended, 127)
})
