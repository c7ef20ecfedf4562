/**
 * kube-apiserver still stores definitions as apiextensions.k8s.io/v1beta1. There, the spec holds the fields that all versions
 * have in common, and some fields have other names.
 */
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion
} from '../../apimachinery/api/generated/apiextensions-v1.js'

const common = {
  subresources: 'subresources',
  validation: 'schema',
  additionalPrinterColumns: 'additionalPrinterColumns',
  selectableFields: 'selectableFields'
}

export function fromV1beta1({ kind, metadata, spec, status }: any): CustomResourceDefinition {
  const { version, versions, conversion, ...rest } = spec
  const shared: Record<string, unknown> = {}
  for (const [before, now] of Object.entries(common)) {
    if (rest[before] !== undefined) shared[now] = rest[before]
    delete rest[before]
  }
  const each: any[] = versions ?? [{ name: version, served: true, storage: true }]
  return {
    kind,
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata,
    spec: {
      ...rest,
      versions: each.map(own => versionOf({ ...own, ...shared })),
      ...(conversion && { conversion: conversionOf(conversion) })
    },
    status
  }
}

function versionOf({ additionalPrinterColumns, ...version }: any): CustomResourceDefinitionVersion {
  if (!additionalPrinterColumns) return version
  const column = ({ JSONPath, ...others }: any) => ({ ...others, jsonPath: JSONPath })
  return { ...version, additionalPrinterColumns: additionalPrinterColumns.map(column) }
}

function conversionOf({ strategy, webhookClientConfig: clientConfig, conversionReviewVersions }: any) {
  if (!clientConfig && !conversionReviewVersions) return { strategy }
  return { strategy, webhook: { ...(clientConfig && { clientConfig }), conversionReviewVersions } }
}
