/** What a cluster's controllers have made of a namespace: without what differs from run to run. */

/** What is looked at: the group and version, the resource, and whether its status is the controllers' (that of Pods is the kubelet's). */
const kinds = [
  ['apps/v1', 'deployments'],
  ['apps/v1', 'replicasets'],
  ['apps/v1', 'statefulsets'],
  ['apps/v1', 'daemonsets'],
  ['apps/v1', 'controllerrevisions'],
  ['v1', 'replicationcontrollers'],
  ['batch/v1', 'jobs'],
  ['batch/v1', 'cronjobs'],
  ['policy/v1', 'poddisruptionbudgets'],
  ['autoscaling/v2', 'horizontalpodautoscalers'],
  ['v1', 'endpoints'],
  ['discovery.k8s.io/v1', 'endpointslices'],
  ['v1', 'persistentvolumeclaims'],
  ['resource.k8s.io/v1', 'resourceclaims'],
  ['v1', 'pods', 'without status']
]

export const rootOf = apiVersion => (apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`)

/** The state of a namespace, by kind: objects in the order of their texts, and what the Events say. */
export async function stateOf(client, ns) {
  const lists = await Promise.all(
    kinds.map(async ([apiVersion, resource]) => {
      const { status, body } = await client.send({ path: `${rootOf(apiVersion)}/namespaces/${ns}/${resource}` }, {})
      return status === 200 ? body.items : []
    })
  )
  // volumes are no objects of the namespace: a scenario's have a label
  const { body: volumes } = await client.send({ path: '/api/v1/persistentvolumes' }, {})
  const isOwn = ({ metadata, spec }) => metadata.labels?.scenario !== undefined || spec.claimRef?.namespace === ns
  lists.push(volumes.items.filter(isOwn))
  const events = await client.send({ path: `/api/v1/namespaces/${ns}/events` }, {})
  const nodes = (await client.send({ path: '/api/v1/nodes' }, {})).body.items.filter(isOfScenario)
  const ofNodes = await client.send({ path: '/api/v1/namespaces/default/events' }, {})
  // those of an earlier run are still there
  const { creationTimestamp: begin } = (await client.send({ path: `/api/v1/namespaces/${ns}` }, {})).body.metadata
  const saidOfNodes = ofNodes.body.items.filter(
    ({ involvedObject: { kind, name }, firstTimestamp }) => kind === 'Node' && name === ghost && firstTimestamp >= begin
  )
  const names = placeholders(lists.flat(), ns)
  const state = {}
  for (const [i, [, resource, isPod]] of [...kinds, ['v1', 'persistentvolumes']].entries()) {
    const texts = lists[i].map(object => names(JSON.stringify(comparable(object, isPod !== undefined))))
    if (texts.length > 0) state[resource] = texts.sort().map(text => JSON.parse(text))
  }
  if (nodes.length > 0) state.nodes = nodes.map(node => JSON.parse(names(JSON.stringify(comparable(node)))))
  // whether similar Events become too many depends on how often something is tried again, and two workers assign one range now and then
  const byChance = ({ message, reason }) => message.startsWith('(combined') || reason === 'CIDRAssignmentFailed'
  const apart = [...events.body.items, ...saidOfNodes].filter(event => byController(event) && !byChance(event))
  const said = apart.map(event => {
    const { kind, name } = event.involvedObject
    const component = event.source?.component || event.reportingComponent
    return names([component, kind, name, event.type, event.reason, event.message].join(' | ')).replace(forgottenHash, '-<hash>')
  })
  if (said.length > 0) state.events = [...new Set(said)].sort()
  return state
}

/** The hash of an object that is gone, and tells no revision. */
const forgottenHash = /-(?=[bcdfghjklmnpqrstvwxz2456789]*\d)[bcdfghjklmnpqrstvwxz2456789]{5,10}(?= |$|-<)/g

/** A Node that a scenario makes, and on which nothing runs. Its Pods have the status that the scenario and the controllers give them. */
const ghost = 'ghost'
const isOfScenario = ({ metadata }) => metadata.name === ghost

/** Events of kubelets differ as what they run does. */
const byController = ({ source, reportingComponent }) => {
  const component = source?.component || reportingComponent
  return component.endsWith('controller') || component.endsWith('controllermanager') || component === 'horizontal-pod-autoscaler'
}

function comparable({ metadata, spec, status, data, ...others }, isPod) {
  const { name, labels, annotations, ownerReferences, finalizers, deletionTimestamp, managedFields = [] } = metadata
  const managers = managedFields.map(({ manager, operation, subresource = '' }) =>
    `${manager} ${operation} ${subresource}`.trim()
  )
  const owners = ownerReferences?.map(({ uid: _, ...owner }) => owner)
  const shown = {
    name,
    labels,
    annotations,
    ownerReferences: owners,
    finalizers,
    deletionTimestamp,
    managers: [...new Set(managers)].sort()
  }
  if (isPod) shown.managers = shown.managers.filter(manager => !manager.endsWith(' status'))
  return sorted({
    metadata: shown,
    spec: isPod ? podSpec(spec) : spec,
    ...(isPod && spec.nodeName !== ghost ? { status: schedulersPart(spec, status) } : { status, data }),
    ...others
  })
}

/** What the scheduler says in the status of a Pod: the claim that it has made, and why there is no Node. */
function schedulersPart({ nodeName }, { conditions = [], extendedResourceClaimStatus }) {
  const waits = nodeName ? undefined : conditions.find(({ type }) => type === 'PodScheduled')?.message
  return waits || extendedResourceClaimStatus ? { waits, extendedResourceClaimStatus } : undefined
}

/** Without the Node, which the scheduler chooses among equals, and the volume of the token, whose name is random. */
const podSpec = ({ nodeName, volumes, containers, initContainers, ...spec }) => {
  const isToken = ({ name }) => name.startsWith('kube-api-access-')
  const without = list => list?.map(one => ({ ...one, volumeMounts: one.volumeMounts?.filter(mount => !isToken(mount)) }))
  return {
    ...spec,
    nodeName: nodeName && '<node>',
    volumes: volumes?.filter(volume => !isToken(volume)),
    containers: without(containers),
    initContainers: without(initContainers)
  }
}

/** Lists that are in no order, or in that of addresses and uids. */
const unordered = new Set(['taints', 'subsets', 'endpoints', 'addresses', 'notReadyAddresses'])
const chosenAtRandom = /\b\d{1,3}(\.\d{1,3}){3}\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|"node-\d+"/g
const orderOf = value => JSON.stringify(value).replace(chosenAtRandom, '')

const sorted = value => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .flatMap(key => (value[key] === undefined ? [] : [[key, inOrder(key, sorted(value[key]))]]))
  )
}

const inOrder = (key, value) =>
  unordered.has(key) && Array.isArray(value) ? value.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)) : value

/** Returns what replaces times, addresses, generated names and hashes: a hash by the number of the revision that has it. */
function placeholders(objects, ns) {
  const known = new Map()
  for (const { metadata, revision } of objects) {
    const { labels = {}, annotations = {}, name, generateName } = metadata
    const number = annotations['deployment.kubernetes.io/revision']
    if (labels['pod-template-hash'] && number) known.set(labels['pod-template-hash'], `<hash ${number}>`)
    if (revision !== undefined) known.set(name.slice(name.lastIndexOf('-') + 1), `<revision ${revision}>`)
    if (generateName && name.startsWith(generateName)) known.set(name.slice(generateName.length), '<suffix>')
  }
  const pattern = known.size > 0 ? new RegExp(`(?<=[-"= ])(?:${[...known.keys()].join('|')})\\b`, 'g') : /(?!)/
  return text =>
    text
      .replaceAll(ns, '<ns>')
      .replace(pattern, hash => known.get(hash))
      // Pods that are gone, or never were
      // the claim of a Pod that has ended is gone
      .replace(/(-extended-resources-)[a-z0-9]{5}\b/g, '$1<suffix>')
      .replace(/-[a-z0-9]{5}(?=\\*" is forbidden)/g, '-<suffix>')
      .replace(/((?:Created|Deleted) pod: [\w.<> -]*-)[a-z0-9]{5}$/, '$1<suffix>')
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uid>')
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
      .replace(/\b\d{1,3}(\.\d{1,3}){3}\b/g, '<ip>')
      .replace(/"node-\d+"/g, '"<node>"')
      .replace(/-\d{8}\b/g, '-<minutes>')
      .replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"<rv>"')
}
