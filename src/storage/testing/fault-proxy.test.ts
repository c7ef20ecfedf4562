import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { FaultProxy } from './fault-proxy.js'

test('a proxy holds what passes, of all connections or of those that one opened, and delivers it later', async t => {
  const echo = createServer(socket => socket.pipe(socket))
  await new Promise<void>(resolve => void echo.listen(0, '127.0.0.1', resolve))
  const { port } = echo.address() as AddressInfo
  const proxy = await FaultProxy.start(
    () => port,
    data => /^name=(\w+)/.exec(String(data))?.[1]
  )
  const open = (name: string) => {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
    let text = ''
    let wake = () => {}
    socket.on('data', data => {
      text += data
      wake()
    })
    return {
      socket,
      has: () => text,
      async say(word: string) {
        socket.write(`name=${name} ${word};`)
      },
      async hears(word: string) {
        while (!text.includes(word)) await new Promise<void>(resolve => (wake = resolve))
      }
    }
  }
  const [a, b] = [open('a'), open('b')]
  t.after(() => {
    for (const { socket } of [a, b]) socket.destroy()
    proxy.close()
    echo.close()
  })
  await Promise.all([a.say('one'), b.say('one')])
  await Promise.all([a.hears('one'), b.hears('one')])
  proxy.holdFrom(['a'])
  await Promise.all([a.say('two'), b.say('two')])
  await b.hears('two')
  assert.ok(!a.has().includes('two'))
  proxy.hold()
  await b.say('three')
  proxy.pass()
  await Promise.all([a.hears('two'), b.hears('three')])
})
