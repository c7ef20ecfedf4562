/** Validates what a Pod's status reports about users and devices of its containers. */

import type { ContainerStatus, Pod, ResourceStatus } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { namedText } from '../../../apimachinery/validation/go-value.js'
import { byName } from '../by-name.js'
import { validateId } from '../linux-id.js'

/** In a user namespace, the id of a user has 32 bits. */
const maxUid = 4294967295

export function validateContainerUsers(
  { spec }: Pod,
  statuses: readonly ContainerStatus[],
  path: Path,
  errors: FieldErrors
): void {
  const os = spec.os?.name ?? 'linux'
  statuses.forEach(({ user }, i) => {
    if (!user?.linux) return
    const at = path.index(i).child('user', 'linux')
    if (os === 'windows') errors.forbidden(at, 'cannot be set for a windows pod')
    if (os !== 'linux') return
    const { uid, gid, supplementalGroups } = user.linux
    if (uid < 0 || uid > maxUid) errors.invalid(at.child('uid'), uid, `must be between 0 and ${maxUid}, inclusive`)
    validateId(gid, at.child('gid'), errors)
    supplementalGroups?.forEach((group, j) => void validateId(group, at.child('supplementalGroups').index(j), errors))
  })
}

export function validateAllocatedResources(
  { spec, status }: Pod,
  field: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses',
  path: Path,
  errors: FieldErrors
): void {
  const containers = byName((field === 'containerStatuses' ? spec.containers : spec.initContainers) ?? [])
  status[field]?.forEach(({ name, allocatedResourcesStatus: resources = [] }, i) => {
    const at = path.index(i).child('allocatedResourcesStatus')
    if (field === 'ephemeralContainerStatuses') {
      if (resources.length > 0) errors.forbidden(at, 'must not be specified in container status')
      return
    }
    const container = containers.get(name)
    const claims = new Set(container?.resources.claims?.map(c => `claim:${c.request ? `${c.name}/${c.request}` : c.name}`))
    resources.forEach((resource, j) => {
      if (container) validateAllocatedName(resource.name, claims, container.resources.requests, at.index(j).child('name'), errors)
      validateHealth(resource, at.index(j).child('resources'), errors)
    })
  })
}

const claimRule =
  "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"

function validateAllocatedName(
  name: string,
  claims: ReadonlySet<string>,
  requests: Readonly<Record<string, string>> | undefined,
  path: Path,
  errors: FieldErrors
): void {
  if (!name.startsWith('claim:')) {
    if (!Object.hasOwn(requests ?? {}, name)) errors.invalid(path, name, "must match one of the container's resource requests")
  } else if (!claims.has(name)) errors.invalid(path, name, claimRule)
}

const healths = ['Healthy', 'Unhealthy', 'Unknown']
const maxMessage = 1024

function validateHealth({ resources }: ResourceStatus, path: Path, errors: FieldErrors): void {
  const ids = new Set<string>()
  resources?.forEach(({ resourceID, health = '', message }, i) => {
    const at = path.index(i)
    if (!healths.includes(health)) errors.notSupported(at.child('health'), health, healths)
    if (message === '') errors.required(at.child('message'), 'must be non-empty if specified')
    else if (message !== undefined && Buffer.byteLength(message) > maxMessage) errors.tooLong(at.child('message'), maxMessage)
    if (ids.has(resourceID)) errors.duplicate(at.child('resourceID'), namedText(resourceID))
    ids.add(resourceID)
  })
}
