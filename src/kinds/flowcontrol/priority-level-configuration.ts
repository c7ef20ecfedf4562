import type {
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration
} from '../../apimachinery/api/generated/flowcontrol-v1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'
import { validateConditions } from './conditions.js'
import { mandatoryPriorityLevels } from './mandatory.js'

const maxQueues = 10_000_000
/** In v1beta3 this annotation means that zero shares are intended, and not the default. */
const roundTripAnnotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'

const queuing = (o: PriorityLevelConfiguration) => o.spec.limited?.limitResponse.queuing

export const priorityLevelConfiguration = defineKind<PriorityLevelConfiguration>({
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'PriorityLevelConfiguration',
  resource: 'prioritylevelconfigurations',
  namespaced: false,
  versions: [{ name: 'v1', type: 'flowcontrol.v1.PriorityLevelConfiguration' }],
  table: {
    columns: builtinColumns<PriorityLevelConfiguration>('flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', {
      Type: o => o.spec.type,
      NominalConcurrencyShares: o => o.spec.limited?.nominalConcurrencyShares ?? '<none>',
      Queues: o => queuing(o)?.queues ?? '<none>',
      HandSize: o => queuing(o)?.handSize ?? '<none>',
      QueueLengthLimit: o => queuing(o)?.queueLengthLimit ?? '<none>'
    })
  },
  generation: true,
  strategy: {
    default({ spec }) {
      if (spec.limited) {
        spec.limited.nominalConcurrencyShares ??= 30
        spec.limited.lendablePercent ??= 0
        const queues = spec.limited.limitResponse.queuing
        if (queues) {
          queues.handSize ||= 8
          queues.queues ||= 64
          queues.queueLengthLimit ||= 50
        }
      }
      if (spec.exempt) {
        spec.exempt.nominalConcurrencyShares ??= 0
        spec.exempt.lendablePercent ??= 0
      }
    },
    prepareForCreate(o) {
      o.status = {}
    },
    updateChecks: asNewThenOwnChanges,
    validate({ metadata: { name = '', annotations }, spec, status }, errors) {
      const at = Path.of('spec')
      if (annotations && Object.hasOwn(annotations, roundTripAnnotation))
        errors.forbidden(Path.of('metadata', 'annotations'), `annotation '${roundTripAnnotation}' is forbidden`)
      if ((name === 'exempt') !== (spec.type === 'Exempt'))
        errors.invalid(at.child('type'), namedText(spec.type), "must be 'Exempt' if and only if `name` is 'exempt'")
      validateSpec(spec, at, errors)
      validateMandatory(name, spec, at, errors)
      validateConditions(status.conditions, errors)
    }
  },
  subresources: {
    status: { metadata: 'none', validateUpdate: ({ status }, _, errors) => validateConditions(status.conditions, errors) }
  }
})

function validateMandatory(name: string, spec: PriorityLevelConfigurationSpec, at: Path, errors: FieldErrors): void {
  const fixed = mandatoryPriorityLevels.get(name)
  if (!fixed) return
  const shown = () => internalText('flowcontrol.v1.PriorityLevelConfigurationSpec', spec)
  if (name === 'exempt') {
    if (spec.type !== fixed.type || spec.limited)
      errors.invalid(at, shown(), `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`)
  } else if (!equalJson(spec, fixed)) errors.invalid(at, shown(), `spec of '${name}' must equal the fixed value`)
}

function validateSpec(spec: PriorityLevelConfigurationSpec, at: Path, errors: FieldErrors): void {
  const { type, limited, exempt } = spec
  if (type === 'Exempt') {
    if (limited) errors.forbidden(at.child('limited'), 'must be nil if the type is not Limited')
    if (exempt) {
      validateShares(exempt, at.child('exempt'), errors)
      validateLendable(exempt, at.child('exempt'), errors)
    }
  } else if (type === 'Limited') {
    if (exempt) errors.forbidden(at.child('exempt'), 'must be nil if the type is Limited')
    if (!limited) errors.required(at.child('limited'), 'must not be empty when type is Limited')
    else {
      validateShares(limited, at.child('limited'), errors)
      validateLimitResponse(limited.limitResponse, at.child('limited', 'limitResponse'), errors)
      validateLendable(limited, at.child('limited'), errors)
      const { borrowingLimitPercent: borrowing } = limited
      if (borrowing !== undefined && borrowing < 0)
        errors.invalid(at.child('limited', 'borrowingLimitPercent'), borrowing, 'if specified, must be a non-negative integer')
    }
  } else if (!type) errors.required(at.child('type'))
  else errors.notSupported(at.child('type'), type, ['Exempt', 'Limited'])
}

interface Shares {
  nominalConcurrencyShares?: number | undefined
  lendablePercent?: number | undefined
}

function validateShares({ nominalConcurrencyShares: shares = 0 }: Shares, at: Path, errors: FieldErrors): void {
  if (shares < 0) errors.invalid(at.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer')
}

function validateLendable({ lendablePercent: lendable = 0 }: Shares, at: Path, errors: FieldErrors): void {
  if (lendable < 0 || lendable > 100)
    errors.invalid(at.child('lendablePercent'), lendable, 'must be between 0 and 100, inclusive')
}

function validateLimitResponse({ type, queuing }: LimitResponse, at: Path, errors: FieldErrors): void {
  if (type === 'Reject') {
    if (queuing) errors.forbidden(at.child('queuing'), 'must be nil if limited.limitResponse.type is not Limited')
  } else if (type === 'Queue') {
    if (queuing) validateQueuing(queuing, at.child('queuing'), errors)
    else errors.required(at.child('queuing'), 'must not be empty if limited.limitResponse.type is Limited')
  } else if (!type) errors.required(at.child('type'))
  else errors.notSupported(at.child('type'), type, ['Queue', 'Reject'])
}

/** How many bits of the hash shuffle sharding may use. */
const maxHashBits = 60

function validateQueuing({ queues, handSize, queueLengthLimit }: QueuingConfiguration, at: Path, errors: FieldErrors): void {
  if (queueLengthLimit <= 0) errors.invalid(at.child('queueLengthLimit'), queueLengthLimit, 'must be positive')
  if (queues <= 0) errors.invalid(at.child('queues'), queues, 'must be positive')
  else if (queues > maxQueues) errors.invalid(at.child('queues'), queues, `must not be greater than ${maxQueues}`)
  if (handSize <= 0) errors.invalid(at.child('handSize'), handSize, 'must be positive')
  else if (handSize > queues) errors.invalid(at.child('handSize'), handSize, `should not be greater than queues (${queues})`)
  else {
    let bits = 0
    for (let i = 0; i < handSize && bits <= maxHashBits; i++) bits += Math.log2(queues - i)
    if (Math.ceil(bits) > maxHashBits) {
      errors.invalid(
        at.child('handSize'),
        handSize,
        `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxHashBits}`
      )
    }
  }
}
