/** Makes the parts of one server from its options and what it has opened, and names their order. Nothing here opens, reads or listens. */

import type { Handler } from '../apimachinery/request/message.js'
import type { FrontProxyCertificate } from '../apiserver/aggregation/remote-connections.js'
import { objectStages } from '../apiserver/chain/stages.js'
import { inProcess } from '../apiserver/chain/transport.js'
import type { ConsoleSessions } from '../apiserver/console/sessions.js'
import { createDispatch, type PathHandler } from '../apiserver/endpoints/dispatch.js'
import { explainHandlers } from '../apiserver/explain/explain.js'
import type { ServerFaults } from '../apiserver/faults/faults.js'
import { faultStage } from '../apiserver/faults/stage.js'
import { historyHandlers } from '../apiserver/history/history.js'
import type { ListenerPart } from '../apiserver/http/listener-part.js'
import { FlightRecorder } from '../apiserver/recorder/recorder.js'
import { setMetrics } from '../apiserver/sets/set-metrics.js'
import { setsHandlers } from '../apiserver/sets/sets.js'
import { reconcilerParts } from '../controllers/reconcilers/reconcilers.js'
import { StorageVersionUpdates } from '../controllers/server-objects/storage-version-updates.js'
import { markTokenUsed } from '../controllers/tokens/token-use.js'
import { WebhookClient } from '../transport/webhooks/client.js'
import type { Part } from '../util/part.js'
import { serverAdmission } from './admission.js'
import { serverAggregation } from './aggregation.js'
import { serverAudit } from './audit.js'
import { authentication } from './authentication.js'
import { authorization } from './authorization.js'
import { serverBackends } from './backends.js'
import { type ServerConsole, serverConsole } from './console.js'
import { serverControllers } from './controllers.js'
import { debugAccess } from './debug-access.js'
import { serverDefinitions } from './definitions.js'
import { flowControl } from './flow-control.js'
import type { Foundation } from './foundation.js'
import { followFrontProxy, loadFrontProxy } from './front-proxy.js'
import { serverAuthorization, serverHandler } from './handler.js'
import { healthChecks } from './health-checks.js'
import { serverListener } from './listener.js'
import { scheduledBackups } from './maintenance/scheduled-backups.js'
import { serverMetrics } from './metrics.js'
import type { ServerOptions } from './options.js'
import { serverPaths } from './paths.js'
import { serverPeers } from './peers.js'
import { Renewal } from './renewal.js'
import { serviceAddresses } from './service-addresses.js'
import { networkPart, serverServices } from './services.js'
import { type ServerShutdown, serverShutdown } from './shutdown.js'
import { serverStartup } from './startup.js'
import type { Crew } from './workers/crew.js'
import type { Primary } from './workers/primary.js'
import { askedOfPrimary, joinedMetrics, pathsHandler, withWorkers } from './workers/whole-paths.js'

export interface Assembly {
  readonly handler: Handler
  /** The parts in the order in which they start. */
  readonly parts: readonly Part[]
  /** The port on which the server listens; known once it listens. */
  readonly port: () => number
  readonly recorder: FlightRecorder | undefined
  /** Undefined for a server without a console. */
  readonly webConsole: ServerConsole | undefined
  /** Undefined for a server without a port of its own. */
  readonly listener: ListenerPart | undefined
  readonly shutdown: ServerShutdown
}

/** Where requests come in. */
export interface Edge {
  /** Wraps the handler for requests that the listener brings. */
  readonly around: (handler: Handler) => Handler
  /** A listener that is already open. */
  readonly listener?: ListenerPart | undefined
  /** The faults of the server whose place this one takes, so that programs may keep their reference. */
  readonly faults?: ServerFaults | undefined
  readonly recorder?: FlightRecorder | undefined
  /** The sessions of the console of the server whose place this one takes. */
  readonly consoleSessions?: ConsoleSessions | undefined
  /** Where the front end of the console is, in place of the usual places. */
  readonly consoleFolder?: string | undefined
  /** The port of the server that passes requests on to this one, which has no port itself. */
  readonly port?: number | undefined
  /** Paths that the server has beside the usual ones. */
  readonly paths?: readonly PathHandler[] | undefined
  /** The other processes of the server; set in the first of several processes. */
  readonly crew?: Crew | undefined
  /** The first process, which does what must be done once; set in the other processes. */
  readonly primary?: Primary | undefined
}

