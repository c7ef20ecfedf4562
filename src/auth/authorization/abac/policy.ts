/** Reads the policies of the mode ABAC from their file: a JSON object a line. */
import { ConfigError, type ConfigKind, readConfigLeniently } from '../../../apimachinery/config/read-config.js'
import { bool, string, struct, typeMeta } from '../../../apimachinery/config/types.js'
import { AUTHENTICATED_GROUP } from '../../../apimachinery/request/user.js'
import { UserError } from '../../../util/user-error.js'

/**
 * A policy of the file. An empty text matches only an empty one; "*" matches everything, except for subjects, whose "*" has been
 * replaced on reading.
 */
export interface Policy {
  readonly user: string
  readonly group: string
  readonly readonly: boolean
  readonly apiGroup: string
  readonly resource: string
  readonly namespace: string
  readonly nonResourcePath: string
  /** Its line in the file, from 1. */
  readonly line?: number
}

export interface PolicyFile {
  readonly policies: readonly Policy[]
  /** Whether the file has lines in the old form, which has no apiVersion. */
  readonly hasUnversioned: boolean
}

const oldVersion = 'abac.authorization.kubernetes.io/v0'
const version = 'abac.authorization.kubernetes.io/v1beta1'

const texts = { user: string, group: string, resource: string, namespace: string }
const policySpec = struct('v1beta1.PolicySpec', { ...texts, readonly: bool, apiGroup: string, nonResourcePath: string })
const policyKind: ConfigKind = {
  kind: 'Policy',
  versions: {
    [version]: struct('v1beta1.Policy', { ...typeMeta, spec: policySpec }),
    [oldVersion]: struct('v0.Policy', { ...typeMeta, ...texts, readonly: bool })
  },
  assumed: oldVersion
}

/** Go reads lines up to this length. */
const maxLineBytes = 64 * 1024

/** Reads the text of a policy file. Throws a UserError that names the file and the line. */
export function readPolicies(path: string, text: string): PolicyFile {
  const policies: Policy[] = []
  let hasUnversioned = false
  for (const [i, ended] of text.split('\n').entries()) {
    const line = ended.replace(/\r$/, '')
    if (Buffer.byteLength(ended) >= maxLineBytes)
      throw new UserError(`error reading policy file ${path}: bufio.Scanner: token too long`)
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    try {
      const { apiVersion, object } = readConfigLeniently(line, policyKind)
      if (apiVersion === version && !object.kind)
        throw new ConfigError('converting (v1beta1.Policy) to (v0.Policy): unknown conversion')
      hasUnversioned ||= object.kind === undefined || object.apiVersion === undefined
      policies.push({ ...(apiVersion === oldVersion ? oldPolicy(object) : policy(object.spec)), line: i + 1 })
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      throw new UserError(`error reading policy file ${path}, line ${i + 1}: ${line}: ${error.message}`)
    }
  }
  return { policies, hasUnversioned }
}

/** Returns whom a policy is about. A policy for all users, or for all groups, is about everybody who is authenticated. */
function subjectOf({ user = '', group = '' }: Partial<Policy>): Pick<Policy, 'user' | 'group'> {
  return user === '*' || group === '*' ? { user: '', group: AUTHENTICATED_GROUP } : { user, group }
}

function policy(spec: Partial<Policy>): Policy {
  const { readonly = false, apiGroup = '', resource = '', namespace = '', nonResourcePath = '' } = spec
  return { ...subjectOf(spec), readonly, apiGroup, resource, namespace, nonResourcePath }
}

/** Reads a policy in the old form: a field that is left out matches everything, and only authenticated users are meant. */
function oldPolicy({ user = '', group = '', readonly = false, resource = '', namespace = '' }: Partial<Policy>): Policy {
  const subject = user === '' && group === '' ? { user, group: AUTHENTICATED_GROUP } : subjectOf({ user, group })
  return {
    ...subject,
    readonly,
    apiGroup: '*',
    resource: resource || '*',
    namespace: namespace || '*',
    nonResourcePath: namespace === '' && resource === '' ? '*' : ''
  }
}
