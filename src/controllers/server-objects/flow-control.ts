/**
 * Maintains priority and fairness (https://kubernetes.io/docs/concepts/cluster-administration/flow-control/):
 * restores the mandatory and suggested objects, and tells in every FlowSchema's status whether its priority level exists.
 */
import type { FlowSchema } from '../../apimachinery/api/generated/flowcontrol-v1.js'
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from '../../kinds/flowcontrol/mandatory.js'
import { suggestedFlowSchemas, suggestedPriorityLevels } from '../../kinds/flowcontrol/suggested.js'
import type { Client } from '../../registry/client.js'
import type { KubeObject } from '../../registry/kind.js'
import type { Resource } from '../../registry/resource.js'
import type { Services } from '../../registry/services.js'
import { cloneJson, equalJson, type JsonObject } from '../../util/json.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { timestamp } from '../../util/time.js'
import { Controller } from '../controller.js'

const group = 'flowcontrol.apiserver.k8s.io'
const autoUpdate = 'apf.kubernetes.io/autoupdate-spec'
/** The interval at which deleted or changed objects are restored, as in kube-apiserver. */
const checkAgainMs = 60_000

const truths: ReadonlyMap<string | undefined, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map(text => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map(text => [text, false] as const)
])

/** The configuration is complete when `start` resolves. */
export class FlowControl implements Part {
  readonly name = 'configuration of flow control'
  readonly #client: Client
  readonly #levels: Resource
  readonly #schemas: Resource
  readonly #ensuring: Controller
  readonly #dangling: Controller | undefined

  /** `producer` writes the objects, `consumer` their status; undefined where no request is served by them. */
  constructor(services: Services, producer: Client, consumer: Client | undefined, log: Logger) {
    const { registry, clock, queues } = services
    this.#client = producer
    this.#levels = registry.resource(group, 'prioritylevelconfigurations')
    this.#schemas = registry.resource(group, 'flowschemas')
    this.#ensuring = new Controller({
      name: 'flow-control-objects',
      watches: [],
      clock,
      queues,
      log,
      reconcile: async () => {
        await this.#ensureAll()
        return checkAgainMs
      }
    })
    this.#dangling = consumer && danglingController(services, consumer, this.#levels, this.#schemas, log)
  }

  async start(): Promise<void> {
    await Promise.all([this.#levels.cache.load(), this.#schemas.cache.load()])
    await this.#ensureAll()
    this.#ensuring.enqueue('')
    await this.#dangling?.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#ensuring.stop(), this.#dangling?.stop()])
  }

  async #ensureAll(): Promise<void> {
    const { keepShares } = FlowControl
    await Promise.all([
      ...[...mandatoryPriorityLevels].map(([name, spec]) => this.#ensure(this.#levels, name, spec, true, keepShares)),
      ...[...suggestedPriorityLevels].map(([name, spec]) => this.#ensure(this.#levels, name, spec, false)),
      ...[...mandatoryFlowSchemas].map(([name, spec]) => this.#ensure(this.#schemas, name, spec, true)),
      ...[...suggestedFlowSchemas].map(([name, spec]) => this.#ensure(this.#schemas, name, spec, false))
    ])
  }

  /** Keeps the shares that an administrator has set for the exempt level. */
  static keepShares(wanted: any, present: any): any {
    return present.exempt ? { ...wanted, exempt: present.exempt } : wanted
  }

  /** Restores the spec of a mandatory object always, and of a suggested one until an administrator takes it over. */
  async #ensure(
    resource: Resource,
    name: string,
    spec: unknown,
    mandatory: boolean,
    adapt: (wanted: any, present: any) => any = wanted => wanted
  ): Promise<void> {
    const cached = resource.get('', name)
    if (!cached) {
      await this.#client.ensure(resource, '', { metadata: { name, annotations: { [autoUpdate]: 'true' } }, spec } as never)
      return
    }
    const { metadata, spec: present }: KubeObject & { spec: unknown } = resource.peek(cached)
    const annotated = truths.get(metadata.annotations?.[autoUpdate])
    const updates = mandatory || (annotated ?? metadata.generation === 1)
    const wanted = updates ? adapt(spec, present) : present
    if (annotated === updates && equalJson(wanted, present)) return
    await this.#client.update(resource, '', name, object => {
      object.spec = cloneJson(wanted)
      object.metadata.annotations = { ...object.metadata.annotations, [autoUpdate]: String(updates) }
    })
  }
}

function danglingController(
  { clock, queues }: Services,
  client: Client,
  levels: Resource,
  schemas: Resource,
  log: Logger
): Controller {
  const controller: Controller = new Controller({
    name: 'flow-schemas',
    queue: 'priority_and_fairness_config_queue',
    watches: [
      { resource: schemas, keyOf: name => name },
      { resource: levels, keyOf: name => `level/${name}` }
    ],
    clock,
    queues,
    log,
    async reconcile(key) {
      if (key.startsWith('level/')) {
        const level = key.slice('level/'.length)
        for (const cached of schemas.cache.range(''))
          if (schemas.peek(cached).spec.priorityLevelConfiguration.name === level) controller.enqueue(cached.name)
        return
      }
      const cached = schemas.get('', key)
      if (!cached) return
      const schema: FlowSchema = schemas.peek(cached)
      const wanted = danglingCondition(schema, level => levels.get('', level) !== undefined)
      const present = schema.status.conditions?.find(({ type }) => type === wanted.type)
      if (present && equalJson({ ...wanted, lastTransitionTime: present.lastTransitionTime }, present)) return
      const lastTransitionTime = timestamp(clock.now())
      await client.apply(
        schemas,
        '',
        { metadata: { name: key }, status: { conditions: [{ ...wanted, lastTransitionTime }] } },
        'status'
      )
    }
  })
  return controller
}

function danglingCondition({ spec }: FlowSchema, exists: (level: string) => boolean): JsonObject {
  const { name } = spec.priorityLevelConfiguration
  const what = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(name)}`
  return exists(name)
    ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${what} and it exists` }
    : { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${what} but there is no such object` }
}
