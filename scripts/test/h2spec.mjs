#!/usr/bin/env node
// Runs h2spec (https://github.com/summerwind/h2spec), which tries each rule of RFC 9113 and RFC 7541, against the listener. Build first.
//
//   node scripts/test/h2spec.mjs [--h2spec=FILE] [SECTION…]
import { spawn } from 'node:child_process'
import { parseOptions } from '../shared/options.mjs'

const { values, positionals } = parseOptions({
  allowPositionals: true,
  options: { h2spec: { type: 'string', default: 'h2spec' } }
})
const built = path => import(new URL(`../../build/${path}`, import.meta.url))
const [{ listen }, { loadOrCreatePki }, { servingNames }] = await Promise.all([
  built('apiserver/http/listener.js'),
  built('transport/certificates/pki.js'),
  built('transport/certificates/serving-names.js')
])
const names = servingNames({ bindAddress: '127.0.0.1', serviceClusterIPRange: '10.0.0.0/24' })
const { serving } = await loadOrCreatePki({ servingNames: names, now: Date.now() })

/** Answers when the whole request has come: what is wrong with its end must be told by the connection. */
async function handler(request) {
  const body = await request.readBody(1 << 20)
  return { status: 200, headers: {}, body: Buffer.concat([Buffer.from('answer'), body]), takeWithin: 60_000, ended() {} }
}

const listener = await listen(handler, { address: '127.0.0.1', port: 0, clientCAs: [], ...serving })
const args = ['-h', '127.0.0.1', '-p', String(listener.port), '-t', '-k', '-o', '2', ...positionals]
const child = spawn(values.h2spec, args, { stdio: 'inherit' })
child.on('error', error => {
  console.error(`--h2spec=${values.h2spec}: ${error.message}`)
  process.exit(1)
})
child.on('exit', code => process.exit(code ?? 1))
