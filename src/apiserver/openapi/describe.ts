/** Describes the resources of a registry for discovery and OpenAPI. */

import type { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import type { Resource } from '../../registry/resource.js'
import { resourceGroups } from '../discovery/resource-groups.js'
import type { ApiGroup } from '../endpoints/backend.js'
import { loadDescriptions } from './descriptions.js'
import { v2Part } from './v2-document.js'
import { v3Document } from './v3-document.js'

export interface DescribeOptions {
  /** See ApiGroup. */
  readonly hasRoutes: boolean
  /** See GroupInfo. */
  readonly cbor?: boolean
  /** Whether resources tell the hash of their storage version, and types the values of their enums. */
  readonly features: Pick<FeatureGates, 'enabled'>
}

export const describe = (served: Iterable<Resource>, { hasRoutes, cbor = false, features }: DescribeOptions): ApiGroup[] =>
  resourceGroups(served, features.enabled('StorageVersionHash')).map(group => ({
    name: group.name,
    hasRoutes,
    versions: group.versions.map(({ name, resources }) => ({
      name,
      resources,
      openApi: {
        parts: resources.map(info => info.resource),
        v3: release => v3Document({ ...group, cbor }, name, release, loadSchema(), loadDescriptions(features)),
        v2: () => v2Part({ ...group, cbor }, name, loadSchema(), loadDescriptions(features))
      }
    }))
  }))
