import { forbidden } from '../../apimachinery/status/status.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../admission.js'
import { nameInErrors } from '../name-in-errors.js'

/** Does nothing. It exists because configurations name it. */
export const alwaysAdmit: BuiltinPlugin = { name: 'AlwaysAdmit', operations: [] }

const deny = (attributes: AdmissionAttributes): never => {
  throw forbidden(attributes.resource.groupResource, nameInErrors(attributes), 'admission control is denying all modifications')
}

/** Refuses every write. */
export const alwaysDeny: BuiltinPlugin = { name: 'AlwaysDeny', subresources: '*', admit: deny, validate: deny }
