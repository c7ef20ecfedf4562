import type { ServiceCIDR } from '../../apimachinery/api/generated/networking-v1.js'
import { given } from '../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { ipFamily, isCIDR, validateCanonicalCIDR } from '../../apimachinery/validation/ip.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateImmutable } from '../immutable.js'

const path = Path.of('spec', 'cidrs')
const families = 2
/** Without it, clients write the status through the resource, too. */
const wiping = 'ServiceCIDRStatusFieldWiping'

export const serviceCIDR = defineKind<ServiceCIDR>({
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  resource: 'servicecidrs',
  namespaced: false,
  versions: [
    { name: 'v1', type: 'networking.v1.ServiceCIDR' },
    {
      name: 'v1beta1',
      type: 'networking.v1beta1.ServiceCIDR',
      served: false,
      deprecation: 'networking.k8s.io/v1beta1 ServiceCIDR is deprecated in v1.34+, unavailable in v1.37+'
    }
  ],
  table: {
    columns: builtinColumns<ServiceCIDR>('networking.k8s.io/servicecidrs', {
      CIDRs: o => (o.spec.cidrs ?? []).join(',')
    })
  },
  strategy: {
    prepareForCreate(o, { services }) {
      if (services.features.enabled(wiping)) o.status = {}
    },
    validateCreate: ({ spec }, errors) => validateCidrs(spec.cidrs ?? [], errors),
    validateUpdate({ spec }, { spec: { cidrs: old = [] } }, errors) {
      const cidrs = given(spec, 'cidrs')
      // only a second family may be added
      const doubles = old.length === 1 && cidrs?.length === families
      if (!doubles && (cidrs ?? []).length !== old.length) return errors.invalid(path, cidrs, 'field is immutable')
      cidrs?.slice(0, old.length).forEach((cidr, i) => void validateImmutable(path.index(i), cidr, old[i], errors))
      if (doubles) validateCidrs(cidrs, errors)
    }
  },
  subresources: { status: { metadata: 'reset', onlyWith: wiping } }
})

function validateCidrs(cidrs: readonly string[], errors: FieldErrors): void {
  if (cidrs.length === 0) {
    errors.required(path, 'at least one CIDR required')
    return
  }
  if (cidrs.length > families) {
    errors.invalid(path, internalText('networking.v1.ServiceCIDRSpec', { cidrs }), 'may only hold up to 2 values')
    return
  }
  cidrs.forEach((cidr, i) => void validateCanonicalCIDR(cidr, path.index(i), errors))
  const [first, second] = cidrs
  if (first && second && isCIDR(first) && isCIDR(second) && ipFamily(first) === ipFamily(second)) {
    errors.invalid(path, cidrs, 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64')
  }
}
