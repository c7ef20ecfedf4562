/** Parses container image references, as far as the defaults need it. */

const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const repository = new RegExp(`^${component}(?:/${component})*$`)
const label = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const host = new RegExp(`^(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`)
const tagged = /^([^@:]*)(?::(\w[\w.-]{0,127}))?(?:@(.*))?$/s
const digests = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/
const id = /^[a-f0-9]{64}$/
const maxRepository = 255
const dockerHub = 'docker.io'

/** Returns the default pull policy: Always for the tag `latest` or none, IfNotPresent otherwise. */
export function defaultPullPolicy(image: string): string {
  return tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent'
}

/** Returns the tag: "latest" when there is none, undefined for an invalid image or one with only a digest. */
function tagOf(image: string): string | undefined {
  if (id.test(image)) return undefined
  const [registry, rest] = split(image)
  const match = tagged.exec(rest)
  if (!host.test(registry) || !match) return undefined
  const [, path = '', tag, digest] = match
  if (!repository.test(path) || path.length > maxRepository || (digest !== undefined && !digests.test(digest))) return undefined
  return tag ?? (digest === undefined ? 'latest' : undefined)
}

/** Splits off the registry: the first part is a registry only if it can be nothing else. The default is Docker Hub. */
function split(image: string): [registry: string, rest: string] {
  const slash = image.indexOf('/')
  const first = image.slice(0, Math.max(slash, 0))
  const isRegistry = first === 'localhost' || /[.:]/.test(first) || first.toLowerCase() !== first
  const registry = !isRegistry || first === 'index.docker.io' ? dockerHub : first
  const rest = isRegistry ? image.slice(slash + 1) : image
  return [registry, registry === dockerHub && !rest.includes('/') ? `library/${rest}` : rest]
}
