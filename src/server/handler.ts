/** Makes the handler of a server: the chain with the stages that the options ask for. */

import type { UnionAuthorizer } from '../apimachinery/request/authorization.js'
import type { Handler } from '../apimachinery/request/message.js'
import type { Stage } from '../apimachinery/request/stage.js'
import { corsStage } from '../apiserver/chain/cors.js'
import { createHandler } from '../apiserver/chain/handler.js'
import { type ChainParts, handlerChain } from '../apiserver/chain/stages.js'
import { requestLogStage } from '../apiserver/logging/request-log.js'
import { tracingStage } from '../apiserver/tracing/stage.js'
import { AuthenticationAttempts } from '../auth/authentication/attempts.js'
import { ImpersonationMetrics } from '../auth/authentication/impersonation/impersonation-metrics.js'
import { impersonationStage } from '../auth/authentication/impersonation/stage.js'
import { authenticationStage } from '../auth/authentication/stage.js'
import type { Authenticator } from '../auth/authentication/union.js'
import { AuthorizationAttempts } from '../auth/authorization/attempts.js'
import { authorizationStage } from '../auth/authorization/stage.js'
import type { Randomness } from '../util/randomness.js'
import type { Foundation } from './foundation.js'
import type { ServerMetrics } from './metrics.js'
import type { ServerOptions } from './options.js'

/** The stages that other parts of the server have made. */
type Stages = Pick<
  ChainParts,
  | 'drain'
  | 'audit'
  | 'console'
  | 'faults'
  | 'recorder'
  | 'flowControl'
  | 'authorization'
  | 'storageVersions'
  | 'peers'
  | 'dispatch'
>

interface Needs extends Pick<Foundation, 'features' | 'clock' | 'log' | 'tracer'> {
  readonly random: Randomness
  readonly measured: Pick<ServerMetrics, 'metrics' | 'families' | 'stage'>
  readonly authenticator: Authenticator
  readonly authorizer: UnionAuthorizer
  readonly stages: Stages
}

/** The stage that asks for permission: for requests, and for each object of a set. */
export const serverAuthorization = (authorizer: UnionAuthorizer, { metrics, families }: Needs['measured']): Stage =>
  authorizationStage(authorizer, new AuthorizationAttempts(metrics, families.filters.of('authorization')))

export function serverHandler(options: ServerOptions, needs: Needs): Handler {
  const { features, clock, log, tracer, random, authenticator, authorizer, stages } = needs
  const { metrics, families, stage } = needs.measured
  const now = () => clock.now()
  const chain = handlerChain({
    ...stages,
    metrics: stage,
    filterTimes: filter => families.filters.of(filter),
    compresses: features.enabled('APIResponseCompression'),
    impersonationFilter: features.enabled('ConstrainedImpersonation') ? 'constrainedimpersonation' : 'impersonation',
    lateWorkEnded: how => families.postTimeout.of('timeout-handler', how).add(),
    requestLog: requestLogStage(log, now),
    cors: options.corsAllowedOrigins?.length ? corsStage(options.corsAllowedOrigins) : undefined,
    authentication: authenticationStage(
      authenticator,
      new AuthenticationAttempts(metrics, families.filters.of('authentication')),
      features.enabled('UnauthenticatedHTTP2DOSMitigation')
    ),
    tracing: tracer && tracingStage(tracer),
    impersonation: impersonationStage(
      authorizer,
      features.enabled('ConstrainedImpersonation') ? new ImpersonationMetrics(metrics) : undefined
    ),
    requestTimeout: options.requestTimeout ?? 60_000,
    log
  })
  return createHandler(chain, {
    now,
    uuid: () => random.apart('requests').uuid(),
    strictTransportSecurity: options.strictTransportSecurityDirectives?.join('; ')
  })
}
