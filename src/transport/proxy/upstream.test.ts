import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { it } from 'node:test'
import { OtherEnd, turns } from '../../testkit/other-end.js'
import { exchange } from './exchange.js'
import { DialingAgent } from './upstream.js'

/** What an agent asks of a socket beside. */
const settings = { setTimeout() {}, setKeepAlive() {}, ref() {}, unref() {} }
const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n'
const signal = new AbortController().signal
const target = { scheme: 'http', host: 'a', port: 1 } as const

for (const [unasked, what] of [
  [`${answer}2`, 'an answer'],
  ['HTTP', 'the beginning of one'],
  ['HTTP/1.1 100 Continue\r\n\r\n', 'information'],
  ['\r\n', 'an empty line']
] as const)
  it(`a kept connection over which ${what} comes while nobody has asked is not used again`, async () => {
    const opened: OtherEnd[] = []
    const dial = async () => {
      opened.push(Object.assign(new OtherEnd(), settings))
      return opened.at(-1)! as never
    }
    const agent = new DialingAgent(dial)
    const ask = async (from: number): Promise<IncomingMessage> => {
      const asked = exchange({ dial, agent, target, path: '/', query: '' }, { method: 'GET', headers: ['Host', 'a'] }, signal)
      while (!opened[from]?.received.length) await turns(1)
      opened[from]!.push(`${answer}${from}`)
      return (await asked).head
    }
    await once((await ask(0)).resume(), 'end')
    await turns(2)
    assert.equal(opened[0]!.destroyed, false)
    opened[0]!.push(unasked)
    await turns(2)
    assert.equal(opened[0]!.destroyed, true)
    assert.equal((await (await ask(1)).toArray()).join(''), '1')
    agent.destroy()
  })
