/** The operations of the server itself and of whole groups (discovery, version, OpenID). Each has a document of its own. */
import type { ApiGroup } from '../endpoints/backend.js'
import { idOfGroup, type Operation, type PathItem, plain, tagOfGroup } from './operation.js'
import { openApiName } from './type-names.js'

const meta = (type: string) => openApiName(`meta.v1.${type}`)

function item(
  path: string,
  operation: Pick<Operation, 'id' | 'description' | 'tag'> & Partial<Operation>,
  type?: string
): PathItem {
  const get: Operation = {
    method: 'get',
    parameters: [],
    responses: { 200: type },
    produces: plain,
    consumes: plain,
    ...operation
  }
  return { path, parameters: [], operations: [get] }
}

const fixed: readonly PathItem[] = [
  item(
    '/.well-known/openid-configuration/',
    {
      id: 'getServiceAccountIssuerOpenIDConfiguration',
      description: "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
      tag: 'WellKnown',
      produces: ['application/json'],
      consumes: undefined
    },
    undefined
  ),
  item('/api/', { id: 'getCoreAPIVersions', description: 'get available API versions', tag: 'core' }, meta('APIVersions')),
  item('/apis/', { id: 'getAPIVersions', description: 'get available API versions', tag: 'apis' }, meta('APIGroupList')),
  item(
    '/openid/v1/jwks/',
    {
      id: 'getServiceAccountIssuerOpenIDKeyset',
      description: 'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
      tag: 'openid',
      produces: ['application/jwk-set+json'],
      consumes: undefined
    },
    undefined
  ),
  item(
    '/version/',
    {
      id: 'getCodeVersion',
      description: 'get the version information for this server',
      tag: 'version',
      produces: ['application/json'],
      consumes: ['application/json']
    },
    openApiName('version.Info')
  )
]

/** Returns the operations by the path of their document: "apis/apps". Groups of custom resources have none. */
export function serverPaths(groups: readonly ApiGroup[]): Map<string, PathItem> {
  const own = groups.filter(({ name, hasRoutes }) => name !== '' && hasRoutes)
  const items = [
    ...fixed,
    ...own.map(({ name }) =>
      item(
        `/apis/${name}/`,
        { id: `get${idOfGroup(name)}APIGroup`, description: 'get information of a group', tag: tagOfGroup(name) },
        meta('APIGroup')
      )
    )
  ]
  return new Map(items.map(i => [i.path.slice(1, -1), i]))
}
