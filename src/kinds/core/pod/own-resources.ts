/** Defaults of the resources that a Pod has for itself, beside those of its containers (KEP-2837). */
import type { PodSpec } from '../../../apimachinery/api/generated/core-v1.js'
import { compareQuantities } from '../../../util/quantity.js'
import { canBeOvercommitted, isHugePages } from '../resource-names.js'
import { containerResources, isPodLevel, type ResourceList } from './resources.js'
import { allContainers } from './spec-defaults.js'

const isEmpty = (list: ResourceList) => Object.keys(list).length === 0

/**
 * Sets the defaults before admission, as where the gate PodLevelResourcesFixDefaulting is off: a Pod without limits gets no requests, and
 * containers that admission adds do not count.
 */
export function defaultByLimits({ resources, ...spec }: PodSpec): void {
  if (!resources) return
  const { limits = {}, requests = {} } = resources
  if (isEmpty(limits) && isEmpty(requests)) return
  defaultHugePages(spec, limits, requests)
  if (isEmpty(limits)) return
  resources.limits = limits
  defaultRequests(spec, limits, requests)
  if (!isEmpty(requests)) resources.requests = requests
}

/**
 * Sets the defaults after admission. A resource that the Pod requests and that all its containers limit is limited to what these sum up to,
 * at least to its request.
 */
export function defaultOwnResources({ resources, ...spec }: PodSpec): void {
  if (!resources) return
  const { limits = {}, requests = {} } = resources
  if (isEmpty(limits) && isEmpty(requests)) return
  defaultHugePages(spec, limits, requests)
  defaultRequests(spec, limits, requests)
  defaultLimits(spec, limits, requests)
  if (!isEmpty(limits)) resources.limits = limits
  if (!isEmpty(requests)) resources.requests = requests
}

/** Limits of huge pages default to those of the containers. */
function defaultHugePages(spec: PodSpec, limits: ResourceList, requests: ResourceList): void {
  for (const [name, limit] of Object.entries(containerResources(spec, 'limits')))
    if (isHugePages(name) && !Object.hasOwn(requests, name)) fill(limits, name, limit)
}

/** Requests default to those of the containers, and others to the Pod's limits. */
function defaultRequests(spec: PodSpec, limits: ResourceList, requests: ResourceList): void {
  for (const [name, request] of Object.entries(containerResources(spec, 'requests')))
    if (isPodLevel(name) && canBeOvercommitted(name)) fill(requests, name, request)
  for (const [name, limit] of Object.entries(limits)) if (isPodLevel(name)) fill(requests, name, limit)
}

function defaultLimits(spec: PodSpec, limits: ResourceList, requests: ResourceList): void {
  const containers = allContainers(spec)
  const open = Object.keys(requests).filter(name => isPodLevel(name) && !Object.hasOwn(limits, name))
  const limited = open.filter(name => containers.every(({ resources }) => Object.hasOwn(resources?.limits ?? {}, name)))
  if (limited.length === 0) return
  const sums = containerResources(spec, 'limits')
  for (const name of limited) {
    const sum = sums[name]
    if (sum !== undefined) limits[name] = compareQuantities(requests[name]!, sum) > 0 ? requests[name]! : sum
  }
}

function fill(list: ResourceList, name: string, amount: string): void {
  if (!Object.hasOwn(list, name)) list[name] = amount
}
