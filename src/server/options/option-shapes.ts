/** Describes which fields the objects in options must have. */
import { reconcilerShape } from '../../client/operator/reconciler.js'
import { mostNodes } from '../../controllers/simulation/simulate-options.js'
import { isMap, oneOf, type Shape, type ValueType, valueTypes } from '../../util/members.js'

const { text, number, boolean, texts, textsByName, object, objects, function: fn } = valueTypes

const functions = (...names: readonly string[]): Readonly<Record<string, ValueType>> =>
  Object.fromEntries(names.map(name => [name, fn]))

const textsOrAll: ValueType = { what: 'a list of strings or "*"', is: value => value === '*' || texts.is(value) }
const positive: ValueType = {
  what: 'an integer of at least 1',
  is: value => Number.isSafeInteger(value) && (value as number) >= 1
}

const count: ValueType = {
  what: `an integer from 0 to ${mostNodes}`,
  is: value => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= mostNodes
}

/** The shapes by the options' names. That of a list holds for each object in it. */
export const shapes: Readonly<Record<string, Shape>> = {
  log: { members: functions('error', 'warn', 'info', 'v', 'setVerbosity'), required: ['error', 'warn', 'info'] },
  clock: { members: functions('now', 'setTimeout', 'watchWork'), required: ['now', 'setTimeout'] },
  store: {
    members: {
      ...{ root: text, shared: boolean, expires: boolean, seenRevision: number, compactRevision: number },
      ...functions('currentRevision', 'get', 'list', 'commit', 'watch', 'compact', 'health', 'close', 'isStale', 'image', 'size')
    },
    required: [
      'root',
      'shared',
      'seenRevision',
      'currentRevision',
      'get',
      'list',
      'commit',
      'watch',
      'compact',
      'health',
      'close'
    ]
  },
  simulate: { members: { nodes: count, nodeCapacity: textsByName, ...functions('behavior') }, isData: true },
  recorder: { members: { requests: positive, bytes: positive }, isData: true },
  auditPolicy: {
    members: {
      ...{ apiVersion: text, kind: text, metadata: object },
      ...{ rules: objects, omitStages: texts, omitManagedFields: boolean }
    },
    isData: true
  },
  authenticators: { members: functions('authenticateToken'), required: ['authenticateToken'] },
  authorizers: { members: functions('authorize', 'rulesFor'), required: ['authorize'] },
  admissionPlugins: {
    members: { name: text, operations: texts, resources: texts, subresources: textsOrAll, ...functions('admit', 'validate') },
    required: ['name']
  },
  reconcilers: reconcilerShape,
  kinds: {
    members: {
      ...{ group: text, kind: text, resource: text, singular: text, shortNames: texts, categories: texts, namespaced: boolean },
      ...{ versions: objects, indexes: texts },
      ...functions('default', 'prepareForCreate', 'prepareForUpdate', 'validate', 'validateUpdate', 'warnings', 'afterDelete')
    },
    required: ['group', 'kind', 'resource', 'versions']
  }
}

/** The shapes of objects within these objects. */
export const inner: Readonly<Record<string, Shape>> = {
  'auditPolicy.rules': {
    members: {
      level: oneOf('None', 'Metadata', 'Request', 'RequestResponse'),
      ...{ users: texts, userGroups: texts, verbs: texts, resources: objects, namespaces: texts, nonResourceURLs: texts },
      ...{ omitStages: texts, omitManagedFields: boolean }
    },
    required: ['level'],
    isData: true
  },
  'auditPolicy.rules.resources': { members: { group: text, resources: texts, resourceNames: texts }, isData: true },
  'reconcilers.user': { members: { name: text, groups: texts, uid: text, extra: object }, required: ['name'], isData: true },
  'kinds.versions': {
    members: {
      ...{ name: text, schema: object, served: boolean, storage: boolean, deprecated: boolean, deprecationWarning: text },
      ...{ subresources: object, additionalPrinterColumns: objects, selectableFields: objects }
    },
    required: ['name'],
    isData: true
  }
}

/** Calls `check` for an object and for the objects in it, with the shape and the place of each. */
export function eachShaped(
  name: string,
  value: unknown,
  check: (value: object, shape: Shape, place: string) => void,
  place = name
): void {
  if (Array.isArray(value)) return value.forEach((one, i) => void eachShaped(name, one, check, `${place}[${i}]`))
  const shape = shapes[name] ?? inner[name]
  if (!shape || !isMap(value)) return
  check(value, shape, place)
  for (const member of Object.keys(shape.members))
    if (Object.hasOwn(inner, `${name}.${member}`)) eachShaped(`${name}.${member}`, value[member], check, `${place}.${member}`)
}
