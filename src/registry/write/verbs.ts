/** Which steps each write has, for an object that is there and for one that is not. */
import { type Operation, statusOf } from './operation.js'
import { admitChanges, admitNew, admitScale } from './steps/admit.js'
import { admitChangesAgain, admitNewAgain, admitPostedAgain } from './steps/admit-again.js'
import { insert, insertOrApply, replace } from './steps/commit.js'
import { converted, convertedApplied } from './steps/convert.js'
import {
  applied,
  appliedNew,
  changed,
  patched,
  type SentChange,
  type SentConfiguration,
  type SentObject,
  type SentPatch,
  sent,
  sentNew
} from './steps/draft.js'
import { encodeApplied, encodeChanges, encodeNew, encodeNewApplied } from './steps/encode.js'
import {
  identifyApplied,
  identifyNew,
  identifyNewByApply,
  identifyNewByUpdate,
  identifyPatched,
  identifyUpdated
} from './steps/identify.js'
import { prepareChanges, prepareNew } from './steps/prepare.js'
import { trackChanges, trackNew } from './steps/track.js'
import { validateChanges, validateNew } from './steps/validate.js'
import type { Start } from './steps/value.js'
import type { Steps, Verb } from './verb.js'

export type { SentChange }

const putCreates = (operation: Operation): boolean =>
  operation.subresource === ''
    ? operation.resource.kind.strategy?.allowCreateOnUpdate === true
    : operation.subresource === 'status' && statusOf(operation)?.creates === 'apply and put'

const applyCreates = (operation: Operation): boolean =>
  operation.subresource === '' || (operation.subresource === 'status' && statusOf(operation)?.creates !== undefined)

const always = () => true
const never = () => false
const none = undefined

/** The steps that are the same for all new objects, and for all changes. */
const forNew = { admit: admitNew, prepare: prepareNew, validate: validateNew, admitAgain: admitNewAgain }
const forPosted = { ...forNew, admitAgain: admitPostedAgain }
const forChanges = { admit: admitChanges, prepare: prepareChanges, validate: validateChanges, admitAgain: admitChangesAgain }
const forScales = { ...forChanges, admit: admitScale }

const steps = <S extends Start, Sent>(
  same: Pick<Steps<S, Sent>, 'admit' | 'prepare' | 'validate' | 'admitAgain'>,
  draft: Steps<S, Sent>['draft'],
  convert: Steps<S, Sent>['convert'],
  identify: Steps<S, Sent>['identify'],
  track: Steps<S, Sent>['track'],
  encode: Steps<S, Sent>['encode'],
  commit: Steps<S, Sent>['commit']
): Steps<S, Sent> => ({ draft, convert, identify, track, ...same, encode, commit })

// biome-ignore format: a table
const table = {
  //                            draft       convert           identify             track         encode            commit
  newByPost:  steps(forPosted,  sentNew,    converted,        identifyNew,         trackNew,     encodeNew,        insert),
  newByPut:   steps(forNew,     sentNew,    converted,        identifyNewByUpdate, trackNew,     encodeNew,        insert),
  newByApply: steps(forNew,     appliedNew, convertedApplied, identifyNewByApply,  none,         encodeNewApplied, insertOrApply),
  put:        steps(forChanges, sent,       converted,        identifyUpdated,     trackChanges, encodeChanges,    replace),
  patch:      steps(forChanges, patched,    converted,        identifyPatched,     trackChanges, encodeChanges,    replace),
  apply:      steps(forChanges, applied,    convertedApplied, identifyApplied,     none,         encodeApplied,    replace),
  scale:      steps(forScales,  changed,    none,             identifyApplied,     none,         encodeApplied,    replace),
  edit:       steps(forChanges, changed,    none,             identifyPatched,     trackChanges, encodeChanges,    replace)
}

/** POST. */
export const create: Verb<SentObject> = { found: none, missing: table.newByPost, creates: always }
/** PUT. */
export const update: Verb<SentObject> = { found: table.put, missing: table.newByPut, creates: putCreates }
/** PATCH with changes. */
export const patch: Verb<SentPatch> = { found: table.patch, missing: none, creates: never }
/** PATCH with a configuration: server-side apply. */
export const apply: Verb<SentConfiguration> = { found: table.apply, missing: table.newByApply, creates: applyCreates }
/** An apply by the server itself, to an object that exists. */
export const applyToPresent: Verb<SentConfiguration> = { found: table.apply, missing: none, creates: never }
/** PUT and PATCH of a Scale, whose own managedFields have become entries of the object. */
export const scale: Verb<SentChange> = { found: table.scale, missing: none, creates: never }
/** A change by the server itself. */
export const edit: Verb<SentChange> = { found: table.edit, missing: none, creates: never }
