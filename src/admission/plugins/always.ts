import { forbidden } from '../../server/status.js'
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.js'

/** Does nothing; there because configurations name it. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', handles: () => false }

const deny = ({ resource, name }: AdmissionAttributes): never => {
  throw forbidden(resource.groupResource, name, 'admission control is denying all modifications')
}

/** Refuses every write. */
export const alwaysDeny: AdmissionPlugin = { name: 'AlwaysDeny', handles: () => true, admit: deny, validate: deny }
