/** The names of types in OpenAPI documents: "core.v1.Pod" is "io.k8s.api.core.v1.Pod". */

const packages: Readonly<Record<string, string>> = {
  meta: 'io.k8s.apimachinery.pkg.apis.meta',
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  apiregistration: 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
  version: 'io.k8s.apimachinery.pkg.version'
}

export function openApiName(short: string): string {
  const dot = short.indexOf('.')
  const first = short.slice(0, dot)
  return `${Object.hasOwn(packages, first) ? packages[first] : `io.k8s.api.${first}`}${short.slice(dot)}`
}

/** Scalars that are types of their own in OpenAPI. */
export const scalarNames: Readonly<Record<string, string>> = {
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  time: 'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  microTime: 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  fieldsV1: 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  raw: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  json: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  schemaOrArray: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray',
  schemaOrBool: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool',
  schemaOrStringArray: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray'
}

export const patchName = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch'
export const statusName = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status'
export const deleteOptionsName = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'
export const watchEventName = 'io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent'
export const resourceListName = 'io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList'
