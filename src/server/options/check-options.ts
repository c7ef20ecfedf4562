import { checkReconciler, type Reconciler } from '../../client/operator/reconciler.js'
import { checkMembers, isMap, shown } from '../../util/members.js'
import { UserError } from '../../util/user-error.js'
import { eachShaped } from './option-shapes.js'
import { optionTypes } from './option-types.js'

/** Throws a UserError for an option that does not exist or has a value of the wrong type, also inside objects. */
export function checkOptions(options: object): void {
  if (!isMap(options)) throw new UserError(`the options must be an object, not ${shown(options)}`)
  const { controllers } = options
  if (Array.isArray(controllers) && controllers.some(isMap))
    throw new UserError('the option controllers names controllers of the server; your own are given to the option reconcilers')
  checkMembers(options, { members: optionTypes, isData: true })
  for (const [name, value] of Object.entries(options))
    eachShaped(name, value, (object, shape, place) => checkMembers(object, shape, `${place}.`))
  const reconcilers = (options as { reconcilers?: readonly Reconciler[] }).reconcilers ?? []
  for (const [i, reconciler] of reconcilers.entries()) checkReconciler(reconciler, `reconcilers[${i}].`)
}

/** The options in which a fork or a hosted server may differ from the server that it comes from. */
const ownOfForks = ['listen', 'securePort', 'clock', 'log', 'seed']
const ownOfHosted = ['clock', 'log', 'seed', 'simulate']

/** Throws a UserError for options that a fork or a hosted server inherits and may not set. */
export function checkForkOptions(options: object, isHosted = false): void {
  const names = isHosted ? ownOfHosted : ownOfForks
  const members = Object.fromEntries(names.map(name => [name, optionTypes[name]!]))
  checkMembers(options, { members, isData: true }, isHosted ? 'host.' : 'fork.')
  checkOptions(options)
}
