/**
 * The authorizers of a server, as its options or its configuration file ask for them. A change of the file replaces them; Node,
 * RBAC and ABAC stay what they were at the start, and a file without one of these that was there is refused.
 */

import { ConfigError } from '../../apimachinery/config/read-config.js'
import { FileFollower } from '../../apimachinery/config/reload.js'
import type { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import type { AuthorizationAttributes, Authorizer, Decision, UnionAuthorizer } from '../../apimachinery/request/authorization.js'
import { PRIVILEGED_GROUP, privilegedGroup } from '../../apimachinery/request/privileged-group.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import type { Registry } from '../../registry/registry.js'
import type { Connect } from '../../transport/egress/egress-selector.js'
import type { WebhookFaults } from '../../transport/webhooks/injected-faults.js'
import type { Kubeconfig } from '../../transport/webhooks/kubeconfig.js'
import { RemoteWebhook } from '../../transport/webhooks/remote-webhook.js'
import type { Clock } from '../../util/clock.js'
import { equalJson } from '../../util/json.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import type { Randomness } from '../../util/randomness.js'
import { UserError } from '../../util/user-error.js'
import { abacAuthorizer } from './abac/authorizer.js'
import { alwaysAllow, alwaysDeny } from './always.js'
import type { AuthorizerConfiguration, WebhookConfiguration } from './config/configuration.js'
import { loadConfiguration } from './config/load.js'
import { counted } from './counted.js'
import { type LoadedAuthorization, loadKubeconfigs } from './loaded.js'
import type { AuthorizationMetrics } from './metrics.js'
import { nodeAuthorizer } from './node/authorizer.js'
import { NodeRelations } from './node/relations.js'
import { type AskedAuthorizer, type Opinion, opinionsOf } from './opinions.js'
import { rbacAuthorizer } from './rbac/authorizer.js'
import type { RbacPolicy } from './rbac/policy.js'
import { unionAuthorizer } from './union.js'
import { WebhookAuthorizer } from './webhook/authorizer.js'
import { compileConditions } from './webhook/compile-conditions.js'
import type { ReviewVersion } from './webhook/review.js'

/** Counts the reloads of a configuration file, for /metrics. */
export interface ReloadMetrics {
  /** The configuration with this text has been in use since the start. */
  started(text: string): void
  succeeded(text: string): void
  failed(): void
}

export interface ServerAuthorizerOptions {
  readonly features: FeatureGates
  readonly loaded: LoadedAuthorization
  readonly rbac: RbacPolicy
  readonly registry: Registry
  /** Authorizers that are asked after those of the configuration. */
  readonly others: readonly Authorizer[]
  readonly clock: Clock
  readonly random: Randomness
  readonly log: Logger
  readonly metrics: AuthorizationMetrics
  readonly reloads: ReloadMetrics
  /** Opens the connections to webhooks that an egress selection redirects. */
  readonly egress?: Connect | undefined
  readonly faults?: WebhookFaults | undefined
}

interface Current {
  readonly union: UnionAuthorizer
  readonly asked: readonly AskedAuthorizer[]
  readonly webhooks: readonly WebhookAuthorizer[]
}

export class ServerAuthorizer implements UnionAuthorizer, Part {
  readonly name = 'authorizers'
  readonly #options: ServerAuthorizerOptions
  /** The authorizers that are made once, by type: a changed file must keep them, while webhooks may come and go. */
  readonly #lasting: ReadonlyMap<string, Authorizer>
  #configuration: readonly AuthorizerConfiguration[]
  #current: Current
  readonly #follower: FileFollower | undefined

  constructor(options: ServerAuthorizerOptions) {
    const { configuration, file, policies, kubeconfigs } = options.loaded
    this.#options = options
    this.#configuration = configuration
    const make: Record<string, () => Authorizer> = {
      Node: () => nodeAuthorizer(new NodeRelations(options.registry), options.features),
      RBAC: () => rbacAuthorizer(options.rbac),
      ABAC: () => abacAuthorizer(policies),
      AlwaysAllow: () => alwaysAllow,
      AlwaysDeny: () => alwaysDeny
    }
    const types = configuration.flatMap(({ type }) => (Object.hasOwn(make, type) ? [type] : []))
    this.#lasting = new Map(types.map(type => [type, make[type]!()]))
    this.#current = this.#make(configuration, kubeconfigs)
    if (!file) return
    this.#follower = new FileFollower({
      path: file.path,
      text: file.text,
      clock: options.clock,
      changed: text => this.#reload(text),
      failed: error => this.#failed(error)
    })
  }

  start(): void {
    if (!this.#follower) return
    this.#options.reloads.started(this.#options.loaded.file!.text)
    this.#follower.start()
  }

  async stop(): Promise<void> {
    await this.#follower?.stop()
    for (const webhook of this.#current.webhooks) webhook.close()
  }

  async reload(): Promise<void> {
    await this.#follower?.check()
  }

  authorize(
    attributes: AuthorizationAttributes,
    origin?: Parameters<UnionAuthorizer['authorize']>[1]
  ): Decision | Promise<Decision> {
    return this.#current.union.authorize(attributes, origin)
  }

  /** The types of the authorizers, in the order in which they are asked. */
  get types(): readonly string[] {
    return this.#current.asked.map(({ type }) => type)
  }

  /** Asks the authorizers one after the other, until one decides, and tells what each of them says. Counts in no metric. */
  opinions(attributes: AuthorizationAttributes, signal?: AbortSignal): Promise<readonly Opinion[]> {
    return opinionsOf(this.#current.asked, attributes, signal)
  }

  rulesFor(user: UserInfo, namespace: string): ReturnType<UnionAuthorizer['rulesFor']> {
    return this.#current.union.rulesFor(user, namespace)
  }

  #make(configuration: readonly AuthorizerConfiguration[], kubeconfigs: ReadonlyMap<string, Kubeconfig>): Current {
    const { metrics, others } = this.#options
    const webhooks: WebhookAuthorizer[] = []
    const asked: AskedAuthorizer[] = [{ type: 'Privileged', name: PRIVILEGED_GROUP, authorizer: privilegedGroup }]
    const authorizers = configuration.map(({ type, name, webhook }) => {
      let authorizer = this.#lasting.get(type) ?? always[type]
      if (webhook) webhooks.push((authorizer = this.#webhook(name, webhook, kubeconfigs)))
      if (!authorizer)
        throw new ConfigError(`authorizer type ${type} is not allowed if it was not enabled at initial server startup`)
      asked.push({ type, name, authorizer })
      return counted(name, authorizer, metrics.decisions(type, name))
    })
    asked.push(...others.map(authorizer => ({ type: 'Program', name: authorizer.name ?? '', authorizer })))
    return { union: unionAuthorizer([privilegedGroup, ...authorizers, ...others]), asked, webhooks }
  }

  #webhook(name: string, webhook: WebhookConfiguration, kubeconfigs: ReadonlyMap<string, Kubeconfig>): WebhookAuthorizer {
    const { clock, random, log, metrics, egress, faults } = this.#options
    const kubeconfig = kubeconfigs.get(webhook.connectionInfo.kubeConfigFile!)!
    return new WebhookAuthorizer({
      name,
      webhook: new RemoteWebhook({
        kubeconfig,
        egress,
        clock,
        random,
        timeoutMs: webhook.timeout,
        faults: faults && { faults, name }
      }),
      version: webhook.subjectAccessReviewVersion as ReviewVersion,
      authorizedTTL: webhook.cacheAuthorizedRequests ? webhook.authorizedTTL : 0,
      unauthorizedTTL: webhook.cacheUnauthorizedRequests ? webhook.unauthorizedTTL : 0,
      deniesOnFailure: webhook.failurePolicy === 'Deny',
      // validation has found no errors
      conditions: compileConditions(webhook.matchConditions, Path.of('matchConditions'), new FieldErrors()),
      clock,
      log,
      metrics
    })
  }

  async #reload(text: string): Promise<void> {
    const { log, reloads } = this.#options
    try {
      const configuration = loadConfiguration(text, [...this.#lasting.keys()])
      if (equalJson(configuration, this.#configuration)) return
      const before = this.#current
      this.#current = this.#make(configuration, await loadKubeconfigs(configuration))
      this.#configuration = configuration
      log.info('reloaded the authorization configuration')
      reloads.succeeded(text)
      for (const webhook of before.webhooks) webhook.close()
    } catch (error) {
      if (!(error instanceof ConfigError || error instanceof UserError)) throw error
      this.#failed(error)
    }
  }

  #failed(error: Error): void {
    this.#options.log.error(`reloading authorization config: ${error.message}`)
    this.#options.reloads.failed()
  }
}

const always: Readonly<Record<string, Authorizer>> = { AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny }
