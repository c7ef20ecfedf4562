/** The fields of a ResourceClaim's spec behind feature gates. */
import type { GatedFields } from '../../registry/gated-fields.js'

/** `path` leads to the spec. */
export function claimGatedFields(path: string): GatedFields[] {
  const requests = `${path}.devices.requests.*`
  return [
    { gates: 'DRAPrioritizedList', fields: [`${requests}.firstAvailable`] },
    { gates: 'DRADeviceTaints', fields: [`${requests}.exactly.tolerations`, `${requests}.firstAvailable.*.tolerations`] },
    {
      gates: 'DRADerivedAttributes',
      fields: [`${requests}.exactly.derivedAttributes`, `${requests}.firstAvailable.*.derivedAttributes`]
    },
    { gates: 'DRAAdminAccess', fields: [`${requests}.exactly.adminAccess`] },
    {
      gates: 'DRAConsumableCapacity',
      fields: [
        `${path}.devices.constraints.*.distinctAttribute`,
        `${requests}.exactly.capacity`,
        `${requests}.firstAvailable.*.capacity`
      ]
    }
  ]
}
