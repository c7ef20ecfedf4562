/** A request's path in the parts that name a resource, and back. Undefined where it names none. */

const form =
  /^\/(?:api\/([^/?]+)|apis\/([^/?]+)\/([^/?]+))(\/watch)?(?:\/namespaces\/([^/?]+))?\/([^/?]+)(?:\/([^/?]+))?((?:\/[^?]*)?)(\?.*)?$/

export function parsePath(path) {
  // what lies in a namespace, but not the namespace itself
  const own = /^(\/api\/[^/]+(?:\/watch)?)\/namespaces(?:\/([^/?]+)(\/(?:status|finalize))?)?(\?.*)?$/.exec(path)
  if (own) {
    const [, prefix, name, rest = '', query = ''] = own
    const [, , version, watch] = prefix.split('/')
    return { group: '', version, watch: watch ? '/watch' : '', resource: 'namespaces', name, rest, query }
  }
  const match = form.exec(path)
  if (!match) return undefined
  const [, core, group = '', version = core, watch = '', namespace, resource, name, rest = '', query = ''] = match
  return { group, version, watch, namespace, resource, name, rest, query }
}

export function formatPath({ group, version, watch, namespace, resource, name, rest, query }) {
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`
  return `${prefix}${watch}${scope}/${resource}${name === undefined ? '' : `/${name}`}${rest}${query}`
}
