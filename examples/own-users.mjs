// A server whose users log in elsewhere, with rules of its own: an authenticator, an authorizer and an admission plugin.
//
//   node examples/own-users.mjs
import { createServer, forbidden, TokenError } from 'binnacle'

// A stand-in for your own sessions: a token, and whom it belongs to.
const sessions = new Map([
  ['session-1', 'alice'],
  ['session-2', 'bob']
])

/** @type {import('binnacle').TokenAuthenticator} */
const sessionTokens = {
  authenticateToken(token) {
    if (!token.startsWith('session-')) return undefined
    const name = sessions.get(token)
    if (!name) throw new TokenError('the session has ended')
    return { user: { name, groups: ['members'] } }
  }
}

/** Members may do everything with ConfigMaps. @type {import('binnacle').Authorizer} */
const members = {
  authorize: ({ user, group, resource }) =>
    group === '' && resource === 'configmaps' && user.groups.includes('members') ? { allowed: true, reason: 'member' } : undefined
}

/** An object belongs to the user who created it, and only that user changes it. @type {import('binnacle').AdmissionPlugin} */
const owners = {
  name: 'Owners',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  resources: ['configmaps'],
  admit({ operation, object, oldObject, context }) {
    // what the server writes by itself
    if (!context.user.groups.includes('members')) return
    const owner = operation === 'CREATE' ? context.user.name : oldObject.metadata.annotations?.owner
    if (object) object.metadata.annotations = { ...object.metadata.annotations, owner }
  },
  validate({ operation, resource, name, oldObject, context }) {
    if (operation === 'CREATE' || !context.user.groups.includes('members')) return
    const owner = oldObject.metadata.annotations?.owner
    if (owner !== context.user.name) throw forbidden(resource, name, `it belongs to ${owner}`)
  }
}

const server = createServer({ authenticators: [sessionTokens], authorizers: [members], admissionPlugins: [owners] })
await server.start()

const url = '/api/v1/namespaces/default/configmaps'
/** @param {string} token @param {string} method @param {string} url @param {object} [body] */
async function send(token, method, url, body) {
  const answer = await server.inject({ method, url, body, headers: { authorization: `Bearer ${token}` } })
  const { message, metadata } = answer.json()
  console.log(answer.status, message ?? metadata.annotations)
}

await send('session-1', 'POST', url, { metadata: { name: 'settings' }, data: { colour: 'blue' } }) // 201 { owner: 'alice' }
await send('session-2', 'DELETE', `${url}/settings`) // 403 configmaps "settings" is forbidden: it belongs to alice
await send('session-2', 'GET', '/api/v1/namespaces/default/secrets') // 403 User "bob" cannot list resource "secrets" …
await send('session-3', 'GET', url) // 401 Unauthorized

await server.stop()
