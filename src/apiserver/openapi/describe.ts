/** Describes the resources of a registry for discovery and OpenAPI. */

import { loadSchema } from '../../apimachinery/schema/load.js'
import type { Resource } from '../../registry/resource.js'
import { resourceGroups } from '../discovery/resource-groups.js'
import type { ApiGroup } from '../endpoints/backend.js'
import { loadDescriptions } from './descriptions.js'
import { v2Part } from './v2-document.js'
import { v3Document } from './v3-document.js'

/** `hasRoutes`: see ApiGroup. `cbor`: see GroupInfo. */
export const describe = (served: Iterable<Resource>, hasRoutes: boolean, cbor = false): ApiGroup[] =>
  resourceGroups(served).map(group => ({
    name: group.name,
    hasRoutes,
    versions: group.versions.map(({ name, resources }) => ({
      name,
      resources,
      openApi: {
        parts: resources.map(info => info.resource),
        v3: release => v3Document({ ...group, cbor }, name, release, loadSchema(), loadDescriptions()),
        v2: () => v2Part({ ...group, cbor }, name, loadSchema(), loadDescriptions())
      }
    }))
  }))