export function assemble(options: ServerOptions, foundation: Foundation, edge: Edge): Assembly {
  const { features, clock, log, faults, registry, store, egress, tracer } = foundation
  const { crew, primary } = edge
  const port = () => listener?.port ?? edge.port ?? 0
  const hasPort = options.listen !== false || edge.port !== undefined
  const servesCbor = features.enabled('CBORServingAndStorage')
  const shutdown = serverShutdown(options, clock)
  const { startup, caches } = serverStartup(options, registry)
  // each function takes from it what its Needs name
  const recorder = edge.recorder ?? (options.recorder ? new FlightRecorder(options.recorder, primary?.record) : undefined)
  const common = { ...foundation, startup, servesCbor, port, hasPort }
  const measured = serverMetrics(options, foundation)
  // a page that other servers pass requests on to would not find itself
  const webConsole =
    options.listen === false
      ? undefined
      : serverConsole(options, {
          ...common,
          sessions: edge.consoleSessions,
          keptByFirst: primary?.sessions,
          folder: edge.consoleFolder
        })

  const { rbac, authorizer } = authorization(options, common)
  const { authenticator, parts: authenticationParts } = authentication(options, {
    ...common,
    consoleSessions: webConsole?.sessions,
    markUsed: (secret, day) => void markTokenUsed(secret, day, services, log)
  })
  const services = serverServices(options, { ...common, authenticator, authorizer, rbac })
  const network = networkPart(services, foundation, startup, crew !== undefined)
  const audit = serverAudit(foundation)
  const flow = flowControl(options, registry, features, clock)

  const addresses = serviceAddresses(options, registry)
  const webhooks = new WebhookClient(
    addresses.resolve,
    undefined,
    egress,
    faults,
    features.enabled('WebhookRoundTripLoadBalancing')
  )
  const admitting = serverAdmission(options, { ...common, resolve: addresses.resolve })
  const admission = admitting.chain
  const definitions = serverDefinitions(options, { ...common, webhooks })
  const aggregation = serverAggregation(options, { ...common, services, admission, addresses })
  const peers = serverPeers({
    ...common,
    services,
    servesRemotely: (group, version) => aggregation?.table.find(group, version) !== undefined
  })
  const updates = new StorageVersionUpdates()
  const { customResources } = definitions
  const transport = inProcess(() => outermost)
  const controllers = serverControllers(options, {
    ...common,
    services,
    admission,
    rbac,
    customResources,
    aggregation,
    updates,
    transport
  })

  const useFrontProxy = (given: FrontProxyCertificate | undefined) => {
    aggregation?.connections.use(given)
    peers?.use(given)
  }
  const renewal = new Renewal(options, {
    ...common,
    async use(renewed) {
      listener?.use(renewed.serving)
      webConsole?.use(renewed.serving)
      useFrontProxy(await loadFrontProxy(options, renewed))
      await crew?.tell('certificates')
    }
  })
  const frontProxy = followFrontProxy(options, { ...common, use: useFrontProxy })
  const checks = healthChecks(options, {
    ...common,
    stopping: shutdown.leaving,
    certificateExpiry: () => renewal.expiry,
    isRegistered: () => controllers.isRegistered
  })
  const backends = serverBackends(options, {
    ...common,
    services,
    admission,
    remote: aggregation?.backend,
    stopping: shutdown.stopping
  })
  const ownPaths = serverPaths(options, {
    ...common,
    more: [
      ...setsHandlers(() => setParts),
      ...explainHandlers(() => ({ rbac, authorizer, recorder, member: setParts })),
      ...historyHandlers(() => ({ history: foundation.history, authorizer, member: setParts })),
      ...(edge.paths ?? [])
    ],
    measured,
    joinedMetrics: crew && joinedMetrics(crew),
    flow,
    checks,
    backends,
    peers: peers?.documents,
    priorityOf: (group, version) => aggregation?.table.priority(group, version)
  })
  const paths = crew ? withWorkers(ownPaths, crew) : primary ? askedOfPrimary(ownPaths, primary) : ownPaths
  const storageVersions = updates.isComplete ? undefined : updates.stage
  const authorizationStage = serverAuthorization(authorizer, measured)
  const setParts = {
    backends,
    services,
    store,
    count: setMetrics(foundation.metrics),
    stages: objectStages({ audit: audit.stages, authorization: authorizationStage, storageVersions, log })
  }
  const stages = {
    drain: shutdown.drain,
    audit: audit.stages,
    console: webConsole?.stage,
    faults: faultStage(faults),
    recorder: recorder?.stage,
    flowControl: flow.stage,
    authorization: authorizationStage,
    storageVersions,
    peers: peers?.stage,
    dispatch: createDispatch({ backends, paths, store })
  }
  const handler = serverHandler(options, { ...common, measured, authenticator, authorizer, stages })
  const outermost = edge.around(handler)
  const listener =
    edge.listener ??
    (options.listen === false
      ? undefined
      : serverListener(options, outermost, foundation, { handedOver: primary?.connections, spread: crew?.spread }))
  const answers = (answered: readonly PathHandler[]) => pathsHandler(answered, () => clock.now(), log)
  primary?.assist(answers(ownPaths), () => renewal.reload())

  const parts: Part[] = [
    caches,
    // the last event is that of the last request
    ...audit.outputs,
    ...(crew ? [crew.end] : []),
    { name: 'traces', stop: () => tracer?.stop() },
    { name: 'calls to webhooks', stop: () => webhooks.close() },
    ...admitting.imagePolicy,
    rbac,
    authorizer,
    ...admitting.configurations,
    ...authenticationParts,
    ...definitions.parts,
    network,
    ...(aggregation?.before ?? []),
    ...(peers?.before ?? []),
    ...frontProxy,
    ...flow.parts,
    ...(listener ? [{ name: 'handler of the listener', start: () => listener.handBy(outermost) }, listener] : []),
    ...(primary
      ? [renewal.withoutTimer]
      : [
          ...(options.debugSocketPath ? [debugAccess(options.debugSocketPath, clock, log)] : []),
          ...scheduledBackups(options, foundation),
          renewal,
          controllers,
          ...(aggregation?.controllers ?? [])
        ]),
    ...(aggregation?.readers ?? []),
    ...(peers?.readers ?? []),
    ...reconcilerParts(options.reconcilers ?? [], {
      ...{ transport, clock, log, metrics: foundation.metrics },
      queues: services.queues
    }),
    // the last part stops first: the server reports not ready, and watches end
    ...shutdown.parts,
    ...(crew
      ? [
          crew.part({
            store: foundation.engine.shared ? undefined : foundation.engine,
            port,
            paths: answers(paths),
            audit: text => foundation.audit?.lines?.write(text),
            sessions: webConsole?.own,
            record: entry => recorder?.take(entry)
          })
        ]
      : [])
  ]
  return { handler: outermost, parts, port, listener, shutdown, recorder, webConsole }
}
