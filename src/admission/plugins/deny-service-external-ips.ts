import type { Service } from '../../apimachinery/api/generated/core-v1.js'
import { forbidden } from '../../apimachinery/status/status.js'
import type { BuiltinPlugin } from '../admission.js'

/** Refuses new external IPs of Services (CVE-2020-8554). A Service keeps those that it has. */
export const denyServiceExternalIPs: BuiltinPlugin = {
  name: 'DenyServiceExternalIPs',
  operations: ['CREATE', 'UPDATE'],
  resources: ['services'],
  validate({ resource, name, object, oldObject }) {
    const old = new Set((oldObject as Service | undefined)?.spec.externalIPs)
    if ((object as Service).spec.externalIPs?.some(ip => !old.has(ip)))
      throw forbidden(resource.groupResource, name, 'Use of external IPs is denied by admission control')
  }
}
