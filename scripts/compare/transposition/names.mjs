/** Makes names that kinds accept which demand a certain form, out of any name. */
const plain = /^[a-z0-9$]([a-z0-9${}-]*[a-z0-9}])?$/

const forms = {
  ipaddresses: name => `192.168.203.${1 + (sum(name) % 250)}`,
  customresourcedefinitions: name => `${word(name)}s.\${id}.example.com`,
  apiservices: name => `v1.${word(name)}.\${id}.example.com`
}

const sum = name => [...name].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 65521, 7)
const word = name => `n${name.replace(/\$\{(\w+)\}/g, '$1').replace(/[^a-z0-9]/g, '')}`

/** The name in a path or in metadata. */
export const nameFor = (resource, name) =>
  typeof name === 'string' && forms[resource] && plain.test(name) ? forms[resource](name) : name

/** Repeats the name in the spec, where the kind demands that. */
export function fitName(resource, object) {
  const { name } = object.metadata ?? {}
  if (typeof name !== 'string' || object.spec === null || typeof object.spec !== 'object') return
  const [first, ...rest] = name.split('.')
  if (resource === 'customresourcedefinitions' && object.spec.names) {
    object.spec.group = rest.join('.')
    object.spec.names = {
      ...object.spec.names,
      plural: first,
      kind: `${first[0]?.toUpperCase()}${first.slice(1)}`,
      singular: undefined,
      listKind: undefined
    }
  }
  if (resource === 'apiservices') Object.assign(object.spec, { version: first, group: rest.join('.') })
}
