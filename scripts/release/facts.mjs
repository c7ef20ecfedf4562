/** Gathers the facts of a release from its modules, from a running kube-apiserver and from the text of its help, into one folder. */
import fs from 'node:fs'
import path from 'node:path'
import { Server } from '../compare/server.mjs'
import { packageFolder, readGo } from './modules.mjs'

/** Packages with types of the API by the names that the facts have for them; of `api` also those below. */
const typePackages = [
  'api',
  'apiextensions-apiserver/pkg/apis/apiextensions/v1',
  'apimachinery/pkg/apis/meta/v1',
  'apimachinery/pkg/runtime',
  'kube-aggregator/pkg/apis/apiregistration/v1'
]
const messageModules = ['api', 'apiextensions-apiserver', 'apimachinery', 'apiserver', 'kube-aggregator', 'metrics']

const sorted = value => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, sorted(value[key])])
  )
}
function write(folder, name, value) {
  const file = path.join(folder, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, typeof value === 'string' ? value : `${JSON.stringify(sorted(value))}\n`)
}

/** fields.json and protobuf.json. */
export function gatherTypes(modules, release, out) {
  const at = name => packageFolder(modules, release, name)
  const found = readGo('types', Object.fromEntries(typePackages.map(name => [name, at(name)])))
  // of the others, only the package itself
  const own = Object.entries(found).filter(
    ([name]) => name.startsWith('api/') || typePackages.includes(name.replace(/\.\w+$/, ''))
  )
  write(out, 'fields.json', Object.fromEntries(own))
  write(out, 'protobuf.json', Object.assign({}, ...messageModules.map(name => messagesIn(at(name)))))
  return own.length
}

function messagesIn(folder) {
  const messages = {}
  for (const file of fs.readdirSync(folder, { recursive: true })) {
    if (path.basename(file) !== 'generated.proto') continue
    const text = fs.readFileSync(path.join(folder, file), 'utf8')
    const [, name] = /^package ([\w.]+);/m.exec(text)
    for (const [, message, body] of text.matchAll(/^message (\w+) \{\n((?:[^}].*\n|\n)*)\}/gm)) {
      const fields = body.matchAll(/^\s+(optional|repeated)?\s*(map<[^>]+>|[.\w]+)\s+(\w+) = (\d+);/gm)
      messages[`${name}.${message}`] = Object.fromEntries(
        [...fields].map(([, label, type, field, n]) => [
          field,
          {
            n: Number(n),
            ...(label === 'repeated' ? { repeated: true } : {}),
            type: type.startsWith('map<') ? type.replaceAll(' ', '') : type.replace(/^\./, '')
          }
        ])
      )
    }
  }
  return messages
}

/** Flags by section and feature gates, from what `kube-apiserver --help` prints. */
export function gatherHelp(text, out) {
  const flags = []
  for (const line of text.split('\n')) {
    const section = /^([A-Za-z][\w /-]*) flags:$/.exec(line)?.[1]
    if (section) flags.push(`# ${section[0].toUpperCase()}${section.slice(1)}`)
    const [, name, type = 'bool', rest = ''] =
      /^\s{2,6}(?:-\w, )?--([\w-]+)(?:\[=\S+\])?(?: (\S+))?(?: {2,}(.*))?$/.exec(line) ?? []
    const standard = /\(default (.*)\)\s*$/.exec(rest)?.[1]
    if (name) flags.push(`--${name} ${type} ${standard === undefined ? '' : `default ${standard}`}`)
  }
  write(out, 'kube-apiserver-flags.txt', `${flags.join('\n')}\n`)
  write(out, 'feature-gates.txt', `${(text.match(/kube:\w+=true\|false \(.*\)/g) ?? []).join('\n')}\n`)
}

/** OpenAPI and discovery of a kube-apiserver with every gate and every version on. */
export async function gatherServed(url, token, out) {
  const server = new Server(url, token)
  const get = async (path, accept = 'application/json') => {
    const { status, body } = await server.send({ path, headers: { accept } })
    if (status !== 200) throw new Error(`${url}${path}: ${status}`)
    return JSON.parse(body.toString())
  }
  const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const [api, apis] = [await get('/api', discovery), await get('/apis', discovery)]
  write(out, 'discovery/all-gates.json', { api, apis })
  const { definitions, info } = await get('/openapi/v2')
  write(out, 'openapi-v2-definitions-all-gates.json', { definitions: withoutTexts(definitions), info })
  const { paths } = await get('/openapi/v3')
  for (const [name, { serverRelativeURL }] of Object.entries(paths))
    write(out, `openapi-v3-all-gates/${name.replaceAll('/', '__')}.json`, withoutTexts(await get(serverRelativeURL)))
  server.close()
}

/** A document without descriptions; a field may be called so. */
function withoutTexts(value, names = true) {
  if (Array.isArray(value)) return value.map(item => withoutTexts(item, false))
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([key]) => names || (key !== 'description' && key !== 'summary'))
  const holdsNames = key => !names && ['properties', 'schemas', 'paths', 'definitions'].includes(key)
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutTexts(inner, holdsNames(key))]))
}
