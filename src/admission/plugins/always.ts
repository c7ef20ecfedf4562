import { forbidden } from '../../status/status.js'
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.js'
import { nameInErrors } from '../name-in-errors.js'

/** Does nothing. It exists because configurations name it. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', handles: () => false }

const deny = (attributes: AdmissionAttributes): never => {
  throw forbidden(attributes.resource.groupResource, nameInErrors(attributes), 'admission control is denying all modifications')
}

/** Refuses every write. */
export const alwaysDeny: AdmissionPlugin = { name: 'AlwaysDeny', handles: () => true, admit: deny, validate: deny }
