/** Webhooks that answer by the user and the resource, and keep the reviews that they received. */

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { loadOrCreatePki } from '../../../build/transport/certificates/pki.js'

export async function startStubs(directory) {
  const { serving } = await loadOrCreatePki({ directory: undefined, servingNames: ['127.0.0.1'], now: Date.now() })
  const received = []
  const servers = []
  const files = {}
  const start = async (name, answer) => {
    const server = createServer({ cert: serving.certificate, key: serving.key }, async (request, response) => {
      const chunks = []
      for await (const chunk of request) chunks.push(chunk)
      const review = JSON.parse(Buffer.concat(chunks).toString())
      const { 'content-type': type, accept, authorization } = request.headers
      received.push({ name, method: request.method, url: request.url, type, accept, authorization, review })
      const { code = 200, contentType = 'application/json', headers = {}, text } = answer(review)
      response.writeHead(code, { 'content-type': contentType, ...headers }).end(text)
    })
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    write(name, `https://127.0.0.1:${server.address().port}/authorize?by=${name}`)
  }
  const write = (name, url) => {
    files[name] = join(directory, `${name}.kubeconfig`)
    writeFileSync(
      files[name],
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'c',
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        clusters: [
          { name: 'c', cluster: { server: url, 'certificate-authority-data': Buffer.from(serving.trust).toString('base64') } }
        ],
        users: [{ name: 'u', user: { token: `secret-${name}` } }]
      })
    )
  }
  await start('main', decide)
  await start('second', review =>
    reply(review, { allowed: review.spec.user === 'bob', reason: `second says of ${review.spec.user}` })
  )
  await start('odd', odd)
  // nobody listens on the port that discards
  write('down', 'https://127.0.0.1:9/authorize')
  return {
    files,
    /** Returns the reviews since the last call. */
    take: () => received.splice(0),
    close: () =>
      Promise.all(
        servers.map(
          server =>
            new Promise(resolve => {
              server.close(resolve)
              server.closeAllConnections()
            })
        )
      )
  }
}

const reply = ({ apiVersion, kind }, status) => ({ text: JSON.stringify({ apiVersion, kind, status }) })

/** Decides by the name or the path that is asked for. */
function decide(review) {
  const {
    user = '',
    resourceAttributes: { name = '', verb = '', resource = '' } = {},
    nonResourceAttributes: { path = '' } = {}
  } = review.spec
  const what = `${name}${path}${resource}`
  if (/deny/.test(what)) return reply(review, { allowed: false, denied: true, reason: 'main <denies> it' })
  if (/both/.test(what)) return reply(review, { allowed: true, denied: true, reason: 'torn' })
  if (/noted/.test(what)) return reply(review, { allowed: false, reason: 'main knows nothing', evaluationError: 'hidden' })
  if (/silent/.test(what)) return reply(review, { allowed: false })
  return reply(review, { allowed: user === 'alice' && verb !== 'delete', reason: user === 'alice' ? 'main likes alice' : '' })
}

const otherVersion = apiVersion => (apiVersion.endsWith('/v1') ? 'authorization.k8s.io/v1beta1' : 'authorization.k8s.io/v1')

/** Answers that are not valid, by the name that is asked for. */
function odd(review) {
  const { resourceAttributes: { name = '' } = {} } = review.spec
  const status = { apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'no <thanks>', reason: 'Forbidden', code: 403 }
  switch (name) {
    case 'odd-text':
      return { contentType: 'text/plain', text: 'hello' }
    case 'odd-empty':
      return { text: '' }
    case 'odd-list':
      return { text: '[]' }
    case 'odd-type':
      return { text: JSON.stringify({ status: { allowed: 'yes' } }) }
    case 'odd-bare':
      return { text: JSON.stringify({ status: { allowed: true, reason: 'bare' } }) }
    case 'odd-other':
      return { text: JSON.stringify({ ...review, apiVersion: otherVersion(review.apiVersion), status: { allowed: true } }) }
    case 'odd-kind':
      return { text: JSON.stringify({ ...review, kind: 'Pod', status: { allowed: true } }) }
    case 'odd-unknown':
      return { text: JSON.stringify({ ...review, more: 1, status: { allowed: true, more: 2, reason: 'with more' } }) }
    case 'odd-400':
      return { code: 400, contentType: 'text/plain', text: 'bad' }
    case 'odd-403':
      return { code: 403, text: JSON.stringify(status) }
    case 'odd-404':
      return { code: 404, contentType: 'text/plain', text: 'nowhere' }
    case 'odd-201':
      return { ...reply(review, { allowed: true, reason: 'created' }), code: 201 }
    case 'odd-503':
      return { code: 503, contentType: 'text/plain', text: 'busy' }
    default:
      return reply(review, { allowed: false })
  }
}
