/** Who steps are, on the server that is asked. */
import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'

/** By identity, from a file as --token-auth-file has it: TOKEN,NAME,UID,"GROUPS" */
export function readTokens(file) {
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  const pairs = lines.filter(line => line.trim() !== '').map(line => line.split(',').slice(0, 2))
  return Object.fromEntries(pairs.map(([token, name]) => [name, { token }]))
}

/** Server and admin of the current context. */
export function readKubeconfig(file) {
  const config = parse(fs.readFileSync(file, 'utf8'))
  const named = (list, name) => list?.find(item => item.name === name) ?? {}
  const { context = {} } = named(config.contexts, config['current-context'])
  const { cluster } = named(config.clusters, context.cluster)
  const { user } = named(config.users, context.user)
  if (!cluster || !user) throw new Error(`${file}: the current context has no cluster or no user`)
  const content = key => {
    if (user[`${key}-data`]) return Buffer.from(user[`${key}-data`], 'base64')
    return user[key] && fs.readFileSync(path.resolve(path.dirname(file), user[key]))
  }
  const certificate = { cert: content('client-certificate'), key: content('client-key') }
  const admin = user.token ? { token: user.token } : certificate
  if (!admin.token && !admin.cert) throw new Error(`${file}: the user has neither a token nor a certificate`)
  return { server: cluster.server, admin }
}
