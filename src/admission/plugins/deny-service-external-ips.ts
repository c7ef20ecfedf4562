import type { Service } from '../../api/generated/core-v1.js'
import { forbidden } from '../../status/status.js'
import type { AdmissionPlugin } from '../admission.js'

/** Refuses new external IPs of Services (CVE-2020-8554). A Service keeps those that it has. */
export const denyServiceExternalIPs: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  handles: operation => operation === 'CREATE' || operation === 'UPDATE',
  validate({ resource, subresource, name, object, oldObject }) {
    if (resource.group !== '' || resource.resource !== 'services' || subresource !== '') return
    const old = new Set((oldObject as Service | undefined)?.spec.externalIPs)
    if ((object as Service).spec.externalIPs?.some(ip => !old.has(ip)))
      throw forbidden(resource.groupResource, name, 'Use of external IPs is denied by admission control')
  }
}
